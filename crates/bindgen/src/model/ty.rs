use super::Signature;

/// A type as a signature or a field uses it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Nothing: the result of a function that returns none, and the target of a `void*`.
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

/// The integer types. [`Int::Long`] and [`Int::ULong`] have the width of the target's C `long`;
/// [`Int::CChar`] is one byte of text, signed or not as the target has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Int {
    I8,
    I16,
    I32,
    I64,
    I128,
    Isize,
    U8,
    U16,
    U32,
    U64,
    U128,
    Usize,
    Long,
    ULong,
    CChar,
}

impl Int {
    /// Its name in Rust; C's own types are in `core::ffi`.
    #[must_use]
    pub fn rust_name(self) -> &'static str {
        match self {
            Int::I8 => "i8",
            Int::I16 => "i16",
            Int::I32 => "i32",
            Int::I64 => "i64",
            Int::I128 => "i128",
            Int::Isize => "isize",
            Int::U8 => "u8",
            Int::U16 => "u16",
            Int::U32 => "u32",
            Int::U64 => "u64",
            Int::U128 => "u128",
            Int::Usize => "usize",
            Int::Long => "c_long",
            Int::ULong => "c_ulong",
            Int::CChar => "c_char",
        }
    }
}

/// The floating point types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Float {
    F32,
    F64,
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
