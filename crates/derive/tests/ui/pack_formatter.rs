use upcall_pack::Pack;

struct NoFormatter;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Order {
    #[pack(with = NoFormatter)]
    id: u32,
}

fn main() {}
