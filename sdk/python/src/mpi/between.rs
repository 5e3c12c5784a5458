//! What passes messages between two groups, and what both do together.

use super::buffer::Buffer;
use super::collective::{bytes, bytes_mut, read_at_root, shared, written_at_root};
use super::communicator::{self, Held, between, of};
use super::failure::{raise, raise_as};
use super::integer::counts;
use super::parts::told;
use super::point::copied;
use super::reduce::{By, aligned, alike, by, reduced};
use super::{action, given, method, number, truth, unlocked};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_mpi::{Error, Intercommunicator, Root};

/// In place of a root: this process is it, or another of this group.
const HERE: i32 = -3;
const BESIDE: i32 = -2;

/// An intercommunicator, until it is disconnected.
pub struct Between {
    comm: Intercommunicator,
    gone: AtomicBool,
}

impl Between {
    pub fn new(comm: Intercommunicator) -> Between {
        Between { comm, gone: AtomicBool::new(false) }
    }

    pub fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    pub fn duplicate(&self) -> Result<Between, Error> {
        self.comm.duplicate().map(Between::new)
    }
}

impl Deref for Between {
    type Target = Intercommunicator;

    fn deref(&self) -> &Intercommunicator {
        &self.comm
    }
}

/// One that was made, as an object of a type of Python's.
///
/// # Safety
/// `of` must be alive, and a type that is derived from ours.
pub unsafe fn object(of: *mut PyObject, comm: Intercommunicator) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    communicator::object(&unsafe { Ref::share(of) }, Held::Between(Arc::new(Between::new(comm))))
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_intercommunicator",
        method!(intercommunicator as "intercommunicator"(leader, bridge, remote_leader, tag, of), 5),
        c"Joins these ranks with those of another communicator.",
    )
    .action(c"_remote_size", action!(remote_size), c"How many processes the other group has.")
    .method(c"_merge", method!(merge as "merge"(high, of), 2), c"All processes of both groups.")
    .action(c"_disconnect", action!(disconnect), c"Ends it.")
    .method(c"_inter_broadcast", method!(broadcast as "broadcast"(data, root), 2), c"In place.")
    .method(
        c"_inter_broadcast_any",
        method!(broadcast_any as "broadcast"(data, root, valid), 3),
        c"As many bytes as the root has.",
    )
    .method(c"_inter_gather", method!(gather as "gather_into"(data, into, root), 3), c"Into an array.")
    .method(
        c"_inter_gather_parts",
        method!(gather_parts as "gather_parts"(data, root), 2),
        c"Bytes and counts at the root.",
    )
    .method(c"_inter_scatter", method!(scatter as "scatter_into"(data, into, root), 3), c"Into an array.")
    .method(
        c"_inter_scatter_parts",
        method!(scatter_parts as "scatter_parts"(data, counts, root), 3),
        c"This rank's bytes.",
    )
    .method(c"_inter_all_gather", method!(all_gather as "all_gather_into"(data, into), 2), c"Into an array.")
    .method(
        c"_inter_all_gather_parts",
        method!(all_gather_parts as "all_gather_parts"(data), 1),
        c"Bytes and counts.",
    )
    .method(c"_inter_all_to_all", method!(all_to_all as "all_to_all_into"(data, into), 2), c"Into an array.")
    .method(
        c"_inter_all_to_all_parts",
        method!(all_to_all_parts as "all_to_all_parts"(data, counts), 2),
        c"Bytes and counts.",
    )
    .method(
        c"_inter_reduce",
        method!(reduce as "reduce_into"(data, into, op, root), 4),
        c"Combines the elements of the other group.",
    )
    .method(
        c"_inter_all_reduce",
        method!(all_reduce as "all_reduce_into"(data, into, op), 3),
        c"Combines the elements of each group for the other.",
    )
}

/// Where the root of a call is.
///
/// # Safety
/// The object must be alive.
unsafe fn root(object: *mut PyObject) -> Outcome<Root> {
    // SAFETY: the caller's promise.
    match unsafe { number(object, "root")? } {
        HERE => Ok(Root::Here),
        BESIDE => Ok(Root::Beside),
        rank => usize::try_from(rank).map(Root::Remote).map_err(|_| {
            let message = format!(
                "root: there is none {rank}; it is a rank of the other group, mpi.HERE or mpi.BESIDE"
            );
            raise_as("rank", message)
        }),
    }
}

