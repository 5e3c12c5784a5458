//! Processes that pass messages to one another.

use super::failure::{raise, raise_as};
use super::{
    action, checked, collective, exact, is_forked, message, method, number, number_or, own_process, parts,
    point, reduce, request, typed, unlocked,
};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::ops::Deref;
use std::sync::Arc;
use upcall_mpi::Communicator;

/// A communicator, for as long as anything needs it.
#[derive(Clone)]
pub enum Held {
    /// One that MPI has from the start.
    Given(&'static Communicator),
    /// One that was made, and is freed.
    Made(Arc<Communicator>),
}

impl Deref for Held {
    type Target = Communicator;

    #[inline]
    fn deref(&self) -> &Communicator {
        match self {
            Held::Given(given) => given,
            Held::Made(made) => made,
        }
    }
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that was made by nobody here.
    held: *mut Held,
}

/// The communicator of an object.
///
/// # Safety
/// It must be one that stays alive while the result is used.
#[inline]
pub unsafe fn of<'a>(object: *mut PyObject) -> Outcome<&'a Held> {
    own_process()?;
    // SAFETY: the caller's promise.
    unsafe { (*object.cast::<Object>()).held.as_ref() }.ok_or_else(|| {
        raise_as("lifecycle", "use a communicator: it is none that MPI has made; take a world's")
    })
}

/// One that MPI has from the start, as an object of this type.
pub fn given(of: &Ref, comm: &'static Communicator) -> Outcome<Ref> {
    object(of, Held::Given(comm))
}

/// One of this type.
///
/// # Safety
/// The type must be alive, and derived from ours.
pub unsafe fn of_type(of: *mut PyObject, held: Held) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    object(&unsafe { Ref::share(of) }, held)
}

fn object(of: &Ref, held: Held) -> Outcome<Ref> {
    let made = make::new(of)?;
    // SAFETY: a new object of a type that is derived from ours.
    unsafe { (*made.as_ptr().cast::<Object>()).held = Box::into_raw(Box::new(held)) };
    Ok(made)
}

/// What `upcall.mpi.Communicator` is derived from.
pub fn communicator_type() -> Outcome<Ref> {
    let of = TypeOf::new::<Object>(c"upcall._upcall.MpiCommunicator")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"rank", rank, c"This process's rank, from 0 on.")
        .attribute(c"size", size, c"How many processes there are.")
        .attribute(c"largest_tag", largest_tag, c"The largest tag that messages may have.")
        .action(c"_duplicate", action!(duplicate), c"The same processes, apart. Collective.")
        .method(c"_split", method!(split as "split"(color, key), 1), c"Those of the same color. Collective.")
        .method(c"abort", method!(abort as "abort"(code), 0), c"Ends all processes of the job at once.");
    let of = point::methods(request::methods(message::methods(of)));
    let of = reduce::methods(parts::methods(collective::methods(of)));
    typed::methods(checked::methods(exact::methods(of))).make(None)
}

unsafe extern "C" fn rank(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes a communicator.
    py::returned(unsafe { of(this) }.and_then(|comm| py::int(comm.rank() as u64)))
}

unsafe extern "C" fn size(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { of(this) }.and_then(|comm| py::int(comm.size() as u64)))
}

unsafe extern "C" fn largest_tag(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { of(this) }.and_then(|comm| py::int(comm.largest_tag().map_err(raise)? as u64)))
}

/// One that was made, of the same type as `like`.
unsafe fn made(like: *mut PyObject, comm: Communicator) -> Outcome<Ref> {
    // SAFETY: the caller's communicator.
    object(&unsafe { Ref::share(ffi::Py_TYPE(like).cast()) }, Held::Made(Arc::new(comm)))
}

unsafe fn duplicate(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below.
    unsafe {
        let comm = of(this)?;
        made(this, unlocked(|| comm.duplicate()).map_err(raise)?)
    }
}

/// `split(color, key)`, where a color that is negative is none.
unsafe fn split(this: *mut PyObject, [color, key]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above, and arguments that do.
    unsafe {
        let comm = of(this)?;
        let (color, key) = (number(color, "color")?, number_or(key, 0, "key")?);
        let split = unlocked(|| comm.split(u32::try_from(color).ok(), key)).map_err(raise)?;
        split.map_or(Ok(py::none()), |comm| made(this, comm))
    }
}

unsafe fn abort(this: *mut PyObject, [code]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, code) = unsafe { (of(this)?, number_or(code, 1, "code")?) };
    comm.abort(code)
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a communicator that nobody refers to.
    unsafe {
        let held = (*this.cast::<Object>()).held;
        // What a child has of its parent's is not its own to free.
        if !held.is_null() && !is_forked() {
            let held = Box::from_raw(held);
            match *held {
                Held::Given(_) => {}
                Held::Made(made) => unlocked(|| drop(made)),
            }
        }
        free(this);
    }
}

/// Frees an object whose type may be derived in Python, and so may be the collector's.
///
/// # Safety
/// Only from the type's `tp_dealloc`.
pub unsafe extern "C" fn free(object: *mut PyObject) {
    // SAFETY: the caller's promise: nobody refers to it, and a heap type is owned by its objects.
    unsafe {
        let of = ffi::Py_TYPE(object);
        let free = ffi::PyType_GetSlot(of, ffi::Py_tp_free);
        std::mem::transmute::<*mut std::ffi::c_void, ffi::freefunc>(free)(object.cast());
        ffi::decref(of.cast());
    }
}
