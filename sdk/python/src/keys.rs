//! A small cache of keys as `bytes`: flows repeat their keys, and a `bytes` that comes again needs no
//! allocation and brings its hash along.

use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};

const SLOTS: usize = 4096;
const LONGEST: usize = 32;

struct Slot {
    hash: u64,
    len: usize,
    data: *const u8,
    key: Option<Ref>,
}

/// The cache: direct-mapped, so that a miss costs one slot.
pub struct Keys(Vec<Slot>);

impl Keys {
    /// An empty cache, which takes no memory until the first key.
    pub fn new() -> Keys {
        Keys(Vec::new())
    }

    /// The key as `bytes`.
    #[inline]
    pub fn get(&mut self, key: &[u8]) -> Outcome<Ref> {
        if key.len() > LONGEST || key.len() < 2 {
            // CPython keeps the short ones itself.
            return py::bytes(key);
        }
        if self.0.is_empty() {
            self.fill();
        }
        let hash = hash(key);
        let slot = &mut self.0[(hash >> 52) as usize % SLOTS];
        if slot.hash == hash && slot.len == key.len() {
            // SAFETY: `data` points to `len` bytes of the `bytes` that the slot owns.
            let same = unsafe { std::slice::from_raw_parts(slot.data, slot.len) } == key;
            if let (true, Some(key)) = (same, &slot.key) {
                return Ok(key.clone());
            }
        }
        let new = py::bytes(key)?;
        // SAFETY: a `bytes` that is alive.
        let data = unsafe { ffi::PyBytes_AsString(new.as_ptr()) }.cast();
        *slot = Slot { hash, len: key.len(), data, key: Some(new.clone()) };
        Ok(new)
    }

    #[cold]
    fn fill(&mut self) {
        self.0.resize_with(SLOTS, || Slot { hash: 0, len: 0, data: std::ptr::null(), key: None });
    }
}

/// Multiplies eight bytes at a time; the upper bits pick the slot.
#[inline]
fn hash(key: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = key.len() as u64;
    let mut rest = key;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
        rest = tail;
    }
    let mut last = 0u64;
    for (place, byte) in rest.iter().enumerate() {
        last |= u64::from(*byte) << (8 * place);
    }
    (hash.rotate_left(23) ^ last).wrapping_mul(FACTOR)
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
