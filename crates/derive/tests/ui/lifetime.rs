use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct View<'a> {
    bytes: &'a [u8],
}

fn main() {}
