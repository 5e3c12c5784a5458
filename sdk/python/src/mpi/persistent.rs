//! Requests that are started again and again, over memory of Python objects.

use super::buffer::Buffer;
use super::combine::Shared;
use super::communicator::peers;
use super::failure::{raise, raise_as};
use super::kept::release_left;
use super::point::{source, tag};
use super::request::lent;
use super::status::Told;
use super::waits::hearing;
use super::{action, is_forked, method, number_or, own_process, rank_or, types, unlocked};
use crate::failure;
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::{self as make, TypeOf};
use std::mem::offset_of;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use upcall_mpi::{Error, ErrorKind, Persistent, Sending, Status};

struct Rounds {
    request: Persistent<u8>,
    receives: bool,
    function: Option<Arc<Shared>>,
    /// What the last round has come to: a status, or what was raised.
    last: Option<Result<Kept, Kept>>,
}

/// A reference that is counted by attached threads alone.
#[derive(Clone)]
struct Kept(Ref);

// SAFETY: as it says.
unsafe impl Send for Kept {}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that has none yet.
    rounds: *mut Mutex<Rounds>,
    data: *mut PyObject,
    into: *mut PyObject,
}

/// `upcall.mpi.Persistent`.
pub fn persistent_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall.mpi.Persistent")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .member(c"sent", ffi::Py_T_OBJECT_EX, offset_of!(Object, data))
        .member(c"data", ffi::Py_T_OBJECT_EX, offset_of!(Object, into))
        .attribute(c"active", active, c"Whether a round is under way.")
        .action(c"start", action!(start), c"Starts a round.")
        .action(c"wait", action!(wait), c"Waits until the round has ended: its status.")
        .action(c"test", action!(test), c"Whether the round has ended.")
        .slot(ffi::Py_am_await, super::request::awaited as *const ())
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"send_init",
        method!(send_init as "send_init"(data, dest, tag), 2),
        c"send_init(data, dest, tag=0)",
    )
    .method(
        c"send_synchronous_init",
        method!(send_synchronous_init as "send_synchronous_init"(data, dest, tag), 2),
        c"send_synchronous_init(data, dest, tag=0)",
    )
    .method(
        c"send_ready_init",
        method!(send_ready_init as "send_ready_init"(data, dest, tag), 2),
        c"send_ready_init(data, dest, tag=0)",
    )
    .method(
        c"send_buffered_init",
        method!(send_buffered_init as "send_buffered_init"(data, dest, tag), 2),
        c"send_buffered_init(data, dest, tag=0)",
    )
    .method(
        c"receive_init",
        method!(receive_init as "receive_init"(into, source, tag), 1),
        c"receive_init(into, source=ANY_SOURCE, tag=ANY_TAG)",
    )
}

/// One that was made ready, as an object.
///
/// # Safety
/// Both arguments must be alive.
pub unsafe fn made(
    request: Result<Persistent<u8>, Error>,
    data: *mut PyObject,
    into: *mut PyObject,
    receives: bool,
    function: Option<Arc<Shared>>,
) -> Outcome<Ref> {
    release_left();
    let request = request.map_err(raise)?;
    let rounds = Mutex::new(Rounds { request, receives, function, last: None });
    let made = make::new(&types().persistent)?;
    // SAFETY: a new object, ours alone, and the caller's promise.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).rounds = Box::into_raw(Box::new(rounds));
        (*object).data = Ref::share(data).into_ptr();
        (*object).into = Ref::share(into).into_ptr();
    }
    Ok(made)
}

unsafe fn sends(this: *mut PyObject, [data, dest, with]: [*mut PyObject; 3], how: Sending) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let comm = peers(this)?;
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let memory = lent(Buffer::read(data, "send_init")?);
        let request = unlocked(|| comm.send_init_lent(memory, dest, with, how));
        made(request, data, data, false, None)
    }
}

unsafe fn send_init(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sends(this, arguments, Sending::Standard) }
}

unsafe fn send_synchronous_init(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sends(this, arguments, Sending::Synchronous) }
}

unsafe fn send_ready_init(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sends(this, arguments, Sending::Ready) }
}

unsafe fn send_buffered_init(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { sends(this, arguments, Sending::Buffered) }
}

