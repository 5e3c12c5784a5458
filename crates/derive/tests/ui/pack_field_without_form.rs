use upcall_pack::Pack;

struct Unknown;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Order {
    id: u32,
    unknown: Unknown,
    #[pack(ignore)]
    ignored: Unknown,
}

#[derive(Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {
    kids: Vec<Node>,
}

fn main() {}
