use upcall::Enum;

#[derive(Enum)]
struct Point {
    x: f32,
}

#[derive(Enum)]
enum Unsized {
    One,
}

#[derive(Enum)]
#[repr(u8)]
enum Data {
    One(u8),
}

#[derive(Enum)]
#[repr(u8)]
enum Empty {}

#[derive(Enum)]
#[repr(u8)]
enum Generic<const N: usize> {
    One,
}

#[derive(Enum)]
#[value(krate = upcall::abi)]
#[repr(u8)]
enum Misspelled {
    One,
}

fn main() {}
