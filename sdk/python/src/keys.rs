//! A small cache of keys as `bytes`: flows repeat their keys, and a `bytes` that comes again needs no
//! allocation and brings its hash along.

use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use std::cell::UnsafeCell;

/// As many as the different words of a book, nearly: 512 KiB.
const SLOTS: usize = 16_384;
const LONGEST: usize = 16;

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
    slots.resize_with(SLOTS, || Slot { letters: Letters { head: 0, tail: 0, len: 0 }, key: None });
}

/// A key of 2 to [`LONGEST`] bytes as two numbers, compared without a loop. They overlap in a short key; with
/// the length they are its bytes.
#[derive(PartialEq)]
struct Letters {
    head: u64,
    tail: u64,
    len: usize,
}

impl Letters {
    #[inline]
    fn of(key: &[u8]) -> Letters {
        let (head, tail) = if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
        } else if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u32::from_le_bytes(*head).into(), u32::from_le_bytes(*tail).into())
        } else if let (Some(head), Some(tail)) = (key.first_chunk(), key.last_chunk()) {
            (u16::from_le_bytes(*head).into(), u16::from_le_bytes(*tail).into())
        } else {
            (0, 0)
        };
        Letters { head, tail, len: key.len() }
    }

    /// The upper bits of a product depend on all bits of its factors.
    #[inline]
    fn hash(&self) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let head = (self.head ^ self.len as u64).wrapping_mul(FACTOR);
        (head.rotate_left(23) ^ self.tail).wrapping_mul(FACTOR) >> 32
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_keys_have_the_same_letters_only_when_they_are_the_same() {
        let text = b"abababcabcdabcdeabcdefgh";
        let mut keys: Vec<&[u8]> = Vec::new();
        for len in 2..=LONGEST {
            keys.extend(text.windows(len));
        }
        for a in &keys {
            for b in &keys {
                assert_eq!(Letters::of(a) == Letters::of(b), a == b, "{a:?} {b:?}");
            }
        }
    }
}
