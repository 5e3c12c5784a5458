use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Buffer {
    start: *const u8,
    len: u64,
}

fn main() {}
