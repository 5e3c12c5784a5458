use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[blit(crate = upcall::boundary)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {}
