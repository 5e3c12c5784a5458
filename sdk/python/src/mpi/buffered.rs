//! Sends that are copied and return whether or not anybody receives them.

use super::buffer::Buffer;
use super::communicator::peers;
use super::environment::environment;
use super::failure::{raise, raise_as};
use super::integer::count;
use super::{action, is_forked, method, number_or, own_process, rank_or, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::sync::{Mutex, PoisonError};
use upcall_mpi::SendBuffer;

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that has none yet; nothing in it when it was detached.
    buffer: *mut Mutex<Option<Attached>>,
}

struct Attached(SendBuffer<'static>);

// SAFETY: it is bound to its thread because another one may not be allowed to call MPI, and would wait for ever to be; that is
// asked first.
unsafe impl Send for Attached {}

/// What `upcall.mpi.Environment.attach_buffer` returns.
pub fn send_buffer_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall.mpi.SendBuffer")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"used", used, c"How many bytes are under way.")
        .action(c"detach", action!(detach), c"Waits until all has left, and takes it away.")
        .action(c"__enter__", action!(enter), c"Itself.")
        .method(c"__exit__", method!(exit as "exit"(kind, error, trace), 3), c"Detaches it.")
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"send_buffered",
        method!(send_buffered as "send_buffered"(data, dest, tag), 2),
        c"send_buffered(data, dest, tag=0)",
    )
}

unsafe fn send_buffered(this: *mut PyObject, [data, dest, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let comm = peers(this)?;
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let data = Buffer::read(data, "send_buffered")?;
        unlocked(|| comm.send_buffered(data.bytes(), dest, with)).map_err(raise)?;
        Ok(py::none())
    }
}

/// `attach_buffer(size)` of an environment.
pub unsafe fn attach(_: *mut PyObject, [size]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let size = unsafe { count(size, "size")? };
    let buffer = environment()?.attach_buffer(size).map_err(raise)?;
    let made = make::new(&types().send_buffer)?;
    let buffer = Box::new(Mutex::new(Some(Attached(buffer))));
    // SAFETY: a new object, ours alone.
    unsafe { (*made.as_ptr().cast::<Object>()).buffer = Box::into_raw(buffer) };
    Ok(made)
}

/// # Safety
/// It must be one of ours that is alive.
unsafe fn of_object<'a>(this: *mut PyObject) -> Outcome<&'a Mutex<Option<Attached>>> {
    own_process()?;
    // SAFETY: the caller's promise; it is set once.
    Ok(unsafe { &*(*this.cast::<Object>()).buffer })
}

unsafe extern "C" fn used(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes one of ours.
    py::returned(unsafe { of_object(this) }.and_then(|buffer| {
        let used = unlocked(|| {
            let attached = buffer.lock().unwrap_or_else(PoisonError::into_inner);
            attached.as_ref().map(|Attached(buffer)| buffer.used())
        });
        match used {
            Some(used) => py::int(used.map_err(raise)? as u64),
            None => Err(raise_as("usage", "look at a buffer for sends: it was detached")),
        }
    }))
}

unsafe fn detach(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: one of ours that lives until this returns, here and below.
    let buffer = unsafe { of_object(this)? };
    let detached = unlocked(|| {
        let mut attached = buffer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Attached(buffer)) = &*attached {
            buffer.used()?;
        }
        attached.take().map_or(Ok(()), |Attached(buffer)| buffer.detach())
    });
    detached.map_err(raise)?;
    Ok(py::none())
}

unsafe fn enter(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    Ok(unsafe { Ref::share(this) })
}

unsafe fn exit(this: *mut PyObject, _: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { detach(this) }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let buffer = (*this.cast::<Object>()).buffer;
        if !buffer.is_null() && !is_forked() {
            // Nothing waits here: it stays until another is attached.
            if let Ok(Some(Attached(attached))) = Box::from_raw(buffer).into_inner() {
                attached.leave();
            }
        }
        make::free(this);
    }
}
