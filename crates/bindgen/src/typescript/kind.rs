//! What a type is to JavaScript.

use super::Options;
use crate::model::{Api, Body, Declared, Enum, Float, Idiom, Int, Pointer, Signature, Ty, TypeId};

/// A type as JavaScript sees it. Enums and flags are their integers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'a> {
    Nothing,
    Bool,
    Char,
    Float(Float),
    /// Bytes, and whether it is signed: up to 4 bytes a number, 8 and 16 a bigint.
    Int(u64, bool),
    /// An integer of an address's width: a number.
    Size(bool),
    Pointer(&'a Pointer),
    Function(&'a Signature, bool),
    /// Known by its address only.
    Opaque,
    /// A class over memory.
    Record(TypeId),
    Array(&'a Ty, u64),
    /// And whether native code writes to it.
    Slice(TypeId, &'a Ty, bool),
    Str(TypeId),
    Text(TypeId),
    Buffer(TypeId, &'a Ty),
}

impl<'a> Kind<'a> {
    pub fn of(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
        match api.resolve(ty) {
            Ty::Unit => Kind::Nothing,
            Ty::Bool => Kind::Bool,
            Ty::Char => Kind::Char,
            Ty::Float(float) => Kind::Float(*float),
            Ty::Int(int) => integer(api, *int),
            Ty::Pointer(pointer) => Kind::Pointer(pointer),
            Ty::Function { signature, nullable } => Kind::Function(signature, *nullable),
            Ty::Array { of, len } => Kind::Array(of, *len),
            Ty::Named(id) => named(api, *id),
        }
    }

    /// The same where idioms are plain structs: in fields, and in what callbacks return.
    pub fn plain(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
        match Kind::of(api, ty) {
            Kind::Slice(id, ..) | Kind::Str(id) | Kind::Text(id) | Kind::Buffer(id, _) => Kind::Record(id),
            kind => kind,
        }
    }
}

fn integer<'a>(api: &Api, int: Int) -> Kind<'a> {
    match int {
        Int::Isize | Int::Usize => Kind::Size(api.is_signed(int)),
        int => Kind::Int(api.int_size(int), api.is_signed(int)),
    }
}

fn named(api: &Api, id: TypeId) -> Kind<'_> {
    let declared = api.get(id);
    match (&declared.idiom, &declared.body) {
        (Some(Idiom::Slice { of, mutable }), _) => Kind::Slice(id, of, *mutable),
        (Some(Idiom::Str), _) => Kind::Str(id),
        (Some(Idiom::Text), _) => Kind::Text(id),
        (Some(Idiom::Buffer { of }), _) => Kind::Buffer(id, of),
        (_, Body::Enum(body)) => integer(api, body.repr),
        (_, Body::Flags(body)) => integer(api, body.repr),
        (_, Body::Callback { signature, nullable }) => Kind::Function(signature, *nullable),
        (_, Body::Opaque) => Kind::Opaque,
        _ if declared.layout.is_none_or(|layout| layout.size == 0) => Kind::Opaque,
        _ => Kind::Record(id),
    }
}

/// Whether a type has a class over memory.
pub(super) fn is_record(declared: &Declared) -> bool {
    matches!(declared.body, Body::Struct(_) | Body::Union(_) | Body::Tagged(_))
        && declared.layout.is_some_and(|layout| layout.size > 0)
}

/// What the run time calls a scalar in memory.
pub(super) fn scalar(kind: Kind<'_>) -> Option<String> {
    let bits = |size: u64, signed: bool| format!("{}{}", if signed { 'i' } else { 'u' }, size * 8);
    Some(match kind {
        Kind::Bool => "bool".into(),
        Kind::Char => "char".into(),
        Kind::Float(Float::F32) => "f32".into(),
        Kind::Float(Float::F64) => "f64".into(),
        Kind::Int(size, signed) => bits(size, signed),
        Kind::Size(true) => "isize".into(),
        Kind::Size(false) => "usize".into(),
        Kind::Pointer(_) | Kind::Function(..) => "address".into(),
        _ => return None,
    })
}

/// The typed array for values of this kind, and its number in Node-API.
pub(super) fn typed_array(kind: Kind<'_>) -> Option<(&'static str, u32)> {
    Some(match kind {
        Kind::Int(1, true) => ("Int8Array", 0),
        Kind::Int(1, false) => ("Uint8Array", 1),
        Kind::Int(2, true) => ("Int16Array", 3),
        Kind::Int(2, false) => ("Uint16Array", 4),
        Kind::Int(4, true) => ("Int32Array", 5),
        Kind::Int(4, false) => ("Uint32Array", 6),
        Kind::Float(Float::F32) => ("Float32Array", 7),
        Kind::Float(Float::F64) => ("Float64Array", 8),
        Kind::Int(8, true) => ("BigInt64Array", 9),
        Kind::Int(8, false) => ("BigUint64Array", 10),
        _ => return None,
    })
}

/// The class of an array of them in memory: a typed array's or `NativeArray`. The latter is always used if they
/// are loose.
pub(super) fn array_class(api: &Api, options: &Options, of: &Ty, loose: bool) -> &'static str {
    let kind = Kind::plain(api, of);
    match typed_array(kind) {
        Some((array, _)) if !(loose || options.numbers && matches!(kind, Kind::Int(8, _))) => array,
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
