use core::fmt;
use core::marker::PhantomData;

/// A slice whose place is an offset from one of the frame's bases ([`crate::base`]).
///
/// In-process every base is 0, so the offset *is* an address. Across processes each side fills in where it
/// mapped the memory. It owns nothing and is valid as long as the frame that holds it.
#[repr(C)]
pub struct Rel<T> {
    /// Bytes from the base that the field's docs name.
    pub offset: u64,
    /// Elements, not bytes.
    pub len: u64,
    of: PhantomData<fn() -> T>,
}

crate::layout::layout!(Rel<u8>: 16, 8 { offset: 0, len: 8 });

impl<T> Rel<T> {
    /// No elements.
    pub const EMPTY: Rel<T> = Rel { offset: 0, len: 0, of: PhantomData };

    /// `len` elements at `offset`.
    #[must_use]
    pub const fn new(offset: u64, len: u64) -> Rel<T> {
        Rel { offset, len, of: PhantomData }
    }

    /// A view of `slice` for a frame whose base is 0.
    pub fn of(slice: &[T]) -> Rel<T> {
        Rel::new(slice.as_ptr() as u64, slice.len() as u64)
    }

    /// The elements.
    ///
    /// # Safety
    /// - `base + offset` must be the address of `len` initialised elements of `T`, aligned for `T`, or
    ///   `len` must be 0.
    /// - They must stay valid and unchanged for `'a`.
    #[must_use]
    pub unsafe fn get<'a>(self, base: u64) -> &'a [T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { core::slice::from_raw_parts(base.wrapping_add(self.offset) as *const T, self.len as usize) }
    }
}

impl<T> Clone for Rel<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Rel<T> {}

impl<T> PartialEq for Rel<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.offset, self.len) == (other.offset, other.len)
    }
}

impl<T> Default for Rel<T> {
    fn default() -> Self {
        Rel::EMPTY
    }
}

impl<T> fmt::Debug for Rel<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:#x}", self.len, self.offset)
    }
}
