//! What is known of a message that has arrived.

use super::failure::{raise, raise_as};
use super::{action, method, types};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::mem::offset_of;
use upcall_mpi::{Error, Status};

/// A status, read.
#[derive(Clone, Copy)]
pub struct Told {
    source: i32,
    tag: i32,
    bytes: u64,
    cancelled: bool,
}

impl Told {
    /// Of what was sent.
    pub const NOTHING: Told = Told { source: -1, tag: -1, bytes: 0, cancelled: false };

    /// Of a transfer of a file.
    pub fn of_bytes(bytes: usize) -> Told {
        Told { bytes: bytes as u64, ..Told::NOTHING }
    }

    /// Reads a status, while MPI runs.
    #[inline]
    pub fn of(status: &Status) -> Result<Told, Error> {
        let (source, tag, cancelled) = status.envelope()?;
        if cancelled {
            // What else there is of it means nothing.
            return Ok(Told { cancelled, ..Told::NOTHING });
        }
        let source = source.and_then(|rank| i32::try_from(rank).ok()).unwrap_or(-1);
        Ok(Told { source, tag, bytes: status.bytes()? as u64, cancelled })
    }

    /// Of a message that has arrived.
    pub fn arrived(source: usize, tag: i32, bytes: usize) -> Told {
        Told { source: i32::try_from(source).unwrap_or(-1), tag, bytes: bytes as u64, cancelled: false }
    }

    /// As a Python object.
    #[inline]
    pub fn object(self) -> Outcome<Ref> {
        let made = make::new(&types().status)?;
        // SAFETY: a new status, ours alone.
        unsafe { (*made.as_ptr().cast::<Object>()).told = self };
        Ok(made)
    }

    /// As a Python object, or into the one that is there for it.
    ///
    /// # Safety
    /// `into` must be alive.
    pub unsafe fn fill(self, into: Option<*mut PyObject>) -> Outcome<()> {
        let Some(into) = into else { return Ok(()) };
        // SAFETY: the caller's promise; it is a status where its type says so.
        unsafe {
            if ffi::PyObject_TypeCheck(into, types().status.as_ptr().cast()) == 0 {
                return Err(py::raise(py::Kind::Type, "status: give an mpi.Status()"));
            }
            (*into.cast::<Object>()).told = self;
        }
        Ok(())
    }

    /// How many bytes there are.
    pub fn bytes(self) -> usize {
        self.bytes as usize
    }
}

/// Raises what reading has failed with.
pub fn told(status: Result<Told, Error>) -> Outcome<Ref> {
    status.map_err(raise)?.object()
}

#[repr(C)]
struct Object {
    head: PyObject,
    told: Told,
}

/// `upcall.mpi.Status`.
pub fn status_type() -> Outcome<Ref> {
    let at = offset_of!(Object, told);
    TypeOf::new::<Object>(c"upcall.mpi.Status")
        .member(c"source", ffi::Py_T_INT, at + offset_of!(Told, source))
        .member(c"tag", ffi::Py_T_INT, at + offset_of!(Told, tag))
        .member(c"bytes", ffi::Py_T_ULONGLONG, at + offset_of!(Told, bytes))
        .member(c"cancelled", ffi::Py_T_BOOL, at + offset_of!(Told, cancelled))
        .method(
            c"count",
            method!(count as "count"(size), 1),
            c"How many elements of so many bytes each the message has.",
        )
        .slot(ffi::Py_tp_repr, repr as *const ())
        .slot(ffi::Py_tp_dealloc, make::free as *const ())
        .action(c"__reduce__", action!(reduce), c"A status stays in its process.")
        .make(None)
}

unsafe fn count(this: *mut PyObject, [size]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a status, and an argument, that live until this returns.
    let (told, size) =
        unsafe { ((*this.cast::<Object>()).told, super::rank_or(size, 1, "size")?.max(1) as u64) };
    if !told.bytes.is_multiple_of(size) {
        let message = format!(
            "count elements of {size} bytes: the message has {} bytes, no whole number of them",
            told.bytes
        );
        return Err(raise_as("type", message));
    }
    py::int(told.bytes / size)
}

unsafe fn reduce(_: *mut PyObject) -> Outcome<Ref> {
    Err(py::raise(py::Kind::Type, "a Status cannot be pickled: send its source, tag and bytes"))
}

unsafe extern "C" fn repr(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes a status.
    let Told { source, tag, bytes, cancelled } = unsafe { (*this.cast::<Object>()).told };
    let end = if cancelled { ", cancelled" } else { "" };
    py::returned(py::text(format!("Status(source={source}, tag={tag}, bytes={bytes}{end})").as_bytes()))
}
