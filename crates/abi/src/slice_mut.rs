use crate::Invalid;
use core::fmt;

/// Elements that belong to the caller and that the callee may write, for the length of a call.
///
/// It is what an exported function takes for a `&mut [T]`.
#[repr(C)]
pub struct SliceMut<T> {
    /// The first element. Any address, even null, when there are none.
    pub data: *mut T,
    /// Elements, not bytes.
    pub len: usize,
}

crate::layout::layout!(local SliceMut<u8>: 16, 8 { data: 0, len: 8 });

impl<T> SliceMut<T> {
    /// No elements.
    pub const EMPTY: SliceMut<T> = SliceMut { data: core::ptr::null_mut(), len: 0 };

    /// The elements, after a check of address and length.
    ///
    /// # Errors
    /// As [`crate::Slice::get`].
    ///
    /// # Safety
    /// - An address that is neither null nor misaligned must be that of `len` initialised elements of `T`,
    ///   unless `len` is 0.
    /// - Nobody else may read or write them for `'a`.
    #[inline]
    pub unsafe fn get<'a>(self) -> Result<&'a mut [T], Invalid> {
        if self.len == 0 {
            return Ok(&mut []);
        }
        crate::invalid::place(self.data, self.len)?;
        // SAFETY: not null, aligned, not too long; the rest is the caller's promise.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.data, self.len) })
    }
}

impl<T> From<&mut [T]> for SliceMut<T> {
    fn from(slice: &mut [T]) -> SliceMut<T> {
        SliceMut { data: slice.as_mut_ptr(), len: slice.len() }
    }
}

impl<T> Clone for SliceMut<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SliceMut<T> {}

impl<T> Default for SliceMut<T> {
    fn default() -> Self {
        SliceMut::EMPTY
    }
}

impl<T> fmt::Debug for SliceMut<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:p}", self.len, self.data)
    }
}
