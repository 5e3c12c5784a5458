//! `Callback`: a Python function that native code may keep.

use super::callback::{self, enter, leave};
use super::class::{Made, dealloc, method, slot};
use super::ffi::*;
use super::slots::{Address, Signature};
use std::cell::Cell;
use std::ffi::CStr;
use std::mem::offset_of;
use std::ptr;

/// The Python object `Callback`.
#[repr(C)]
struct Callback {
    head: PyObject,
    /// 0 after release.
    number: Cell<usize>,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Callback>() == HEADER + WORD && align_of::<Callback>() == WORD);
    assert!(offset_of!(Callback, head) == 0);
    assert!(offset_of!(Callback, number) == HEADER);
};

static CLASS: Class = Class::new();

/// The trampoline and the number of a `Callback`; nothing for any other object.
#[inline(always)]
pub unsafe fn take(
    object: Obj,
    of: &'static Signature,
    at: &'static At,
) -> Outcome<Option<(Address, usize)>> {
    // SAFETY: the object is alive.
    unsafe {
        if !CLASS.is_of(object) {
            return Ok(None);
        }
        let number = (*object.cast::<Callback>()).number.get();
        if number == 0 {
            return Err(at.invalid("is a Callback that was released"));
        }
        Ok(Some((callback::address(number, of)?, number)))
    }
}

/// What a field that holds a function accepts: a `Callback`, the address of a native function, or `None`.
pub unsafe fn address(object: Obj, of: &'static Signature, at: &'static At) -> Outcome<*const u8> {
    // SAFETY: the object is alive.
    unsafe {
        if let Some((function, _)) = take(object, of, at)? {
            return Ok(function.0.cast());
        }
        if PyCallable_Check(object) != 0 && PyIndex_Check(object) == 0 {
            return Err(at.wrong_type(
                c"a Callback, which the program keeps, the address of a function or None",
                object,
            ));
        }
        Ok(super::view::take_address(object, None, true, at)?)
    }
}

/// Makes the class `Callback` and adds it to the module.
pub unsafe fn make(module: Obj, package: &'static CStr) -> Outcome<()> {
    let docs =
        c"Callback(function)\n--\n\nA function that native code may keep and call from any thread, until \
                 it is released.";
    let made = Made {
        name: c"Callback",
        package,
        size: size_of::<Callback>(),
        flags: 0,
        docs,
        methods: vec![
            method(c"release", release, METH_NOARGS, c"Ends it: a native call after this is an error."),
            method(c"__enter__", enter_with, METH_NOARGS, c"The callback itself."),
            method(c"__exit__", release, METH_VARARGS, c"Releases it."),
        ],
        slots: vec![
            slot(Py_tp_new, construct as *const ()),
            slot(Py_tp_dealloc, dealloc::<Callback> as *const ()),
        ],
    };
    // SAFETY: the functions are those that the slots are for.
    unsafe { made.add(module, &CLASS) }
}

unsafe extern "C" fn construct(class: *mut PyTypeObject, arguments: Obj, keywords: Obj) -> Obj {
    static FUNCTION: At = At { name: c"function", owner: c"Callback" };
    // SAFETY: CPython calls it with a class, a tuple, and a dict or null.
    returned(unsafe {
        let one = PyTuple_Size(arguments) == 1 && (keywords.is_null() || PyDict_Size(keywords) == 0);
        let function = if one { PyTuple_GetItem(arguments, 0) } else { ptr::null_mut() };
        if function.is_null() {
            Err(raise(PyExc_TypeError, "Callback() takes one function"))
        } else if PyCallable_Check(function) == 0 {
            Err(FUNCTION.wrong_type(c"a callable", function))
        } else {
            Ref::new(PyType_GenericAlloc(class, 0)).and_then(|object| {
                (*object.0.cast::<Callback>()).number.set(enter(Ref::to(function), false)?);
                callback::live(1);
                Ok(object.give())
            })
        }
    })
}

unsafe extern "C" fn enter_with(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Callback`.
    unsafe {
        if (*object.cast::<Callback>()).number.get() == 0 {
            raise(PyExc_ValueError, "the callback was released");
            return ptr::null_mut();
        }
        Ref::to(object).give()
    }
}

unsafe extern "C" fn release(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Callback`.
    unsafe {
        (*object.cast::<Callback>()).release();
        none()
    }
}

impl Callback {
    /// The last reference to the function may go with it, which runs Python, which may get here again.
    fn release(&self) {
        let number = self.number.take();
        if number != 0 {
            callback::live(-1);
            // SAFETY: the GIL is held.
            unsafe { leave(number) };
        }
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        self.release();
    }
}
