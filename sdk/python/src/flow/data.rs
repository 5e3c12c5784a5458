//! What a handler may give as a key or a value, as bytes.

use super::keys::{bytes_of, is_bytes};
use crate::ffi::{self, Py_buffer};
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};

/// Bytes that belong to a Python object, or that were made of a number.
pub struct Data {
    start: *const u8,
    len: usize,
    word: [u8; 8],
    buffer: Option<Py_buffer>,
    /// What the bytes are of, where nobody else keeps it.
    _owner: Option<Ref>,
}

impl Data {
    /// The bytes.
    #[inline(always)]
    pub fn bytes(&self) -> &[u8] {
        if self.start.is_null() {
            return &self.word[..self.len];
        }
        // SAFETY: `start` is `len` bytes of an object that the caller of `key` or `value` keeps alive, or
        // of a buffer that is ours until dropped.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }

    #[inline(always)]
    fn of(bytes: &[u8]) -> Data {
        Data { start: bytes.as_ptr(), len: bytes.len(), word: [0; 8], buffer: None, _owner: None }
    }

    /// What a value was packed into: a buffer, which this keeps.
    pub fn packed(packed: Ref) -> Outcome<Data> {
        // SAFETY: it is alive as long as the data, which owns it.
        let mut data = unsafe { Data::value(packed.as_ptr(), None) }?;
        data._owner = Some(packed);
        Ok(data)
    }

    /// A key: `bytes`, `str`, or any buffer.
    ///
    /// # Safety
    /// The object must stay alive while the data is used.
    #[inline(always)]
    pub unsafe fn key(object: *mut PyObject) -> Outcome<Data> {
        // SAFETY: the caller's promise.
        unsafe { if is_bytes(object) { Ok(Data::of(bytes_of(object))) } else { Data::other(object, "key") } }
    }

    /// A value: what a key may be, or a number where the pool declares its type.
    ///
    /// # Safety
    /// As [`Data::key`].
    #[inline(always)]
    pub unsafe fn value(object: *mut PyObject, number: Option<Number>) -> Outcome<Data> {
        // SAFETY: the caller's promise.
        unsafe {
            match number {
                None if is_bytes(object) => Ok(Data::of(bytes_of(object))),
                None => Data::other(object, "value"),
                Some(number) => Data::number(object, number),
            }
        }
    }

    /// # Safety
    /// As [`Data::key`].
    unsafe fn number(object: *mut PyObject, number: Number) -> Outcome<Data> {
        // SAFETY: the caller's promise.
        unsafe {
            if ffi::Py_TYPE(object) == &raw mut ffi::PyLong_Type || ffi::PyNumber_Check(object) != 0 {
                let word = number.bytes_of(object)?;
                return Ok(Data {
                    start: std::ptr::null(),
                    len: number.size(),
                    word,
                    buffer: None,
                    _owner: None,
                });
            }
            if ffi::PyUnicode_Check(object) != 0 {
                let message = format!("text is no value of the type {}: emit a number", number.name());
                return Err(py::raise(Kind::Type, message));
            }
            let data = Data::value(object, None)?;
            if data.len != number.size() {
                let (len, name, size) = (data.len, number.name(), number.size());
                let message = format!("a value of {len} bytes is no {name}, which has {size}");
                return Err(py::raise(Kind::Value, message));
            }
            Ok(data)
        }
    }

    /// # Safety
    /// As [`Data::key`].
    unsafe fn other(object: *mut PyObject, what: &str) -> Outcome<Data> {
        // SAFETY: the caller's promise; a buffer keeps its bytes where they are until it is released.
        unsafe {
            if ffi::PyUnicode_Check(object) != 0 {
                return Ok(Data::of(py::utf8(object)?.as_bytes()));
            }
            if ffi::PyObject_CheckBuffer(object) == 0 {
                return Err(not_bytes(object, what));
            }
            let mut buffer = Py_buffer::new();
            if ffi::PyObject_GetBuffer(object, &mut buffer, ffi::PyBUF_SIMPLE) != 0 {
                return Err(Raised);
            }
            let (start, len) = (buffer.buf.cast_const().cast(), buffer.len as usize);
            let start = if len == 0 { std::ptr::NonNull::<u8>::dangling().as_ptr() } else { start };
            Ok(Data { start, len, word: [0; 8], buffer: Some(buffer), _owner: None })
        }
    }
}

impl Drop for Data {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(buffer) = &mut self.buffer {
            // SAFETY: filled by CPython and not yet released.
            unsafe { ffi::PyBuffer_Release(buffer) };
        }
    }
}

#[cold]
fn not_bytes(object: *mut PyObject, what: &str) -> Raised {
    // SAFETY: the object is alive; the name of its type is text.
    let name = unsafe {
        py::Ref::share(ffi::Py_TYPE(object).cast())
            .get(c"__name__")
            .and_then(|name| name.text().map(str::to_owned))
            .unwrap_or_else(|_| "?".into())
    };
    let number = matches!(name.as_str(), "int" | "float" | "bool") && what == "value";
    let advice =
        if number { ", or declare the pool's value type (u64, f64, …) to emit numbers" } else { "" };
    py::raise(Kind::Type, format!("a {what} of type {name}: give bytes, str or a buffer{advice}"))
}
