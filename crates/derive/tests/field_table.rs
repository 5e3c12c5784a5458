//! The tables of awkward structs, compared with what the compiler says.

use std::mem::{align_of, offset_of, size_of};
use upcall::Blit;
use upcall::abi::Field;

/// The row that a field of type `$ty` must have.
macro_rules! row {
    ($struct:ty, $field:tt: $ty:ty) => {
        Field {
            name: stringify!($field),
            type_name: <$ty as Blit>::NAME,
            offset: offset_of!($struct, $field),
            size: size_of::<$ty>(),
            align: align_of::<$ty>(),
        }
    };
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Holes {
    a: u8,
    b: u64,
    c: u16,
    d: u32,
    e: i8,
}

#[test]
fn a_struct_with_holes_tells_where_its_fields_are_and_that_it_is_padded() {
    let rows = [
        row!(Holes, a: u8),
        row!(Holes, b: u64),
        row!(Holes, c: u16),
        row!(Holes, d: u32),
        row!(Holes, e: i8),
    ];
    assert_eq!(Holes::FIELDS, rows);
    assert_eq!(Holes::FIELDS.map_offsets(), [0, 8, 16, 20, 24]);
    assert_eq!(Holes::NAME, "Holes");
    const { assert!(Holes::PADDED) };
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Dense {
    a: u32,
    b: [u16; 2],
    c: f64,
}

#[test]
fn a_struct_without_holes_is_not_padded() {
    assert_eq!(Dense::FIELDS, [row!(Dense, a: u32), row!(Dense, b: [u16; 2]), row!(Dense, c: f64)]);
    assert_eq!((Dense::FIELDS[1].type_name, Dense::FIELDS[1].size), ("u16", 4));
    const { assert!(!Dense::PADDED) };
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct TailOnly {
    a: u64,
    b: u8,
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Nested {
    many: [TailOnly; 3],
    one: Dense,
}

#[test]
fn a_hole_inside_a_field_makes_the_whole_padded() {
    const { assert!(TailOnly::PADDED) };
    // Its own fields lie side by side: the holes are in the elements of `many`.
    assert_eq!(Nested::FIELDS.iter().map(|field| field.size).sum::<usize>(), size_of::<Nested>());
    const { assert!(Nested::PADDED) };
    assert_eq!(Nested::FIELDS, [row!(Nested, many: [TailOnly; 3]), row!(Nested, one: Dense)]);
    assert_eq!(Nested::FIELDS[0].type_name, "TailOnly");
}

#[derive(Clone, Copy, Blit)]
#[repr(C, align(64))]
struct Line {
    value: u32,
}

#[test]
fn an_alignment_that_makes_room_behind_the_fields_is_padding() {
    assert_eq!(Line::FIELDS, [row!(Line, value: u32)]);
    assert_eq!((size_of::<Line>(), align_of::<Line>()), (64, 64));
    const { assert!(Line::PADDED) };
}

#[derive(Clone, Copy, Blit)]
#[repr(C, packed(2))]
struct Packed {
    a: u16,
    b: u8,
    c: [u8; 3],
}

#[test]
fn a_packed_struct_whose_fields_are_aligned_all_the_same_is_accepted() {
    assert_eq!(Packed::FIELDS, [row!(Packed, a: u16), row!(Packed, b: u8), row!(Packed, c: [u8; 3])]);
    const { assert!(!Packed::PADDED) };
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct Pair(u8, i32);

#[derive(Clone, Copy, Blit)]
#[repr(transparent)]
struct Meters(f64);

#[test]
fn tuple_structs_name_their_fields_by_index() {
    assert_eq!(Pair::FIELDS, [row!(Pair, 0: u8), row!(Pair, 1: i32)]);
    assert_eq!(Meters::FIELDS, [row!(Meters, 0: f64)]);
    const { assert!(Pair::PADDED && !Meters::PADDED) };
}

#[derive(Clone, Copy, Blit)]
#[repr(C)]
struct r#Match {
    r#type: u32,
    size: [u8; Self::WIDTH],
}

impl r#Match {
    const WIDTH: usize = 4;
}

#[test]
fn raw_names_are_told_without_their_prefix() {
    assert_eq!(Match::NAME, "Match");
    assert_eq!(Match::FIELDS[0].name, "type");
    assert_eq!(Match::FIELDS[1], row!(Match, size: [u8; 4]));
}

/// Names that the generated code uses too.
mod shadows {
    #[allow(non_camel_case_types)]
    pub struct str;
    pub struct Field;
    pub const PARTS: usize = 2;

    #[derive(Clone, Copy, upcall::Blit)]
    #[repr(C)]
    pub struct Shadowed {
        pub parts: [u8; PARTS],
    }
}

#[test]
fn names_of_the_user_do_not_disturb() {
    assert_eq!(size_of::<(shadows::str, shadows::Field)>(), 0, "neither is the one that the derive names");
    assert_eq!(shadows::Shadowed::FIELDS, [row!(shadows::Shadowed, parts: [u8; 2])]);
}

trait Offsets {
    fn map_offsets(&self) -> Vec<usize>;
}

impl Offsets for [Field] {
    fn map_offsets(&self) -> Vec<usize> {
        self.iter().map(|field| field.offset).collect()
    }
}
