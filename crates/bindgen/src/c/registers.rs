//! Structs that a C compiler may pass in different registers than a struct with the same bytes.

use crate::model::{Api, Body, Field, Layout, Record, Ty};

/// Why `ty` cannot be passed by value, if it cannot.
pub fn refuse(api: &Api, ty: &Ty) -> Option<&'static str> {
    if is_flexible(api, ty) {
        return Some("ends in an array without a length, which compilers pass in different ways");
    }
    // A C compiler ignores the gap when it chooses registers, but a struct with bytes in its place is
    // a different struct.
    let floats = || api.holds(ty, &|ty| matches!(ty, Ty::Float(_)));
    (has_gap(api, ty) && floats())
        .then_some("has a float beside a gap that decides in which registers it is passed")
}

fn is_flexible(api: &Api, ty: &Ty) -> bool {
    match api.resolve(ty) {
        Ty::Array { of, len } => *len == 0 || is_flexible(api, of),
        Ty::Named(id) => match &api.get(*id).body {
            Body::Struct(record) | Body::Union(record) => {
                record.fields.iter().any(|field| is_flexible(api, &field.ty))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether there are bytes that only an attribute or an unnamed bitfield explains.
fn has_gap(api: &Api, ty: &Ty) -> bool {
    match api.resolve(ty) {
        Ty::Array { of, .. } => has_gap(api, of),
        Ty::Named(id) => match &api.get(*id).body {
            Body::Struct(record) => {
                own_gap(api, record, api.get(*id).layout.unwrap_or_default())
                    || record.fields.iter().any(|field| has_gap(api, &field.ty))
            }
            Body::Union(record) => record.fields.iter().any(|field| has_gap(api, &field.ty)),
            _ => false,
        },
        _ => false,
    }
}

fn own_gap(api: &Api, record: &Record, whole: Layout) -> bool {
    let limit = record.packed.unwrap_or(u64::MAX);
    let mut places: Vec<(u64, Layout)> = record.fields.iter().filter_map(|field| place(api, field)).collect();
    places.sort_unstable_by_key(|(offset, _)| *offset);
    let mut cursor = 0u64;
    for (offset, own) in places {
        if cursor.next_multiple_of(own.align.min(limit).max(1)) < offset {
            return true;
        }
        cursor = cursor.max(offset + own.size);
    }
    cursor.next_multiple_of(whole.align.max(1)) < whole.size
}

/// The range of a field; for a bitfield, the bytes it touches.
fn place(api: &Api, field: &Field) -> Option<(u64, Layout)> {
    let own = api.layout(&field.ty)?;
    let Some(bits) = field.bits else { return Some((field.offset, own)) };
    let (low, high) = (u64::from(bits.shift) / 8, u64::from(bits.shift + bits.width).div_ceil(8));
    let start = if api.target.big_endian { own.size - high } else { low };
    Some((field.offset + start, Layout { size: high - low, align: 1 }))
}
