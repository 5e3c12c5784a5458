//! Sets of processes, and the communicators of them.

use super::communicator::{Held, between, made_of, of, peers};
use super::failure::{raise, raise_as};
use super::{action, is_forked, method, number, number_or, own_process, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::sync::Arc;
use upcall_mpi::{Comparison, Error, Group};

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that was made by nobody here.
    group: *mut Group,
}

/// What `upcall.mpi.Group` is.
pub fn group_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall.mpi.Group")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"rank", rank, c"This process's rank in it; None where it is not in it.")
        .attribute(c"size", size, c"How many processes it has.")
        .method(c"union", method!(union as "union"(other), 1), c"Those of this one, then those of the other.")
        .method(c"intersection", method!(intersection as "intersection"(other), 1), c"Those of both.")
        .method(c"difference", method!(difference as "difference"(other), 1), c"Those of this one alone.")
        .method(c"include", method!(include as "include"(ranks), 1), c"Those of these ranks, in this order.")
        .method(c"exclude", method!(exclude as "exclude"(ranks), 1), c"All without those of these ranks.")
        .method(
            c"translate",
            method!(translate as "translate"(ranks, other), 2),
            c"Which ranks those of these ranks have in the other; None for those that are not in it.",
        )
        .method(c"compare", method!(compare as "compare"(other), 1), c"How alike the two are.")
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.action(c"group", action!(group_of), c"Its processes.")
        .action(c"_remote_group", action!(remote_group), c"The other group's processes.")
        .action(
            c"acknowledged_failures",
            action!(acknowledged_failures),
            c"The processes whose failure was acknowledged.",
        )
        .method(
            c"_create",
            method!(create as "create"(of, group), 2),
            c"The processes of a group. Collective.",
        )
        .method(
            c"_create_group",
            method!(create_group as "create_group"(of, group, tag), 3),
            c"The same, collective over these processes only.",
        )
        .method(
            c"_split_shared_memory",
            method!(split_shared_memory as "split_shared_memory"(of, key), 2),
            c"The processes that share memory. Collective.",
        )
        .method(c"compare", method!(compare_comm as "compare"(other), 1), c"How alike the two are.")
        .action(c"_name", action!(name), c"Its name.")
        .method(c"_set_name", method!(set_name as "name"(name), 1), c"Names it, on this process.")
}

/// The group of an object.
///
/// # Safety
/// It must be one that stays alive while the result is used.
unsafe fn group<'a>(object: *mut PyObject, what: &str) -> Outcome<&'a Group> {
    own_process()?;
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::PyObject_TypeCheck(object, types().group.as_ptr().cast()) == 0 {
            return Err(py::raise(
                py::Kind::Type,
                format!("{what}: give an mpi.Group, as `world.group()` is"),
            ));
        }
        (*object.cast::<Object>()).group.as_ref()
    }
    .ok_or_else(|| raise_as("lifecycle", "use a group: it is none that MPI has made; take a communicator's"))
}

fn object(group: Result<Group, Error>) -> Outcome<Ref> {
    let group = group.map_err(raise)?;
    let made = make::new(&types().group)?;
    // SAFETY: a new group, ours alone.
    unsafe { (*made.as_ptr().cast::<Object>()).group = Box::into_raw(Box::new(group)) };
    Ok(made)
}

/// The `int`s of a sequence.
///
/// # Safety
/// The object must be alive.
pub unsafe fn numbers(object: *mut PyObject, name: &str) -> Outcome<Vec<i32>> {
    // SAFETY: the caller's promise; the tuple keeps its items.
    unsafe {
        let given = Ref::steal(ffi::PySequence_Tuple(object))?;
        (0..py::len(&given)?).map(|index| number(py::item(&given, index)?.as_ptr(), name)).collect()
    }
}

/// The ranks of a sequence, as Rust counts them.
///
/// # Safety
/// As above.
pub unsafe fn ranks(object: *mut PyObject, what: &str) -> Outcome<Vec<usize>> {
    // SAFETY: the caller's promise.
    let numbers = unsafe { numbers(object, what)? };
    let rank = |rank: i32| {
        let none = |_| raise_as("rank", format!("{what}: there is no rank {rank}; they count from 0 on"));
        usize::try_from(rank).map_err(none)
    };
    numbers.into_iter().map(rank).collect()
}

/// Ranks as Python has them: `None` is nobody.
pub fn listed(ranks: &[Option<usize>]) -> Outcome<Ref> {
    py::list(ranks.len(), |index| ranks[index].map_or(Ok(py::none()), |rank| py::int(rank as u64)))
}

