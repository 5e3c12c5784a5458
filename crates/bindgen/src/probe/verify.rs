//! Whether a measured model is plausible.

use super::fill::holds;
use crate::Diagnostics;
use crate::model::{Api, Body, Declared, Field, Int, Layout, Pointer, Ty, Value};

/// Looks for layouts that no compiler makes and no back end could write bindings for: fields outside their
/// type or on top of each other, impossible alignments, values outside their integer. Each is an error.
pub fn verify(api: &Api, diagnostics: &mut Diagnostics) {
    for declared in &api.types {
        if let Err(message) = check(api, declared) {
            let message = format!("`{}` cannot be laid out as measured: {message}", declared.name);
            diagnostics.error(Some(&declared.place), message, "");
        }
    }
    for constant in &api.constants {
        // A pointer's layout does not depend on its target, so only circles and invalid ids have none.
        let known = field_layout(api, &constant.ty, 0).is_some();
        let fits = known
            && match (api.resolve(&constant.ty), &constant.value) {
                (ty, Value::Int(value)) => api.integer(ty).is_some_and(|int| holds(api, int, *value)),
                (Ty::Int(int), Value::Big(_)) => *int == Int::U128,
                (Ty::Float(_), Value::Float(_)) | (Ty::Bool, Value::Bool(_)) | (Ty::Char, Value::Char(_)) => {
                    true
                }
                (Ty::Pointer(Pointer { .. }), Value::Str(_) | Value::CStr(_)) => true,
                _ => false,
            };
        if !fits {
            let message = format!(
                "`{}` has the value {:?}, which its type does not hold",
                constant.name, constant.value
            );
            diagnostics.error(Some(&constant.place), message, "");
        }
    }
}

fn check(api: &Api, declared: &Declared) -> Result<(), String> {
    let layout = match (&declared.body, declared.layout) {
        (Body::Opaque | Body::Alias(_) | Body::Callback { .. }, _) => return Ok(()),
        (_, None) => return Err("it has no size".to_owned()),
        (_, Some(layout)) => layout,
    };
    if !layout.align.is_power_of_two() || layout.size % layout.align != 0 {
        return Err(format!("a size of {} with an alignment of {}", layout.size, layout.align));
    }
    match &declared.body {
        Body::Struct(record) => {
            let mut places = places(api, layout, &record.fields, record.packed.is_some())?;
            places.sort_unstable();
            apart(&places)
        }
        Body::Union(record) => places(api, layout, &record.fields, record.packed.is_some()).map(drop),
        Body::Enum(body) => number(api, layout, body.repr, body.variants.iter().map(|variant| variant.value)),
        Body::Flags(flags) => number(api, layout, flags.repr, flags.bits.iter().map(|variant| variant.value)),
        Body::Tagged(tagged) => {
            let tag = api.int_size(tagged.tag);
            if tag > layout.size {
                return Err(format!("a tag of {tag} bytes in {}", layout.size));
            }
            for variant in &tagged.variants {
                if !holds(api, tagged.tag, variant.value) {
                    return Err(format!(
                        "`{}` is {}, which its tag does not hold",
                        variant.name, variant.value
                    ));
                }
                let mut places = places(api, layout, &variant.fields, false)?;
                places.push((0, tag, "the tag"));
                places.sort_unstable();
                apart(&places)?;
            }
            Ok(())
        }
        Body::Opaque | Body::Alias(_) | Body::Callback { .. } => Ok(()),
    }
}

/// Start, end and name of each field that has a size. Bitfields may share their storage.
fn places<'a>(
    api: &Api,
    layout: Layout,
    fields: &'a [Field],
    packed: bool,
) -> Result<Vec<(u64, u64, &'a str)>, String> {
    let mut places = Vec::new();
    for field in fields {
        let own =
            field_layout(api, &field.ty, 0).ok_or_else(|| format!("field `{}` has no size", field.name))?;
        let end = field.offset.checked_add(own.size).filter(|end| *end <= layout.size);
        let end = end.ok_or_else(|| {
            format!(
                "field `{}`, {} bytes at {}, goes beyond {}",
                field.name, own.size, field.offset, layout.size
            )
        })?;
        if field
            .bits
            .as_ref()
            .is_some_and(|bits| u64::from(bits.shift) + u64::from(bits.width) > own.size * 8)
        {
            return Err(format!("bitfield `{}` goes beyond its storage unit", field.name));
        }
        // 128-bit integers, and 8-byte numbers on 32-bit targets, may be aligned to less than their size.
        let declared_align = matches!(api.resolve(&field.ty), Ty::Named(_));
        if declared_align && !packed && field.bits.is_none() && field.offset % own.align.max(1) != 0 {
            return Err(format!(
                "field `{}` at {} has an alignment of {}",
                field.name, field.offset, own.align
            ));
        }
        if own.size > 0 && field.bits.is_none() {
            places.push((field.offset, end, field.name.as_str()));
        }
    }
    Ok(places)
}

/// As [`Api::layout`], but an error if types lead in a circle or nowhere.
fn field_layout(api: &Api, ty: &Ty, depth: usize) -> Option<Layout> {
    match ty {
        Ty::Array { of, len } => {
            let of = field_layout(api, of, depth + 1)?;
            Some(Layout { size: of.size.checked_mul(*len)?, align: of.align })
        }
        Ty::Named(id) => match api.types.get(id.0 as usize) {
            Some(Declared { body: Body::Alias(ty), .. }) if depth <= api.types.len() => {
                field_layout(api, ty, depth + 1)
            }
            Some(Declared { body: Body::Alias(_), .. }) | None => None,
            Some(_) => api.layout(ty),
        },
        ty => api.layout(ty),
    }
}

fn apart(places: &[(u64, u64, &str)]) -> Result<(), String> {
    let over = places.windows(2).find(|pair| pair[0].1 > pair[1].0);
    over.map_or(Ok(()), |pair| Err(format!("{} and {} overlap", pair[0].2, pair[1].2)))
}

fn number(api: &Api, layout: Layout, repr: Int, values: impl Iterator<Item = i128>) -> Result<(), String> {
    if api.int_size(repr) != layout.size {
        return Err(format!("{} bytes, but its integer has {}", layout.size, api.int_size(repr)));
    }
    let mut values = values;
    let outside = values.find(|value| !holds(api, repr, *value));
    outside.map_or(Ok(()), |value| Err(format!("the value {value} is outside its integer")))
}
