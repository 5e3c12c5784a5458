use crate::buffer::{Buffer, Release};
use core::fmt;

/// UTF-8 text that belongs to whoever receives it, with the function that releases it.
///
/// It is what an exported function returns for a `String`: a [`Buffer`] of bytes, and like it plain memory,
/// to be released once. With the feature `alloc` it is made from a `String`.
#[repr(C)]
#[must_use = "dropping it releases nothing"]
pub struct Text {
    /// The first byte. Any address, even null, when there are none.
    pub data: *mut u8,
    /// Bytes, not characters.
    pub len: usize,
    /// Bytes that there is room for; only the releaser uses it.
    pub capacity: usize,
    /// Takes `data`, `len` and `capacity` back. Null when there is nothing to release.
    pub release: Option<Release<u8>>,
}

crate::layout::layout!(local Text: 32, 8 { data: 0, len: 8, capacity: 16, release: 24 });

impl Text {
    /// No text, nothing to release.
    pub const EMPTY: Text = Text { data: core::ptr::null_mut(), len: 0, capacity: 0, release: None };

    /// The text, or `None` if the bytes are not UTF-8.
    ///
    /// # Safety
    /// `data` must be the address of `len` initialised bytes, or `len` must be 0.
    #[must_use]
    pub unsafe fn as_str(&self) -> Option<&str> {
        if self.len == 0 {
            return Some("");
        }
        // SAFETY: the caller's promise.
        core::str::from_utf8(unsafe { core::slice::from_raw_parts(self.data, self.len) }).ok()
    }

    /// Gives the text back to whoever made it.
    ///
    /// # Safety
    /// It must be as it came, and not have been released before.
    pub unsafe fn free(self) {
        // SAFETY: the caller's promise.
        unsafe { Buffer::from(self).free() }
    }
}

impl From<Buffer<u8>> for Text {
    /// Whoever reads it checks the bytes: they need not be UTF-8 for this to be sound.
    fn from(bytes: Buffer<u8>) -> Text {
        Text { data: bytes.data, len: bytes.len, capacity: bytes.capacity, release: bytes.release }
    }
}

impl From<Text> for Buffer<u8> {
    fn from(text: Text) -> Buffer<u8> {
        Buffer { data: text.data, len: text.len, capacity: text.capacity, release: text.release }
    }
}

#[cfg(feature = "alloc")]
impl From<alloc::string::String> for Text {
    fn from(text: alloc::string::String) -> Text {
        Buffer::from(text.into_bytes()).into()
    }
}

impl Default for Text {
    fn default() -> Self {
        Text::EMPTY
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:p}", self.len, self.data)
    }
}
