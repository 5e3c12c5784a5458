use super::{Float, Int, Signature};

/// A type as a signature or a field uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Nothing: the result of a function that returns none, and the target of a `void*`.
    #[default]
    Unit,
    /// One byte, 0 or 1.
    Bool,
    /// A Rust `char`: four bytes, a Unicode scalar value.
    Char,
    /// An integer.
    Int(Int),
    /// A floating point number.
    Float(Float),
    /// An address.
    Pointer(Pointer),
    /// `len` values side by side. As a parameter of a C function it is a pointer, and the front end says so.
    Array {
        /// What they are.
        of: Box<Ty>,
        /// How many.
        len: u64,
    },
    /// The address of a C function.
    Function {
        /// What it takes and returns.
        signature: Box<Signature>,
        /// Whether it may be null (`Option<extern "C" fn()>`, every C function pointer).
        nullable: bool,
    },
    /// One of [`super::Api::types`].
    Named(TypeId),
}

/// An index into [`super::Api::types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A raw pointer, a reference, a `Box` or a `NonNull`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pointer {
    /// What it points to: [`Ty::Unit`] for `void*`.
    pub to: Box<Ty>,
    /// Whether the callee may write through it.
    pub mutable: bool,
    /// Whether null is a valid value: raw pointers, and `Option` of the others.
    pub nullable: bool,
    /// Whether it owns its target (`Box`): whoever receives it must give it back to be released.
    pub owned: bool,
}

impl Ty {
    /// A nullable raw pointer to `to`.
    #[must_use]
    pub fn pointer(to: Ty, mutable: bool) -> Ty {
        Ty::Pointer(Pointer { to: Box::new(to), mutable, nullable: true, owned: false })
    }

    /// `void*`, as a callback's context is.
    #[must_use]
    pub fn context() -> Ty {
        Ty::pointer(Ty::Unit, true)
    }
}

/// The integer of this name in C's standard headers.
pub(crate) fn stdint(name: &str) -> Option<Int> {
    Some(match name {
        "size_t" | "uintptr_t" => Int::Usize,
        "ssize_t" | "ptrdiff_t" | "intptr_t" => Int::Isize,
        "int8_t" => Int::I8,
        "int16_t" => Int::I16,
        "int32_t" => Int::I32,
        "int64_t" | "intmax_t" => Int::I64,
        "uint8_t" => Int::U8,
        "uint16_t" => Int::U16,
        "uint32_t" => Int::U32,
        "uint64_t" | "uintmax_t" => Int::U64,
        _ => return None,
    })
}
