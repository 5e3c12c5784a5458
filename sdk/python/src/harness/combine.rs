//! Frames with two arrays around the instance.

use super::{Entered, Inner, failed};
use crate::arguments;
use crate::ffi;
use crate::flow::data::Data;
use crate::py::{self, Outcome, PyObject, Ref, returned};
use upcall_abi::{CombineFrame, CombineOpen, FrameHead, Rel, kind};

/// `open_combine(element, size)`
pub unsafe extern "C" fn open(
    harness: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a Harness and arguments that live until this returns.
    returned(unsafe {
        Entered::new(harness).and_then(|mut entered| {
            let [element, size] =
                arguments::parse("open_combine", ["element", "size"], 2, given, count as usize, keywords)?;
            let added = CombineOpen {
                size: size_of::<CombineOpen>() as u32,
                element_size: ffi::PyLong_AsLong(size) as u32,
                element: Rel::of(py::utf8(element)?.as_bytes()),
            };
            entered.inner().open(kind::COMBINE, &added)
        })
    })
}

/// `combine(source, into, count)`
pub unsafe extern "C" fn combine(
    harness: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a Harness and arguments that live until this returns.
    returned(unsafe {
        Entered::new(harness).and_then(|mut entered| {
            const NAMES: [&str; 3] = ["source", "into", "count"];
            let [source, into, elements] =
                arguments::parse("combine", NAMES, 3, given, count as usize, keywords)?;
            let (source, into) = (Data::key(source)?, Data::key(into)?);
            let elements = ffi::PyLong_AsLong(elements) as u64;
            combined(entered.inner(), source.bytes(), into.bytes(), elements)
        })
    })
}

/// Calls the driver and answers (the second array, failure).
fn combined(inner: &mut Inner, source: &[u8], into: &[u8], count: u64) -> Outcome<Ref> {
    // Memory of this call's own, as an engine's arrays are: what dangles afterwards really does.
    let (mut source, mut into) = (Array::of(source), Array::of(into));
    let head = FrameHead::new::<CombineFrame>(kind::COMBINE);
    let mut frame = CombineFrame { head, from: source.place(), into: into.place(), count };
    frame.head.error.text = inner.room();
    // SAFETY: the frame and what it points to live until it returns.
    let status = unsafe { inner.instance.handle((&raw mut frame).cast()) };
    py::tuple(&[&py::bytes(into.bytes())?, &failed(status, &frame.head, 0)?])
}

/// Bytes that are aligned to 16.
struct Array {
    words: Vec<u128>,
    len: usize,
}

impl Array {
    fn of(bytes: &[u8]) -> Array {
        let mut words = vec![0u128; bytes.len().div_ceil(16)];
        // SAFETY: there is room for them, and they are elsewhere.
        unsafe { words.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Array { words, len: bytes.len() }
    }

    fn place(&mut self) -> Rel<u8> {
        Rel::new(self.words.as_mut_ptr() as u64, self.len as u64)
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: there are so many, initialised.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }
}
