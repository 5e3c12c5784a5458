//! What the derives say of a type in fingerprints of exported functions.

use upcall_abi::{Shape, Shaped};

#[derive(Clone, Copy, upcall::Blit)]
#[repr(C)]
struct Point {
    r#in: u8,
    places: [f32; 2],
    letter: std::ffi::c_char,
}

#[derive(Clone, Copy, upcall::Blit)]
#[repr(transparent)]
struct Number(u64);

#[derive(upcall::Enum)]
#[repr(i8)]
enum Sign {
    Minus = -1,
    Plus = 1,
}

#[derive(upcall_derive::Soa)]
#[soa(spans, crate = upcall_soa)]
struct Body {
    mass: f64,
    #[soa(flatten)]
    place: Place,
}

#[derive(upcall_derive::Soa)]
#[soa(spans, crate = upcall_soa)]
struct Place {
    x: f32,
}

/// `name size: member at type, …`, with the types in brackets.
fn text(shape: &Shape) -> String {
    let members = shape.members.iter().map(|member| {
        let of = member.of.map(|of| format!(" {}", text(of))).unwrap_or_default();
        format!("{} {}{of}", member.name, member.at)
    });
    let (name, size, members) = (shape.name, shape.size, members.collect::<Vec<_>>().join(", "));
    match (shape.declared, members.is_empty()) {
        (true, _) => format!("{name} {size}: {members}"),
        (false, true) => name.to_owned(),
        (false, false) => format!("{name}({members})"),
    }
}

#[test]
fn a_struct_is_its_fields() {
    assert_eq!(text(Point::SHAPE), "Point 16: in 0 u8, places 4 []( 2 f32), letter 12 c_char");
    assert_eq!(text(Number::SHAPE), "Number 8: 0 0 u64");
}

#[test]
fn an_enum_is_its_variants() {
    assert_eq!(text(Sign::SHAPE), "Sign 1: Minus -1, Plus 1");
}

#[test]
fn columns_are_their_slices() {
    let place = "PlaceSpans 16: x 0 SliceMut( 0 f32)";
    assert_eq!(text(BodySpans::SHAPE), format!("BodySpans 32: mass 0 SliceMut( 0 f64), place 16 {place}"));
}
