use upcall_derive::Soa;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Point {
    x: f32,
}

fn main() {
    let (mut growing, mut fixed) = (PointSoaVec::new(), PointSoa::default());
    std::mem::swap(&mut *growing, &mut *fixed);
}
