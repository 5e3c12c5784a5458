//! The little of CPython's C API that everything here is written with: owned references, raised exceptions,
//! calls, text. Every function needs the thread to be attached, which whoever calls into this library sees to.

use crate::failure;
use crate::ffi;
use std::ffi::{CStr, CString};
use std::ptr::{self, NonNull};

pub use ffi::PyObject;

/// A Python exception is set in this thread: hand it on, or take it with [`crate::failure::take`].
#[derive(Debug)]
pub struct Raised;

/// What came of a call into Python.
pub type Outcome<T> = Result<T, Raised>;

/// An owned reference.
#[derive(Debug)]
pub struct Ref(NonNull<PyObject>);

impl Ref {
    /// Takes over a reference that a C function returned, null when it raised.
    ///
    /// # Safety
    /// The pointer must be null with an exception set, or a reference that the caller owns.
    pub unsafe fn steal(object: *mut PyObject) -> Outcome<Ref> {
        NonNull::new(object).map(Ref).ok_or(Raised)
    }

    /// One more reference to an object.
    ///
    /// # Safety
    /// The object must be alive.
    pub unsafe fn share(object: *mut PyObject) -> Ref {
        // SAFETY: the caller's promise; an object that is alive is not null.
        unsafe {
            ffi::incref(object);
            Ref(NonNull::new_unchecked(object))
        }
    }

    /// The object, still owned by this reference.
    pub fn as_ptr(&self) -> *mut PyObject {
        self.0.as_ptr()
    }

    /// Gives the reference away.
    pub fn into_ptr(self) -> *mut PyObject {
        let object = self.as_ptr();
        std::mem::forget(self);
        object
    }

    /// An attribute.
    pub fn get(&self, name: &CStr) -> Outcome<Ref> {
        // SAFETY: both are alive.
        unsafe { Ref::steal(ffi::PyObject_GetAttrString(self.as_ptr(), name.as_ptr())) }
    }

    /// An attribute, if it is there. One that raises anything but `AttributeError` is.
    pub fn find(&self, name: &CStr) -> Outcome<Option<Ref>> {
        match self.get(name) {
            Ok(found) => Ok(Some(found)),
            // SAFETY: this thread is attached, and an exception is set.
            Err(raised) if unsafe { ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) } != 0 => {
                failure::forget(raised);
                Ok(None)
            }
            Err(raised) => Err(raised),
        }
    }

    /// Calls it with positional arguments.
    pub fn call(&self, arguments: &[&Ref]) -> Outcome<Ref> {
        let tuple = tuple(arguments)?;
        // SAFETY: all are alive.
        unsafe { Ref::steal(ffi::PyObject_Call(self.as_ptr(), tuple.as_ptr(), ptr::null_mut())) }
    }

    /// Whether `await` takes it: a coroutine, a future.
    pub fn is_awaitable(&self) -> bool {
        // SAFETY: it is alive, and every object has a type.
        unsafe { !ffi::PyType_GetSlot(ffi::Py_TYPE(self.as_ptr()), ffi::Py_am_await).is_null() }
    }

    /// Whether it is `None`.
    pub fn is_none(&self) -> bool {
        // SAFETY: `None` is always alive.
        self.as_ptr() == unsafe { ffi::Py_None() }
    }

    /// The text of a `str`; the exception that Python raises for anything else.
    pub fn text(&self) -> Outcome<&str> {
        // SAFETY: it is alive for as long as the text is used.
        unsafe { utf8(self.as_ptr()) }
    }
}

impl Clone for Ref {
    fn clone(&self) -> Ref {
        // SAFETY: what is owned is alive.
        unsafe { Ref::share(self.as_ptr()) }
    }
}

impl Drop for Ref {
    fn drop(&mut self) {
        // SAFETY: the reference is ours.
        unsafe { ffi::decref(self.as_ptr()) };
    }
}

