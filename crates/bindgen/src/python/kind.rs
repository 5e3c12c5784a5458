//! What the kinds of values are to Python.

use crate::model::{Api, Body, Declared, Float, Int, Pointer, Ty, TypeId, Variant};
use crate::plan::{Kind, is_letter};

/// The class of what a pointer points to.
pub(super) fn pointee(api: &Api, pointer: &Pointer) -> Option<TypeId> {
    match Kind::plain(api, &pointer.to) {
        Kind::Record(id) | Kind::Empty(id) => Some(id),
        _ => None,
    }
}

/// Whether a pointer that native code gives may be the address of C text: of `char`, or of `unsigned char` that nobody
/// may write.
pub(super) fn says(api: &Api, pointer: &Pointer) -> bool {
    is_letter(api, &pointer.to) || !pointer.mutable && *api.resolve(&pointer.to) == Ty::Int(Int::U8)
}

/// Whether native code may write one value through a pointer, so that an `Out` can be passed for it.
pub(super) fn out(api: &Api, pointer: &Pointer) -> bool {
    pointer.mutable && api.has_value(&pointer.to)
}

/// The letter of the `struct` module for a scalar, an enum or an address; nothing for anything else.
pub(super) fn letter(api: &Api, kind: Kind<'_>) -> Option<char> {
    Some(match kind {
        Kind::Bool => '?',
        Kind::Char => 'I',
        Kind::Float(Float::F32) => 'f',
        Kind::Float(Float::F64) => 'd',
        Kind::Int(number) => match (number.bytes, number.signed) {
            (1, true) => 'b',
            (1, false) => 'B',
            (2, true) => 'h',
            (2, false) => 'H',
            (4, true) => 'i',
            (4, false) => 'I',
            (8, true) => 'q',
            (8, false) => 'Q',
            _ => return None,
        },
        Kind::Pointer(_) | Kind::Function(_) if api.target.pointer == 8 => 'Q',
        Kind::Pointer(_) | Kind::Function(_) => 'I',
        _ => return None,
    })
}

/// The enums and the sets of flags: the base of each class, and its members.
pub(super) fn enums(api: &Api) -> impl Iterator<Item = (&Declared, &'static str, &[Variant])> {
    api.types.iter().filter_map(|declared| match &declared.body {
        Body::Enum(body) => Some((declared, "_enum.IntEnum", &body.variants[..])),
        Body::Flags(body) => Some((declared, "_enum.IntFlag", &body.bits[..])),
        _ => None,
    })
}
