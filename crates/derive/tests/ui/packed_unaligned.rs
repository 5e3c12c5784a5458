use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C, packed)]
struct Header {
    kind: u8,
    length: u32,
}

fn main() {}
