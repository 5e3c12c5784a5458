//! Messages from one rank to another.

use super::buffer::Buffer;
use super::communicator::peers;
use super::failure::raise;
use super::status::{Told, told};
use super::{ANY, given, method, number_or, rank_or, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use upcall_mpi::{Communicator, Error, Source, Tag};

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"send", method!(send as "send"(data, dest, tag), 2), c"send(data, dest, tag=0)")
        .method(
            c"send_synchronous",
            method!(send_synchronous as "send_synchronous"(data, dest, tag), 2),
            c"send_synchronous(data, dest, tag=0)",
        )
        .method(
            c"send_ready",
            method!(send_ready as "send_ready"(data, dest, tag), 2),
            c"send_ready(data, dest, tag=0)",
        )
        .method(
            c"receive_into",
            method!(receive_into as "receive_into"(into, source, tag), 1),
            c"receive_into(into, source=ANY_SOURCE, tag=ANY_TAG)",
        )
        .method(
            c"send_receive",
            method!(send_receive as "send_receive"(data, dest, into, source, tag, receive_tag), 3),
            c"send_receive(data, dest, into, source=ANY_SOURCE, tag=0, receive_tag=ANY_TAG)",
        )
        .method(c"_receive", method!(receive as "receive"(source, tag, status), 2), c"A message of any size.")
        .method(c"probe", method!(probe as "probe"(source, tag), 0), c"probe(source=ANY_SOURCE, tag=ANY_TAG)")
        .method(
            c"try_probe",
            method!(try_probe as "try_probe"(source, tag), 0),
            c"try_probe(source=ANY_SOURCE, tag=ANY_TAG)",
        )
}

/// Whose messages.
///
/// # Safety
/// As [`number_or`].
#[inline]
pub unsafe fn source(object: *mut PyObject) -> Outcome<Source> {
    // SAFETY: the caller's promise.
    match unsafe { number_or(object, ANY, "source")? } {
        ANY => Ok(Source::Any),
        // SAFETY: as above.
        _ => Ok(Source::Rank(unsafe { rank_or(object, ANY, "source")? })),
    }
}

/// Which messages.
///
/// # Safety
/// As [`number_or`].
#[inline]
pub unsafe fn tag(object: *mut PyObject) -> Outcome<Tag> {
    // SAFETY: the caller's promise.
    Ok(match unsafe { number_or(object, ANY, "tag")? } {
        ANY => Tag::Any,
        tag => Tag::Is(tag),
    })
}

type Send = fn(&Communicator, &[u8], usize, i32) -> Result<(), Error>;

#[inline]
unsafe fn sent(this: *mut PyObject, [data, dest, tag]: [*mut PyObject; 3], send: Send) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let comm = peers(this)?;
        let (dest, tag) = (rank_or(dest, 0, "dest")?, number_or(tag, 0, "tag")?);
        let data = Buffer::read(data, "send")?;
        unlocked(|| send(comm, data.bytes(), dest, tag)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn send(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sent(this, arguments, Communicator::send::<u8>) }
}

unsafe fn send_synchronous(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sent(this, arguments, Communicator::send_synchronous::<u8>) }
}

unsafe fn send_ready(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sent(this, arguments, Communicator::send_ready::<u8>) }
}

unsafe fn receive_into(this: *mut PyObject, [into, from, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = peers(this)?;
        let (from, with) = (source(from)?, tag(with)?);
        let mut into = Buffer::write(into, "receive_into")?;
        let received = unlocked(|| Told::of(&comm.receive_into(into.bytes_mut(), from, with)?));
        told(received)
    }
}

unsafe fn send_receive(
    this: *mut PyObject,
    [data, dest, into, from, send_tag, receive_tag]: [*mut PyObject; 6],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = peers(this)?;
        let (dest, from) = (rank_or(dest, 0, "dest")?, source(from)?);
        let (send_tag, receive_tag) = (number_or(send_tag, 0, "tag")?, tag(receive_tag)?);
        let data = Buffer::read(data, "send_receive")?;
        let mut into = Buffer::write(into, "send_receive")?;
        data.apart(&into, "send_receive", "receive into another one")?;
        told(unlocked(|| {
            let into = into.bytes_mut();
            Told::of(&comm.send_receive(data.bytes(), dest, send_tag, into, from, receive_tag)?)
        }))
    }
}

/// `receive(source, tag, status)`: a `bytearray`.
unsafe fn receive(this: *mut PyObject, [from, with, status]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = peers(this)?;
        let (from, with) = (source(from)?, tag(with)?);
        let (message, told) = unlocked(|| {
            let message = comm.matched(from, with)?;
            let told = Told::of(message.status())?;
            Ok((message, told))
        })
        .map_err(raise)?;
        let received = bytearray(told.bytes())?;
        let room = bytes_of(&received);
        unlocked(|| message.receive_into(room)).map_err(raise)?;
        told.fill(given(status))?;
        Ok(received)
    }
}

/// A new `bytearray` of this length, zeroed by nobody.
pub fn bytearray(len: usize) -> Outcome<Ref> {
    // SAFETY: without a source CPython leaves them as they are.
    unsafe { Ref::steal(ffi::PyByteArray_FromStringAndSize(std::ptr::null(), len as isize)) }
}

/// The bytes of a `bytearray` that nobody else knows yet.
///
/// # Safety
/// It must be a new one, which stays alive while they are used.
pub unsafe fn bytes_of<'a>(array: &Ref) -> &'a mut [u8] {
    // SAFETY: the caller's promise.
    unsafe {
        let len = ffi::PyByteArray_Size(array.as_ptr()) as usize;
        std::slice::from_raw_parts_mut(ffi::PyByteArray_AsString(array.as_ptr()).cast(), len)
    }
}

/// A `bytearray` with a copy of bytes.
pub fn copied(bytes: &[u8]) -> Outcome<Ref> {
    let made = bytearray(bytes.len())?;
    // SAFETY: new, ours.
    unsafe { bytes_of(&made) }.copy_from_slice(bytes);
    Ok(made)
}

unsafe fn probe(this: *mut PyObject, [from, with]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, from, with) = unsafe { (peers(this)?, source(from)?, tag(with)?) };
    told(unlocked(|| Told::of(&comm.probe(from, with)?)))
}

unsafe fn try_probe(this: *mut PyObject, [from, with]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, from, with) = unsafe { (peers(this)?, source(from)?, tag(with)?) };
    let found = unlocked(|| comm.try_probe(from, with)?.as_ref().map(Told::of).transpose());
    found.map_err(raise)?.map_or(Ok(py::none()), Told::object)
}
