use upcall::Blit;

#[derive(Clone, Copy, Blit)]
#[repr(C)]
union Number {
    whole: u64,
    real: f64,
}

fn main() {}
