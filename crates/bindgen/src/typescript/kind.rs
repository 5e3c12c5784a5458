//! What the kinds of values are to JavaScript. Enums and flags are their integers: a word is a number, others up to
//! 4 bytes are numbers too, and those of 8 and 16 are bigints.

use super::Options;
use crate::model::{Api, Body, Declared, Enum, Float, Ty};
use crate::plan::{Kind, Number};

/// Whether a type has a class over memory.
pub(super) fn is_record(declared: &Declared) -> bool {
    declared.body.is_record() && declared.layout.is_some_and(|layout| layout.size > 0)
}

/// Whether an integer is a bigint.
pub(super) fn is_bigint(number: Number) -> bool {
    number.bytes >= 8 && !number.is_word()
}

/// What the run time calls a scalar in memory.
pub(super) fn scalar(kind: Kind<'_>) -> Option<String> {
    Some(match kind {
        Kind::Bool => "bool".into(),
        Kind::Char => "char".into(),
        Kind::Float(Float::F32) => "f32".into(),
        Kind::Float(Float::F64) => "f64".into(),
        Kind::Int(number) => scalar_name(number),
        Kind::Pointer(_) | Kind::Function(_) => "address".into(),
        _ => return None,
    })
}

/// `i32` and so on, or `usize`.
pub(super) fn scalar_name(number: Number) -> String {
    match (number.is_word(), number.signed) {
        (true, true) => "isize".into(),
        (true, false) => "usize".into(),
        _ => number.name(),
    }
}

/// The typed array for values of this kind, and its number in Node-API.
pub(super) fn typed_array(kind: Kind<'_>) -> Option<(&'static str, u32)> {
    Some(match kind {
        Kind::Float(Float::F32) => ("Float32Array", 7),
        Kind::Float(Float::F64) => ("Float64Array", 8),
        Kind::Int(number) if !number.is_word() => match (number.bytes, number.signed) {
            (1, true) => ("Int8Array", 0),
            (1, false) => ("Uint8Array", 1),
            (2, true) => ("Int16Array", 3),
            (2, false) => ("Uint16Array", 4),
            (4, true) => ("Int32Array", 5),
            (4, false) => ("Uint32Array", 6),
            (8, true) => ("BigInt64Array", 9),
            (8, false) => ("BigUint64Array", 10),
            _ => return None,
        },
        _ => return None,
    })
}

/// The class of an array of them in memory: a typed array's or `NativeArray`. The latter is always used if they
/// are loose.
pub(super) fn array_class(api: &Api, options: &Options, of: &Ty, loose: bool) -> &'static str {
    let kind = Kind::plain(api, of);
    let bigints = matches!(kind, Kind::Int(number) if is_bigint(number));
    match typed_array(kind) {
        Some((array, _)) if !(loose || options.numbers && bigints) => array,
        _ => "NativeArray",
    }
}

/// The typed array that holds the numbers of nested arrays.
pub(super) fn flat(api: &Api, of: &Ty) -> Option<(&'static str, u32)> {
    match Kind::plain(api, of) {
        Kind::Array(of, _) => typed_array(Kind::plain(api, of)).or_else(|| flat(api, of)),
        _ => None,
    }
}

/// The enum that a type is, if numbers other than its names' are undefined behaviour.
pub(super) fn closed<'a>(api: &'a Api, ty: &'a Ty) -> Option<(&'a Declared, &'a Enum)> {
    match api.resolve(ty) {
        Ty::Named(id) if api.is_closed(*id) => match &api.get(*id).body {
            Body::Enum(body) if !body.variants.is_empty() => Some((api.get(*id), body)),
            _ => None,
        },
        _ => None,
    }
}
