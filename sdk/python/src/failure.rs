//! Python exceptions as the boundary has failures: type, message and traceback.

use crate::ffi;
use crate::py::{Outcome, Raised, Ref};
use crate::support;
use std::ptr;

/// What was raised, as text.
#[derive(Debug)]
pub struct Failure {
    /// The exception's type, with its module unless it is a builtin.
    pub type_name: String,
    /// Its message.
    pub message: String,
    /// The traceback, causes included.
    pub stack: String,
}

impl Failure {
    /// A failure of the driver itself.
    pub fn new(type_name: &str, message: impl Into<String>) -> Failure {
        Failure { type_name: type_name.into(), message: message.into(), stack: String::new() }
    }
}

/// Takes the exception that is set and describes it. Nothing holds on to it afterwards.
#[cold]
pub fn take(_: Raised) -> Failure {
    let unknown = |message: &str| Failure::new("Exception", message);
    let Some(exception) = raised(Raised) else {
        return unknown("Python reported a failure without an exception");
    };
    let described = support::call(c"describe", &[&exception]).and_then(|described| texts(&described));
    match described {
        Ok([type_name, message, stack]) => Failure { type_name, message, stack },
        Err(Raised) => {
            drop(raised(Raised));
            unknown("an exception that could not be described: its own __str__ failed")
        }
    }
}

/// Describes an exception that is not set.
pub fn of(exception: &Ref) -> Failure {
    take(raise(exception))
}

/// Drops the exception that is set.
pub fn forget(_: Raised) {
    // SAFETY: this thread is attached.
    unsafe { ffi::PyErr_Clear() };
}

/// Raises an exception, with the traceback that it has.
pub fn raise(exception: &Ref) -> Raised {
    // SAFETY: both are alive; CPython takes references of its own.
    unsafe { ffi::PyErr_SetObject(ffi::Py_TYPE(exception.as_ptr()).cast(), exception.as_ptr()) };
    Raised
}

/// The exception that is set, with its traceback, no longer set.
pub fn raised(_: Raised) -> Option<Ref> {
    let (mut kind, mut value, mut trace) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: Fetch gives three references, of which any may be null, and Normalize keeps that.
    unsafe {
        ffi::PyErr_Fetch(&mut kind, &mut value, &mut trace);
        ffi::PyErr_NormalizeException(&mut kind, &mut value, &mut trace);
        if !trace.is_null() && !value.is_null() {
            ffi::PyException_SetTraceback(value, trace);
        }
        drop((Ref::steal(kind), Ref::steal(trace)));
        Ref::steal(value).ok()
    }
}

fn texts<const N: usize>(tuple: &Ref) -> Outcome<[String; N]> {
    let mut texts = [const { String::new() }; N];
    for (index, text) in texts.iter_mut().enumerate() {
        // SAFETY: `describe` returns a tuple of three; an item is borrowed from it.
        let item = unsafe {
            let item = ffi::PyTuple_GetItem(tuple.as_ptr(), index as isize);
            if item.is_null() {
                return Err(Raised);
            }
            Ref::share(item)
        };
        *text = item.text()?.to_owned();
    }
    Ok(texts)
}
