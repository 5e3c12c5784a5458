use upcall_pack::Pack;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Circle {
    radius: f32,
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum SameTag {
    #[pack(tag = 1)]
    One(Circle),
    Two(Circle),
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum NoClass {
    One(Circle),
    Nothing,
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum TagTooLarge {
    #[pack(tag = 65536)]
    One(Circle),
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum Misspelled {
    #[pack(order = 1)]
    One(Circle),
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum Empty {}

fn main() {}
