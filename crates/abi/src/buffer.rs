use core::fmt;

/// Elements that belong to whoever receives them, with the function that releases them.
///
/// It is what an exported function returns for a `Vec<T>`. It is plain memory: dropping it releases nothing,
/// and it must be released once. With the feature `alloc` it is made from a `Vec`.
#[repr(C)]
#[must_use = "dropping it releases nothing"]
pub struct Buffer<T> {
    /// The first element. Any address, even null, when there are none.
    pub data: *mut T,
    /// Elements, not bytes.
    pub len: usize,
    /// Elements that there is room for; only the releaser uses it.
    pub capacity: usize,
    /// Takes `data`, `len` and `capacity` back. Null when there is nothing to release.
    pub release: Option<Release<T>>,
}

/// Releases a [`Buffer`]: it takes `data`, `len` and `capacity` as they came.
pub type Release<T> = unsafe extern "C" fn(data: *mut T, len: usize, capacity: usize);

crate::layout::layout!(local Buffer<u8>: 32, 8 { data: 0, len: 8, capacity: 16, release: 24 });

impl<T> Buffer<T> {
    /// No elements, nothing to release.
    pub const EMPTY: Buffer<T> = Buffer { data: core::ptr::null_mut(), len: 0, capacity: 0, release: None };

    /// The elements.
    ///
    /// # Safety
    /// `data` must be the address of `len` initialised elements of `T`, or `len` must be 0.
    #[must_use]
    pub unsafe fn as_slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller's promise.
        unsafe { core::slice::from_raw_parts(self.data, self.len) }
    }

    /// Gives the elements back to whoever made them.
    ///
    /// # Safety
    /// The buffer must be as it came, and not have been released before.
    pub unsafe fn free(self) {
        if let Some(release) = self.release {
            // SAFETY: the caller's promise.
            unsafe { release(self.data, self.len, self.capacity) }
        }
    }
}

#[cfg(feature = "alloc")]
impl<T: Copy> From<alloc::vec::Vec<T>> for Buffer<T> {
    fn from(vec: alloc::vec::Vec<T>) -> Buffer<T> {
        unsafe extern "C" fn release<T: Copy>(data: *mut T, len: usize, capacity: usize) {
            // SAFETY: they are the parts of a `Vec`, and come back once.
            drop(unsafe { alloc::vec::Vec::from_raw_parts(data, len, capacity) });
        }
        let mut vec = core::mem::ManuallyDrop::new(vec);
        if vec.capacity() == 0 {
            return Buffer::EMPTY;
        }
        Buffer {
            data: vec.as_mut_ptr(),
            len: vec.len(),
            capacity: vec.capacity(),
            release: Some(release::<T>),
        }
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Buffer::EMPTY
    }
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:p}", self.len, self.data)
    }
}
