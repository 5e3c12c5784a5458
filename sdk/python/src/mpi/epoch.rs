//! What is done to windows between two points in time.

use super::buffer::Buffer;
use super::failure::raise;
use super::integer::count;
use super::kept::{Kept, release_left};
use super::memory;
use super::request::{accessing, lent};
use super::{action, given, is_forked, method, own_process, rank_or, truth, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use upcall_mpi::{Combining, Error, OpenEpoch, OpenExposure};

#[repr(C)]
struct Object {
    head: PyObject,
    epoch: *mut OpenEpoch<Kept>,
    window: *mut PyObject,
}

#[repr(C)]
struct Exposed {
    head: PyObject,
    exposure: *mut OpenExposure<Kept>,
    window: *mut PyObject,
}

/// What `upcall.mpi.Epoch` and its like are around.
pub fn epoch_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiEpoch")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .method(c"put", method!(put as "put"(data, rank, at), 3), c"Writes elements at a rank.")
        .method(c"get", method!(get as "get"(into, rank, at), 3), c"Reads elements of a rank's.")
        .method(c"fetch", method!(fetch as "fetch"(into, rank, at), 3), c"The same, at once.")
        .method(
            c"accumulate",
            method!(accumulate as "accumulate"(data, rank, at, op, number), 5),
            c"Combines elements into a rank's.",
        )
        .method(
            c"get_accumulate",
            method!(get_accumulate as "get_accumulate"(data, before, rank, at, op, number), 6),
            c"The same; what was there before comes back.",
        )
        .method(
            c"fetch_and_accumulate",
            method!(fetch_and_accumulate as "fetch_and_accumulate"(data, before, rank, at, op, number), 6),
            c"The same, at once.",
        )
        .method(
            c"fetch_and_op",
            method!(fetch_and_op as "fetch_and_op"(value, before, rank, at, op, number, now), 7),
            c"The same of one number.",
        )
        .method(
            c"compare_and_swap",
            method!(compare_and_swap as "compare_and_swap"(expected, value, before, rank, at, number, now), 7),
            c"Writes an integer where another one is.",
        )
        .method(c"start_put", method!(start_put as "start_put"(data, rank, at), 3), c"Begins to write elements.")
        .method(c"start_get", method!(start_get as "start_get"(into, rank, at), 3), c"Begins to read elements.")
        .method(
            c"start_accumulate",
            method!(start_accumulate as "start_accumulate"(data, rank, at, op, number), 5),
            c"Begins to combine elements.",
        )
        .method(c"flush", method!(flush as "flush"(rank, local), 2), c"Completes what was begun.")
        .method(c"memory", method!(memory as "memory"(rank, readonly), 2), c"A rank's memory, in place.")
        .action(c"has_ended", action!(has_ended), c"Whether it has ended.")
        .action(c"end", action!(end), c"Ends it.")
        .make(None)
}

/// What `upcall.mpi.Exposure` is around.
pub fn exposure_type() -> Outcome<Ref> {
    TypeOf::new::<Exposed>(c"upcall._upcall.MpiExposure")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc_exposed as *const ())
        .action(c"wait", action!(wait), c"Waits until all ranks have ended their access.")
        .action(c"test", action!(test), c"Whether they have.")
        .make(None)
}

/// An epoch of a window's, which it keeps.
///
/// # Safety
/// The window must be alive.
pub unsafe fn made(epoch: OpenEpoch<Kept>, window: *mut PyObject) -> Outcome<Ref> {
    let made = make::new(&types().epoch)?;
    // SAFETY: a new object, ours alone; the caller's promise.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).epoch = Box::into_raw(Box::new(epoch));
        (*object).window = Ref::share(window).into_ptr();
    }
    Ok(made)
}

/// An exposure of a window's, which it keeps.
///
/// # Safety
/// The window must be alive.
pub unsafe fn exposed(exposure: OpenExposure<Kept>, window: *mut PyObject) -> Outcome<Ref> {
    let made = make::new(&types().exposure)?;
    // SAFETY: as above.
    unsafe {
        let object = made.as_ptr().cast::<Exposed>();
        (*object).exposure = Box::into_raw(Box::new(exposure));
        (*object).window = Ref::share(window).into_ptr();
    }
    Ok(made)
}

