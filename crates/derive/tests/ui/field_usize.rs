use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Entry {
    id: u64,
    count: usize,
}

fn main() {}
