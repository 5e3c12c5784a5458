use upcall_derive::Soa;

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Borrows<'a> {
    name: &'a str,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Unnamed(f32, f32);

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct Empty {}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
enum Fieldless {
    Left,
    Right,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
union Bits {
    float: f32,
    number: u32,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct TwoMethods {
    x: f32,
    x_mut: f32,
}

#[derive(Soa)]
#[soa(crate = upcall_soa, columnar)]
struct UnknownOption {
    x: f32,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
struct UnknownFieldOption {
    #[soa(flat)]
    x: f32,
}

#[derive(Soa)]
#[soa(crate = upcall_soa)]
enum FlatVariant {
    One(#[soa(flatten)] f32),
}

#[derive(Soa)]
#[soa(crate = upcall_soa, spans)]
struct TwoSpans {
    spans: f32,
}

fn main() {}
