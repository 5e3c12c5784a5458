//! Memory that a request keeps until MPI has done with it, which may be on any thread, without the interpreter's lock, and in a
//! call that must not run Python.

use super::buffer::Buffer;
use crate::ffi;
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};

/// What is to be dropped by a thread that is attached and in no call of MPI's.
static LEFT: Mutex<Vec<Left>> = Mutex::new(Vec::new());

struct Left {
    _object: Box<dyn Any>,
}

// SAFETY: it is dropped by an attached thread, and not looked at before.
unsafe impl Send for Left {}

/// Leaves something of Python's to such a thread.
pub fn leave(object: impl Any) {
    let left = Left { _object: Box::new(object) };
    LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(left);
    // Where there are too many of them already, what is left goes with the next one.
    // SAFETY: any thread may ask for it.
    unsafe { ffi::Py_AddPendingCall(Some(release), std::ptr::null_mut()) };
}

/// A buffer, which is left to such a thread when this is dropped.
pub struct Kept(Option<Buffer>);

impl Kept {
    /// Keeps it.
    pub fn new(buffer: Buffer) -> Kept {
        Kept(Some(buffer))
    }

    /// Of no memory.
    pub const fn nothing() -> Kept {
        Kept(None)
    }

    /// Releases it here, on an attached thread.
    pub fn release(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(buffer) = self.0.take() {
            leave(buffer);
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
