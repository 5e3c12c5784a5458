//! Views of engine memory that are given to Python for the length of one call.
//!
//! A `memoryview` over bare memory cannot tell who still looks through it: a slice of it lives on when it is
//! released. So each view is made over an exporter of ours: who refers to that still looks.

use crate::failure;
use crate::ffi::{self, Py_buffer};
use crate::py::{self, Kind, Outcome, PyObject, Ref};
use crate::types::{self, TypeOf};
use std::cell::RefCell;
use std::ffi::c_int;

const ENDED: &str = "the view has ended with its call";

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
            py::raise(Kind::Buffer, ENDED);
            return -1;
        }
        let (data, len) = ((*exporter).data.cast_mut().cast(), (*exporter).len as isize);
        ffi::PyBuffer_FillInfo(view, object, data, len, 1, flags)
    }
}

/// The views that were given out in the current call.
pub struct Views {
    exporter: Ref,
    /// Each exporter and, once it is made, its view.
    out: RefCell<Vec<(Ref, Option<Ref>)>>,
    /// Exporters that nobody refers to any more.
    spare: RefCell<Vec<Ref>>,
}

impl Views {
    /// None yet, over exporters of this type.
    pub fn new(exporter: Ref) -> Views {
        Views { exporter, out: RefCell::new(Vec::new()), spare: RefCell::new(Vec::new()) }
    }

    /// A `memoryview` of engine memory, read only, until [`Views::end`].
    ///
    /// # Safety
    /// The bytes must stay until `end` has been called.
    pub unsafe fn of(&self, start: *const u8, len: usize) -> Outcome<Ref> {
        self.drop_unused();
        let spare = self.spare.borrow_mut().pop();
        let exporter = match spare {
            Some(exporter) => exporter,
            None => types::new(&self.exporter)?,
        };
        // SAFETY: an exporter, ours alone.
        unsafe {
            let place = exporter.as_ptr().cast::<Exporter>();
            (*place).data = start;
            (*place).len = len;
        }
        // Before the view is made, as that may run finalizers, and so another thread that ends the call.
        self.out.borrow_mut().push((exporter.clone(), None));
        // SAFETY: alive.
        let view = unsafe { Ref::steal(ffi::PyMemoryView_FromObject(exporter.as_ptr()))? };
        let mut out = self.out.borrow_mut();
        if let Some((_, made)) = out.iter_mut().rev().find(|(one, _)| one.as_ptr() == exporter.as_ptr()) {
            *made = Some(view.clone());
            return Ok(view);
        }
        drop(out);
        release(&view);
        Err(py::raise(Kind::Buffer, ENDED))
    }

    /// Takes back the exporter of a view that nobody looks through any more. In a loop over a batch the variable
    /// still holds the last one, so the one before it is free: a batch needs two, however large it is.
    fn drop_unused(&self) {
        let mut out = self.out.borrow_mut();
        let recent = out.len().saturating_sub(2)..out.len();
        let unused = recent.into_iter().find(|&index| {
            let (exporter, view) = &out[index];
            // SAFETY: both are alive. The view's own reference to its exporter, and ours.
            view.as_ref().is_some_and(|view| unsafe {
                ffi::refcount(view.as_ptr()) == 1 && ffi::refcount(exporter.as_ptr()) == 2
            })
        });
        let Some((exporter, view)) = unused.map(|index| out.swap_remove(index)) else { return };
        // Its end may run a callback of a weak reference, and so another thread.
        drop(out);
        drop(view);
        // SAFETY: alive.
        if unsafe { ffi::refcount(exporter.as_ptr()) } == 1 {
            self.spare.borrow_mut().push(exporter);
        } else {
            self.out.borrow_mut().push((exporter, None));
        }
    }

    /// Whether there are none to end.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.out.borrow().is_empty()
    }

    /// Releases all views; raises when one was kept, or a slice or an array of it. Our own references to them
    /// must have been dropped.
    pub fn end(&self) -> Outcome<()> {
        let mut kept = false;
        loop {
            let next = self.out.borrow_mut().pop();
            let Some((exporter, view)) = next else { break };
            // SAFETY: an exporter of ours.
            unsafe { (*exporter.as_ptr().cast::<Exporter>()).data = std::ptr::null() };
            // SAFETY: both are alive.
            let view = view.filter(|view| unsafe { ffi::refcount(view.as_ptr()) } > 1);
            // SAFETY: as above. A view that is gone no longer refers to its exporter; slices and arrays do, those
            // of numpy's that took the address without an export included.
            if view.is_none() && unsafe { ffi::refcount(exporter.as_ptr()) } == 1 {
                self.spare.borrow_mut().push(exporter);
            } else {
                kept |= is_kept(&exporter, view);
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

/// Whether somebody still looks through a view or its exporter. The view raises from now on.
#[cold]
fn is_kept(exporter: &Ref, view: Option<Ref>) -> bool {
    let held = || {
        let held = view.as_ref().is_some_and(|view| {
            // SAFETY: alive.
            let held = unsafe { ffi::refcount(view.as_ptr()) } > 1;
            release(view);
            held
        });
        // SAFETY: as above.
        held || unsafe { ffi::refcount(exporter.as_ptr()) } > 1
    };
    // What is held may be garbage that waits for its collection: an exception's cycle of frames.
    held() && {
        // SAFETY: this thread is attached.
        unsafe { ffi::PyGC_Collect() };
        held()
    }
}

/// Makes a view raise when it is used.
fn release(view: &Ref) {
    let released = view.get(c"release").and_then(|release| release.call(&[]));
    let _ = released.map_err(failure::forget);
}
