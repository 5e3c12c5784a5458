//! Whole numbers as a program gives them; or an error that names the argument and what was given.

use crate::failure;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};

/// A whole number of 64 bits. Whatever has `__index__` is one, as numpy's integers.
///
/// # Safety
/// The object must be alive, here and below.
pub unsafe fn integer(object: *mut PyObject, name: &str) -> Outcome<i64> {
    // SAFETY: the caller's promise.
    unsafe {
        let number = ffi::PyLong_AsLongLong(object);
        if number == -1 && !ffi::PyErr_Occurred().is_null() { Err(refused(object, name)) } else { Ok(number) }
    }
}

/// How many of something there are, or where it is.
///
/// # Safety
/// As above.
pub unsafe fn count(object: *mut PyObject, name: &str) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let number = unsafe { integer(object, name)? };
    usize::try_from(number).map_err(|_| py::raise(Kind::Value, format!("{name}: {number} is negative")))
}

/// One for each rank, or of each dimension.
///
/// # Safety
/// As above.
pub unsafe fn counts(object: *mut PyObject, name: &str) -> Outcome<Vec<usize>> {
    // SAFETY: the caller's promise.
    unsafe {
        let Ok(counts) = Ref::steal(ffi::PySequence_Tuple(object)) else {
            let Some(raised) = failure::raised(Raised) else { return Err(Raised) };
            // An iterator may raise what it likes.
            if ffi::PyErr_GivenExceptionMatches(raised.as_ptr(), ffi::PyExc_TypeError) == 0 {
                return Err(failure::raise(&raised));
            }
            let given = called(object);
            let message = format!("{name}: wanted is a list of integers, and {given} is given");
            return Err(py::raise(Kind::Type, message));
        };
        (0..py::len(&counts)?)
            .map(|index| count(py::item(&counts, index)?.as_ptr(), &format!("{name}[{index}]")))
            .collect()
    }
}

/// Says what was given that is no number, or more than MPI counts, in place of what Python has raised.
///
/// # Safety
/// As above.
#[cold]
pub unsafe fn refused(object: *mut PyObject, name: &str) -> Raised {
    let Some(raised) = failure::raised(Raised) else { return Raised };
    // SAFETY: both are alive.
    unsafe {
        if ffi::PyErr_GivenExceptionMatches(raised.as_ptr(), ffi::PyExc_OverflowError) != 0 {
            return py::raise(Kind::Overflow, format!("{name}: the number is more than MPI counts"));
        }
        // Whatever has an `__index__` may raise what it likes.
        if ffi::PyErr_GivenExceptionMatches(raised.as_ptr(), ffi::PyExc_TypeError) == 0 {
            return failure::raise(&raised);
        }
        py::raise(Kind::Type, format!("{name}: wanted is an integer, and {} is given", called(object)))
    }
}

/// What kind of object it is, with its article.
///
/// # Safety
/// As above.
pub unsafe fn called(object: *mut PyObject) -> String {
    // SAFETY: the caller's promise; every object has a type.
    unsafe {
        if object == ffi::Py_None() {
            return "None".to_owned();
        }
        let of = Ref::share(ffi::Py_TYPE(object).cast()).get(c"__name__");
        let of = of.as_ref().ok().and_then(|name| name.text().ok()).unwrap_or("object");
        let vowel = of.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
        format!("{} {of}", if vowel { "an" } else { "a" })
    }
}
