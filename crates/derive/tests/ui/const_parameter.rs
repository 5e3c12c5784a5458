use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Name<const N: usize> {
    bytes: [u8; N],
}

fn main() {}
