use upcall_pack::Pack;

#[derive(Pack)]
#[pack(raw, crate = upcall_pack)]
struct NoLayout {
    x: f32,
}

#[derive(Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct NoFields {}

#[derive(Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct Options {
    #[pack(ignore)]
    x: f32,
}

fn main() {}
