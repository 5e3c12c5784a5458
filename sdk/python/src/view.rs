//! Views of engine memory that are given to Python for the length of one call.
//!
//! A `memoryview` over bare memory cannot tell who still looks through it: a slice of it lives on when it is
//! released. So each view is made over an exporter of ours: who refers to that still looks.

use crate::failure;
use crate::ffi::{self, Py_buffer};
use crate::py::{self, Kind, Outcome, PyObject, Ref};
use crate::types::{self, TypeOf};
use std::ffi::c_int;

/// The Python object that a view is a view of.
#[repr(C)]
struct Exporter {
    head: PyObject,
    data: *const u8,
    len: usize,
}

/// The exporter's type.
pub fn exporter_type() -> Outcome<Ref> {
    TypeOf::new::<Exporter>(c"upcall.EngineMemory")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_bf_getbuffer, get_buffer as *const ())
        .slot(ffi::Py_tp_dealloc, types::free as *const ())
        .make(None)
}

unsafe extern "C" fn get_buffer(object: *mut PyObject, view: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: CPython passes an exporter and a view to fill; the memory is the engine's until `Views::end`.
    unsafe {
        let exporter = object.cast::<Exporter>();
        if (*exporter).data.is_null() {
            (*view).obj = std::ptr::null_mut();
            py::raise(Kind::Buffer, "the view has ended with its call");
            return -1;
        }
        let (data, len) = ((*exporter).data.cast_mut().cast(), (*exporter).len as isize);
        ffi::PyBuffer_FillInfo(view, object, data, len, 1, flags)
    }
}

/// The views that were given out in the current call.
pub struct Views {
    exporter: Ref,
    out: Vec<(Ref, Ref)>,
}

impl Views {
    /// None yet, over exporters of this type.
    pub fn new(exporter: Ref) -> Views {
        Views { exporter, out: Vec::new() }
    }

    /// A `memoryview` of engine memory, read only, until [`Views::end`].
    ///
    /// # Safety
    /// The bytes must stay until `end` has been called.
    pub unsafe fn of(&mut self, bytes: &[u8]) -> Outcome<Ref> {
        let exporter = types::new(&self.exporter)?;
        // SAFETY: an exporter, new and ours.
        let view = unsafe {
            let place = exporter.as_ptr().cast::<Exporter>();
            (*place).data = bytes.as_ptr();
            (*place).len = bytes.len();
            Ref::steal(ffi::PyMemoryView_FromObject(exporter.as_ptr()))?
        };
        self.out.push((exporter, view.clone()));
        Ok(view)
    }

    /// Whether there are none to end.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Releases all views; raises when one was kept, or a slice or an array of it. Our own references to them
    /// must have been dropped.
    #[cold]
    pub fn end(&mut self) -> Outcome<()> {
        let mut kept = false;
        for (exporter, view) in self.out.drain(..) {
            let place = exporter.as_ptr().cast::<Exporter>();
            // SAFETY: both are alive. A released view no longer refers to its exporter; slices and arrays do,
            // those of numpy's that took the address without an export included.
            unsafe {
                (*place).data = std::ptr::null();
                let held = || {
                    let held = ffi::refcount(view.as_ptr()) > 1;
                    release(&view);
                    held || ffi::refcount(exporter.as_ptr()) > 1
                };
                // What is held may be garbage that waits for its collection: an exception's cycle of frames.
                kept |= held() && {
                    ffi::PyGC_Collect();
                    held()
                };
            }
        }
        if kept {
            let message = "a view of engine memory was kept after its call, or a slice or an array of it, which \
                           would dangle: copy what you keep, with bytes(view) or array.copy()";
            return Err(py::raise(Kind::Buffer, message));
        }
        Ok(())
    }
}

/// Makes a view raise when it is used.
fn release(view: &Ref) {
    let released = view.get(c"release").and_then(|release| release.call(&[]));
    let _ = released.map_err(failure::forget);
}
