//! Arguments of a call from Python, by position and by name.

use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject};

/// The arguments in the order of `names`, null where one is left out; the first `required` are there.
///
/// # Safety
/// `given` must be `count` objects followed by one for each of `keywords` (null or a tuple of `str`), all
/// alive for as long as the result is used.
#[inline]
pub unsafe fn parse<const N: usize>(
    function: &str,
    names: [&str; N],
    required: usize,
    given: *const *mut PyObject,
    count: usize,
    keywords: *mut PyObject,
) -> Outcome<[*mut PyObject; N]> {
    let mut arguments = [std::ptr::null_mut(); N];
    if count > N {
        let message = format!("{function} takes {} arguments, got {count}", names.join(", "));
        return Err(py::raise(Kind::Type, message));
    }
    for (index, argument) in arguments.iter_mut().enumerate().take(count) {
        // SAFETY: `index < count`.
        *argument = unsafe { *given.add(index) };
    }
    if !keywords.is_null() {
        // SAFETY: the caller's promise.
        unsafe { named(function, &names, &mut arguments, given.add(count), keywords)? };
    }
    match arguments[..required].iter().position(|argument| argument.is_null()) {
        Some(missing) => {
            let message =
                format!("{function} needs {}: {} is missing", names[..required].join(", "), names[missing]);
            Err(py::raise(Kind::Type, message))
        }
        None => Ok(arguments),
    }
}

/// # Safety
/// As [`parse`].
unsafe fn named(
    function: &str,
    names: &[&str],
    arguments: &mut [*mut PyObject],
    given: *const *mut PyObject,
    keywords: *mut PyObject,
) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        for index in 0..ffi::PyTuple_Size(keywords) {
            let keyword = py::utf8(ffi::PyTuple_GetItem(keywords, index))?;
            match names.iter().position(|name| *name == keyword) {
                Some(place) if arguments[place].is_null() => arguments[place] = *given.offset(index),
                Some(_) => {
                    return Err(py::raise(Kind::Type, format!("{function} got {keyword} twice")));
                }
                None => {
                    let message =
                        format!("{function} has no argument {keyword}; it has {}", names.join(", "));
                    return Err(py::raise(Kind::Type, message));
                }
            }
        }
    }
    Ok(())
}
