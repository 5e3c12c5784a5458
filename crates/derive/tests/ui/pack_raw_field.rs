use upcall_pack::Pack;

#[derive(Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct Named {
    id: u32,
    name: String,
}

fn main() {}
