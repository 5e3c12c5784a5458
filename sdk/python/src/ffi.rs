//! CPython's C API as `pyo3-ffi` has it, and what the limited API of 3.11 leaves out though every CPython
//! from 3.11 on exports it.

pub use pyo3_ffi::*;

use crate::py::{Outcome, Raised};
use std::sync::OnceLock;

unsafe extern "C" {
    fn _Py_Dealloc(object: *mut PyObject);
    /// Calls an object through its own `vectorcall`: in the limited API since 3.12, exported long before.
    pub fn PyVectorcall_Call(
        object: *mut PyObject,
        arguments: *mut PyObject,
        keywords: *mut PyObject,
    ) -> *mut PyObject;
}

/// `Py_TPFLAGS_HAVE_VECTORCALL`, which the limited API names from 3.12 on.
pub const HAVE_VECTORCALL: std::ffi::c_ulong = 1 << 11;

/// Whether an object's count is where [`refcount`] looks for it, as CPython's own functions count.
pub fn counts_in_the_head() -> Outcome<bool> {
    // SAFETY: a new object of ours, whose count CPython changes while only we know of it.
    unsafe {
        let object = PyBytes_FromStringAndSize(std::ptr::null(), 40);
        if object.is_null() {
            return Err(Raised);
        }
        let before = refcount(object);
        Py_IncRef(object);
        let after = refcount(object);
        Py_DecRef(object);
        let again = refcount(object);
        Py_DecRef(object);
        Ok((before, after, again) == (1, 2, 1))
    }
}

/// References to an object: the low half of its first word, from 3.11 to 3.14.
///
/// # Safety
/// The object must be alive and this thread attached.
#[inline(always)]
pub unsafe fn refcount(object: *mut PyObject) -> u32 {
    // SAFETY: the caller's promise; every object starts with its count, little end first.
    unsafe { object.cast::<u32>().read() }
}

/// `Py_INCREF` without the call that the limited API makes of it.
///
/// # Safety
/// As [`refcount`].
#[inline(always)]
pub unsafe fn incref(object: *mut PyObject) {
    // SAFETY: as above; an immortal object (3.12) has the sign bit set and is left alone.
    unsafe {
        if (refcount(object) as i32) >= 0 {
            *object.cast::<u32>() += 1;
        }
    }
}

/// `Py_DECREF` without the call that the limited API makes of it.
///
/// # Safety
/// As [`refcount`], and the reference must be the caller's.
#[inline(always)]
pub unsafe fn decref(object: *mut PyObject) {
    // SAFETY: as above.
    unsafe {
        let count = refcount(object);
        if (count as i32) >= 0 {
            *object.cast::<u32>() = count - 1;
            if count == 1 {
                _Py_Dealloc(object);
            }
        }
    }
}

/// `PyObject_Vectorcall`: in every CPython since 3.9, in the limited API since 3.12, hence looked up.
pub fn vectorcall() -> vectorcallfunc {
    static FOUND: OnceLock<vectorcallfunc> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: a symbol of the libpython that this library's other symbols come from.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PyObject_Vectorcall".as_ptr()) };
        if symbol.is_null() {
            return call_with_tuple;
        }
        // SAFETY: CPython's function of this name has this type.
        unsafe { std::mem::transmute::<*mut libc::c_void, vectorcallfunc>(symbol) }
    })
}

/// What stands in for `PyObject_Vectorcall` where there is none.
unsafe extern "C" fn call_with_tuple(
    callable: *mut PyObject,
    arguments: *const *mut PyObject,
    flags: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    debug_assert!(names.is_null(), "no caller here passes keywords");
    let count = flags & (usize::MAX >> 1);
    // SAFETY: the caller passes `count` objects that are alive; a new tuple takes references over.
    unsafe {
        let tuple = PyTuple_New(count as isize);
        if tuple.is_null() {
            return tuple;
        }
        for index in 0..count {
            let argument = *arguments.add(index);
            incref(argument);
            PyTuple_SetItem(tuple, index as isize, argument);
        }
        let result = PyObject_Call(callable, tuple, std::ptr::null_mut());
        decref(tuple);
        result
    }
}
