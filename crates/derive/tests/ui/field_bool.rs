use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Entry {
    id: u64,
    flag: bool,
}

fn main() {}
