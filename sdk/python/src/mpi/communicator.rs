//! Processes that pass messages to one another.

use super::between::{self, Between};
use super::failure::{raise, raise_as};
use super::integer::integer;
use super::{
    action, begun, buffered, checked, collective, exact, fault, file, group, is_forked, message, method,
    number_or, own_process, partitioned, parts, persistent, point, process, reduce, request, topology, typed,
    types, unlocked, values, window,
};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::ops::Deref;
use std::sync::Arc;
use upcall_mpi::{Cartesian, Communicator, Graph};

/// A communicator, for as long as anything needs it.
#[derive(Clone)]
pub enum Held {
    /// One that MPI has from the start.
    Given(&'static Communicator),
    /// One that was made, and is freed.
    Made(Arc<Communicator>),
    /// One of ranks on a grid.
    Grid(Arc<Cartesian>),
    /// One of ranks with neighbors that were said.
    Graph(Arc<Graph>),
    /// One whose messages go to another group.
    Between(Arc<Between>),
}

impl Deref for Held {
    type Target = Communicator;

    #[inline]
    fn deref(&self) -> &Communicator {
        match self {
            Held::Given(given) => given,
            Held::Made(made) => made,
            Held::Grid(grid) => grid,
            Held::Graph(graph) => graph,
            Held::Between(between) => between.messages(),
        }
    }
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that was made by nobody here.
    held: *mut Held,
}

/// The communicator of an object, if it is one whose ranks all do together what they do.
///
/// # Safety
/// It must be one that stays alive while the result is used.
#[inline]
pub unsafe fn of<'a>(object: *mut PyObject) -> Outcome<&'a Held> {
    // SAFETY: the caller's promise.
    match unsafe { peers(object)? } {
        Held::Between(_) => Err(raise_as(
            "usage",
            "use a communicator: this one is between two groups, which have calls of their own; merge makes one of all",
        )),
        held => Ok(held),
    }
}

/// The communicator of an object, or what passes messages to another group.
///
/// # Safety
/// As [`of`].
#[inline]
pub unsafe fn peers<'a>(object: *mut PyObject) -> Outcome<&'a Held> {
    own_process()?;
    // SAFETY: the caller's promise.
    match unsafe { (*object.cast::<Object>()).held.as_ref() } {
        Some(Held::Between(between)) if between.is_gone() => {
            Err(raise_as("usage", "use an intercommunicator: it was disconnected from the other group"))
        }
        Some(held) => Ok(held),
        None => {
            Err(raise_as("lifecycle", "use a communicator: it is none that MPI has made; take a world's"))
        }
    }
}

/// What passes messages to another group.
///
/// # Safety
/// As [`of`].
pub unsafe fn between<'a>(object: *mut PyObject) -> Outcome<&'a Between> {
    // SAFETY: the caller's promise.
    match unsafe { peers(object)? } {
        Held::Between(between) => Ok(between),
        _ => Err(raise_as("usage", "use an intercommunicator: this communicator has one group only")),
    }
}

/// The same of an argument, which may be anything that is alive.
///
/// # Safety
/// As above.
pub unsafe fn argument<'a>(object: *mut PyObject, what: &str) -> Outcome<&'a Held> {
    // SAFETY: the caller's promise.
    unsafe {
        if ffi::PyObject_TypeCheck(object, types().communicator.as_ptr().cast()) == 0 {
            return Err(py::raise(py::Kind::Type, format!("{what}: give an mpi.Communicator")));
        }
        of(object)
    }
}

/// One that was made, as an object of a type that is derived from ours.
///
/// # Safety
/// The type must be alive.
pub unsafe fn made_of(kind: *mut PyObject, held: Held) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    object(&unsafe { Ref::share(kind) }, held)
}

/// One that MPI has from the start, as an object of this type.
pub fn given(of: &Ref, comm: &'static Communicator) -> Outcome<Ref> {
    object(of, Held::Given(comm))
}

pub fn object(of: &Ref, held: Held) -> Outcome<Ref> {
    let made = make::new(of)?;
    // SAFETY: a new object of a type that is derived from ours.
    unsafe { (*made.as_ptr().cast::<Object>()).held = Box::into_raw(Box::new(held)) };
    Ok(made)
}

