//! Memory of ranks that others read and write.

use super::buffer::Buffer;
use super::communicator::of;
use super::epoch;
use super::failure::{raise, raise_as};
use super::integer::count;
use super::kept::{Kept, release_left};
use super::request::lent;
use super::{action, is_forked, method, own_process, rank_or, truth, types, unlocked};
use crate::failure;
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Raised, Ref};
use crate::types::{self as make, TypeOf};
use upcall_mpi::{Error, Lock, OpenEpoch, OpenWindow};

#[repr(C)]
struct Object {
    head: PyObject,
    window: *mut OpenWindow<Kept>,
    /// What it was made over; null where its memory is MPI's.
    memory: *mut PyObject,
}

/// What `upcall.mpi.Window` and `upcall.mpi.SharedWindow` are around.
pub fn window_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiWindow")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"rank", rank, c"This process's rank, as the window numbers them.")
        .attribute(c"size", size, c"How many ranks there are.")
        .method(c"length", method!(length as "length"(rank), 1), c"How many elements a rank has.")
        .action(c"is_unified", action!(is_unified), c"Whether it has MPI's unified memory model.")
        .action(c"fence", action!(fence), c"An epoch of all ranks.")
        .action(c"lock_all", action!(lock_all), c"An epoch with all ranks.")
        .action(c"together", action!(together), c"The memory of all ranks.")
        .action(c"free", action!(free), c"Ends it. Collective.")
        .method(c"access", method!(access as "access"(ranks), 1), c"An epoch with some ranks.")
        .method(c"expose", method!(expose as "expose"(ranks), 1), c"Lets some ranks access this one's.")
        .method(c"lock", method!(lock as "lock"(exclusive, rank), 2), c"An epoch with one rank.")
        .method(c"memory_of", method!(memory_of as "memory_of"(rank), 1), c"A rank's memory, in place.")
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_window",
        method!(allocate as "window"(count, element), 2),
        c"A window over memory of MPI's. Collective.",
    )
    .method(
        c"_window_over",
        method!(create as "window"(memory, element), 2),
        c"A window over memory of an object's. Collective.",
    )
    .method(
        c"_shared_window",
        method!(shared as "window"(count, element), 2),
        c"A window among the ranks of this machine. Collective.",
    )
}

fn made(window: Result<OpenWindow<Kept>, Error>) -> Outcome<Ref> {
    release_left();
    let window = window.map_err(raise)?;
    let made = make::new(&types().window)?;
    // SAFETY: a new object, ours alone.
    unsafe { (*made.as_ptr().cast::<Object>()).window = Box::into_raw(Box::new(window)) };
    Ok(made)
}

/// What `make` makes of so many elements, which all ranks wait for: where the number is none they are told, by one that no window has.
///
/// # Safety
/// The number must be alive.
unsafe fn allocated(
    number: *mut PyObject,
    make: impl FnOnce(usize) -> Result<OpenWindow<Kept>, Error>,
) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    match unsafe { count(number, "count") } {
        Ok(number) => made(unlocked(|| make(number))),
        Err(raised) => {
            let raised = failure::raised(raised);
            // It fails.
            drop(unlocked(|| make(usize::MAX)));
            Err(raised.map_or(Raised, |raised| failure::raise(&raised)))
        }
    }
}

unsafe fn allocate(this: *mut PyObject, [number, element]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, element) = (of(this)?, count(element, "element")?);
        allocated(number, |number| OpenWindow::allocate(comm, number, element))
    }
}

unsafe fn shared(this: *mut PyObject, [number, element]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, element) = (of(this)?, count(element, "element")?);
        allocated(number, |number| OpenWindow::shared(comm, number, element))
    }
}

unsafe fn create(this: *mut PyObject, [memory, element]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = of(this)?;
        let element = count(element, "element")?;
        let lent = lent(Buffer::write(memory, "make a window")?);
        let made = made(unlocked(|| OpenWindow::create(comm, lent, element)))?;
        (*made.as_ptr().cast::<Object>()).memory = Ref::share(memory).into_ptr();
        Ok(made)
    }
}

