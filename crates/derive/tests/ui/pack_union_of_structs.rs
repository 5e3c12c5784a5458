use upcall_pack::Pack;

#[derive(Pack)]
#[pack(struct, crate = upcall_pack)]
struct Point {
    name: String,
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum Shape {
    Point(Point),
    Number(u32),
}

fn main() {}
