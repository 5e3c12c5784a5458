use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Nothing;

fn main() {}
