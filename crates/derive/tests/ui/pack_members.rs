use upcall_pack::Pack;

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct SomeOrdered {
    #[pack(order = 0)]
    a: u8,
    b: u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct SameOrder {
    #[pack(order = 0)]
    a: u8,
    #[pack(order = 0)]
    b: u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Gap {
    #[pack(order = 0)]
    a: u8,
    #[pack(order = 2)]
    b: u8,
}

#[derive(Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct TooFar {
    #[pack(order = 249)]
    a: u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct IgnoredAndOrdered {
    #[pack(ignore, order = 0)]
    a: u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct TwoFormatters {
    #[pack(utf8, utf16)]
    a: String,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Misspelled {
    #[pack(skip)]
    a: u8,
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct TooMany(
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
    u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8,
);

fn main() {}
