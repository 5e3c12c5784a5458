//! Puts the answers into the model.

use super::ask::{Answer, Ask, FieldAt};
use crate::Diagnostics;
use crate::model::{Api, Body, Float, Int, Layout, Ty, Value};

/// Fills in what was measured. An answer that does not fit the model is an error.
pub(super) fn fill(api: &mut Api, answers: &[(Ask, Answer)], diagnostics: &mut Diagnostics) {
    lengths(api, answers);
    let mut sizes = Vec::new();
    for (ask, answer) in answers {
        if let (Ask::FieldSize(at), Answer::Number(size)) = (ask, answer) {
            sizes.push((*at, unsigned(*size)));
        } else if let Err(found) = put(api, *ask, answer) {
            let (name, place) = ask.about(api);
            diagnostics.error(place.as_ref(), format!("{name} is measured as {found}"), "");
        }
    }
    for index in 0..api.types.len() {
        settle_integer(api, index);
        let declared = &mut api.types[index];
        if declared.layout.is_some_and(|layout| layout.size == 0) {
            declared.body = Body::Opaque;
        }
    }
    for (at, size) in sizes {
        compare_size(api, at, size, diagnostics);
    }
}

/// Array lengths come before everything else, as they are part of types.
fn lengths(api: &mut Api, answers: &[(Ask, Answer)]) {
    let known = |length: u64| {
        let index = super::Plan::pending(length)?;
        answers.iter().find_map(|(ask, answer)| match (ask, answer) {
            (Ask::Length(at), Answer::Number(value)) if *at == index => Some(unsigned(*value)),
            _ => None,
        })
    };
    api.types_mut(&mut |ty| {
        if let Ty::Array { len, .. } = ty
            && let Some(length) = known(*len)
        {
            *len = length;
        }
    });
}

fn put(api: &mut Api, ask: Ask, answer: &Answer) -> Result<(), String> {
    match (ask, answer) {
        (Ask::Pointer, Answer::Number(value)) => api.target.pointer = unsigned(*value),
        (Ask::Long, Answer::Number(value)) => api.target.long = unsigned(*value),
        (Ask::BigEndian, Answer::Number(value)) => api.target.big_endian = *value != 0,
        (Ask::Size(ty), Answer::Number(value)) => layout(api, ty).size = unsigned(*value),
        (Ask::Align(ty), Answer::Number(value)) => layout(api, ty).align = unsigned(*value),
        (Ask::Offset(at), Answer::Number(value)) => {
            if let Some(field) = at.get_mut(api) {
                field.offset = unsigned(*value);
            }
        }
        (Ask::Variant { ty, variant }, Answer::Number(value)) => match &mut api.types[ty].body {
            Body::Enum(body) => body.variants[variant].value = *value,
            Body::Flags(flags) => flags.bits[variant].value = *value,
            Body::Tagged(tagged) => tagged.variants[variant].value = *value,
            _ => {}
        },
        (Ask::Constant(index), answer) => {
            let value = value(api, index, answer)?;
            api.constants[index].value = value;
        }
        (Ask::Fingerprints, Answer::Bytes(bytes)) => {
            api.fingerprints = String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
            // A linker may choose another order.
            api.fingerprints.sort_unstable();
        }
        (Ask::Length(_) | Ask::Value(_) | Ask::Cfg(_), Answer::Number(_)) => {}
        (_, answer) => return Err(format!("{answer:?}")),
    }
    Ok(())
}

/// A size or an offset. The table holds no negative ones.
fn unsigned(value: i128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

fn layout(api: &mut Api, ty: usize) -> &mut Layout {
    api.types[ty].layout.get_or_insert_default()
}

fn value(api: &Api, index: usize, answer: &Answer) -> Result<Value, String> {
    let constant = &api.constants[index];
    Ok(match (&constant.value, answer) {
        (Value::Int(_) | Value::Big(_), Answer::Number(value)) => match api.resolve(&constant.ty) {
            Ty::Int(Int::U128) if *value < 0 => Value::Big(*value as u128),
            _ => Value::Int(*value),
        },
        (Value::Float(_), Answer::Number(bits)) => Value::Float(match api.resolve(&constant.ty) {
            Ty::Float(Float::F32) => widened(*bits as u32),
            _ => f64::from_bits(*bits as u64),
        }),
        (Value::Bool(_), Answer::Number(value @ 0..=1)) => Value::Bool(*value == 1),
        (Value::Char(_), Answer::Number(value)) => {
            let letter = u32::try_from(*value).ok().and_then(char::from_u32);
            Value::Char(letter.ok_or_else(|| format!("{value}, not a character"))?)
        }
        (Value::Str(_), Answer::Bytes(bytes)) => {
            let text = String::from_utf8(bytes.clone());
            Value::Str(text.map_err(|error| format!("text that is not UTF-8: {error}"))?)
        }
        (Value::CStr(_), Answer::Bytes(bytes)) => Value::CStr(bytes.clone()),
        (_, answer) => return Err(format!("{answer:?}")),
    })
}

/// An `f32`'s bits as an `f64`. A NaN keeps its sign and payload, which a conversion might not.
fn widened(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if !value.is_nan() {
        return f64::from(value);
    }
    let (sign, payload) = (u64::from(bits >> 31) << 63, u64::from(bits & 0x7f_ffff) << 29);
    f64::from_bits(sign | 0x7ff << 52 | payload)
}

/// The integer of an enum whose source does not name it (`#[repr(C)]`, C) is the one of its measured size
/// that holds its values.
fn settle_integer(api: &mut Api, index: usize) {
    let Some(size) = api.types[index].layout.map(|layout| layout.size) else { return };
    let Body::Enum(body) = &api.types[index].body else { return };
    let values = || body.variants.iter().map(|variant| variant.value);
    let fits = |int| api.int_size(int) == size && values().all(|value| holds(api, int, value));
    if fits(body.repr) {
        return;
    }
    let candidates =
        [Int::I8, Int::U8, Int::I16, Int::U16, Int::I32, Int::U32, Int::I64, Int::U64, Int::I128, Int::U128];
    let found = candidates.into_iter().find(|int| fits(*int));
    if let (Some(int), Body::Enum(body)) = (found, &mut api.types[index].body) {
        body.repr = int;
    }
}

/// Whether an integer type can hold a value. A `u128` above `i128::MAX` arrives as a negative number.
pub(super) fn holds(api: &Api, int: Int, value: i128) -> bool {
    let bits = api.int_size(int) * 8;
    match int {
        Int::I128 | Int::U128 => true,
        Int::CChar => (-128..256).contains(&value),
        _ if api.is_signed(int) => (-(1i128 << (bits - 1))..1i128 << (bits - 1)).contains(&value),
        _ => (0..1i128 << bits).contains(&value),
    }
}

fn compare_size(api: &Api, at: FieldAt, size: u64, diagnostics: &mut Diagnostics) {
    let Some(field) = at.get(api) else { return };
    let modelled = api.layout(&field.ty).map_or(0, |layout| layout.size);
    if modelled != size {
        let (name, place) = Ask::FieldSize(at).about(api);
        let message = format!("{name} has {size} bytes, but is read as a type of {modelled}");
        diagnostics.error(place.as_ref(), message, "its name leads to another type than the compiler's");
    }
}