unsafe fn epoch<'a>(this: *mut PyObject) -> Outcome<&'a OpenEpoch<Kept>> {
    own_process()?;
    // SAFETY: the caller's epoch, which is set once.
    Ok(unsafe { &*(*this.cast::<Object>()).epoch })
}

/// Calls MPI without the lock.
fn called(call: impl FnOnce() -> Result<(), Error>) -> Outcome<Ref> {
    let outcome = unlocked(call);
    release_left();
    outcome.map_err(raise)?;
    Ok(py::none())
}

/// Where: a rank, and the place of an element there.
unsafe fn place(rank: *mut PyObject, at: *mut PyObject) -> Outcome<(usize, usize)> {
    // SAFETY: the caller's arguments.
    unsafe { Ok((rank_or(rank, 0, "rank")?, count(at, "at")?)) }
}

/// By which operation, on which numbers.
unsafe fn by(op: *mut PyObject, number: *mut PyObject) -> Outcome<Combining> {
    // SAFETY: the caller's arguments.
    unsafe { Combining::named(py::utf8(op)?, py::utf8(number)?).map_err(raise) }
}

unsafe fn put(this: *mut PyObject, [data, rank, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: an epoch and arguments that live until this returns, here and below.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let data = lent(Buffer::read(data, "put")?);
        called(|| epoch.put_lent(data, rank, at))
    }
}

unsafe fn get(this: *mut PyObject, [into, rank, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let into = lent(Buffer::write(into, "get")?);
        called(|| epoch.get_lent(into, rank, at))
    }
}

unsafe fn fetch(this: *mut PyObject, [into, rank, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let mut into = Buffer::write(into, "fetch")?;
        called(|| epoch.fetch(into.bytes_mut(), rank, at))
    }
}

unsafe fn accumulate(this: *mut PyObject, [data, rank, at, op, number]: [*mut PyObject; 5]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at), by) = (epoch(this)?, place(rank, at)?, by(op, number)?);
        let data = lent(Buffer::read(data, "accumulate")?);
        called(|| epoch.accumulate_lent(data, rank, at, by))
    }
}

unsafe fn get_accumulate(
    this: *mut PyObject,
    [data, before, rank, at, op, number]: [*mut PyObject; 6],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at), by) = (epoch(this)?, place(rank, at)?, by(op, number)?);
        let data = Buffer::read(data, "get_accumulate")?;
        let before = lent(Buffer::write(before, "get_accumulate")?);
        called(|| epoch.get_accumulate_lent(data.bytes(), before, rank, at, by))
    }
}

unsafe fn fetch_and_accumulate(
    this: *mut PyObject,
    [data, before, rank, at, op, number]: [*mut PyObject; 6],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at), by) = (epoch(this)?, place(rank, at)?, by(op, number)?);
        let data = Buffer::read(data, "fetch_and_accumulate")?;
        let mut before = Buffer::write(before, "fetch_and_accumulate")?;
        called(|| epoch.fetch_and_accumulate(data.bytes(), before.bytes_mut(), rank, at, by))
    }
}

unsafe fn fetch_and_op(
    this: *mut PyObject,
    [value, before, rank, at, op, number, now]: [*mut PyObject; 7],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at), by) = (epoch(this)?, place(rank, at)?, by(op, number)?);
        let value = Buffer::read(value, "fetch_and_op")?;
        let mut before = Buffer::write(before, "fetch_and_op")?;
        if truth(now)? {
            return called(|| epoch.fetch_and_op(value.bytes(), before.bytes_mut(), rank, at, by));
        }
        let before = lent(before);
        called(|| epoch.fetch_and_op_lent(value.bytes(), before, rank, at, by))
    }
}

