//! What a type of the model is to Python.

use crate::model::{Api, Body, Float, Idiom, Int, Pointer, Record, Signature, Tagged, Ty, TypeId};

/// A type as Python's back end classifies it.
pub(super) enum Kind<'a> {
    /// No value: `()`, and types without bytes.
    Nothing,
    Bool,
    Char,
    Int(Int),
    Float(Float),
    /// An enum or flags.
    Enum(TypeId),
    /// A struct, a union or a data-carrying enum.
    Struct(TypeId),
    Array(&'a Ty, u64),
    Pointer(&'a Pointer),
    Function(&'a Signature, bool),
    /// The address of a function that can neither be called from Python nor be written in it.
    Address,
    Slice(&'a Ty, bool),
    Str,
    Text,
    Buffer(&'a Ty),
}

/// The kind of a parameter or a result, with the idioms.
pub(super) fn kind<'a>(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
    if let Ty::Named(id) = api.resolve(ty) {
        match &api.get(*id).idiom {
            Some(Idiom::Slice { of, mutable }) if api.has_value(of) => return Kind::Slice(of, *mutable),
            Some(Idiom::Str) => return Kind::Str,
            Some(Idiom::Text) => return Kind::Text,
            Some(Idiom::Buffer { of }) if api.has_value(of) => return Kind::Buffer(of),
            _ => {}
        }
    }
    plain(api, ty)
}

/// The kind of a field or an element: idioms are structs there.
pub(super) fn plain<'a>(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
    match api.resolve(ty) {
        Ty::Unit => Kind::Nothing,
        Ty::Bool => Kind::Bool,
        Ty::Char => Kind::Char,
        Ty::Int(int) => Kind::Int(*int),
        Ty::Float(float) => Kind::Float(*float),
        Ty::Pointer(pointer) => Kind::Pointer(pointer),
        Ty::Array { of, len } => Kind::Array(of, *len),
        Ty::Function { signature, nullable } => function(api, signature, *nullable),
        Ty::Named(id) => match &api.get(*id).body {
            Body::Struct(_) | Body::Union(_) | Body::Tagged(_) => Kind::Struct(*id),
            Body::Enum(_) | Body::Flags(_) => Kind::Enum(*id),
            Body::Callback { signature, nullable } => function(api, signature, *nullable),
            Body::Opaque | Body::Alias(_) => Kind::Nothing,
        },
    }
}

fn function<'a>(api: &'a Api, signature: &'a Signature, nullable: bool) -> Kind<'a> {
    let crosses = |ty: &Ty| passes(api, ty).is_ok();
    let all = crosses(&signature.ret) && signature.params.iter().all(|param| crosses(&param.ty));
    if all && !signature.variadic { Kind::Function(signature, nullable) } else { Kind::Address }
}

/// Whether a type may be a parameter or a result; if not, what it is.
pub(super) fn passes(api: &Api, ty: &Ty) -> Result<(), &'static str> {
    match api.resolve(ty) {
        Ty::Array { .. } => Err("an array by value"),
        Ty::Named(id) if api.get(*id).body == Body::Opaque => match api.layout(ty) {
            // Nothing is passed for a type without bytes.
            Some(layout) if layout.size == 0 => Ok(()),
            _ => Err("an opaque type by value"),
        },
        _ => Ok(()),
    }
}

/// The struct that a pointer points to.
pub(super) fn pointee(api: &Api, pointer: &Pointer) -> Option<TypeId> {
    match plain(api, &pointer.to) {
        Kind::Struct(id) => Some(id),
        _ => None,
    }
}

/// Whether a pointer that native code gives may be the address of C text: of `char`, or of `unsigned char` that nobody
/// may write.
pub(super) fn says(api: &Api, pointer: &Pointer) -> bool {
    match api.resolve(&pointer.to) {
        Ty::Int(Int::CChar) => true,
        Ty::Int(Int::U8) => !pointer.mutable,
        _ => false,
    }
}

/// Whether native code may write one value through a pointer, so that an `Out` can be passed for it.
pub(super) fn out(api: &Api, pointer: &Pointer) -> bool {
    pointer.mutable && api.has_value(&pointer.to)
}

/// The integer that holds an enum or flags.
pub(super) fn repr(api: &Api, id: TypeId) -> Int {
    api.integer(&Ty::Named(id)).unwrap_or(Int::I32)
}

/// Its size, and whether it is signed.
pub(super) fn shape(api: &Api, int: Int) -> (u64, bool) {
    (api.int_size(int), api.is_signed(int))
}

/// `i32` and so on: the name of an integer of this size and sign.
pub(super) fn int_name(api: &Api, int: Int) -> String {
    let (size, signed) = shape(api, int);
    format!("{}{}", if signed { 'i' } else { 'u' }, size * 8)
}

/// The letter of the `struct` module for a scalar, an enum or an address; nothing for anything else.
pub(super) fn letter(api: &Api, kind: &Kind<'_>) -> Option<char> {
    let int = |int| match shape(api, int) {
        (1, true) => Some('b'),
        (1, false) => Some('B'),
        (2, true) => Some('h'),
        (2, false) => Some('H'),
        (4, true) => Some('i'),
        (4, false) => Some('I'),
        (8, true) => Some('q'),
        (8, false) => Some('Q'),
        _ => None,
    };
    match kind {
        Kind::Bool => Some('?'),
        Kind::Char => Some('I'),
        Kind::Float(Float::F32) => Some('f'),
        Kind::Float(Float::F64) => Some('d'),
        Kind::Int(of) => int(*of),
        Kind::Enum(id) => int(repr(api, *id)),
        Kind::Pointer(_) | Kind::Function(..) | Kind::Address => int(Int::Usize),
        _ => None,
    }
}

/// What Python shows of a struct: its fields, or for a data-carrying enum the tag and the variants.
pub(super) enum Shown<'a> {
    /// The public fields, and whether they share their bytes.
    Fields(&'a Record, bool),
    /// The variants.
    Variants(&'a Tagged),
}

/// See [`Shown`].
pub(super) fn shown(api: &Api, id: TypeId) -> Option<Shown<'_>> {
    match &api.get(id).body {
        Body::Struct(record) => Some(Shown::Fields(record, false)),
        Body::Union(record) => Some(Shown::Fields(record, true)),
        Body::Tagged(tagged) => Some(Shown::Variants(tagged)),
        _ => None,
    }
}
