use upcall_derive::Soa;
use upcall_soa::arrow::export;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Point {
    x: f32,
}

fn main() {
    let points: PointSoa = [Point { x: 1.0 }].into();
    let (mut schema, _) = export(points.into());
    schema.private_data = std::ptr::null_mut();
}