unsafe fn intercommunicator(
    this: *mut PyObject,
    [leader, bridge, remote, tag, with]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, bridge) = (of(this)?, communicator::argument(bridge, "intercommunicator")?);
        // What is no rank is told to all of this side.
        let rank =
            |object, name| number(object, name).map(|rank| usize::try_from(rank).unwrap_or(usize::MAX));
        let (leader, remote) = (rank(leader, "leader")?, rank(remote, "remote_leader")?);
        let tag = number(tag, "tag")?;
        object(with, unlocked(|| comm.intercommunicator(leader, bridge, remote, tag)).map_err(raise)?)
    }
}

unsafe fn remote_size(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    py::int(unsafe { between(this)? }.remote_size() as u64)
}

unsafe fn merge(this: *mut PyObject, [high, with]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, high) = (between(this)?, truth(high)?);
        let merged = unlocked(|| comm.merge(high)).map_err(raise)?;
        communicator::object(&Ref::share(with), Held::Made(Arc::new(merged)))
    }
}

unsafe fn disconnect(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { between(this)? };
    comm.gone.store(true, Ordering::Relaxed);
    let done = unlocked(|| comm.disconnect_in_place());
    if done.is_err() {
        comm.gone.store(false, Ordering::Relaxed);
    }
    done.map_err(raise)?;
    Ok(py::none())
}

unsafe fn broadcast(this: *mut PyObject, [data, at]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (between(this)?, root(at)?);
        let mut data = match root {
            Root::Here => Some(Buffer::read(data, "broadcast")?),
            Root::Beside => None,
            Root::Remote(_) => Some(Buffer::write(data, "broadcast")?),
        };
        // The root's is not written.
        unlocked(|| comm.broadcast(bytes_mut(&mut data), root)).map_err(raise)?;
        Ok(py::none())
    }
}

/// `broadcast_any(data, root, valid)`: where the root has none to give, it says that it is not `valid`, and the other group fails.
unsafe fn broadcast_any(this: *mut PyObject, [data, at, valid]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root, valid) = (between(this)?, root(at)?, truth(valid)?);
        let data = read_at_root(data, "broadcast")?;
        let mut length = [if valid { bytes(&data).len() as u64 } else { u64::MAX }];
        unlocked(|| comm.broadcast(&mut length, root)).map_err(raise)?;
        let mut all = match root {
            Root::Beside => return Ok(py::none()),
            Root::Here if valid => bytes(&data).to_vec(),
            Root::Remote(_) if length[0] != u64::MAX => vec![0; length[0] as usize],
            _ => {
                return Err(raise_as(
                    "usage",
                    "broadcast to another group: the root has failed to give a value",
                ));
            }
        };
        unlocked(|| comm.broadcast(&mut all, root)).map_err(raise)?;
        if root == Root::Here { Ok(py::none()) } else { copied(&all) }
    }
}