/// Calls a function with one argument.
pub fn call_one(function: &Ref, argument: &Ref) -> Outcome<Ref> {
    // SAFETY: both are alive.
    unsafe { call(function, 1, &[ptr::null_mut(), argument.as_ptr()]) }
}

/// Calls a function with two arguments.
pub fn call_two(function: &Ref, first: &Ref, second: &Ref) -> Outcome<Ref> {
    // SAFETY: all are alive.
    unsafe { call(function, 2, &[ptr::null_mut(), first.as_ptr(), second.as_ptr()]) }
}

/// Calls a function with three arguments.
pub fn call_three(function: &Ref, first: &Ref, second: &Ref, third: &Ref) -> Outcome<Ref> {
    let arguments = [ptr::null_mut(), first.as_ptr(), second.as_ptr(), third.as_ptr()];
    // SAFETY: all are alive.
    unsafe { call(function, 3, &arguments) }
}

/// # Safety
/// Behind the first, which is free, there must be `count` arguments that are alive.
unsafe fn call(function: &Ref, count: usize, arguments: &[*mut PyObject]) -> Outcome<Ref> {
    // The place before the first argument is ours to lend.
    let flags = count | (1usize << (usize::BITS - 1));
    // SAFETY: the caller's promise.
    unsafe {
        Ref::steal(ffi::vectorcall()(function.as_ptr(), arguments.as_ptr().add(1), flags, ptr::null_mut()))
    }
}

/// The UTF-8 of a `str`.
///
/// # Safety
/// The object must stay alive while the text is used.
pub unsafe fn utf8<'a>(object: *mut PyObject) -> Outcome<&'a str> {
    let mut len = 0;
    // SAFETY: the caller's promise; what CPython returns is UTF-8 of `len` bytes, kept by the object.
    unsafe {
        let text = ffi::PyUnicode_AsUTF8AndSize(object, &mut len);
        if text.is_null() {
            return Err(Raised);
        }
        Ok(std::str::from_utf8_unchecked(std::slice::from_raw_parts(text.cast(), len as usize)))
    }
}

/// A `str`; bytes that are not UTF-8 become replacement characters.
pub fn text(bytes: &[u8]) -> Outcome<Ref> {
    // SAFETY: the bytes are there; "replace" is an error handler that CPython knows.
    unsafe {
        Ref::steal(ffi::PyUnicode_DecodeUTF8(
            bytes.as_ptr().cast(),
            bytes.len() as isize,
            c"replace".as_ptr(),
        ))
    }
}

/// A `bytes` copy.
#[inline]
pub fn bytes(bytes: &[u8]) -> Outcome<Ref> {
    // SAFETY: the bytes are there.
    unsafe { Ref::steal(ffi::PyBytes_FromStringAndSize(bytes.as_ptr().cast(), bytes.len() as isize)) }
}

/// An `int`.
pub fn int(number: u64) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyLong_FromUnsignedLongLong(number)) }
}

/// A `float`.
pub fn float(number: f64) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyFloat_FromDouble(number)) }
}

/// A `bool`.
pub fn bool(whether: bool) -> Ref {
    // SAFETY: both are always alive.
    unsafe { Ref::share(if whether { ffi::Py_True() } else { ffi::Py_False() }) }
}

/// `None`.
pub fn none() -> Ref {
    // SAFETY: `None` is always alive.
    unsafe { Ref::share(ffi::Py_None()) }
}

/// A `tuple`.
pub fn tuple(items: &[&Ref]) -> Outcome<Ref> {
    // SAFETY: a new tuple is filled before anybody sees it; SetItem takes the reference over.
    unsafe {
        let tuple = Ref::steal(ffi::PyTuple_New(items.len() as isize))?;
        for (index, item) in items.iter().enumerate() {
            ffi::PyTuple_SetItem(tuple.as_ptr(), index as isize, (*item).clone().into_ptr());
        }
        Ok(tuple)
    }
}

