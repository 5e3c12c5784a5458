//! Messages that were matched, and are this process's to receive.

use super::buffer::Buffer;
use super::communicator::{Held, peers};
use super::failure::{raise, raise_as};
use super::point::{bytearray, bytes_of, source, tag};
use super::status::Told;
use super::{action, is_forked, method, own_process, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::mem::{offset_of, transmute};
use upcall_mpi::Message;

/// A message and, dropped after it, its communicator.
struct Matched {
    message: Message<'static>,
    _held: Held,
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null when it has been received.
    matched: *mut Matched,
    status: *mut PyObject,
}

/// What `upcall.mpi.Message` is around.
pub fn message_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiMessage")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .member(c"status", ffi::Py_T_OBJECT_EX, offset_of!(Object, status))
        .action(c"receive", action!(receive), c"Receives it: a bytearray.")
        .method(
            c"receive_into",
            method!(receive_into as "receive_into"(into), 1),
            c"Receives it into memory that may have room for more.",
        )
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_matched",
        method!(matched as "matched"(source, tag), 2),
        c"Waits for a message and takes it.",
    )
    .method(
        c"_try_matched",
        method!(try_matched as "try_matched"(source, tag), 2),
        c"Takes a message that has arrived.",
    )
}

unsafe fn matched(this: *mut PyObject, arguments: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: the caller's communicator and arguments.
    unsafe { taken(this, arguments, true) }
}

unsafe fn try_matched(this: *mut PyObject, arguments: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { taken(this, arguments, false) }
}

unsafe fn taken(this: *mut PyObject, [from, with]: [*mut PyObject; 2], wait: bool) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns.
    let (comm, from, with) = unsafe { (peers(this)?, source(from)?, tag(with)?) };
    let found = unlocked(|| {
        let message = if wait { Some(comm.matched(from, with)?) } else { comm.try_matched(from, with)? };
        let told = message.as_ref().map(|message| Told::of(message.status())).transpose()?;
        Ok(message.zip(told))
    });
    let Some((message, told)) = found.map_err(raise)? else { return Ok(py::none()) };
    // SAFETY: the communicator lives behind what is kept beside the message, at the same address, and is dropped after it.
    let message = unsafe { transmute::<Message<'_>, Message<'static>>(message) };
    let matched = Box::new(Matched { message, _held: comm.clone() });
    let (status, made) = (told.object()?, make::new(&types().message)?);
    // SAFETY: a new message, ours alone.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).matched = Box::into_raw(matched);
        (*object).status = status.into_ptr();
    }
    Ok(made)
}

/// Takes the message out: it is received once.
unsafe fn take(this: *mut PyObject) -> Outcome<Box<Matched>> {
    own_process()?;
    // SAFETY: the caller's message, which is changed by attached threads only.
    unsafe {
        let matched = std::mem::replace(&mut (*this.cast::<Object>()).matched, std::ptr::null_mut());
        if matched.is_null() {
            return Err(raise_as("usage", "receive a message that was matched: it has been received"));
        }
        Ok(Box::from_raw(matched))
    }
}

unsafe fn receive(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a message that lives until this returns, here and below.
    unsafe {
        let matched = take(this)?;
        let size = matched.message.status().bytes().map_err(raise)?;
        let received = bytearray(size)?;
        let room = bytes_of(&received);
        unlocked(|| matched.message.receive_into(room)).map_err(raise)?;
        Ok(received)
    }
}

unsafe fn receive_into(this: *mut PyObject, [into]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above, and an argument that does.
    unsafe {
        let mut into = Buffer::write(into, "receive_into")?;
        let matched = take(this)?;
        unlocked(|| matched.message.receive_into(into.bytes_mut())).map_err(raise)?;
        Ok(Ref::share((*this.cast::<Object>()).status))
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a message that nobody refers to.
    unsafe {
        let object = this.cast::<Object>();
        if !(*object).matched.is_null() && !is_forked() {
            let matched = Box::from_raw((*object).matched);
            unlocked(|| drop(matched));
        }
        drop(Ref::steal((*object).status));
        make::free(this);
    }
}
