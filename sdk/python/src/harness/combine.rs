//! Frames with two arrays around the instance.

use super::{Inner, failed, number};
use crate::flow::data::Data;
use crate::py::{self, Outcome, Ref};
use upcall_abi::{CombineFrame, CombineOpen, FrameHead, Rel, kind};

/// `open_combine(element, size)`
pub fn open_combine(inner: &mut Inner, [element, size]: [Ref; 2]) -> Outcome<Ref> {
    let added = CombineOpen {
        size: size_of::<CombineOpen>() as u32,
        element_size: number(&size)? as u32,
        element: Rel::of(element.text()?.as_bytes()),
    };
    inner.open(kind::COMBINE, &added)
}

/// `combine(source, into, count)`: calls the driver and answers (the second array, failure).
pub fn combine(inner: &mut Inner, [source, into, count]: [Ref; 3]) -> Outcome<Ref> {
    // SAFETY: both are alive while their bytes are used.
    let (source, into) = unsafe { (Data::key(source.as_ptr())?, Data::key(into.as_ptr())?) };
    let count = number(&count)?;
    // Memory of this call's own, as an engine's arrays are: what dangles afterwards really does.
    let (mut source, mut into) = (Array::of(source.bytes()), Array::of(into.bytes()));
    let head = FrameHead::new::<CombineFrame>(kind::COMBINE);
    let mut frame = CombineFrame { head, from: source.place(), into: into.place(), count };
    frame.head.error.text = inner.room();
    // SAFETY: the frame and what it points to live until it returns.
    let status = unsafe { inner.instance.handle((&raw mut frame).cast()) };
    py::tuple(&[&py::bytes(into.bytes())?, &failed(status, &frame.head, 0)?])
}

/// Bytes that are aligned to 16.
pub struct Array {
    words: Vec<u128>,
    len: usize,
}

impl Array {
    pub fn of(bytes: &[u8]) -> Array {
        let mut words = vec![0u128; bytes.len().div_ceil(16)];
        // SAFETY: there is room for them, and they are elsewhere.
        unsafe { words.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Array { words, len: bytes.len() }
    }

    pub fn place(&mut self) -> Rel<u8> {
        Rel::new(self.words.as_mut_ptr() as u64, self.len as u64)
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: there are so many, initialised.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }
}
