//! What a task calls when it is done.

use super::items::Items;
use crate::failure;
use crate::ffi;
use crate::flow::natives::Natives;
use crate::flow::state::State;
use crate::log;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self, TypeOf};
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;
use upcall_abi::caught::caught;

/// The Python object, called with the task.
#[repr(C)]
struct Done {
    head: PyObject,
    vectorcall: ffi::vectorcallfunc,
    /// Counted, and so is the next.
    items: *const Items,
    state: *const State,
}

/// The type.
pub fn done_type() -> Outcome<Ref> {
    TypeOf::new::<Done>(c"upcall._upcall.Done")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION | ffi::HAVE_VECTORCALL)
        .member(c"__vectorcalloffset__", ffi::Py_T_PYSSIZET, offset_of!(Done, vectorcall))
        .slot(ffi::Py_tp_call, ffi::PyVectorcall_Call as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .make(None)
}

/// For the task of this item.
pub fn new(items: &Rc<Items>, state: &Rc<State>) -> Outcome<Ref> {
    let done = types::new(&Natives::get().done)?;
    let place = done.as_ptr().cast::<Done>();
    // SAFETY: a new object of this type, zeroed; every field behind the head is written.
    unsafe {
        (&raw mut (*place).vectorcall).write(call);
        (&raw mut (*place).items).write(Rc::into_raw(items.clone()));
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
    }
    Ok(done)
}

unsafe extern "C" fn call(
    done: *mut PyObject,
    given: *const *mut PyObject,
    flags: usize,
    _: *mut PyObject,
) -> *mut PyObject {
    if flags & (usize::MAX >> 1) != 1 {
        py::raise(py::Kind::Type, "it is called with a task");
        return ptr::null_mut();
    }
    // SAFETY: CPython passes a Done and one argument, which live until this returns.
    let (items, state, task) =
        unsafe { (&*(*done.cast::<Done>()).items, &*(*done.cast::<Done>()).state, Ref::share(*given)) };
    let answer = || {
        // Asked for in any case: asyncio complains of an exception that nobody has.
        let ended = items.ended(&task);
        if state.call.why_over().is_some() {
            return drop(ended.map_err(failure::forget));
        }
        let failed = match ended {
            Ok(ended) => ended.map(|error| failure::of(&error)),
            Err(raised) => Some(failure::take(raised)),
        };
        log::deliver();
        items.end(state, failed);
    };
    match caught(answer) {
        Ok(()) => py::none().into_ptr(),
        Err(panic) => {
            py::raise(py::Kind::Runtime, format!("the Python driver panicked: {panic}"));
            ptr::null_mut()
        }
    }
}

unsafe extern "C" fn dealloc(done: *mut PyObject) {
    // SAFETY: CPython calls it with a Done that nobody refers to; `new` counted both.
    unsafe {
        Rc::decrement_strong_count((*done.cast::<Done>()).items);
        Rc::decrement_strong_count((*done.cast::<Done>()).state);
        types::free(done);
    }
}
