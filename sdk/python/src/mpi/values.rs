//! Python's values that are kept with communicators: MPI has their numbers, and this the values.

use super::communicator::{free, peers};
use super::failure::raise;
use super::{method, truth, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref, returned};
use crate::types::{self as make, TypeOf};
use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::sync::{Mutex, PoisonError};
use upcall_mpi::NumberedKey;

/// A value that a communicator keeps. Its references are counted by attached threads only.
struct Value(Ref);

// SAFETY: moving it counts nothing.
unsafe impl Send for Value {}

/// By their numbers.
static VALUES: Mutex<(u64, BTreeMap<u64, Value>)> = Mutex::new((0, BTreeMap::new()));
/// What communicators keep no more: it is let go of by a thread that is attached and in no call of MPI's.
static GONE: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// On whichever thread, attached or not, and in a call of MPI's.
fn forget(number: u64) {
    let value = VALUES.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
    if let Some(value) = value {
        GONE.lock().unwrap_or_else(PoisonError::into_inner).push(value);
        // Where there are too many of them already, what is left goes with the next one.
        // SAFETY: any thread may ask for it.
        unsafe { ffi::Py_AddPendingCall(Some(release), std::ptr::null_mut()) };
    }
}

extern "C" fn release(_: *mut c_void) -> c_int {
    // Without the mutex, as the end of an object may run anything.
    let gone = std::mem::take(&mut *GONE.lock().unwrap_or_else(PoisonError::into_inner));
    drop(gone);
    0
}

#[repr(C)]
struct Object {
    head: PyObject,
    key: *mut NumberedKey,
}

/// What `upcall.mpi.Key` is derived from.
pub fn key_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiKey")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .make(None)
}

/// Of whether its values are copied.
unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type that is derived from ours, and a tuple.
    returned(unsafe {
        let given = Ref::share(given);
        py::item(&given, 0).and_then(|copied| truth(copied.as_ptr())).and_then(|copied| {
            let made = make::new(&Ref::share(of.cast()))?;
            (*made.as_ptr().cast::<Object>()).key = Box::into_raw(Box::new(NumberedKey::new(copied)));
            Ok(made)
        })
    })
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a key that nobody refers to.
    unsafe {
        let key = (*this.cast::<Object>()).key;
        if !key.is_null() {
            drop(Box::from_raw(key));
        }
        free(this);
    }
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"_set_value", method!(set as "set"(of, key, value), 3), c"Keeps a value.")
        .method(c"_value", method!(get as "get"(of, key, default), 3), c"What is kept.")
        .method(c"_remove_value", method!(remove as "remove"(of, key), 2), c"Takes away what is kept.")
}

/// The key of an object, which is one where its type says so.
///
/// # Safety
/// Both must be alive.
unsafe fn key<'a>(of: *mut PyObject, object: *mut PyObject) -> Outcome<&'a NumberedKey> {
    // SAFETY: the caller's promise; `of` is a type that is derived from ours.
    unsafe {
        let is = ffi::PyObject_TypeCheck(object, of.cast()) != 0;
        let key = if is { (*object.cast::<Object>()).key.as_ref() } else { None };
        key.ok_or_else(|| {
            py::raise(py::Kind::Type, "keep a value with a communicator: the key is no mpi.Key")
        })
    }
}

unsafe fn set(this: *mut PyObject, [of, by, value]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    let (comm, key, value) = unsafe { (peers(this)?, key(of, by)?, Value(Ref::share(value))) };
    let number = {
        let mut values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
        values.0 += 1;
        let number = values.0;
        values.1.insert(number, value);
        number
    };
    let kept = unlocked(|| comm.set_numbered(key, number, Box::new(move || forget(number))));
    kept.map_err(raise)?;
    Ok(py::none())
}

unsafe fn get(this: *mut PyObject, [of, by, default]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, key) = unsafe { (peers(this)?, key(of, by)?) };
    let number = unlocked(|| comm.numbered(key)).map_err(raise)?;
    let values = VALUES.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: as above.
    Ok(values.1.get(&number).map_or_else(|| unsafe { Ref::share(default) }, |value| value.0.clone()))
}

unsafe fn remove(this: *mut PyObject, [of, by]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, key) = unsafe { (peers(this)?, key(of, by)?) };
    let removed = unlocked(|| comm.remove_numbered(key)).map_err(raise)?;
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyBool_FromLong(removed.into())) }
}
