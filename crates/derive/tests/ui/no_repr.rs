use upcall::Blit;

#[derive(Clone, Copy, Blit)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
