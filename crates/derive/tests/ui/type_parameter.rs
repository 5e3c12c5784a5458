use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Pair<T> {
    first: T,
    second: T,
}

fn main() {}
