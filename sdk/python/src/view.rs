//! Views of engine memory that are given to Python for the length of one call.
//!
//! A `memoryview` over bare memory cannot tell who still looks through it: a slice of it lives on when it is
//! released. So each view is made over an exporter of ours: who refers to that still looks.

use crate::failure;
use crate::ffi::{self, Py_buffer};
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Ref};
use crate::types::{self, TypeOf};
use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::OnceLock;

const ENDED: &str = "the view has ended with its call";

/// Engine memory, as a view shows it.
#[derive(Clone, Copy)]
pub struct Memory {
    start: *const u8,
    /// In bytes.
    len: usize,
    /// What the elements are; `None` for bytes.
    element: Option<Number>,
    writable: bool,
}

impl Memory {
    /// Bytes, to be read only.
    pub fn bytes(bytes: &[u8]) -> Memory {
        Memory { start: bytes.as_ptr(), len: bytes.len(), element: None, writable: false }
    }

    /// `count` numbers, to be read only.
    pub fn source(start: *const u8, count: usize, element: Number) -> Memory {
        Memory { start, len: count * element.size(), element: Some(element), writable: false }
    }

    /// `count` numbers, which may be written.
    pub fn into(start: *mut u8, count: usize, element: Number) -> Memory {
        Memory { writable: true, ..Memory::source(start, count, element) }
    }
}

/// The Python object that a view is a view of.
#[repr(C)]
struct Exporter {
    head: PyObject,
    /// `None` once the call has ended.
    memory: Option<Memory>,
    /// How many elements it has: the shape of buffers, which points here.
    count: isize,
}

/// The exporter's type.
struct ExporterType(Ref);

// SAFETY: types are immutable here, and references to them are counted by attached threads only.
unsafe impl Send for ExporterType {}
// SAFETY: as above.
unsafe impl Sync for ExporterType {}

static EXPORTER: OnceLock<ExporterType> = OnceLock::new();

/// Makes the type that views need, when it is not there yet.
pub fn prepare() -> Outcome<()> {
    if EXPORTER.get().is_none() {
        let made = TypeOf::new::<Exporter>(c"upcall.EngineMemory")
            .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
            .slot(ffi::Py_bf_getbuffer, get_buffer as *const ())
            .slot(ffi::Py_tp_dealloc, types::free as *const ())
            .make(None)?;
        EXPORTER.get_or_init(|| ExporterType(made));
    }
    Ok(())
}

unsafe extern "C" fn get_buffer(object: *mut PyObject, view: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: CPython passes an exporter and a view to fill; the memory is the engine's until `Views::end`.
    unsafe {
        let exporter = object.cast::<Exporter>();
        let Some(Memory { start, len, element, writable }) = (*exporter).memory else {
            (*view).obj = std::ptr::null_mut();
            py::raise(Kind::Buffer, ENDED);
            return -1;
        };
        let (data, len) = (start.cast_mut().cast(), len as isize);
        let filled = ffi::PyBuffer_FillInfo(view, object, data, len, c_int::from(!writable), flags);
        if let Some(element) = element
            && filled == 0
        {
            (*view).itemsize = element.size() as isize;
            if !(*view).shape.is_null() {
                (*view).shape = &raw mut (*exporter).count;
            }
            // Who asks for no format takes them for bytes, and may.
            if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
                (*view).format = element.format().as_ptr().cast_mut();
            }
        }
        filled
    }
}

/// The views that were given out in the current call.
#[derive(Default)]
pub struct Views {
    /// Each exporter and, once it is made, its view.
    out: RefCell<Vec<(Ref, Option<Ref>)>>,
    /// Exporters that nobody refers to any more.
    spare: RefCell<Vec<Ref>>,
}

impl Views {
    /// What exports engine memory as a buffer, until [`Views::end`]: for who makes its own view of it.
    ///
    /// # Safety
    /// The memory must stay until `end` has been called, and be as described.
    pub unsafe fn exporter(&self, memory: Memory) -> Outcome<Ref> {
        let spare = self.spare.borrow_mut().pop();
        let exporter = match spare {
            Some(exporter) => exporter,
            None => {
                let made = EXPORTER.get().expect("the types are made before any instance is");
                types::new(&made.0)?
            }
        };
        // SAFETY: an exporter, ours alone.
        unsafe {
            let place = exporter.as_ptr().cast::<Exporter>();
            (*place).count =
                memory.element.map_or(memory.len, |element| memory.len / element.size()) as isize;
            (&raw mut (*place).memory).write(Some(memory));
        }
        // Before the view is made, as that may run finalizers, and so another thread that ends the call.
        self.out.borrow_mut().push((exporter.clone(), None));
        Ok(exporter)
    }

    /// A `memoryview` of engine memory, until [`Views::end`].
    ///
    /// # Safety
    /// As [`Views::exporter`].
    pub unsafe fn of(&self, memory: Memory) -> Outcome<Ref> {
        self.drop_unused();
        // SAFETY: the caller's promise.
        let exporter = unsafe { self.exporter(memory)? };
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
            unsafe { (*exporter.as_ptr().cast::<Exporter>()).memory = None };
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
