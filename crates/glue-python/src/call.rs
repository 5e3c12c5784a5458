//! What every function does around the native call: arguments by position and name, the GIL, failures.

use super::callback::{self, Before, Inside};
use super::ffi::*;
use super::module::Function;
use super::number::Integer;
use super::{handle, kept, owned, view};
use std::ffi::CStr;
use std::ptr;

/// A Python call's arguments: the values, how many are positional, and the names of the others.
pub type Given = *const Obj;

/// The arguments in order.
#[inline(always)]
pub unsafe fn arguments<const N: usize>(
    info: &'static Function,
    given: Given,
    count: isize,
    names: Obj,
) -> Outcome<[Obj; N]> {
    // SAFETY: `given` has `count` objects, and one for each name.
    unsafe {
        if names.is_null() && count as usize == N {
            return Ok(if N == 0 { [ptr::null_mut(); N] } else { given.cast::<[Obj; N]>().read() });
        }
        let mut arguments = [ptr::null_mut(); N];
        by_name(info, given, count as usize, names, &mut arguments)?;
        Ok(arguments)
    }
}

#[cold]
unsafe fn by_name(
    info: &'static Function,
    given: Given,
    count: usize,
    names: Obj,
    arguments: &mut [Obj],
) -> Outcome<()> {
    // SAFETY: as above; the names are a tuple of `str`.
    unsafe {
        let function = info.name.to_string_lossy();
        if count > arguments.len() {
            let message = format!("{function}() takes {} arguments, got {count}", arguments.len());
            return Err(raise(PyExc_TypeError, &message));
        }
        for (index, argument) in arguments.iter_mut().enumerate().take(count) {
            *argument = *given.add(index);
        }
        let named = if names.is_null() { 0 } else { PyTuple_Size(names) };
        for index in 0..named {
            let name = PyTuple_GetItem(names, index);
            let is = |param: &At| is_named(name, param);
            let what = match info.params.iter().position(is) {
                Some(place) if arguments[place].is_null() => {
                    arguments[place] = *given.add(count + index as usize);
                    continue;
                }
                Some(_) => c"%s() got the argument %S twice",
                None => c"%s() has no argument %S",
            };
            PyErr_Format(PyExc_TypeError, what.as_ptr(), info.name.as_ptr(), name);
            return Err(Raised);
        }
        match arguments.iter().position(|argument| argument.is_null()) {
            Some(missing) => {
                let name = info.params[missing].name.to_string_lossy();
                Err(raise(PyExc_TypeError, &format!("{function}() needs the argument {name}")))
            }
            None => Ok(()),
        }
    }
}

/// Whether a `str` equals this name.
pub unsafe fn is_named(text: Obj, at: &At) -> bool {
    let mut len = 0;
    // SAFETY: a `str`, which keeps its UTF-8.
    unsafe {
        let data = PyUnicode_AsUTF8AndSize(text, &mut len);
        if data.is_null() {
            // No name has a lone surrogate.
            PyErr_Clear();
            return false;
        }
        std::slice::from_raw_parts(data.cast::<u8>(), len as usize) == at.name.to_bytes()
    }
}

/// Warns that a function is deprecated.
#[cold]
pub unsafe fn deprecated(message: &'static CStr) -> Outcome<()> {
    // SAFETY: the GIL is held.
    done(unsafe { PyErr_WarnEx(PyExc_DeprecationWarning, message.as_ptr(), 1) })
}

/// A native call in progress. While `Callback` objects are open, other threads may call them, so the GIL is
/// released for the duration of the call; otherwise it is kept, which costs nothing.
pub struct Running<const N: usize> {
    state: *mut PyThreadState,
    /// Where the thread was before, if it is elsewhere now.
    before: Option<Before>,
    /// The handles that it uses.
    held: [usize; N],
}

impl<const N: usize> Running<N> {
    /// Before the call. `calls` says whether it was given callbacks; `release` releases the GIL in any case.
    #[inline(always)]
    pub unsafe fn begin(calls: bool, release: bool, held: [usize; N]) -> Running<N> {
        if release || callback::awaited() {
            // SAFETY: the GIL is held.
            return unsafe { Running::release(held) };
        }
        let before = calls.then(|| {
            // SAFETY: the GIL is held. A callback may close what the call uses.
            unsafe { handle::hold(&held) };
            callback::inside(Inside::Attached)
        });
        Running { state: ptr::null_mut(), before, held }
    }

    #[cold]
    unsafe fn release(held: [usize; N]) -> Running<N> {
        // SAFETY: the GIL is held until the thread's state is saved.
        unsafe {
            handle::hold(&held);
            callback::running(1);
            let before = Some(callback::inside(Inside::Detached));
            Running { state: PyEval_SaveThread(), before, held }
        }
    }

    /// After the call: raises what a callback raised.
    #[inline(always)]
    pub unsafe fn end(self) -> Outcome<()> {
        match self.before {
            None if !callback::misused() => Ok(()),
            // SAFETY: the GIL is held.
            None => unsafe { callback::late() },
            // SAFETY: the pair of `begin`.
            Some(before) => unsafe { self.finish(before) },
        }
    }

    #[inline]
    unsafe fn finish(self, before: Before) -> Outcome<()> {
        before.restore();
        // SAFETY: as above.
        unsafe {
            if !self.state.is_null() {
                PyEval_RestoreThread(self.state);
                callback::running(-1);
            }
            handle::let_go(&self.held);
            if kept::any() && before.outermost() {
                kept::forget();
            }
            before.raised()
        }
    }
}

/// The class `NativeError`.
pub static ERROR: Class = Class::new();

/// Raises a fallible function's failure, and releases it: as `own`, an attribute of `NativeError`, if it is of the
/// function's own error type.
#[cold]
pub unsafe fn failed<T, M: Copy>(
    failure: *mut T,
    message: M,
    code: i32,
    release: unsafe extern "C" fn(*mut T),
    own: Option<&CStr>,
) -> Raised {
    // SAFETY: the library's failure, given back once; its message belongs to it.
    unsafe {
        let text = owned::borrow_text(message);
        let text = view::give_text(text.0, text.1).map(Ref);
        release(failure);
        let own = own.filter(|_| code >= 0);
        let own = own.and_then(|own| Ref::new(PyObject_GetAttrString(ERROR.get(), own.as_ptr())).ok());
        let class = own.unwrap_or_else(|| Ref::to(ERROR.get()));
        let (Ok(text), Ok(code)) = (text, Ref::new(code.give())) else { return Raised };
        if let Ok(error) = Ref::new(vectorcall(class.0, &[code.0, text.0])) {
            PyErr_SetObject(class.0, error.0);
        }
        Raised
    }
}
