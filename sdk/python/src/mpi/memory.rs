//! Memory that is not Python's, as objects with the buffer protocol: of huge pages, and of windows.

use super::failure::raise;
use super::integer::count;
use crate::ffi::{self, Py_buffer};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::ffi::c_int;
use upcall_mpi::Buf;

#[repr(C)]
struct Object {
    head: PyObject,
    address: *mut u8,
    bytes: usize,
    readonly: bool,
    /// What it is freed with; null where it is another's.
    own: *mut Buf<u8>,
    /// What keeps it; null where it is its own.
    owner: *mut PyObject,
}

/// What `upcall.mpi.Buf` is derived from.
pub fn buf_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiBuf")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, free_own as *const ())
        .slot(ffi::Py_bf_getbuffer, buffer as *const ())
        .slot(ffi::Py_sq_length, length as *const ())
        .attribute(c"has_huge_pages", has_huge_pages, c"Whether what was written lies on huge pages.")
        .make(None)
}

/// Memory of a window's.
pub fn memory_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiMemory")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, free_owned as *const ())
        .slot(ffi::Py_bf_getbuffer, buffer as *const ())
        .slot(ffi::Py_sq_length, length as *const ())
        .make(None)
}

/// So many bytes at an address, which are `owner`'s.
pub fn of_window(address: *mut u8, bytes: usize, readonly: bool, owner: &Ref) -> Outcome<Ref> {
    let made = make::new(&super::types().memory)?;
    // SAFETY: a new object, ours alone.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).address = address;
        (*object).bytes = bytes;
        (*object).readonly = readonly;
        (*object).owner = owner.clone().into_ptr();
    }
    Ok(made)
}

/// Of so many bytes, and whatever what is derived from it takes.
unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type that is derived from ours, and a tuple.
    py::returned(unsafe {
        let (of, given) = (Ref::share(of.cast()), Ref::share(given));
        py::item(&given, 0).and_then(|size| {
            let size = count(size.as_ptr(), "size")?;
            let mut own = Box::new(Buf::<u8>::zeroed(size).map_err(raise)?);
            let made = make::new(&of)?;
            let object = made.as_ptr().cast::<Object>();
            (*object).address = own.as_mut_ptr();
            (*object).bytes = size;
            (*object).own = Box::into_raw(own);
            Ok(made)
        })
    })
}

unsafe extern "C" fn buffer(this: *mut PyObject, view: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: CPython passes an object of these types, which the view keeps.
    unsafe {
        let object = this.cast::<Object>();
        let (address, bytes) = ((*object).address.cast(), (*object).bytes as isize);
        ffi::PyBuffer_FillInfo(view, this, address, bytes, (*object).readonly.into(), flags)
    }
}

unsafe extern "C" fn length(this: *mut PyObject) -> isize {
    // SAFETY: as above.
    unsafe { (*this.cast::<Object>()).bytes as isize }
}

unsafe extern "C" fn has_huge_pages(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    unsafe {
        let own = (*this.cast::<Object>()).own.as_ref();
        ffi::PyBool_FromLong(own.is_some_and(Buf::has_huge_pages).into())
    }
}

unsafe extern "C" fn free_own(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to, nor a view of it.
    unsafe {
        let own = (*this.cast::<Object>()).own;
        if !own.is_null() {
            drop(Box::from_raw(own));
        }
        super::communicator::free(this);
    }
}

unsafe extern "C" fn free_owned(this: *mut PyObject) {
    // SAFETY: as above.
    unsafe {
        drop(Ref::steal((*this.cast::<Object>()).owner));
        make::free(this);
    }
}
