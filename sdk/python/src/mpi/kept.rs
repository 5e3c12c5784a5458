//! Memory that a request keeps until MPI has done with it, which may be on any thread, without the interpreter's lock, and in a
//! call that must not run Python.

use super::buffer::Buffer;
use crate::ffi;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// Buffers that are to be released by a thread that is attached and in no call of MPI's.
static LEFT: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

/// A buffer, which is left to such a thread when this is dropped.
pub struct Kept(Option<Buffer>);

impl Kept {
    /// Keeps it.
    pub fn new(buffer: Buffer) -> Kept {
        Kept(Some(buffer))
    }

    /// Releases it here, on an attached thread.
    pub fn release(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(buffer) = self.0.take() {
            LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
            // Where there are too many of them already, what is left goes with the next one.
            // SAFETY: any thread may ask for it.
            unsafe { ffi::Py_AddPendingCall(Some(release), std::ptr::null_mut()) };
        }
    }
}

extern "C" fn release(_: *mut c_void) -> c_int {
    release_left();
    0
}

/// Releases what was left, on an attached thread.
pub fn release_left() {
    // Without the mutex, as the end of an object may run anything.
    let left = std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner));
    drop(left);
}
