use upcall::Blit;

#[derive(Clone, Blit)]
#[repr(C)]
struct Person {
    name: String,
    scores: Vec<f64>,
}

fn main() {}
