//! CPython's C API, and the basics that every part here uses. All of it needs the GIL.

pub use pyo3_ffi::*;
use std::ffi::CStr;

/// A reference to a Python object: borrowed as an argument, owned as a result, null where an exception is set.
pub type Obj = *mut PyObject;

/// A Python exception is set.
#[derive(Debug)]
pub struct Raised;

/// The result of something that may raise.
pub type Outcome<T> = Result<T, Raised>;

unsafe extern "C" {
    fn _Py_Dealloc(object: Obj);
    // In the limited API since 3.12, exported by every CPython since 3.9.
    #[cfg(unix)]
    fn PyObject_Vectorcall(callable: Obj, arguments: *const Obj, count: usize, names: Obj) -> Obj;
}

/// Whether an object's reference count is where [`incref`] looks for it, judged by CPython's own functions.
pub unsafe fn counts_in_the_head() -> Outcome<bool> {
    // SAFETY: a new object, whose count CPython changes while only this function knows of it.
    unsafe {
        let object = owned(PyBytes_FromStringAndSize(std::ptr::null(), 40))?;
        let count = || object.cast::<u32>().read();
        let before = count();
        Py_IncRef(object);
        let after = count();
        Py_DecRef(object);
        let again = count();
        Py_DecRef(object);
        Ok((before, after, again) == (1, 2, 1))
    }
}

/// `Py_INCREF` without the call that the limited API makes of it.
#[inline(always)]
pub unsafe fn incref(object: Obj) {
    // SAFETY: every object starts with its count; an immortal one has the sign bit set and is left alone.
    unsafe {
        let count = object.cast::<u32>();
        if (*count as i32) >= 0 {
            *count += 1;
        }
    }
}

/// `Py_DECREF`; ignores null.
#[inline(always)]
pub unsafe fn decref(object: Obj) {
    // SAFETY: as above, and the reference is the caller's.
    unsafe {
        if object.is_null() {
            return;
        }
        let count = object.cast::<u32>();
        if (*count as i32) >= 0 {
            *count -= 1;
            if *count == 0 {
                _Py_Dealloc(object);
            }
        }
    }
}

/// Calls an object with arguments by position.
#[inline(always)]
pub unsafe fn vectorcall(callable: Obj, arguments: &[Obj]) -> Obj {
    // SAFETY: all are alive.
    #[cfg(unix)]
    unsafe {
        PyObject_Vectorcall(callable, arguments.as_ptr(), arguments.len(), std::ptr::null_mut())
    }
    #[cfg(not(unix))]
    unsafe {
        let tuple = PyTuple_New(arguments.len() as isize);
        for (index, argument) in arguments.iter().enumerate() {
            incref(*argument);
            PyTuple_SetItem(tuple, index as isize, *argument);
        }
        let result = PyObject_Call(callable, tuple, std::ptr::null_mut());
        decref(tuple);
        result
    }
}

/// A new reference to `None`.
#[inline(always)]
pub unsafe fn none() -> Obj {
    // SAFETY: always alive.
    unsafe { Ref::to(Py_None()).give() }
}

/// A reference that is given back when it goes out of scope; null is none.
pub struct Ref(pub Obj);

impl Ref {
    /// No object.
    pub const NONE: Ref = Ref(std::ptr::null_mut());

    /// What a C function returned, which is null if it has raised.
    #[inline(always)]
    pub fn new(object: Obj) -> Outcome<Ref> {
        owned(object).map(Ref)
    }

    /// Another reference to an object, or to none.
    #[inline(always)]
    pub unsafe fn to(object: Obj) -> Ref {
        if !object.is_null() {
            // SAFETY: the object is alive.
            unsafe { incref(object) };
        }
        Ref(object)
    }

    /// Whether it is none.
    #[inline(always)]
    pub fn is_none(&self) -> bool {
        self.0.is_null()
    }

    /// The object, whose reference is the caller's from now on.
    #[inline(always)]
    pub fn give(self) -> Obj {
        std::mem::ManuallyDrop::new(self).0
    }
}

impl Drop for Ref {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: its own reference; the GIL is held wherever Python's objects are handled.
        unsafe { decref(self.0) };
    }
}

/// The result of a C function that returns null if it has raised.
#[inline(always)]
pub fn owned(object: Obj) -> Outcome<Obj> {
    if object.is_null() { Err(Raised) } else { Ok(object) }
}