/// What keeps a window's memory for whoever sees it: the window, or a view of what it was made over, which outlives it.
pub unsafe fn keeper(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: the caller's window.
    unsafe {
        let memory = (*this.cast::<Object>()).memory;
        if memory.is_null() {
            return Ok(Ref::share(this));
        }
        Ref::steal(ffi::PyMemoryView_FromObject(memory))
    }
}

/// The window of an object, which lives as long as that.
unsafe fn window<'a>(this: *mut PyObject) -> Outcome<&'a OpenWindow<Kept>> {
    own_process()?;
    // SAFETY: the caller's window, which is set once.
    Ok(unsafe { &*(*this.cast::<Object>()).window })
}

unsafe extern "C" fn rank(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes a window.
    py::returned(unsafe { window(this) }.and_then(|window| py::int(window.rank() as u64)))
}

unsafe extern "C" fn size(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { window(this) }.and_then(|window| py::int(window.size() as u64)))
}

unsafe fn length(this: *mut PyObject, [rank]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a window and arguments that live until this returns, here and below.
    let (window, rank) = unsafe { (window(this)?, rank_or(rank, 0, "rank")?) };
    match window.length(rank) {
        Some(length) => py::int(length as u64),
        None => {
            let ranks = window.size();
            let message =
                format!("ask for a window's length: there is no rank {rank}; it has {ranks}, from 0 on");
            Err(raise_as("rank", message))
        }
    }
}

unsafe fn is_unified(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let window = window(this)?;
        let unified = unlocked(|| window.is_unified()).map_err(raise)?;
        Ref::steal(ffi::PyBool_FromLong(unified.into()))
    }
}

/// An epoch that `begin` begins, without the lock.
unsafe fn begun(
    this: *mut PyObject,
    begin: impl FnOnce(&OpenWindow<Kept>) -> Result<OpenEpoch<Kept>, Error>,
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let window = window(this)?;
        epoch::made(unlocked(|| begin(window)).map_err(raise)?, this)
    }
}

unsafe fn fence(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begun(this, OpenWindow::fence) }
}

unsafe fn lock_all(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begun(this, OpenWindow::lock_all) }
}

unsafe fn together(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begun(this, OpenWindow::together) }
}

/// Ranks, as an array of numbers of 32 bits.
unsafe fn ranks(given: *mut PyObject) -> Outcome<Vec<usize>> {
    // SAFETY: the caller's argument.
    let buffer = unsafe { Buffer::read(given, "access a window")? };
    let numbers =
        buffer.bytes().chunks_exact(4).map(|four| i32::from_ne_bytes([four[0], four[1], four[2], four[3]]));
    numbers
        .map(|number| {
            usize::try_from(number).map_err(|_| {
                raise_as("rank", format!("access a window: there is no rank {number}; they count from 0 on"))
            })
        })
        .collect()
}

unsafe fn access(this: *mut PyObject, [given]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let ranks = ranks(given)?;
        begun(this, |window| window.access(&ranks))
    }
}

unsafe fn expose(this: *mut PyObject, [given]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (window, ranks) = (window(this)?, ranks(given)?);
        epoch::exposed(unlocked(|| window.expose(&ranks)).map_err(raise)?, this)
    }
}

unsafe fn lock(this: *mut PyObject, [exclusive, rank]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let lock = if truth(exclusive)? { Lock::Exclusive } else { Lock::Shared };
        let rank = rank_or(rank, 0, "rank")?;
        begun(this, |window| window.lock(lock, rank))
    }
}

unsafe fn memory_of(this: *mut PyObject, [rank]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let rank = rank_or(rank, 0, "rank")?;
        begun(this, |window| window.memory_of(rank))
    }
}

unsafe fn free(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let window = window(this)?;
        let freed = unlocked(|| window.free());
        release_left();
        freed.map_err(raise)?;
        Ok(py::none())
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a window that nobody refers to.
    unsafe {
        let window = (*this.cast::<Object>()).window;
        if !window.is_null() && !is_forked() {
            // One that was not freed stays until MPI ends.
            drop(Box::from_raw(window));
            release_left();
        }
        drop(Ref::steal((*this.cast::<Object>()).memory));
        make::free(this);
    }
}
