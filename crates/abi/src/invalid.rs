use core::fmt;

/// Why a value that came over the boundary is not one of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Invalid {
    /// A null address where there must be something.
    Null,
    /// An address that the type may not have.
    Misaligned {
        /// What it must be a multiple of.
        align: usize,
    },
    /// More elements than an address space holds.
    TooLong {
        /// How many.
        len: usize,
    },
    /// Text that is not UTF-8.
    NotUtf8 {
        /// The first byte that is not.
        at: usize,
    },
    /// A byte that is neither 0 nor 1.
    NotBool(u8),
    /// A number that is not a Unicode scalar value.
    NotChar(u32),
    /// A number that no variant of an enum has.
    NotVariant {
        /// The enum's name.
        of: &'static str,
        /// The number.
        value: i128,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::Null => f.write_str("the address is null"),
            Invalid::Misaligned { align } => write!(f, "the address is not a multiple of {align}"),
            Invalid::TooLong { len } => write!(f, "{len} elements are more than an address space holds"),
            Invalid::NotUtf8 { at } => write!(f, "the text is not UTF-8 at byte {at}"),
            Invalid::NotBool(value) => write!(f, "{value} is not a bool, which is 0 or 1"),
            Invalid::NotChar(value) => write!(f, "{value:#x} is not a char"),
            Invalid::NotVariant { of, value } => write!(f, "{value} is not a value of {of}"),
        }
    }
}

impl core::error::Error for Invalid {}

/// Whether `data` can be the address of `len` elements of `T`.
pub(crate) fn place<T>(data: *const T, len: usize) -> Result<(), Invalid> {
    if data.is_null() {
        Err(Invalid::Null)
    } else if !data.is_aligned() {
        Err(Invalid::Misaligned { align: align_of::<T>() })
    } else if len.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        Err(Invalid::TooLong { len })
    } else {
        Ok(())
    }
}
