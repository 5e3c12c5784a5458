//! A small cache of keys as `bytes`: flows repeat their keys, and a `bytes` that comes again needs no
//! allocation and brings its hash along.

use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use letters::{LONGEST, Letters};
use std::cell::UnsafeCell;

mod letters;

/// As many as the different words of a book, nearly: 512 KiB.
const SLOTS: usize = 16_384;

struct Slot {
    letters: Letters,
    key: Option<Ref>,
}

/// The cache: direct-mapped, so that a miss costs one slot.
pub struct Keys(UnsafeCell<Vec<Slot>>);

impl Keys {
    /// An empty cache, which takes no memory until the first key.
    pub fn new() -> Keys {
        Keys(UnsafeCell::new(Vec::new()))
    }

    /// The key as `bytes`.
    #[inline]
    pub fn get(&self, key: &[u8]) -> Outcome<Ref> {
        if key.len() > LONGEST || key.len() < 2 {
            // CPython keeps the short ones itself.
            return py::bytes(key);
        }
        // SAFETY: this thread holds the interpreter's lock, and nothing below runs Python code (a `bytes` has
        // none that its end would run), so nobody else is in here.
        let slots = unsafe { &mut *self.0.get() };
        if slots.is_empty() {
            fill(slots);
        }
        let letters = Letters::of(key);
        let slot = &mut slots[letters.hash() as usize % SLOTS];
        if let Some(key) = &slot.key
            && slot.letters == letters
        {
            return Ok(key.clone());
        }
        let new = py::bytes(key)?;
        *slot = Slot { letters, key: Some(new.clone()) };
        Ok(new)
    }
}

#[cold]
fn fill(slots: &mut Vec<Slot>) {
    slots.resize_with(SLOTS, || Slot { letters: Letters::of(b""), key: None });
}

/// Whether an object is exactly a `bytes`.
///
/// # Safety
/// The object must be alive.
#[inline(always)]
pub unsafe fn is_bytes(object: *mut PyObject) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ffi::Py_TYPE(object) == &raw mut ffi::PyBytes_Type }
}

/// What is in an object that [`is_bytes`].
///
/// # Safety
/// It must be one, and stay alive and unchanged for `'a`.
#[inline(always)]
pub unsafe fn bytes_of<'a>(object: *mut PyObject) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe {
        let data = ffi::PyBytes_AsString(object).cast();
        std::slice::from_raw_parts(data, ffi::Py_SIZE(object) as usize)
    }
}
