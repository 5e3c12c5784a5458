use crate::{Invalid, Slice};
use core::fmt;

/// UTF-8 text that belongs to the caller, for the length of a call: an address and a count of bytes.
///
/// It is what an exported function takes for a `&str`. There is no zero at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    /// The first byte. Any address, even null, when there are none.
    pub data: *const u8,
    /// Bytes, not characters.
    pub len: usize,
}

crate::layout::layout!(local Str: 16, 8 { data: 0, len: 8 });

impl Str {
    /// No text.
    pub const EMPTY: Str = Str { data: core::ptr::null(), len: 0 };

    /// The text, after a check of address, length and every byte.
    ///
    /// # Errors
    /// The address is null, though there are bytes, or they are not UTF-8.
    ///
    /// # Safety
    /// - An address that is not null must be that of `len` initialised bytes, unless `len` is 0.
    /// - They must stay valid and unchanged for `'a`.
    #[inline]
    pub unsafe fn get<'a>(self) -> Result<&'a str, Invalid> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { Slice { data: self.data, len: self.len }.get()? };
        core::str::from_utf8(bytes).map_err(|error| Invalid::NotUtf8 { at: error.valid_up_to() })
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Str {
        Str { data: text.as_ptr(), len: text.len() }
    }
}

impl Default for Str {
    fn default() -> Self {
        Str::EMPTY
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:p}", self.len, self.data)
    }
}
