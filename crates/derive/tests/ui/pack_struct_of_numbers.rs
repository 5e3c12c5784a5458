use upcall_pack::Pack;

#[derive(Pack)]
#[pack(struct, crate = upcall_pack)]
struct Point {
    x: i32,
    y: Option<f32>,
}

#[derive(Pack)]
#[pack(struct, version_tolerant, crate = upcall_pack)]
struct Slots {
    #[pack(order = 2)]
    point: (u8, i64),
}

fn main() {}
