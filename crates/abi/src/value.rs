use crate::{Blit, Buffer, Invalid, Rel, Slice, SliceMut, Str, Text};

/// A type that an exported function takes or returns by value.
///
/// The C function's signature has [`Value::Raw`] in its place, of which any bytes are a value, and
/// [`Value::check`] checks whether they are one of this type. Whatever is [`Blit`] is a value as it is; a
/// fieldless enum becomes one by `#[derive(Enum)]` from `upcall-derive`.
///
/// ```
/// use upcall_abi::{Invalid, Value};
///
/// assert_eq!(bool::check(1), Ok(true));
/// assert_eq!(bool::check(2), Err(Invalid::NotBool(2)));
/// assert_eq!('x'.raw(), 0x78);
/// ```
///
/// # Safety
/// - `Raw` is passed by C as the type itself is: same size, alignment and class.
/// - Any bytes of its size are a `Raw`, zeroes among them.
pub unsafe trait Value: Sized {
    /// What crosses.
    type Raw;
    /// The value of these bytes, if they are one.
    ///
    /// # Errors
    /// The number is not one of the type's values.
    fn check(raw: Self::Raw) -> Result<Self, Invalid>;
    /// Its bytes.
    fn raw(self) -> Self::Raw;
}

/// A fieldless enum whose variants have numbers: `#[derive(Enum)]` implements it.
///
/// An exported function that fails with such an error reports the variant's number.
pub trait Numbered {
    /// The variant's number.
    fn number(&self) -> i128;
}

// SAFETY: any bytes of a blittable type are a value of it.
#[diagnostic::do_not_recommend]
unsafe impl<T: Blit> Value for T {
    type Raw = T;

    #[inline]
    fn check(raw: T) -> Result<T, Invalid> {
        Ok(raw)
    }

    #[inline]
    fn raw(self) -> T {
        self
    }
}

// SAFETY: a bool is a byte.
unsafe impl Value for bool {
    type Raw = u8;

    #[inline]
    fn check(raw: u8) -> Result<bool, Invalid> {
        match raw {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Invalid::NotBool(other)),
        }
    }

    #[inline]
    fn raw(self) -> u8 {
        self.into()
    }
}

// SAFETY: a char is four bytes.
unsafe impl Value for char {
    type Raw = u32;

    #[inline]
    fn check(raw: u32) -> Result<char, Invalid> {
        char::from_u32(raw).ok_or(Invalid::NotChar(raw))
    }

    #[inline]
    fn raw(self) -> u32 {
        self.into()
    }
}

macro_rules! as_they_are {
    ($([$($parameter:ident)?] $type:ty,)*) => {$(
        // SAFETY: any bytes are a value of it.
        unsafe impl$(<$parameter>)? Value for $type {
            type Raw = Self;

            #[inline]
            fn check(raw: Self) -> Result<Self, Invalid> {
                Ok(raw)
            }

            #[inline]
            fn raw(self) -> Self {
                self
            }
        }
    )*};
}
as_they_are! {
    [] usize,
    [] isize,
    [] u128,
    [] i128,
    [] Str,
    [] Text,
    [T] *const T,
    [T] *mut T,
    [T] Slice<T>,
    [T] SliceMut<T>,
    [T] Rel<T>,
    [T] Buffer<T>,
}
