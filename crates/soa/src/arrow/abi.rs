use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// What an [`ArrowArray`] holds: its type, and those of its children.
///
/// Whoever has it owns it. Dropping it releases it; to give it to C, write it where C wants it.
///
/// Nobody can make or change one without `unsafe`: what is released is what the fields say.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowSchema {
    /// The type, as the specification writes it.
    pub(super) format: *const c_char,
    /// The field's name.
    pub(super) name: *const c_char,
    /// Pairs of texts, or null.
    pub(super) metadata: *const c_char,
    /// Whether values may be null, and more.
    pub(super) flags: i64,
    /// How many children there are.
    pub(super) n_children: i64,
    /// The children's types.
    pub(super) children: *mut *mut ArrowSchema,
    /// The type of a dictionary's values, or null.
    pub(super) dictionary: *mut ArrowSchema,
    /// Releases it; null once it was released, or moved elsewhere.
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// The releaser's own.
    pub(super) private_data: *mut c_void,
}

/// The values of an array, in buffers, and its children.
///
/// Whoever has it owns it. Dropping it releases it; to give it to C, write it where C wants it.
///
/// Nobody can make or change one without `unsafe`: what is released is what the fields say.
#[derive(Debug)]
#[repr(C)]
pub struct ArrowArray {
    /// How many values there are.
    pub(super) length: i64,
    /// How many of them are null.
    pub(super) null_count: i64,
    /// Values to skip in the buffers.
    pub(super) offset: i64,
    /// How many buffers there are.
    pub(super) n_buffers: i64,
    /// How many children there are.
    pub(super) n_children: i64,
    /// The addresses of the buffers.
    pub(super) buffers: *mut *const c_void,
    /// The children.
    pub(super) children: *mut *mut ArrowArray,
    /// A dictionary's values, or null.
    pub(super) dictionary: *mut ArrowArray,
    /// Releases it; null once it was released, or moved elsewhere.
    pub(super) release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// The releaser's own.
    pub(super) private_data: *mut c_void,
}

impl ArrowSchema {
    /// How many children there are.
    #[must_use]
    pub fn n_children(&self) -> i64 {
        self.n_children
    }
}

impl ArrowArray {
    /// How many values there are.
    #[must_use]
    pub fn length(&self) -> i64 {
        self.length
    }

    /// How many children there are.
    #[must_use]
    pub fn n_children(&self) -> i64 {
        self.n_children
    }
}

const _: () = {
    assert!(size_of::<ArrowSchema>() == 72 && align_of::<ArrowSchema>() == 8);
    assert!(offset_of!(ArrowSchema, name) == 8 && offset_of!(ArrowSchema, metadata) == 16);
    assert!(offset_of!(ArrowSchema, flags) == 24 && offset_of!(ArrowSchema, n_children) == 32);
    assert!(offset_of!(ArrowSchema, children) == 40 && offset_of!(ArrowSchema, dictionary) == 48);
    assert!(offset_of!(ArrowSchema, release) == 56 && offset_of!(ArrowSchema, private_data) == 64);
    assert!(size_of::<ArrowArray>() == 80 && align_of::<ArrowArray>() == 8);
    assert!(offset_of!(ArrowArray, null_count) == 8 && offset_of!(ArrowArray, offset) == 16);
    assert!(offset_of!(ArrowArray, n_buffers) == 24 && offset_of!(ArrowArray, n_children) == 32);
    assert!(offset_of!(ArrowArray, buffers) == 40 && offset_of!(ArrowArray, children) == 48);
    assert!(offset_of!(ArrowArray, dictionary) == 56 && offset_of!(ArrowArray, release) == 64);
    assert!(offset_of!(ArrowArray, private_data) == 72);
};

// SAFETY: the specification lets any thread use and release it.
unsafe impl Send for ArrowSchema {}
// SAFETY: as above.
unsafe impl Send for ArrowArray {}

macro_rules! released {
    ($($name:ident)*) => {$(
        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released, and this is its end.
                    unsafe { release(self) }
                }
            }
        }
    )*};
}
released!(ArrowSchema ArrowArray);
