use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Named {
    id: u64,
    name: &'static str,
}

fn main() {}
