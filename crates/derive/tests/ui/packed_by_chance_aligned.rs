use upcall::Blit;

// The offset of `length` is a multiple of 4, but the struct itself may lie anywhere.
#[derive(Clone, Copy, Blit)]
#[repr(C, packed)]
struct Header {
    length: u32,
}

fn main() {}
