//! `upcall._upcall.Items`: what an event loop's thread calls to get more items.

use super::items::Items;
use crate::ffi;
use crate::flow::natives::Natives;
use crate::py::{self, Outcome, PyObject, Ref, returned};
use crate::types::{self, TypeOf};
use std::rc::Rc;
use upcall_abi::caught::caught;

/// The Python object.
#[repr(C)]
struct Given {
    head: PyObject,
    /// Counted.
    items: *const Items,
}

/// The type.
pub fn items_type() -> Outcome<Ref> {
    TypeOf::new::<Given>(c"upcall._upcall.Items")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .action(c"fileno", fileno, c"What can be read when there are items.")
        .action(c"enter", enter, c"Says that this is the loop's thread.")
        .action(c"take", take, c"Begins all items that wait.")
        .make(None)
}

/// The items, for the loop.
pub fn given(items: &Rc<Items>) -> Outcome<Ref> {
    let given = types::new(&Natives::get().items)?;
    // SAFETY: a new object of this type, zeroed.
    unsafe { (&raw mut (*given.as_ptr().cast::<Given>()).items).write(Rc::into_raw(items.clone())) };
    Ok(given)
}

/// # Safety
/// `given` must be a [`Given`] that is alive.
unsafe fn of(given: *mut PyObject) -> Rc<Items> {
    // SAFETY: the caller's promise; it holds its items.
    unsafe {
        let items = (*given.cast::<Given>()).items;
        Rc::increment_strong_count(items);
        Rc::from_raw(items)
    }
}

unsafe extern "C" fn fileno(given: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython calls it with an Items.
    returned(py::int(unsafe { of(given) }.mailbox.watched() as u64))
}

unsafe extern "C" fn enter(given: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `fileno`.
    unsafe { of(given) }.log.enter();
    py::none().into_ptr()
}

unsafe extern "C" fn take(given: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `fileno`.
    let items = unsafe { of(given) };
    match caught(|| items.take()) {
        Ok(()) => py::none().into_ptr(),
        Err(panic) => {
            py::raise(py::Kind::Runtime, format!("the Python driver panicked: {panic}"));
            std::ptr::null_mut()
        }
    }
}

unsafe extern "C" fn dealloc(given: *mut PyObject) {
    // SAFETY: CPython calls it with an Items that nobody refers to; `given` counted it.
    unsafe {
        let items = (*given.cast::<Given>()).items;
        if !items.is_null() {
            Rc::decrement_strong_count(items);
        }
        types::free(given);
    }
}
