//! Messages that say which type their elements have.

use super::buffer::Buffer;
use super::communicator::{Held, made_of, of};
use super::element::{Known, known};
use super::failure::{raise, raise_as};
use super::point::{copied, source, tag};
use super::status::{Told, told};
use super::{action, given, is_forked, method, number_or, own_process, rank_or, truth, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use upcall_mpi::{Arrived, Checked, Error};

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_checked",
        method!(checked as "checked"(wanted), 1),
        c"The same processes, whose messages say which type their elements have. Collective.",
    )
}

#[repr(C)]
struct Object {
    head: PyObject,
    checked: *mut Checked,
}

/// What `upcall.mpi.Checked` is around.
pub fn checked_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiChecked")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .action(c"is_on", action!(is_on), c"Whether types are checked.")
        .method(c"send", method!(send as "send"(data, type_, dest, tag), 4), c"Sends elements of a type.")
        .method(
            c"receive",
            method!(receive as "receive"(type_, source, tag, status), 3),
            c"Receives elements of a type: a bytearray.",
        )
        .method(
            c"receive_into",
            method!(receive_into as "receive_into"(into, type_, source, tag), 4),
            c"Receives elements of a type into memory that may have room for more.",
        )
        .method(
            c"send_receive",
            method!(
                send_receive as "send_receive"(data, type_, dest, tag, into, into_type, source, receive_tag),
                8
            ),
            c"Both at once.",
        )
        .method(
            c"together",
            method!(together as "together"(of, type_), 2),
            c"The communicator for what all ranks do together with elements of a type, which they compare.",
        )
        .make(None)
}

unsafe fn checked(this: *mut PyObject, [wanted]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a communicator and an argument that live until this returns, here and below.
    unsafe {
        let (comm, wanted) = (of(this)?, truth(wanted)?);
        let checked = unlocked(|| comm.checked_where(wanted)).map_err(raise)?;
        let made = make::new(&types().checked)?;
        (*made.as_ptr().cast::<Object>()).checked = Box::into_raw(Box::new(checked));
        Ok(made)
    }
}

unsafe fn get<'a>(this: *mut PyObject) -> Outcome<&'a Checked> {
    own_process()?;
    // SAFETY: the caller's object, which stays alive and never changes.
    unsafe { (*this.cast::<Object>()).checked.as_ref() }
        .ok_or_else(|| raise_as("lifecycle", "use a checked communicator: MPI has not made it"))
}

fn status_of(arrived: &Arrived) -> Result<Told, Error> {
    Ok(Told::arrived(arrived.source()?, arrived.tag()?, arrived.bytes()?))
}

unsafe fn is_on(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let on = unsafe { get(this)? }.is_on();
    // SAFETY: this thread is attached.
    unsafe { Ref::steal(ffi::PyBool_FromLong(on.into())) }
}

unsafe fn send(this: *mut PyObject, [data, of, dest, with]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (checked, Known { of, .. }) = (get(this)?, known(of)?);
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let data = Buffer::read(data, "send")?;
        unlocked(|| checked.send_as(data.bytes(), of, dest, with)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn receive(this: *mut PyObject, [of, from, with, status]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (checked, Known { of, .. }) = (get(this)?, known(of)?);
        let (from, with) = (source(from)?, tag(with)?);
        let received = unlocked(|| {
            let (data, arrived) = checked.receive_as(of, from, with)?;
            Ok((data, status_of(&arrived)?))
        });
        let (data, told) = received.map_err(raise)?;
        told.fill(given(status))?;
        copied(&data)
    }
}

unsafe fn receive_into(this: *mut PyObject, [into, of, from, with]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (checked, Known { of, .. }) = (get(this)?, known(of)?);
        let (from, with) = (source(from)?, tag(with)?);
        let mut into = Buffer::write(into, "receive_into")?;
        told(unlocked(|| status_of(&checked.receive_into_as(into.bytes_mut(), of, from, with)?)))
    }
}

unsafe fn send_receive(
    this: *mut PyObject,
    [data, of, dest, send_tag, into, into_of, from, receive_tag]: [*mut PyObject; 8],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (checked, Known { of, .. }) = (get(this)?, known(of)?);
        let Known { of: into_of, .. } = known(into_of)?;
        let (dest, from) = (rank_or(dest, 0, "dest")?, source(from)?);
        let (send_tag, receive_tag) = (number_or(send_tag, 0, "tag")?, tag(receive_tag)?);
        let data = Buffer::read(data, "send_receive")?;
        let mut into = Buffer::write(into, "send_receive")?;
        data.apart(&into, "send_receive", "receive into another one")?;
        told(unlocked(|| {
            let received = (into.bytes_mut(), into_of, from, receive_tag);
            status_of(&checked.send_receive_as((data.bytes(), of, dest, send_tag), received)?)
        }))
    }
}

/// `together(of, type)`: a communicator of the type `of`.
unsafe fn together(this: *mut PyObject, [class, of]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (checked, Known { of, .. }) = (get(this)?, known(of)?);
        let together = unlocked(|| checked.together_as(of)).map_err(raise)?;
        made_of(class, Held::Made(together))
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let checked = (*this.cast::<Object>()).checked;
        if !checked.is_null() && !is_forked() {
            let checked = Box::from_raw(checked);
            unlocked(|| drop(checked));
        }
        make::free(this);
    }
}
