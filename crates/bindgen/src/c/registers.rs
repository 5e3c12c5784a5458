//! Structs that a C compiler may pass in different registers than a struct with the same bytes.

use crate::model::{Api, Body, Field, Layout, Record, Ty};

/// Why `ty` cannot be passed by value, if it cannot.
pub fn refuse(api: &Api, ty: &Ty) -> Option<&'static str> {
    if is_flexible(api, ty) {
        return Some("ends in an array without a length, which compilers pass in different ways");
    }
    if has_displaced_bits(api, ty) {
        return Some("has bitfields in a struct that is not aligned, which compilers pass in different ways");
    }
    if has_gap(api, ty) && has_empty_register(api, ty) {
        return Some(
            "has eight bytes, or the last ones, without a field, which compilers pass in different ways",
        );
    }
    // A C compiler ignores the gap when it chooses registers, but a struct with bytes in its place is
    // a different struct.
    let floats = || api.holds(ty, &|ty| matches!(ty, Ty::Float(_)));
    (has_gap(api, ty) && floats())
        .then_some("has a float beside a gap that decides in which registers it is passed")
}

/// Whether it holds a struct with bitfields at an address that its alignment forbids.
fn has_displaced_bits(api: &Api, ty: &Ty) -> bool {
    let Ty::Named(id) = api.element(ty) else { return false };
    api.get(*id).body.fields().any(|field| {
        let align = api.layout(&field.ty).map_or(1, |layout| layout.align.max(1));
        let inner = |ty: &Ty| match ty {
            Ty::Named(id) => api.get(*id).body.fields().any(|field| field.bits.is_some()),
            _ => false,
        };
        field.bits.is_none()
            && (field.offset % align != 0 && api.holds(&field.ty, &inner)
                || has_displaced_bits(api, &field.ty))
    })
}

/// Whether a struct that fits two registers has one in which no field lies.
fn has_empty_register(api: &Api, ty: &Ty) -> bool {
    let size = api.layout(ty).map_or(0, |layout| layout.size);
    let mut used = [false; 2];
    if size <= 16 {
        mark(api, ty, 0, &mut used);
    }
    size <= 16 && used[..size.div_ceil(8) as usize].contains(&false)
}

fn mark(api: &Api, ty: &Ty, base: u64, used: &mut [bool; 2]) {
    let touch = |used: &mut [bool; 2], start: u64, size: u64| {
        (start / 8..(start + size).div_ceil(8)).for_each(|register| used[register as usize] = true);
    };
    match api.resolve(ty) {
        Ty::Array { of, len } => {
            let stride = api.layout(of).map_or(0, |layout| layout.size);
            (0..*len).for_each(|index| mark(api, of, base + index * stride, used));
        }
        Ty::Named(id) if api.get(*id).body.is_record() => {
            for field in api.get(*id).body.fields() {
                match place(api, field) {
                    Some((start, own)) if field.bits.is_some() => touch(used, base + start, own.size),
                    _ => mark(api, &field.ty, base + field.offset, used),
                }
            }
        }
        other => touch(used, base, api.layout(other).map_or(0, |layout| layout.size)),
    }
}

fn is_flexible(api: &Api, ty: &Ty) -> bool {
    match api.resolve(ty) {
        Ty::Array { of, len } => *len == 0 || is_flexible(api, of),
        Ty::Named(id) => api.get(*id).body.fields().any(|field| is_flexible(api, &field.ty)),
        _ => false,
    }
}

/// Whether there are bytes that only an attribute or an unnamed bitfield explains.
fn has_gap(api: &Api, ty: &Ty) -> bool {
    match api.resolve(ty) {
        Ty::Array { of, .. } => has_gap(api, of),
        Ty::Named(id) => {
            let declared = api.get(*id);
            let whole = declared.layout.unwrap_or_default();
            matches!(&declared.body, Body::Struct(record) if own_gap(api, record, whole))
                || declared.body.fields().any(|field| has_gap(api, &field.ty))
        }
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
    let Some(bits) = &field.bits else { return Some((field.offset, own)) };
    let (low, high) = (u64::from(bits.shift) / 8, u64::from(bits.shift + bits.width).div_ceil(8));
    let start = if api.target.big_endian { own.size - high } else { low };
    Some((field.offset + start, Layout { size: high - low, align: 1 }))
}