/// What CPython wants from a C function.
#[inline(always)]
pub fn returned(outcome: Outcome<Obj>) -> Obj {
    outcome.unwrap_or(std::ptr::null_mut())
}

/// The result of a C function that returns another number than 0 if it has raised.
#[inline(always)]
pub fn done(status: std::ffi::c_int) -> Outcome<()> {
    if status == 0 { Ok(()) } else { Err(Raised) }
}

/// The opposite of [`done`], for a function that CPython calls.
pub fn status(outcome: Outcome<()>) -> std::ffi::c_int {
    if outcome.is_ok() { 0 } else { -1 }
}

/// The owner of the value being converted, for messages: an argument of a function, or a field of a type.
pub struct At {
    /// Its name.
    pub name: &'static CStr,
    /// The name of what it belongs to.
    pub owner: &'static CStr,
}

impl At {
    /// Raises `TypeError`: what is expected, and the type of what was given.
    #[cold]
    pub unsafe fn wrong_type(&self, wanted: &CStr, given: Obj) -> Raised {
        // SAFETY: the types' names are text.
        unsafe {
            PyErr_Clear();
            let name = PyType_GetName(Py_TYPE(given));
            PyErr_Format(
                PyExc_TypeError,
                c"%s of %s must be %s, not %S".as_ptr(),
                self.name.as_ptr(),
                self.owner.as_ptr(),
                wanted.as_ptr(),
                name,
            );
            decref(name);
            Raised
        }
    }

    /// Raises `OverflowError`.
    #[cold]
    pub unsafe fn out_of_range(&self, given: Obj, kind: &CStr) -> Raised {
        // SAFETY: all are text or objects.
        unsafe {
            PyErr_Clear();
            PyErr_Format(
                PyExc_OverflowError,
                c"%s of %s is %S, which does not fit into %s".as_ptr(),
                self.name.as_ptr(),
                self.owner.as_ptr(),
                given,
                kind.as_ptr(),
            );
            Raised
        }
    }

    /// Raises `ValueError`: "NAME of OWNER" and what is wrong with it.
    #[cold]
    pub unsafe fn invalid(&self, what: &str) -> Raised {
        // SAFETY: the type is CPython's.
        unsafe {
            PyErr_Clear();
            raise(
                PyExc_ValueError,
                &format!("{} of {} {what}", self.name.to_string_lossy(), self.owner.to_string_lossy()),
            )
        }
    }
}

/// Raises an exception of this type.
#[cold]
pub unsafe fn raise(kind: Obj, message: &str) -> Raised {
    // SAFETY: the bytes are UTF-8.
    unsafe {
        let text = PyUnicode_FromStringAndSize(message.as_ptr().cast(), message.len() as isize);
        if !text.is_null() {
            PyErr_SetObject(kind, text);
            decref(text);
        }
        Raised
    }
}

/// Something that is only touched with the GIL held.
pub struct Guarded<T>(std::cell::UnsafeCell<T>);

// SAFETY: as it says.
unsafe impl<T> Sync for Guarded<T> {}

impl<T> Guarded<T> {
    /// What it is at first.
    pub const fn new(value: T) -> Guarded<T> {
        Guarded(std::cell::UnsafeCell::new(value))
    }

    /// Touches it. What is done there must not run Python, which may come back here.
    #[inline(always)]
    pub unsafe fn with<R>(&self, touch: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: the GIL is held, and nothing lets go of it meanwhile.
        touch(unsafe { &mut *self.0.get() })
    }
}

/// A class that is made together with the module.
pub struct Class(std::cell::UnsafeCell<Obj>);

// SAFETY: written once, under the GIL, before anything can read it.
unsafe impl Sync for Class {}

impl Default for Class {
    fn default() -> Class {
        Class::new()
    }
}

impl Class {
    /// One that is not there yet.
    pub const fn new() -> Class {
        Class(std::cell::UnsafeCell::new(std::ptr::null_mut()))
    }

    /// The class, borrowed; null where it is not there yet.
    #[inline(always)]
    pub fn get(&self) -> Obj {
        // SAFETY: as above.
        unsafe { *self.0.get() }
    }

    /// Sets it: the reference is given away.
    pub fn set(&self, class: Obj) {
        // SAFETY: as above.
        unsafe { *self.0.get() = class }
    }

    /// Whether an object is of this very class.
    #[inline(always)]
    pub unsafe fn is_of(&self, object: Obj) -> bool {
        // SAFETY: the object is alive.
        unsafe { Py_TYPE(object).cast() == self.get() }
    }
}
