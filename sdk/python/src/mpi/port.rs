//! Where programs find each other.

use super::communicator::free;
use super::failure::{raise, raise_as};
use super::{action, is_forked, method, own_process, types};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use upcall_mpi::{Port, Published};

/// Something of MPI's that ends with its object, or before.
#[repr(C)]
struct Object<T> {
    head: PyObject,
    /// Null when it has ended.
    held: *mut T,
}

/// What `upcall.mpi.Port` is.
pub fn port_type() -> Outcome<Ref> {
    TypeOf::new::<Object<Port>>(c"upcall._upcall.MpiPort")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc::<Port> as *const ())
        .attribute(c"name", name, c"Its name, which others are told.")
        .method(c"publish", method!(publish as "publish"(service), 1), c"publish(service)")
        .action(c"close", action!(close::<Port>), c"Closes it.")
        .action(c"__enter__", action!(itself), c"The port, which is closed at the end of the block.")
        .method(c"__exit__", method!(exit::<Port> as "__exit__"(kind, error, trace), 3), c"Closes it.")
        .make(None)
}

/// What `upcall.mpi.Published` is.
pub fn published_type() -> Outcome<Ref> {
    TypeOf::new::<Object<Published>>(c"upcall._upcall.MpiPublished")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc::<Published> as *const ())
        .action(c"close", action!(close::<Published>), c"Takes it back.")
        .action(c"__enter__", action!(itself), c"It is taken back at the end of the block.")
        .method(
            c"__exit__",
            method!(exit::<Published> as "__exit__"(kind, error, trace), 3),
            c"Takes it back.",
        )
        .make(None)
}

/// A port as an object.
pub fn object(port: Port) -> Outcome<Ref> {
    kept(&types().port, port)
}

fn kept<T>(of: &Ref, held: T) -> Outcome<Ref> {
    let made = make::new(of)?;
    // SAFETY: a new object of a type of ours.
    unsafe { (*made.as_ptr().cast::<Object<T>>()).held = Box::into_raw(Box::new(held)) };
    Ok(made)
}

unsafe fn port<'a>(this: *mut PyObject) -> Outcome<&'a Port> {
    own_process()?;
    // SAFETY: CPython passes a port that lives until the call returns, here and below.
    unsafe { (*this.cast::<Object<Port>>()).held.as_ref() }
        .ok_or_else(|| raise_as("usage", "use a port: it has been closed"))
}

unsafe extern "C" fn name(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { port(this) }.and_then(|port| py::text(port.name().as_bytes())))
}

unsafe fn publish(this: *mut PyObject, [service]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (port, service) = unsafe { (port(this)?, py::utf8(service)?) };
    // A port is closed by a thread with the interpreter's lock, which this one keeps.
    kept(&types().published, port.publish(service).map_err(raise)?)
}

unsafe fn itself(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    Ok(unsafe { Ref::share(this) })
}

unsafe fn exit<T>(this: *mut PyObject, _: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { close::<T>(this) }
}

unsafe fn close<T>(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above; nobody else has what was taken.
    unsafe {
        let held = std::mem::replace(&mut (*this.cast::<Object<T>>()).held, std::ptr::null_mut());
        // What a child has of its parent's is not its own to end.
        if !held.is_null() && !is_forked() {
            let held = Box::from_raw(held);
            drop(held);
        }
    }
    Ok(py::none())
}

unsafe extern "C" fn dealloc<T>(this: *mut PyObject) {
    // SAFETY: CPython calls it with an object of ours that nobody refers to.
    unsafe {
        let _ = close::<T>(this);
        free(this);
    }
}