unsafe fn receive_init(this: *mut PyObject, [into, from, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = peers(this)?;
        let (from, with) = (source(from)?, tag(with)?);
        let memory = lent(Buffer::write(into, "receive_init")?);
        let request = unlocked(|| comm.receive_init_lent(memory, from, with));
        made(request, into, into, true, None)
    }
}

/// What an object has, for this thread.
///
/// # Safety
/// It must be one of ours that is alive.
unsafe fn rounds<'a>(this: *mut PyObject) -> Outcome<MutexGuard<'a, Rounds>> {
    own_process()?;
    // SAFETY: the caller's promise; it is set once.
    match unsafe { (*(*this.cast::<Object>()).rounds).try_lock() } {
        Ok(rounds) => Ok(rounds),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            Err(raise_as("usage", "use a persistent request: another thread waits for it"))
        }
    }
}

unsafe extern "C" fn active(this: *mut PyObject, _: *mut std::ffi::c_void) -> *mut PyObject {
    // SAFETY: CPython passes one of ours.
    py::returned(unsafe {
        rounds(this).and_then(|rounds| Ref::steal(ffi::PyBool_FromLong(rounds.request.is_active().into())))
    })
}

unsafe fn start(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: one of ours that lives until this returns, here and below.
    let mut rounds = unsafe { rounds(this)? };
    unlocked(|| rounds.request.start()).map_err(raise)?;
    rounds.last = None;
    Ok(py::none())
}

impl Rounds {
    /// Looks whether a round has ended.
    fn look(&mut self) -> Result<Option<Result<Status, Error>>, Error> {
        match self.request.test() {
            Ok(None) => Ok(None),
            Ok(Some(status)) => Ok(Some(Ok(status))),
            // It goes on: this thread was refused.
            Err(error) if self.request.is_active() => Err(error),
            Err(error) => Ok(Some(Err(error))),
        }
    }

    /// Keeps what a round has come to.
    fn ended(&mut self, outcome: Result<Status, Error>) {
        let told =
            outcome.and_then(|status| if self.receives { Told::of(&status) } else { Ok(Told::NOTHING) });
        let outcome = match told {
            Ok(told) => told.object(),
            Err(error) => Err(match &self.function {
                Some(function) if error.kind() == ErrorKind::Operation => function.failed(error),
                _ => raise(error),
            }),
        };
        self.last = match outcome {
            Ok(status) => Some(Ok(Kept(status))),
            Err(raised) => failure::raised(raised).map(|raised| Err(Kept(raised))),
        };
    }

    fn last(&self) -> Outcome<Ref> {
        match &self.last {
            Some(Ok(status)) => Ok(status.0.clone()),
            Some(Err(raised)) => Err(failure::raise(&raised.0)),
            None => Err(raise_as("usage", "wait for a persistent request: it was not started")),
        }
    }
}

unsafe fn wait(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let mut rounds = unsafe { rounds(this)? };
    if rounds.request.is_active() {
        let mut outcome = None;
        hearing(|| {
            outcome = rounds.look()?;
            Ok(outcome.is_some())
        })?;
        if let Some(outcome) = outcome {
            rounds.ended(outcome);
        }
    }
    rounds.last()
}

unsafe fn test(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let mut rounds = unsafe { rounds(this)? };
    if rounds.request.is_active() {
        let Some(outcome) = unlocked(|| rounds.look()).map_err(raise)? else {
            // SAFETY: no argument to get wrong, here and below.
            return unsafe { Ref::steal(ffi::PyBool_FromLong(0)) };
        };
        rounds.ended(outcome);
    }
    rounds.last()?;
    // SAFETY: as above.
    unsafe { Ref::steal(ffi::PyBool_FromLong(1)) }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with one that nobody refers to.
    unsafe {
        let object = this.cast::<Object>();
        // What a child has of its parent's is not its own to end.
        if !(*object).rounds.is_null() && !is_forked() {
            let rounds = Box::from_raw((*object).rounds);
            if let Ok(Rounds { request, function, last, .. }) = rounds.into_inner() {
                drop(last);
                unlocked(|| drop((request, function)));
                release_left();
            }
        }
        for argument in [(*object).data, (*object).into] {
            drop(Ref::steal(argument));
        }
        make::free(this);
    }
}
