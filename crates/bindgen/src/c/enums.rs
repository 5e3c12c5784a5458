//! C enums: named numbers, sets of bits, and constants.

use super::clang::{Cursor, raw};
use super::comments;
use super::reader::integer;
use crate::model::{Body, Constant, Enum, Flags, Int, Ty, Value, Variant};

/// The body of a named enum.
pub fn body(definition: Cursor<'_>) -> Body {
    let repr = repr(definition);
    let variants: Vec<Variant> = enumerators(definition)
        .map(|(cursor, value)| Variant {
            name: cursor.name().unwrap_or_default(),
            value,
            docs: comments::docs(&cursor.comment()),
        })
        .collect();
    if definition.has_child(raw::CXCursor_FlagEnum) || is_set_of_bits(&variants) {
        Body::Flags(Flags { repr, bits: variants, combine: true })
    } else {
        Body::Enum(Enum { repr, variants, closed: false })
    }
}

/// The constants of an unnamed enum.
pub fn constants(definition: Cursor<'_>) -> impl Iterator<Item = Constant> {
    let ty = Ty::Int(repr(definition));
    enumerators(definition).map(move |(cursor, value)| Constant {
        name: cursor.name().unwrap_or_default(),
        path: Vec::new(),
        ty: ty.clone(),
        value: Value::Int(value),
        docs: comments::docs(&cursor.comment()),
        place: cursor.place(),
    })
}

/// Whether an integer of this kind is signed on the target.
pub fn is_signed(kind: raw::CXTypeKind) -> bool {
    matches!(
        kind,
        raw::CXType_Char_S
            | raw::CXType_SChar
            | raw::CXType_Short
            | raw::CXType_Int
            | raw::CXType_Long
            | raw::CXType_LongLong
            | raw::CXType_Int128
    )
}

fn repr(definition: Cursor<'_>) -> Int {
    let ty = definition.enum_type().canonical();
    integer(ty.kind()).unwrap_or(Int::I32)
}

fn enumerators(definition: Cursor<'_>) -> impl Iterator<Item = (Cursor<'_>, i128)> {
    let signed = is_signed(definition.enum_type().canonical().kind());
    let children = definition.children().into_iter();
    children
        .filter(|child| child.kind() == raw::CXCursor_EnumConstantDecl)
        .map(move |child| (child, child.enumerator(signed)))
}

/// At least three single bits and nothing but combinations of them, unless the numbers only count up.
fn is_set_of_bits(variants: &[Variant]) -> bool {
    let mut values: Vec<i128> = variants.iter().map(|variant| variant.value).collect();
    values.sort_unstable();
    values.dedup();
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return false };
    let single: Vec<i128> = values.iter().copied().filter(|value| value.count_ones() == 1).collect();
    let all = single.iter().fold(0, |all, bit| all | bit);
    *first >= 0
        && single.len() >= 3
        && values.iter().all(|value| value & !all == 0)
        && last - first + 1 != values.len() as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_told_from_numbers_that_count() {
        let set = |values: &[i128]| {
            let variant = |value: &i128| Variant { name: String::new(), value: *value, docs: String::new() };
            is_set_of_bits(&values.iter().map(variant).collect::<Vec<_>>())
        };
        assert!(set(&[1, 2, 4]) && set(&[0, 1, 2, 4, 7]) && set(&[1, 1, 8, 16, 24]));
        assert!(!set(&[0, 1, 2]) && !set(&[0, 1, 2, 3, 4]) && !set(&[1, 2, 3, 4]) && !set(&[]));
        assert!(!set(&[-1, 1, 2, 4]) && !set(&[1, 2, 4, 9]) && !set(&[1, 2]));
    }
}