/// What `upcall.mpi.Communicator` is derived from.
pub fn communicator_type() -> Outcome<Ref> {
    let of = TypeOf::new::<Object>(c"upcall._upcall.MpiCommunicator")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"rank", rank, c"This process's rank, from 0 on.")
        .attribute(c"size", size, c"How many processes there are.")
        .attribute(c"largest_tag", largest_tag, c"The largest tag that messages may have.")
        .action(c"_duplicate", action!(duplicate), c"The same processes, apart. Collective.")
        .method(
            c"_split",
            method!(split as "split"(of, color, key), 2),
            c"Those of the same color. Collective.",
        )
        .method(c"abort", method!(abort as "abort"(code), 0), c"Ends all processes of the job at once.");
    let of = partitioned::methods(persistent::methods(begun::methods(buffered::methods(of))));
    let of = point::methods(request::methods(message::methods(window::methods(of))));
    let of = file::methods(topology::methods(group::methods(of)));
    let of = reduce::methods(parts::methods(collective::methods(of)));
    let of = typed::methods(checked::methods(exact::methods(of)));
    fault::methods(values::methods(process::methods(between::methods(of)))).make(None)
}

unsafe extern "C" fn rank(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes a communicator.
    py::returned(unsafe { peers(this) }.and_then(|comm| py::int(comm.rank() as u64)))
}

unsafe extern "C" fn size(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { peers(this) }.and_then(|comm| py::int(comm.size() as u64)))
}

unsafe extern "C" fn largest_tag(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { peers(this) }.and_then(|comm| py::int(comm.largest_tag().map_err(raise)? as u64)))
}

/// The same processes, as an object of the same type.
unsafe fn duplicate(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a communicator that lives until this returns, here and below.
    unsafe {
        let twin = match peers(this)? {
            Held::Grid(grid) => unlocked(|| grid.duplicate()).map(|grid| Held::Grid(Arc::new(grid))),
            Held::Graph(graph) => unlocked(|| graph.duplicate()).map(|graph| Held::Graph(Arc::new(graph))),
            Held::Between(between) => {
                unlocked(|| between.duplicate()).map(|twin| Held::Between(Arc::new(twin)))
            }
            comm => unlocked(|| comm.duplicate()).map(|comm| Held::Made(Arc::new(comm))),
        };
        made_of(ffi::Py_TYPE(this).cast(), twin.map_err(raise)?)
    }
}

/// `split(of, color, key)`, where a color that is negative is none: an object of this type.
unsafe fn split(this: *mut PyObject, [kind, color, key]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above, and arguments that do.
    unsafe {
        let comm = of(this)?;
        let (color, key) = (integer(color, "color")?, number_or(key, 0, "key")?);
        // One that is too large is told to all.
        let color = u64::try_from(color).ok().map(|color| u32::try_from(color).unwrap_or(u32::MAX));
        let split = unlocked(|| comm.split(color, key)).map_err(raise)?;
        split.map_or(Ok(py::none()), |comm| made_of(kind, Held::Made(Arc::new(comm))))
    }
}

unsafe fn abort(this: *mut PyObject, [code]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, code) = unsafe { (peers(this)?, number_or(code, 1, "code")?) };
    comm.abort(code)
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a communicator that nobody refers to.
    unsafe {
        let held = (*this.cast::<Object>()).held;
        // What a child has of its parent's is not its own to free.
        if !held.is_null() && !is_forked() {
            let held = Box::from_raw(held);
            match *held {
                Held::Given(_) => {}
                made => unlocked(|| drop(made)),
            }
        }
        free(this);
    }
}

/// Frees an object whose type may be derived in Python, and so may be the collector's.
///
/// # Safety
/// Only from the type's `tp_dealloc`.
pub unsafe extern "C" fn free(object: *mut PyObject) {
    // SAFETY: the caller's promise: nobody refers to it, and a heap type is owned by its objects.
    unsafe {
        let of = ffi::Py_TYPE(object);
        let free = ffi::PyType_GetSlot(of, ffi::Py_tp_free);
        std::mem::transmute::<*mut std::ffi::c_void, ffi::freefunc>(free)(object.cast());
        ffi::decref(of.cast());
    }
}