unsafe fn compare_and_swap(
    this: *mut PyObject,
    [expected, value, before, rank, at, number, now]: [*mut PyObject; 7],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let of = Combining::named("Replace", py::utf8(number)?).map_err(raise)?;
        let (expected, value) =
            (Buffer::read(expected, "compare_and_swap")?, Buffer::read(value, "compare_and_swap")?);
        let mut before = Buffer::write(before, "compare_and_swap")?;
        if truth(now)? {
            return called(|| {
                epoch.compare_and_swap(expected.bytes(), value.bytes(), before.bytes_mut(), rank, at, of)
            });
        }
        let before = lent(before);
        called(|| epoch.compare_and_swap_lent(expected.bytes(), value.bytes(), before, rank, at, of))
    }
}

unsafe fn start_put(this: *mut PyObject, [data, rank, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let memory = lent(Buffer::read(data, "start_put")?);
        accessing(unlocked(|| epoch.start_put_lent(memory, rank, at)), data)
    }
}

unsafe fn start_get(this: *mut PyObject, [into, rank, at]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at)) = (epoch(this)?, place(rank, at)?);
        let memory = lent(Buffer::write(into, "start_get")?);
        accessing(unlocked(|| epoch.start_get_lent(memory, rank, at)), into)
    }
}

unsafe fn start_accumulate(
    this: *mut PyObject,
    [data, rank, at, op, number]: [*mut PyObject; 5],
) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, (rank, at), by) = (epoch(this)?, place(rank, at)?, by(op, number)?);
        let memory = lent(Buffer::read(data, "start_accumulate")?);
        accessing(unlocked(|| epoch.start_accumulate_lent(memory, rank, at, by)), data)
    }
}

unsafe fn flush(this: *mut PyObject, [rank, local]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (epoch, local) = (epoch(this)?, truth(local)?);
        let rank = given(rank).map(|rank| rank_or(rank, 0, "rank")).transpose()?;
        called(|| epoch.flush(rank, local))
    }
}

unsafe fn memory(this: *mut PyObject, [rank, readonly]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above; the memory keeps what keeps it.
    unsafe {
        let (rank, readonly) = (rank_or(rank, 0, "rank")?, truth(readonly)?);
        let epoch = epoch(this)?;
        // Another thread may wait for others with it.
        let (address, bytes) = unlocked(|| epoch.memory(rank)).map_err(raise)?;
        let keeper = super::window::keeper((*this.cast::<Object>()).window)?;
        memory::of_window(address, bytes, readonly, &keeper)
    }
}

unsafe fn has_ended(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let epoch = epoch(this)?;
        Ref::steal(ffi::PyBool_FromLong(unlocked(|| epoch.has_ended()).into()))
    }
}

unsafe fn end(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let epoch = unsafe { epoch(this)? };
    called(|| epoch.end())
}

unsafe fn wait(this: *mut PyObject) -> Outcome<Ref> {
    own_process()?;
    // SAFETY: an exposure that lives until this returns.
    let exposure = unsafe { &*(*this.cast::<Exposed>()).exposure };
    called(|| exposure.wait())
}

unsafe fn test(this: *mut PyObject) -> Outcome<Ref> {
    own_process()?;
    // SAFETY: as above.
    unsafe {
        let exposure = &*(*this.cast::<Exposed>()).exposure;
        let ended = unlocked(|| exposure.test()).map_err(raise)?;
        Ref::steal(ffi::PyBool_FromLong(ended.into()))
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with an epoch that nobody refers to.
    unsafe {
        let object = this.cast::<Object>();
        if !(*object).epoch.is_null() && !is_forked() {
            // One that has not ended stays open.
            drop(Box::from_raw((*object).epoch));
        }
        drop(Ref::steal((*object).window));
        make::free(this);
    }
}

unsafe extern "C" fn dealloc_exposed(this: *mut PyObject) {
    // SAFETY: as above, with an exposure.
    unsafe {
        let object = this.cast::<Exposed>();
        if !(*object).exposure.is_null() && !is_forked() {
            drop(Box::from_raw((*object).exposure));
        }
        drop(Ref::steal((*object).window));
        make::free(this);
    }
}
