use upcall_derive::Soa;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {
    let mut points = PointSoaVec::new();
    points.push(Point { x: 1.0, y: 2.0 });
    let x = points.x_mut();
    let row = points.row(0);
    x[0] = 3.0;
    let _ = row;
}
