//! Structs that MPI knows field by field.

use super::buffer::Buffer;
use super::communicator::of;
use super::element::known;
use super::failure::{raise, raise_as};
use super::point::{copied, source, tag};
use super::status::Told;
use super::{given, is_forked, method, number_or, own_process, rank_or, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use upcall_mpi::Datatype;

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"_datatype", method!(datatype as "datatype"(type_), 1), c"A type's fields as MPI knows them.")
        .method(
            c"_send_typed",
            method!(send as "send_typed"(data, datatype, dest, tag), 4),
            c"Sends field by field.",
        )
        .method(
            c"_receive_typed",
            method!(receive as "receive_typed"(datatype, source, tag, status), 3),
            c"Receives field by field: a bytearray.",
        )
        .method(
            c"_receive_typed_into",
            method!(receive_into as "receive_typed_into"(into, datatype, source, tag, status), 4),
            c"Receives field by field into memory, and returns how many elements there were.",
        )
        .method(
            c"_broadcast_typed",
            method!(broadcast as "broadcast_typed"(data, datatype, root), 3),
            c"Gives all ranks the elements of one, field by field.",
        )
}

#[repr(C)]
struct Object {
    head: PyObject,
    datatype: *mut Datatype,
}

/// What `upcall.mpi.Datatype` is around.
pub fn datatype_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiDatatype")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .make(None)
}

unsafe fn datatype(this: *mut PyObject, [of_type]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, known) = (of(this)?, known(of_type)?);
        let datatype = Datatype::of_table(comm, &known.name, known.of.size(), &known.table(), &[]);
        let made = make::new(&types().datatype)?;
        (*made.as_ptr().cast::<Object>()).datatype = Box::into_raw(Box::new(datatype.map_err(raise)?));
        Ok(made)
    }
}

unsafe fn get<'a>(object: *mut PyObject) -> Outcome<&'a Datatype> {
    own_process()?;
    // SAFETY: the caller's object, which stays alive; it is one where its type says so, and never changes.
    unsafe {
        if ffi::PyObject_TypeCheck(object, types().datatype.as_ptr().cast()) != 0
            && let Some(datatype) = (*object.cast::<Object>()).datatype.as_ref()
        {
            return Ok(datatype);
        }
    }
    Err(raise_as("usage", "send or receive fields: give an mpi.Datatype"))
}

unsafe fn send(this: *mut PyObject, [data, datatype, dest, with]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, datatype) = (of(this)?, get(datatype)?);
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let data = Buffer::read(data, "send_typed")?;
        unlocked(|| comm.send_typed(data.bytes(), datatype, dest, with)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn receive(this: *mut PyObject, [datatype, from, with, status]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, datatype) = (of(this)?, get(datatype)?);
        let (from, with) = (source(from)?, tag(with)?);
        let received = unlocked(|| {
            let (data, received) = comm.receive_typed::<u8>(datatype, from, with)?;
            Ok((data, Told::of(&received)?))
        });
        let (data, told) = received.map_err(raise)?;
        told.fill(given(status))?;
        copied(&data)
    }
}

unsafe fn receive_into(
    this: *mut PyObject,
    [into, datatype, from, with, status]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, datatype) = (of(this)?, get(datatype)?);
        let (from, with) = (source(from)?, tag(with)?);
        let mut into = Buffer::write(into, "receive_typed_into")?;
        let received = unlocked(|| {
            let received = comm.receive_typed_into(into.bytes_mut(), datatype, from, with)?;
            Ok((datatype.count(&received)?, Told::of(&received)?))
        });
        let (count, told) = received.map_err(raise)?;
        told.fill(given(status))?;
        py::int(count as u64)
    }
}

unsafe fn broadcast(this: *mut PyObject, [data, datatype, root]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, datatype, root) = (of(this)?, get(datatype)?, rank_or(root, 0, "root")?);
        let mut data = Buffer::write(data, "broadcast_typed")?;
        unlocked(|| comm.broadcast_typed(data.bytes_mut(), datatype, root)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let datatype = (*this.cast::<Object>()).datatype;
        if !datatype.is_null() && !is_forked() {
            let datatype = Box::from_raw(datatype);
            unlocked(|| drop(datatype));
        }
        make::free(this);
    }
}
