/// A fieldless enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// The integer that holds it.
    pub repr: Int,
    /// Its names, in source order.
    pub variants: Vec<Variant>,
    /// Whether it has no values besides these: any other would be undefined behaviour in Rust, but is valid in C.
    pub closed: bool,
}

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The source's name.
    pub name: String,
    /// Measured. Within the range of the type's integer.
    pub value: i128,
    /// Paragraphs, without comment signs.
    pub docs: String,
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
