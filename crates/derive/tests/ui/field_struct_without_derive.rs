use upcall::Blit;

#[derive(Clone, Copy)]
#[repr(C)]
struct Inner {
    x: u32,
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Outer {
    inner: [Inner; 2],
}

fn main() {}