/// A `list` of what `item` makes for each index.
pub fn list(len: usize, mut item: impl FnMut(usize) -> Outcome<Ref>) -> Outcome<Ref> {
    // SAFETY: a new list; CPython clears what is not filled when it is dropped early.
    unsafe {
        let list = Ref::steal(ffi::PyList_New(len as isize))?;
        for index in 0..len {
            ffi::PyList_SetItem(list.as_ptr(), index as isize, item(index)?.into_ptr());
        }
        Ok(list)
    }
}

/// Items of a `tuple`.
pub fn len(tuple: &Ref) -> Outcome<usize> {
    // SAFETY: it is alive; CPython checks that it is one.
    usize::try_from(unsafe { ffi::PyTuple_Size(tuple.as_ptr()) }).map_err(|_| Raised)
}

/// An item of a `tuple`.
pub fn item(tuple: &Ref, index: usize) -> Outcome<Ref> {
    // SAFETY: it is alive; CPython checks that it is a tuple with such an item. What is borrowed is shared.
    unsafe {
        let found = ffi::PyTuple_GetItem(tuple.as_ptr(), index as isize);
        if found.is_null() { Err(Raised) } else { Ok(Ref::share(found)) }
    }
}

/// Whether what was raised is an `Exception`: `KeyboardInterrupt` and `SystemExit` are not.
pub fn is_error(raised: &Ref) -> bool {
    // SAFETY: both are alive.
    unsafe { ffi::PyErr_GivenExceptionMatches(raised.as_ptr(), ffi::PyExc_Exception) != 0 }
}

/// Hands a new reference to C, or null for what was raised.
pub fn returned(outcome: Outcome<Ref>) -> *mut PyObject {
    outcome.map_or(ptr::null_mut(), Ref::into_ptr)
}

/// Imports a module.
pub fn import(name: &CStr) -> Outcome<Ref> {
    // SAFETY: a name that ends.
    unsafe { Ref::steal(ffi::PyImport_ImportModule(name.as_ptr())) }
}

/// Runs Python source as a module's body.
pub fn run(source: &CStr, file: &CStr, globals: &Ref) -> Outcome<()> {
    // SAFETY: text that ends, and a dict that is alive.
    unsafe {
        let code = Ref::steal(ffi::Py_CompileString(source.as_ptr(), file.as_ptr(), ffi::Py_file_input))?;
        Ref::steal(ffi::PyEval_EvalCode(code.as_ptr(), globals.as_ptr(), globals.as_ptr())).map(drop)
    }
}

/// The exceptions that are raised from here.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `TypeError`.
    Type,
    /// `ValueError`.
    Value,
    /// `OverflowError`.
    Overflow,
    /// `RuntimeError`.
    Runtime,
    /// `BufferError`.
    Buffer,
    /// `MemoryError`.
    Memory,
    /// `IndexError`.
    Index,
    /// `ImportError`.
    Import,
}

/// Raises a Python exception.
#[cold]
pub fn raise(kind: Kind, message: impl Into<Vec<u8>>) -> Raised {
    let message = CString::new(message).unwrap_or_else(|_| c"a message with a zero byte".to_owned());
    // SAFETY: the exception types are alive as long as Python is.
    unsafe {
        let kind = match kind {
            Kind::Type => ffi::PyExc_TypeError,
            Kind::Value => ffi::PyExc_ValueError,
            Kind::Overflow => ffi::PyExc_OverflowError,
            Kind::Runtime => ffi::PyExc_RuntimeError,
            Kind::Buffer => ffi::PyExc_BufferError,
            Kind::Memory => ffi::PyExc_MemoryError,
            Kind::Index => ffi::PyExc_IndexError,
            Kind::Import => ffi::PyExc_ImportError,
        };
        ffi::PyErr_SetString(kind, message.as_ptr());
    }
    Raised
}
