//! The way to the part of the driver that is written in Python.

use crate::ffi;
use crate::py::{self, Outcome, Ref};
use std::ffi::CStr;

/// Calls a function of `upcall/_support.py`.
pub fn call(name: &CStr, arguments: &[&Ref]) -> Outcome<Ref> {
    get(name)?.call(arguments)
}

/// Something of `upcall/_support.py`.
pub fn get(name: &CStr) -> Outcome<Ref> {
    let module = py::text(b"upcall._support")?;
    // SAFETY: a `str`; looks it up, and runs no hook of imports. It was imported when the package was.
    let module = unsafe { Ref::steal(ffi::PyImport_GetModule(module.as_ptr())) };
    module.or_else(|_| py::import(c"upcall._support"))?.get(name)
}
