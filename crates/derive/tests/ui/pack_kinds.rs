use upcall_pack::Pack;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
union Bits {
    whole: u32,
    parts: [u8; 4],
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
enum Data {
    One(u8),
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
enum NoRepr {
    One,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
#[repr(usize)]
enum OfTheMachine {
    One,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
#[repr(u8)]
enum Empty {}

#[derive(Pack)]
#[pack(raw, struct, crate = upcall_pack)]
struct Two {
    x: f32,
}

#[derive(Pack)]
#[pack(raw, version_tolerant, crate = upcall_pack)]
#[repr(C)]
struct RawSlots {
    x: f32,
}

#[derive(Pack)]
#[pack(circular, version_tolerant, crate = upcall_pack)]
struct Twice {
    x: f32,
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
struct NoEnum {
    x: f32,
}

#[derive(Pack)]
#[pack(struct, crate = upcall_pack)]
#[repr(u8)]
enum NoStruct {
    One,
}

#[derive(Pack)]
#[pack(circular, crate = upcall_pack)]
struct Borrowing<'a> {
    name: &'a str,
}

#[derive(Pack)]
#[pack(klass, crate = upcall_pack)]
struct Misspelled {
    x: f32,
}

fn main() {}
