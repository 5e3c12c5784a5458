//! Memory of Python objects, by the buffer protocol.

use super::failure::raise_as;
use super::integer::called;
use super::operator::unlike;
use crate::failure;
use crate::ffi::{self, Py_buffer};
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

/// Memory of an object's, which it keeps as it is until this is dropped, on an attached thread.
pub struct Buffer(Py_buffer);

// SAFETY: what is sent is where the memory is; whoever drops it attaches its thread before.
unsafe impl Send for Buffer {}

impl Buffer {
    /// An object's bytes, to be read.
    ///
    /// # Safety
    /// The object must be alive.
    #[inline]
    pub unsafe fn read(object: *mut PyObject, what: &str) -> Outcome<Buffer> {
        // SAFETY: the caller's promise.
        unsafe { Buffer::of(object, ffi::PyBUF_ND | ffi::PyBUF_FORMAT, what) }
    }

    /// An object's bytes, to be written.
    ///
    /// # Safety
    /// The object must be alive.
    #[inline]
    pub unsafe fn write(object: *mut PyObject, what: &str) -> Outcome<Buffer> {
        // SAFETY: the caller's promise.
        unsafe { Buffer::of(object, ffi::PyBUF_ND | ffi::PyBUF_FORMAT | ffi::PyBUF_WRITABLE, what) }
    }

    #[inline]
    unsafe fn of(object: *mut PyObject, flags: c_int, what: &str) -> Outcome<Buffer> {
        let mut view = MaybeUninit::<Py_buffer>::uninit();
        // SAFETY: the caller's promise; it fills the view where it returns 0.
        unsafe {
            if ffi::PyObject_GetBuffer(object, view.as_mut_ptr(), flags) != 0 {
                return Err(refused(object, flags, what));
            }
            let buffer = Buffer(view.assume_init());
            if buffer.format().contains(&b'O') {
                let why = "its elements are Python objects, which are addresses in this process: send them as objects";
                return Err(py::raise(Kind::Type, format!("{what}: {why}")));
            }
            Ok(buffer)
        }
    }

    /// Its bytes. Other threads of Python may write them meanwhile, as they may while numpy reads an array.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the object has so many bytes there until the buffer is released.
        unsafe { std::slice::from_raw_parts(self.address().cast_const(), self.len()) }
    }

    /// The same, of one that was taken to be written.
    #[inline]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.address(), self.len()) }
    }

    /// Where they are.
    #[inline]
    pub fn address(&self) -> *mut u8 {
        if self.0.buf.is_null() { std::ptr::dangling_mut() } else { self.0.buf.cast() }
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len as usize
    }

    /// The bytes of an element.
    #[inline]
    pub fn element(&self) -> usize {
        (self.0.itemsize as usize).max(1)
    }

    /// What an element is, as the module `struct` has it.
    #[inline]
    pub fn format(&self) -> &[u8] {
        if self.0.format.is_null() {
            return b"B";
        }
        // SAFETY: a text that ends, of the object's.
        unsafe { CStr::from_ptr(self.0.format) }.to_bytes()
    }

    /// Raises where two do not have the same numbers, as where one has `float64` and the other `int64`. Bytes are room for anything.
    #[inline]
    pub fn same_elements(&self, other: &Buffer, what: &str) -> Outcome<()> {
        if self.letter() == other.letter() || !unlike(self, other) {
            return Ok(());
        }
        Err(told_apart(self, other, what))
    }

    /// The first letter of what an element is.
    #[inline]
    fn letter(&self) -> u8 {
        // SAFETY: a text of the object's, which ends: it has a byte at least.
        if self.0.format.is_null() { b'B' } else { unsafe { self.0.format.cast::<u8>().read() } }
    }

    /// Raises where two have bytes in common: MPI would read what it writes.
    #[inline]
    pub fn apart(&self, other: &Buffer, what: &str, instead: &str) -> Outcome<()> {
        let (a, b) = (self.address().addr(), other.address().addr());
        if a < b + other.len() && b < a + self.len() {
            let message = format!("{what}: both arrays are in the same memory; {instead}");
            return Err(raise_as("usage", message));
        }
        Ok(())
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: it was filled, and this is the only release.
        unsafe { ffi::PyBuffer_Release(&mut self.0) };
    }
}

#[cold]
fn told_apart(data: &Buffer, into: &Buffer, what: &str) -> Raised {
    let of = |buffer: &Buffer| format!("{}", String::from_utf8_lossy(buffer.format()));
    let message = format!(
        "{what}: the elements have format {:?}, and those of the array for what comes of them {:?}; give one of the same dtype",
        of(data),
        of(into)
    );
    py::raise(Kind::Type, message)
}

/// Says why an object gives no such buffer, and what to do.
#[cold]
unsafe fn refused(object: *mut PyObject, flags: c_int, what: &str) -> Raised {
    let said = failure::raised(Raised);
    // SAFETY: the caller's promise.
    unsafe {
        let of = called(object);
        if ffi::PyObject_CheckBuffer(object) == 0 {
            let message = format!(
                "{what}: {of} has no memory of its own; give a numpy array, an array.array, a bytearray or a memoryview, or use \
                 the form for objects"
            );
            return py::raise(Kind::Type, message);
        }
        let mut view = MaybeUninit::<Py_buffer>::uninit();
        let whole = ffi::PyBUF_STRIDES | (flags & ffi::PyBUF_FORMAT);
        let message = if ffi::PyObject_GetBuffer(object, view.as_mut_ptr(), whole) != 0 {
            failure::forget(Raised);
            let why = said.and_then(|said| Ref::steal(ffi::PyObject_Str(said.as_ptr())).ok());
            let why = why.as_ref().and_then(|why| why.text().ok()).unwrap_or("it refuses");
            format!(
                "{what}: {of} that gives no memory: {why}; view it as numbers or bytes, or send it as an object"
            )
        } else {
            let readonly = view.assume_init_ref().readonly != 0;
            ffi::PyBuffer_Release(view.as_mut_ptr());
            if readonly && flags & ffi::PyBUF_WRITABLE != 0 {
                format!("{what}: {of} that is read-only; give a copy of it")
            } else if flags & ffi::PyBUF_WRITABLE != 0 {
                format!(
                    "{what}: {of} whose elements are not side by side; give numpy.ascontiguousarray of it, and copy from that what has \
                     come"
                )
            } else {
                format!(
                    "{what}: {of} whose elements are not side by side; give numpy.ascontiguousarray of it"
                )
            }
        };
        py::raise(Kind::Buffer, message)
    }
}
