//! A measured layout as Rust fields: with `packed` or `align` where the fields alone would lie differently,
//! and with bytes where there is no field.

use super::names::{field_name, rust_type};
use crate::model::{Api, Field, Layout, padded};

/// A struct of the mirror.
pub(super) struct Members {
    /// What goes into `#[repr(...)]`.
    pub repr: String,
    /// Name, type and offset, ordered by offset.
    pub list: Vec<Member>,
}

/// A field of the mirror.
pub(super) struct Member {
    pub name: String,
    pub ty: String,
    pub offset: u64,
    pub layout: Layout,
}

/// The fields of a struct whose first byte is at `base`. `packed` is the source's own, if it has one.
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
    let touched = api.all_touched(fields).into_iter();
    list.extend(touched.map(|(start, end)| bytes(format!("bits_{start}"), start - base, end - base)));
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
    let list = padded(
        list,
        |member| (member.offset, member.layout),
        packed,
        Some(whole),
        |start, end| bytes(format!("_padding_{start}"), start, end),
    );
    Members { repr, list }
}

/// A field as it is. In a union a bitfield is the bytes it touches.
pub(super) fn member(api: &Api, field: &Field, base: u64) -> Member {
    let name = field_name(field);
    match api.touched(field) {
        Some((start, end)) => bytes(name, start - base, end - base),
        None => Member {
            name,
            ty: rust_type(api, &field.ty),
            offset: field.offset.saturating_sub(base),
            layout: api.layout(&field.ty).unwrap_or_default(),
        },
    }
}

/// A member that is not a field of the source.
pub(super) fn extra(name: &str, ty: &str, layout: Layout) -> Member {
    Member { name: name.into(), ty: ty.into(), offset: 0, layout }
}

fn bytes(name: String, start: u64, end: u64) -> Member {
    let size = end - start;
    Member { name, ty: format!("[u8; {size}]"), offset: start, layout: Layout { size, align: 1 } }
}
