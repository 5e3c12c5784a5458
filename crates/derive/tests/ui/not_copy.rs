use upcall::Blit;

#[derive(Blit)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