fn alike(how: Comparison) -> Outcome<Ref> {
    let how = match how {
        Comparison::Identical => "identical",
        Comparison::Congruent => "congruent",
        Comparison::Similar => "similar",
        Comparison::Unequal => "unequal",
    };
    py::text(how.as_bytes())
}

unsafe extern "C" fn rank(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes a group, here and below, and arguments that live until these return.
    py::returned(
        unsafe { group(this, "rank") }
            .and_then(|group| group.rank().map_or(Ok(py::none()), |rank| py::int(rank as u64))),
    )
}

unsafe extern "C" fn size(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { group(this, "size") }.and_then(|group| py::int(group.size() as u64)))
}

unsafe fn union(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, other) = unsafe { (group(this, "union")?, group(other, "union")?) };
    object(unlocked(|| one.union(other)))
}

unsafe fn intersection(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, other) = unsafe { (group(this, "intersection")?, group(other, "intersection")?) };
    object(unlocked(|| one.intersection(other)))
}

unsafe fn difference(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, other) = unsafe { (group(this, "difference")?, group(other, "difference")?) };
    object(unlocked(|| one.difference(other)))
}

unsafe fn include(this: *mut PyObject, [given]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, ranks) = unsafe { (group(this, "include")?, ranks(given, "include ranks of a group")?) };
    object(unlocked(|| one.include(&ranks)))
}

unsafe fn exclude(this: *mut PyObject, [given]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, ranks) = unsafe { (group(this, "exclude")?, ranks(given, "exclude ranks of a group")?) };
    object(unlocked(|| one.exclude(&ranks)))
}

unsafe fn translate(this: *mut PyObject, [given, other]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (one, other) = (group(this, "translate")?, group(other, "translate")?);
        let ranks = ranks(given, "translate ranks")?;
        listed(&unlocked(|| one.translate(&ranks, other)).map_err(raise)?)
    }
}

unsafe fn compare(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, other) = unsafe { (group(this, "compare")?, group(other, "compare")?) };
    alike(unlocked(|| one.compare(other)).map_err(raise)?)
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a group that nobody refers to.
    unsafe {
        let group = (*this.cast::<Object>()).group;
        // What a child has of its parent's is not its own to free.
        if !group.is_null() && !is_forked() {
            let group = Box::from_raw(group);
            unlocked(|| drop(group));
        }
        make::free(this);
    }
}

unsafe fn group_of(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below, as arguments do.
    let comm = unsafe { peers(this)? };
    object(unlocked(|| comm.group()))
}

unsafe fn remote_group(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let between = unsafe { between(this)? };
    object(unlocked(|| between.remote_group()))
}

unsafe fn acknowledged_failures(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { of(this)? };
    object(unlocked(|| comm.acknowledged_failures()))
}

/// `create(of, group)`, which makes an object of this type.
unsafe fn create(this: *mut PyObject, [kind, given]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, group) = (of(this)?, group(given, "create")?);
        let made = unlocked(|| comm.create(group)).map_err(raise)?;
        made.map_or(Ok(py::none()), |comm| made_of(kind, Held::Made(Arc::new(comm))))
    }
}

unsafe fn create_group(this: *mut PyObject, [kind, given, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, group) = (of(this)?, group(given, "create_group")?);
        let with = number_or(with, 0, "tag")?;
        let made = unlocked(|| comm.create_group(group, with)).map_err(raise)?;
        made_of(kind, Held::Made(Arc::new(made)))
    }
}

unsafe fn split_shared_memory(this: *mut PyObject, [kind, key]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, key) = (of(this)?, number_or(key, 0, "key")?);
        let made = unlocked(|| comm.split_shared_memory(key)).map_err(raise)?;
        made_of(kind, Held::Made(Arc::new(made)))
    }
}

unsafe fn compare_comm(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (one, other) = unsafe { (of(this)?, super::communicator::argument(other, "compare")?) };
    alike(unlocked(|| one.compare(other)).map_err(raise)?)
}

unsafe fn name(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let comm = unsafe { peers(this)? };
    py::text(unlocked(|| comm.name()).map_err(raise)?.as_bytes())
}

unsafe fn set_name(this: *mut PyObject, [name]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, name) = unsafe { (peers(this)?, py::utf8(name)?.to_owned()) };
    unlocked(|| comm.set_name(&name)).map_err(raise)?;
    Ok(py::none())
}
