//! What all ranks of a communicator do together, where all have as many bytes.

use super::buffer::Buffer;
use super::communicator::{of, peers};
use super::failure::{raise, raise_as};
use super::point::{bytearray, bytes_of};
use super::{action, given, method, rank_or, truth, unlocked};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;

pub fn methods(of: TypeOf) -> TypeOf {
    of.action(c"barrier", action!(barrier), c"Waits until all ranks have called it.")
        .method(c"broadcast", method!(broadcast as "broadcast"(data, root), 1), c"broadcast(data, root=0)")
        .method(
            c"_broadcast_any",
            method!(broadcast_any as "broadcast"(data, root, valid), 3),
            c"As many bytes as the root has, which the others do not know.",
        )
        .method(
            c"gather_into",
            method!(gather_into as "gather_into"(data, into, root), 2),
            c"gather_into(data, into, root=0)",
        )
        .method(
            c"all_gather_into",
            method!(all_gather_into as "all_gather_into"(data, into), 2),
            c"all_gather_into(data, into)",
        )
        .method(
            c"scatter_into",
            method!(scatter_into as "scatter_into"(data, into, root), 2),
            c"scatter_into(data, into, root=0)",
        )
        .method(
            c"_scatter",
            method!(scatter as "scatter"(data, root), 2),
            c"As many elements as the root has for each rank, which the others do not know.",
        )
        .method(
            c"all_to_all_into",
            method!(all_to_all_into as "all_to_all_into"(data, into), 2),
            c"all_to_all_into(data, into)",
        )
}

/// A buffer that counts at the root alone: nothing where `None` was given.
///
/// # Safety
/// The object must be alive.
pub unsafe fn written_at_root(object: *mut PyObject, what: &str) -> Outcome<Option<Buffer>> {
    // SAFETY: the caller's promise.
    unsafe { given(object).map(|object| Buffer::write(object, what)).transpose() }
}

/// The same of what is read.
///
/// # Safety
/// As above.
pub unsafe fn read_at_root(object: *mut PyObject, what: &str) -> Outcome<Option<Buffer>> {
    // SAFETY: the caller's promise.
    unsafe { given(object).map(|object| Buffer::read(object, what)).transpose() }
}

pub fn bytes(buffer: &Option<Buffer>) -> &[u8] {
    buffer.as_ref().map_or(&[], Buffer::bytes)
}

pub fn bytes_mut(buffer: &mut Option<Buffer>) -> &mut [u8] {
    buffer.as_mut().map_or(&mut [], Buffer::bytes_mut)
}

/// How many bytes are each rank's, in whole elements.
pub fn shared(bytes: usize, element: usize, ranks: usize) -> Option<usize> {
    let each = bytes / ranks;
    (bytes.is_multiple_of(ranks) && each.is_multiple_of(element)).then_some(each)
}

unsafe fn barrier(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below, as arguments do.
    let comm = unsafe { peers(this)? };
    unlocked(|| comm.barrier()).map_err(raise)?;
    Ok(py::none())
}

unsafe fn broadcast(this: *mut PyObject, [data, root]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let sends = comm.rank() == root;
        let mut data =
            if sends { Buffer::read(data, "broadcast") } else { Buffer::write(data, "broadcast") }?;
        // The root's is not written.
        unlocked(|| comm.broadcast(data.bytes_mut(), root)).map_err(raise)?;
        Ok(py::none())
    }
}

/// `broadcast_any(data, root, valid)`: where the root has none to give, it says that it is not `valid`, and all ranks fail.
unsafe fn broadcast_any(this: *mut PyObject, [data, root, valid]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root, valid) = (of(this)?, rank_or(root, 0, "root")?, truth(valid)?);
        let data = read_at_root(data, "broadcast")?;
        let mut told = [if valid { bytes(&data).len() as u64 } else { u64::MAX }];
        unlocked(|| comm.broadcast(&mut told, root)).map_err(raise)?;
        if told[0] == u64::MAX {
            let message = format!("broadcast a value: rank {root} has failed to give one");
            return Err(raise_as("usage", message));
        }
        let all = bytearray(told[0] as usize)?;
        let room = bytes_of(&all);
        if comm.rank() == root {
            room.copy_from_slice(bytes(&data));
        }
        unlocked(|| comm.broadcast(room, root)).map_err(raise)?;
        Ok(all)
    }
}

unsafe fn gather_into(this: *mut PyObject, [data, into, root]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let data = Buffer::read(data, "gather_into")?;
        let mut into = written_at_root(into, "gather_into")?;
        if let Some(into) = &into {
            data.same_elements(into, "gather_into")?;
            data.apart(into, "gather_into", "gather into another one")?;
        }
        unlocked(|| comm.gather_into(data.bytes(), bytes_mut(&mut into), root)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn all_gather_into(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let data = Buffer::read(data, "all_gather_into")?;
        let mut into = Buffer::write(into, "all_gather_into")?;
        data.same_elements(&into, "all_gather_into")?;
        data.apart(&into, "all_gather_into", "gather into another one")?;
        unlocked(|| comm.all_gather_into(data.bytes(), into.bytes_mut())).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn scatter_into(this: *mut PyObject, [data, into, root]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let data = read_at_root(data, "scatter_into")?;
        let mut into = Buffer::write(into, "scatter_into")?;
        if let Some(data) = &data {
            if comm.rank() == root {
                data.same_elements(&into, "scatter_into")?;
            }
            data.apart(&into, "scatter_into", "scatter into another one")?;
        }
        unlocked(|| comm.scatter_into(bytes(&data), into.bytes_mut(), root)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn scatter(this: *mut PyObject, [data, root]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let data = read_at_root(data, "scatter")?;
        let each = data.as_ref().and_then(|data| shared(data.len(), data.element(), comm.size()));
        // The others wait for this number, whatever it is.
        let mut told = [each.map_or(u64::MAX, |each| each as u64)];
        unlocked(|| comm.broadcast(&mut told, root)).map_err(raise)?;
        if told[0] == u64::MAX {
            let message = format!(
                "scatter elements of rank {root}: it gives none, or their number is no multiple of the {} ranks; use scatter_parts",
                comm.size()
            );
            return Err(raise_as("usage", message));
        }
        let into = bytearray(told[0] as usize)?;
        let room = bytes_of(&into);
        unlocked(|| comm.scatter_into(bytes(&data), room, root)).map_err(raise)?;
        Ok(into)
    }
}

unsafe fn all_to_all_into(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let data = Buffer::read(data, "all_to_all_into")?;
        let mut into = Buffer::write(into, "all_to_all_into")?;
        data.same_elements(&into, "all_to_all_into")?;
        data.apart(&into, "all_to_all_into", "receive into another one")?;
        if shared(data.len(), data.element(), comm.size()).is_none() {
            let message = format!(
                "exchange {} elements with all ranks: that is no multiple of the {} ranks; use all_to_all_parts",
                data.len() / data.element(),
                comm.size()
            );
            return Err(raise_as("usage", message));
        }
        unlocked(|| comm.all_to_all_into(data.bytes(), into.bytes_mut())).map_err(raise)?;
        Ok(py::none())
    }
}
