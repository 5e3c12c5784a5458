use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(align(16))]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