unsafe fn gather(this: *mut PyObject, [data, into, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (between(this)?, root(at)?);
        let data = read_at_root(data, "gather_into")?;
        let mut into = written_at_root(into, "gather_into")?;
        if let (Some(data), Some(into)) = (&data, &into) {
            data.apart(into, "gather_into", "gather into another one")?;
        }
        unlocked(|| comm.gather_into(bytes(&data), bytes_mut(&mut into), root)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn gather_parts(this: *mut PyObject, [data, at]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, root, data) = unsafe { (between(this)?, root(at)?, read_at_root(data, "gather_parts")?) };
    let parts = unlocked(|| comm.gather_parts(bytes(&data), root)).map_err(raise)?;
    parts.map_or(Ok(py::none()), |parts| told(&parts))
}

unsafe fn scatter(this: *mut PyObject, [data, into, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (between(this)?, root(at)?);
        let data = read_at_root(data, "scatter_into")?;
        let mut into = written_at_root(into, "scatter_into")?;
        if let (Some(data), Some(into)) = (&data, &into) {
            data.apart(into, "scatter_into", "scatter into another one")?;
        }
        unlocked(|| comm.scatter_into(bytes(&data), bytes_mut(&mut into), root)).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn scatter_parts(this: *mut PyObject, [data, sizes, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, root, data, sizes) = unsafe {
        let sizes = given(sizes).map(|sizes| counts(sizes, "counts")).transpose()?.unwrap_or_default();
        (between(this)?, root(at)?, read_at_root(data, "scatter_parts")?, sizes)
    };
    let own = unlocked(|| comm.scatter_parts(bytes(&data), &sizes, root)).map_err(raise)?;
    if matches!(root, Root::Remote(_)) { copied(&own) } else { Ok(py::none()) }
}

unsafe fn all_gather(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = between(this)?;
        let data = Buffer::read(data, "all_gather_into")?;
        let mut into = Buffer::write(into, "all_gather_into")?;
        data.apart(&into, "all_gather_into", "gather into another one")?;
        unlocked(|| comm.all_gather_into(data.bytes(), into.bytes_mut())).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn all_gather_parts(this: *mut PyObject, [data]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data) = unsafe { (between(this)?, Buffer::read(data, "all_gather_parts")?) };
    told(&unlocked(|| comm.all_gather_parts(data.bytes())).map_err(raise)?)
}

unsafe fn all_to_all(this: *mut PyObject, [data, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = between(this)?;
        let data = Buffer::read(data, "all_to_all_into")?;
        let mut into = Buffer::write(into, "all_to_all_into")?;
        data.apart(&into, "all_to_all_into", "receive into another one")?;
        if shared(data.len(), data.element(), comm.remote_size()).is_none() {
            let (elements, ranks) = (data.len() / data.element(), comm.remote_size());
            let message = format!(
                "exchange {elements} elements with another group: that is no multiple of its {ranks} ranks; use all_to_all_parts"
            );
            return Err(raise_as("usage", message));
        }
        unlocked(|| comm.all_to_all_into(data.bytes(), into.bytes_mut())).map_err(raise)?;
        Ok(py::none())
    }
}

unsafe fn all_to_all_parts(this: *mut PyObject, [data, sizes]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data, sizes) =
        unsafe { (between(this)?, Buffer::read(data, "all_to_all_parts")?, counts(sizes, "counts")?) };
    told(&unlocked(|| comm.all_to_all_parts(data.bytes(), &sizes)).map_err(raise)?)
}

/// `reduce(data, into, op, root)`, of which `into` counts at the root, and `data` in the other group.
unsafe fn reduce(this: *mut PyObject, [data, into, op, at]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (between(this)?, root(at)?);
        match root {
            Root::Here => {
                let mut room = Buffer::write(into, "reduce_into")?;
                let memory = std::slice::from_raw_parts_mut(room.address(), room.bytes_mut().len());
                reduced("reduce_into", op, into, &room, |by| {
                    aligned(by, &[], memory, |by, data, into| {
                        by!(by, |by| comm.reduce_into(data, into, by, root))
                    })
                })
            }
            Root::Remote(_) => {
                let from = Buffer::read(data, "reduce_into")?;
                reduced("reduce_into", op, data, &from, |by| {
                    aligned(by, from.bytes(), &mut [], |by, data, into| {
                        by!(by, |by| comm.reduce_into(data, into, by, root))
                    })
                })
            }
            Root::Beside => {
                unlocked(|| comm.reduce_into::<u8>(&[], &mut [], upcall_mpi::Max, root)).map_err(raise)?;
                Ok(py::none())
            }
        }
    }
}

unsafe fn all_reduce(this: *mut PyObject, [from, into, op]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = between(this)?;
        let data = Buffer::read(from, "all_reduce_into")?;
        let mut into = Buffer::write(into, "all_reduce_into")?;
        alike(&data, &into, "all_reduce_into")?;
        if data.len() != into.len() {
            let message = format!(
                "all_reduce_into: {} bytes are combined, and there is room for {}",
                data.len(),
                into.len()
            );
            return Err(raise_as("usage", message));
        }
        reduced("all_reduce_into", op, from, &data, |by| {
            aligned(by, data.bytes(), into.bytes_mut(), |by, data, into| {
                into.copy_from_slice(&by!(by, |by| comm.all_reduce(data, by))?);
                Ok(())
            })
        })
    }
}
