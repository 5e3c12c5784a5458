//! What a type is to a caller.

use crate::model::{Api, Body, Float, Idiom, Int, Pointer, Signature, Ty, TypeId};

/// A type without its aliases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind<'a> {
    /// `()`.
    Nothing,
    Bool,
    Char,
    /// An integer, an enum or flags.
    Int(Number),
    Float(Float),
    Pointer(&'a Pointer),
    Function(Callable<'a>),
    Array(&'a Ty, u64),
    /// A struct, a union or a data-carrying enum.
    Record(TypeId),
    /// One of these without bytes.
    Empty(TypeId),
    /// Known by its address only.
    Opaque(TypeId),
    /// Borrowed elements, and whether they may be written.
    Slice(TypeId, &'a Ty, bool),
    /// Borrowed UTF-8.
    Str(TypeId),
    /// Owned UTF-8.
    Text(TypeId),
    /// Owned elements.
    Buffer(TypeId, &'a Ty),
}

/// An integer on the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub int: Int,
    pub bytes: u64,
    pub signed: bool,
    /// The enum or the flags.
    pub named: Option<TypeId>,
}

/// A function that native code calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Callable<'a> {
    pub signature: &'a Signature,
    pub nullable: bool,
    /// The type that names it.
    pub named: Option<TypeId>,
    /// Whether a program can provide such a function, and call one.
    pub crosses: bool,
}

impl Number {
    /// An integer of the model.
    pub fn new(api: &Api, int: Int) -> Number {
        Number { int, bytes: api.int_size(int), signed: api.is_signed(int), named: None }
    }

    /// Whether it is as wide as an address on every target.
    pub fn is_word(self) -> bool {
        matches!(self.int, Int::Isize | Int::Usize)
    }

    /// `i32` and so on: its size and its sign.
    pub fn name(self) -> String {
        format!("{}{}", if self.signed { 'i' } else { 'u' }, self.bytes * 8)
    }
}

impl<'a> Kind<'a> {
    /// What a parameter or a result is.
    pub fn of(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
        if let Ty::Named(id) = api.resolve(ty) {
            match &api.get(*id).idiom {
                Some(Idiom::Slice { of, mutable }) if api.has_value(of) => {
                    return Kind::Slice(*id, of, *mutable);
                }
                Some(Idiom::Str) => return Kind::Str(*id),
                Some(Idiom::Text) => return Kind::Text(*id),
                Some(Idiom::Buffer { of }) if api.has_value(of) => return Kind::Buffer(*id, of),
                _ => {}
            }
        }
        Kind::plain(api, ty)
    }

    /// What a field, an element or a callback's result is: idioms are structs there.
    pub fn plain(api: &'a Api, ty: &'a Ty) -> Kind<'a> {
        match api.resolve(ty) {
            Ty::Unit => Kind::Nothing,
            Ty::Bool => Kind::Bool,
            Ty::Char => Kind::Char,
            Ty::Int(int) => Kind::Int(Number::new(api, *int)),
            Ty::Float(float) => Kind::Float(*float),
            Ty::Pointer(pointer) => Kind::Pointer(pointer),
            Ty::Array { of, len } => Kind::Array(of, *len),
            Ty::Function { signature, nullable } => Kind::Function(callable(api, signature, *nullable, None)),
            Ty::Named(id) => named(api, *id),
        }
    }
}

fn named(api: &Api, id: TypeId) -> Kind<'_> {
    let declared = api.get(id);
    let number = |int| Kind::Int(Number { named: Some(id), ..Number::new(api, int) });
    match &declared.body {
        Body::Enum(body) => number(body.repr),
        Body::Flags(body) => number(body.repr),
        Body::Callback { signature, nullable } => {
            Kind::Function(callable(api, signature, *nullable, Some(id)))
        }
        Body::Opaque | Body::Alias(_) => Kind::Opaque(id),
        Body::Struct(_) | Body::Union(_) | Body::Tagged(_) => match declared.layout {
            Some(layout) if layout.size > 0 => Kind::Record(id),
            Some(_) => Kind::Empty(id),
            None => Kind::Opaque(id),
        },
    }
}

fn callable<'a>(api: &Api, signature: &'a Signature, nullable: bool, named: Option<TypeId>) -> Callable<'a> {
    Callable { signature, nullable, named, crosses: signature.obstacle(api).is_none() }
}
