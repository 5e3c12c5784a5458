use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[blit(name = "Dot")]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
