//! The forms in which each rank may have another number of bytes. Counts are of bytes here.

use super::buffer::Buffer;
use super::collective::{bytes, read_at_root};
use super::communicator::of;
use super::failure::raise;
use super::integer::counts;
use super::point::copied;
use super::{given, method, rank_or, unlocked};
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use upcall_mpi::Parts;

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_gather_parts",
        method!(gather as "gather_parts"(data, root), 2),
        c"Bytes and counts at the root.",
    )
    .method(c"_all_gather_parts", method!(all_gather as "all_gather_parts"(data), 1), c"Bytes and counts.")
    .method(
        c"_scatter_parts",
        method!(scatter as "scatter_parts"(data, counts, root), 3),
        c"This rank's bytes.",
    )
    .method(
        c"_all_to_all_parts",
        method!(all_to_all as "all_to_all_parts"(data, counts), 2),
        c"Bytes and counts.",
    )
}

/// (bytearray, list of counts)
pub fn told(parts: &Parts<u8>) -> Outcome<Ref> {
    let counts = py::list(parts.counts.len(), |index| py::int(parts.counts[index] as u64))?;
    py::tuple(&[&copied(&parts.data)?, &counts])
}

/// `gather_parts(data, root)`: `None` says that this rank has failed to make what it gives.
unsafe fn gather(this: *mut PyObject, [data, root]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    let (comm, root, data) =
        unsafe { (of(this)?, rank_or(root, 0, "root")?, read_at_root(data, "gather_parts")?) };
    let parts = unlocked(|| comm.gather_given(data.as_ref().map(Buffer::bytes), root)).map_err(raise)?;
    parts.map_or(Ok(py::none()), |parts| told(&parts))
}

unsafe fn all_gather(this: *mut PyObject, [data]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data) = unsafe { (of(this)?, read_at_root(data, "all_gather_parts")?) };
    told(&unlocked(|| comm.all_gather_given(data.as_ref().map(Buffer::bytes))).map_err(raise)?)
}

/// `scatter_parts(data, counts, root)`, of which the first two count at the root.
unsafe fn scatter(this: *mut PyObject, [data, sizes, root]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, root, data, sizes) = unsafe {
        let sizes = given(sizes).map(|sizes| counts(sizes, "counts")).transpose()?.unwrap_or_default();
        (of(this)?, rank_or(root, 0, "root")?, read_at_root(data, "scatter_parts")?, sizes)
    };
    copied(&unlocked(|| comm.scatter_parts(bytes(&data), &sizes, root)).map_err(raise)?)
}

unsafe fn all_to_all(this: *mut PyObject, [data, sizes]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, data, sizes) =
        unsafe { (of(this)?, Buffer::read(data, "all_to_all_parts")?, counts(sizes, "counts")?) };
    told(&unlocked(|| comm.all_to_all_parts(data.bytes(), &sizes)).map_err(raise)?)
}
