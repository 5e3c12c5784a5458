use crate::Invalid;
use core::fmt;

/// Elements that belong to the caller, for the length of a call: an address and a count.
///
/// It is what an exported function takes for a `&[T]`.
#[repr(C)]
pub struct Slice<T> {
    /// The first element. Any address, even null, when there are none.
    pub data: *const T,
    /// Elements, not bytes.
    pub len: usize,
}

crate::layout::layout!(local Slice<u8>: 16, 8 { data: 0, len: 8 });

impl<T> Slice<T> {
    /// No elements.
    pub const EMPTY: Slice<T> = Slice { data: core::ptr::null(), len: 0 };

    /// The elements, after a check of address and length.
    ///
    /// # Errors
    /// The address is null, though there are elements, or misaligned, or the slice is too long.
    ///
    /// # Safety
    /// - An address that is neither null nor misaligned must be that of `len` initialised elements of `T`,
    ///   unless `len` is 0.
    /// - They must stay valid and unchanged for `'a`.
    #[inline]
    pub unsafe fn get<'a>(self) -> Result<&'a [T], Invalid> {
        if self.len == 0 {
            return Ok(&[]);
        }
        crate::invalid::place(self.data, self.len)?;
        // SAFETY: not null, aligned, not too long; the rest is the caller's promise.
        Ok(unsafe { core::slice::from_raw_parts(self.data, self.len) })
    }
}

impl<T> From<&[T]> for Slice<T> {
    fn from(slice: &[T]) -> Slice<T> {
        Slice { data: slice.as_ptr(), len: slice.len() }
    }
}

impl<T> Clone for Slice<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slice<T> {}

impl<T> Default for Slice<T> {
    fn default() -> Self {
        Slice::EMPTY
    }
}

impl<T> fmt::Debug for Slice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:p}", self.len, self.data)
    }
}
