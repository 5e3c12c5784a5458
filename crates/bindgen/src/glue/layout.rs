//! A measured layout as Rust fields: with `packed` or `align` where the fields alone would lie differently,
//! and with bytes for what no field covers.

use super::names::{field_name, rust_type};
use crate::model::{Api, Field, Layout};

/// A struct of the mirror.
pub(super) struct Members {
    /// What goes into `#[repr(...)]`.
    pub repr: String,
    /// Name, type and offset in the order of the offsets.
    pub list: Vec<Member>,
}

/// A field of the mirror.
pub(super) struct Member {
    pub name: String,
    pub ty: String,
    pub offset: u64,
    pub layout: Layout,
}

/// The fields of a struct whose first byte is at `base`. `packed` is what the source says, if it does.
pub(super) fn members(
    api: &Api,
    fields: &[Field],
    base: u64,
    whole: Option<Layout>,
    packed: Option<u64>,
    first: Option<Member>,
) -> Members {
    let mut list: Vec<Member> = first.into_iter().collect();
    list.extend(fields.iter().filter(|field| field.bits.is_none()).map(|field| member(api, field, base)));
    list.extend(bit_members(api, fields, base));
    let Some(whole) = whole else {
        let repr = packed.map_or_else(|| "C".into(), |packed| format!("C, packed({packed})"));
        return Members { repr, list };
    };
    list.sort_by_key(|member| member.offset);
    let natural = list.iter().map(|member| member.layout.align).max().unwrap_or(1);
    let packed = packed.or((natural > whole.align).then_some(whole.align));
    let repr = match packed {
        Some(packed) => format!("C, packed({packed})"),
        None if natural < whole.align => format!("C, align({})", whole.align),
        None => "C".into(),
    };
    let mut padded = Vec::with_capacity(list.len());
    let mut cursor = 0;
    for member in list {
        let align = member.layout.align.min(packed.unwrap_or(u64::MAX)).max(1);
        if cursor_after(cursor, align) < member.offset {
            padded.push(padding(cursor, member.offset));
        }
        cursor = member.offset + member.layout.size;
        padded.push(member);
    }
    if cursor_after(cursor, whole.align.max(1)) < whole.size {
        padded.push(padding(cursor, whole.size));
    }
    Members { repr, list: padded }
}

/// Where something of this alignment goes when `cursor` bytes are taken.
pub(super) fn cursor_after(cursor: u64, align: u64) -> u64 {
    cursor.div_ceil(align) * align
}

/// A field as it is. In a union a bitfield is the bytes that it touches.
pub(super) fn member(api: &Api, field: &Field, base: u64) -> Member {
    let name = field_name(field);
    match touched(api, field) {
        Some((start, end)) => Member {
            name,
            ty: format!("[u8; {}]", end - start),
            offset: start - base,
            layout: bytes(end - start),
        },
        None => Member {
            name,
            ty: rust_type(api, &field.ty),
            offset: field.offset.saturating_sub(base),
            layout: api.layout(&field.ty).unwrap_or_default(),
        },
    }
}

/// A member that is no field of the source.
pub(super) fn extra(name: &str, ty: &str, layout: Layout) -> Member {
    Member { name: name.into(), ty: ty.into(), offset: 0, layout }
}

/// Bytes that bitfields touch, side by side ones together: their storage units may overlap other fields.
fn bit_members(api: &Api, fields: &[Field], base: u64) -> Vec<Member> {
    let mut ranges: Vec<(u64, u64)> = fields.iter().filter_map(|field| touched(api, field)).collect();
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    let member = |(start, end)| Member {
        name: format!("bits_{start}"),
        ty: format!("[u8; {}]", end - start),
        offset: start - base,
        layout: bytes(end - start),
    };
    joined.into_iter().map(member).collect()
}

fn touched(api: &Api, field: &Field) -> Option<(u64, u64)> {
    let bits = field.bits.filter(|bits| bits.width > 0)?;
    let (low, high) = (u64::from(bits.shift) / 8, u64::from(bits.shift + bits.width - 1) / 8);
    if api.target.big_endian {
        let size = api.layout(&field.ty).map_or(0, |layout| layout.size);
        return Some((field.offset + size - 1 - high, field.offset + size - low));
    }
    Some((field.offset + low, field.offset + high + 1))
}

fn padding(start: u64, end: u64) -> Member {
    Member {
        name: format!("_padding_{start}"),
        ty: format!("[u8; {}]", end - start),
        offset: start,
        layout: bytes(end - start),
    }
}

fn bytes(size: u64) -> Layout {
    Layout { size, align: 1 }
}
