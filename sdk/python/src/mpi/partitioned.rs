//! Messages in partitions, over memory of Python objects.

use super::buffer::Buffer;
use super::communicator::of;
use super::failure::raise;
use super::kept::release_left;
use super::request::lent;
use super::{action, is_forked, method, number, number_or, own_process, rank_or, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::mem::offset_of;
use upcall_mpi::{Error, LentPartitions};

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that has none yet.
    all: *mut LentPartitions,
    data: *mut PyObject,
}

/// `upcall.mpi.Partitions`.
pub fn partitions_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall.mpi.Partitions")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .member(c"data", ffi::Py_T_OBJECT_EX, offset_of!(Object, data))
        .attribute(c"active", active, c"Whether a round is under way.")
        .action(c"start", action!(start), c"Starts a round.")
        .method(c"ready", method!(ready as "ready"(partition), 1), c"Sends a partition.")
        .method(c"arrived", method!(arrived as "arrived"(partition), 1), c"Whether a partition has arrived.")
        .action(c"wait", action!(wait), c"Waits until the round has ended.")
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"partitioned_send_init",
        method!(send_init as "partitioned_send_init"(data, partitions, dest, tag), 3),
        c"partitioned_send_init(data, partitions, dest, tag=0)",
    )
    .method(
        c"partitioned_receive_init",
        method!(receive_init as "partitioned_receive_init"(into, partitions, source, tag), 3),
        c"partitioned_receive_init(into, partitions, source, tag=0)",
    )
}

/// # Safety
/// The object must be alive.
unsafe fn count(object: *mut PyObject, name: &str) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let count = unsafe { number(object, name)? };
    // What is negative is none of any number.
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// # Safety
/// The object must be alive.
unsafe fn made(all: Result<LentPartitions, Error>, data: *mut PyObject) -> Outcome<Ref> {
    release_left();
    let all = all.map_err(raise)?;
    let made = make::new(&types().partitions)?;
    // SAFETY: a new object, ours alone, and the caller's promise.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).all = Box::into_raw(Box::new(all));
        (*object).data = Ref::share(data).into_ptr();
    }
    Ok(made)
}

unsafe fn send_init(this: *mut PyObject, [data, parts, dest, with]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let comm = of(this)?;
        let parts = count(parts, "partitions")?;
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let memory = lent(Buffer::read(data, "partitioned_send_init")?);
        made(unlocked(|| comm.partitioned_send_init_lent(memory, parts, dest, with)), data)
    }
}

unsafe fn receive_init(this: *mut PyObject, [into, parts, from, with]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let parts = count(parts, "partitions")?;
        let (from, with) = (rank_or(from, 0, "source")?, number_or(with, 0, "tag")?);
        let memory = lent(Buffer::write(into, "partitioned_receive_init")?);
        made(unlocked(|| comm.partitioned_receive_init_lent(memory, parts, from, with)), into)
    }
}

/// # Safety
/// It must be one of ours that is alive.
unsafe fn all<'a>(this: *mut PyObject) -> Outcome<&'a LentPartitions> {
    own_process()?;
    // SAFETY: the caller's promise; it is set once.
    Ok(unsafe { &*(*this.cast::<Object>()).all })
}

fn truth(is: bool) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyBool_FromLong(is.into())) }
}

unsafe extern "C" fn active(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes one of ours.
    py::returned(unsafe { all(this) }.and_then(|all| truth(all.is_active())))
}

unsafe fn start(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: one of ours that lives until this returns, here and below, as arguments do.
    let all = unsafe { all(this)? };
    unlocked(|| all.start()).map_err(raise)?;
    Ok(py::none())
}

unsafe fn ready(this: *mut PyObject, [partition]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (all, partition) = unsafe { (all(this)?, count(partition, "partition")?) };
    unlocked(|| all.ready(partition)).map_err(raise)?;
    Ok(py::none())
}

unsafe fn arrived(this: *mut PyObject, [partition]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (all, partition) = unsafe { (all(this)?, count(partition, "partition")?) };
    truth(unlocked(|| all.has_arrived(partition)).map_err(raise)?)
}

unsafe fn wait(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let all = unsafe { all(this)? };
    unlocked(|| all.wait()).map_err(raise)?;
    Ok(py::none())
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let object = this.cast::<Object>();
        if !(*object).all.is_null() && !is_forked() {
            let all = Box::from_raw((*object).all);
            unlocked(|| drop(all));
            release_left();
        }
        drop(Ref::steal((*object).data));
        make::free(this);
    }
}
