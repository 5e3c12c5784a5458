//! Calls that go on while the program does something else, with the memory that they read or fill.

use super::buffer::Buffer;
use super::combine::Shared;
use super::communicator::peers;
use super::failure::{self, raise, raise_as};
use super::kept::{Kept, release_left};
use super::point::{source, tag};
use super::status::Told;
use super::waits::hearing;
use super::{action, is_forked, method, number_or, own_process, rank_or, types, unlocked};
use crate::failure::{raise as raise_again, raised};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Raised, Ref};
use crate::types::{self as make, TypeOf};
use std::mem::offset_of;
use std::sync::Arc;
use upcall_mpi::{Error, ErrorKind, Lent, LentTransfer, OpenTransfer, Request, Sending, Status};

pub type Begun = Request<Lent<Kept>>;

enum State {
    Begun(Begun),
    /// Of a file.
    Transfer(LentTransfer<Kept>),
    /// Of a window.
    Access(OpenTransfer<Kept>),
    /// A thread waits for it.
    Taken,
    Ended(Ref),
    Failed(Ref),
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that has none yet. It is used by attached threads only.
    state: *mut State,
    receives: bool,
    /// What is sent or received into, or what comes of a call of all ranks.
    data: *mut PyObject,
    /// What that combines by, where it is a function; else null.
    function: *const Shared,
}

/// `upcall.mpi.Request`.
pub fn request_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall.mpi.Request")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .member(c"data", ffi::Py_T_OBJECT_EX, offset_of!(Object, data))
        .action(c"wait", action!(wait), c"Waits until it has ended: its status.")
        .action(c"test", action!(test), c"Whether it has ended.")
        .slot(ffi::Py_am_await, awaited as *const ())
        .action(c"cancel", action!(cancel), c"Asks MPI to give up a receive that nothing has arrived for.")
        .make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"start_send",
        method!(start_send as "start_send"(data, dest, tag), 2),
        c"start_send(data, dest, tag=0)",
    )
    .method(
        c"start_send_synchronous",
        method!(start_send_synchronous as "start_send_synchronous"(data, dest, tag), 2),
        c"start_send_synchronous(data, dest, tag=0)",
    )
    .method(
        c"start_send_ready",
        method!(start_send_ready as "start_send_ready"(data, dest, tag), 2),
        c"start_send_ready(data, dest, tag=0)",
    )
    .method(
        c"start_send_buffered",
        method!(start_send_buffered as "start_send_buffered"(data, dest, tag), 2),
        c"start_send_buffered(data, dest, tag=0)",
    )
    .method(
        c"start_receive",
        method!(start_receive as "start_receive"(into, source, tag), 1),
        c"start_receive(into, source=ANY_SOURCE, tag=ANY_TAG)",
    )
}

/// Memory that is kept until MPI has done with it.
pub fn lent(buffer: Buffer) -> Lent<Kept> {
    let (address, bytes) = (buffer.address(), buffer.len());
    // SAFETY: the buffer keeps its memory where it is until it is released. That nobody else uses it is the program's duty, as it
    // is of numpy's arrays.
    unsafe { Lent::new(address, bytes, Kept::new(buffer)) }
}

/// A request, as an object.
///
/// # Safety
/// `data` must be alive.
pub unsafe fn begun(request: Result<Begun, Error>, data: *mut PyObject, receives: bool) -> Outcome<Ref> {
    release_left();
    object(State::Begun(request.map_err(raise)?), data, receives)
}

/// A read or write of a file that was begun, as a request.
///
/// # Safety
/// The object must be alive.
pub unsafe fn transfer(transfer: LentTransfer<Kept>, data: *mut PyObject) -> Outcome<Ref> {
    release_left();
    object(State::Transfer(transfer), data, false)
}

/// A read or write of a window that was begun, as an object.
///
/// # Safety
/// The argument must be alive.
pub unsafe fn accessing(begun: Result<OpenTransfer<Kept>, Error>, data: *mut PyObject) -> Outcome<Ref> {
    release_left();
    object(State::Access(begun.map_err(failure::raise)?), data, false)
}

fn object(state: State, data: *mut PyObject, receives: bool) -> Outcome<Ref> {
    let made = make::new(&types().request)?;
    // SAFETY: a new request, ours alone, and an argument that is alive.
    unsafe {
        let object = made.as_ptr().cast::<Object>();
        (*object).state = Box::into_raw(Box::new(state));
        (*object).receives = receives;
        (*object).data = Ref::share(data).into_ptr();
    }
    Ok(made)
}

/// Says what a request combines by.
///
/// # Safety
/// It must be one that was just begun.
pub unsafe fn by(request: &Ref, function: Arc<Shared>) {
    // SAFETY: the caller's promise.
    unsafe { (*request.as_ptr().cast::<Object>()).function = Arc::into_raw(function) };
}

unsafe fn begin(this: *mut PyObject, [data, dest, with]: [*mut PyObject; 3], how: Sending) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns.
    unsafe {
        let comm = peers(this)?;
        let (dest, with) = (rank_or(dest, 0, "dest")?, number_or(with, 0, "tag")?);
        let lent = lent(Buffer::read(data, "start_send")?);
        begun(unlocked(|| comm.start_send_lent(lent, dest, with, how)), data, false)
    }
}

unsafe fn start_send(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begin(this, arguments, Sending::Standard) }
}

unsafe fn start_send_synchronous(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begin(this, arguments, Sending::Synchronous) }
}

unsafe fn start_send_ready(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begin(this, arguments, Sending::Ready) }
}

unsafe fn start_send_buffered(this: *mut PyObject, arguments: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe { begin(this, arguments, Sending::Buffered) }
}

unsafe fn start_receive(this: *mut PyObject, [into, from, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let comm = peers(this)?;
        let (from, with) = (source(from)?, tag(with)?);
        let lent = lent(Buffer::write(into, "start_receive")?);
        begun(unlocked(|| comm.start_receive_lent(lent, from, with)), into, true)
    }
}

/// Takes the state out for a call that lets go of the lock.
///
/// # Safety
/// `this` must be a request that is alive.
unsafe fn take(this: *mut PyObject) -> Outcome<State> {
    own_process()?;
    // SAFETY: the caller's promise; no other thread is attached.
    let state = unsafe { &mut *(*this.cast::<Object>()).state };
    match state {
        State::Begun(_) | State::Transfer(_) | State::Access(_) => Ok(std::mem::replace(state, State::Taken)),
        State::Taken => Err(raise_as("usage", "use a request: another thread waits for it")),
        State::Ended(status) => Ok(State::Ended(status.clone())),
        State::Failed(error) => Err(raise_again(&error.clone())),
    }
}

/// What is known of the message of a request that has ended: of one that was sent, nothing is.
///
/// # Safety
/// `this` must be a request that is alive.
unsafe fn known(this: *mut PyObject, status: &Status) -> Result<Told, Error> {
    // SAFETY: the caller's promise; it is set once.
    if unsafe { (*this.cast::<Object>()).receives } { Told::of(status) } else { Ok(Told::NOTHING) }
}

/// What a request has ended with.
///
/// # Safety
/// As [`take`].
unsafe fn ended(this: *mut PyObject, outcome: Result<(Lent<Kept>, Told), Error>) -> Outcome<State> {
    let outcome = match outcome {
        Ok((lent, told)) => {
            lent.into_keeper().release();
            told.object().map(State::Ended)
        }
        // SAFETY: the caller's promise; the function lives as long as the request.
        Err(error) => Err(match unsafe { (*this.cast::<Object>()).function.as_ref() } {
            Some(function) if error.kind() == ErrorKind::Operation => function.failed(error),
            _ => raise(error),
        }),
    };
    release_left();
    outcome.or_else(|error| raised(error).map(State::Failed).ok_or(Raised))
}

/// What has become of an access of a window's memory.
///
/// # Safety
/// As [`take`].
unsafe fn accessed(
    this: *mut PyObject,
    transfer: OpenTransfer<Kept>,
    ended: Result<bool, Error>,
) -> Outcome<State> {
    release_left();
    match ended {
        Ok(true) => Told::NOTHING.object().map(State::Ended),
        Ok(false) => Ok(State::Access(transfer)),
        // It goes on where this call was refused.
        Err(refused) if transfer.goes_on() => {
            // SAFETY: the caller's promise.
            unsafe { put(this, State::Access(transfer))? };
            Err(failure::raise(refused))
        }
        Err(error) => raised(failure::raise(error)).map(State::Failed).ok_or(Raised),
    }
}

/// Puts the state back.
///
/// # Safety
/// As [`take`].
unsafe fn put(this: *mut PyObject, state: State) -> Outcome<Option<Ref>> {
    let outcome = match &state {
        State::Ended(status) => Ok(Some(status.clone())),
        State::Failed(error) => Err(raise_again(error)),
        State::Begun(_) | State::Transfer(_) | State::Access(_) | State::Taken => Ok(None),
    };
    // SAFETY: the caller's promise.
    let before = unsafe { std::mem::replace(&mut *(*this.cast::<Object>()).state, state) };
    drop(before);
    outcome
}

unsafe fn wait(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a request that lives until this returns, here and below.
    unsafe {
        let mut request = match take(this)? {
            State::Begun(request) => request,
            State::Transfer(mut transfer) => {
                let done = unlocked(|| transfer.wait()).map(|(lent, bytes)| (lent, Told::of_bytes(bytes)));
                let status = put(this, ended(this, done)?)?;
                return Ok(status.unwrap_or_else(py::none));
            }
            State::Access(transfer) => {
                let mut ended = Ok(false);
                let heard = hearing(|| {
                    ended = transfer.test();
                    Ok(!matches!(ended, Ok(false)))
                });
                if let Err(raised) = heard {
                    put(this, State::Access(transfer))?;
                    return Err(raised);
                }
                let status = put(this, accessed(this, transfer, ended)?)?;
                return Ok(status.unwrap_or_else(py::none));
            }
            State::Ended(status) => return Ok(status),
            State::Taken | State::Failed(_) => {
                return Err(raise_as("usage", "wait for a request: it is none"));
            }
        };
        if let Err(raised) = hearing(|| request.has_ended()) {
            put(this, State::Begun(request))?;
            return Err(raised);
        }
        let outcome = unlocked(|| {
            let (lent, status) = request.wait()?;
            Ok((lent, known(this, &status)?))
        });
        let status = put(this, ended(this, outcome)?)?;
        Ok(status.unwrap_or_else(py::none))
    }
}

unsafe fn test(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let state = match take(this)? {
            State::Begun(mut request) => match unlocked(|| request.has_ended()) {
                Ok(false) => State::Begun(request),
                Ok(true) => {
                    let outcome = unlocked(|| {
                        let (lent, status) = request.wait()?;
                        Ok((lent, known(this, &status)?))
                    });
                    ended(this, outcome)?
                }
                // It goes on where this call was refused.
                Err(refused) => {
                    put(this, State::Begun(request))?;
                    return Err(raise(refused));
                }
            },
            State::Transfer(mut transfer) => match transfer.test() {
                Ok(None) => State::Transfer(transfer),
                Ok(Some((lent, bytes))) => ended(this, Ok((lent, Told::of_bytes(bytes))))?,
                Err(error) => ended(this, Err(error))?,
            },
            State::Access(transfer) => {
                let ended = unlocked(|| transfer.test());
                accessed(this, transfer, ended)?
            }
            state => state,
        };
        let has_ended = put(this, state)?.is_some();
        Ref::steal(ffi::PyBool_FromLong(has_ended.into()))
    }
}

unsafe fn cancel(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        match take(this)? {
            State::Begun(mut request) => {
                let cancelled = unlocked(|| request.cancel());
                put(this, State::Begun(request))?;
                cancelled.map_err(raise)?;
            }
            // It goes on, as a send does.
            goes_on @ (State::Transfer(_) | State::Access(_)) => drop(put(this, goes_on)?),
            State::Taken | State::Ended(_) | State::Failed(_) => {}
        }
        Ok(py::none())
    }
}

/// What `await` of a request goes through: it lets the event loop go on until the request has ended.
pub unsafe extern "C" fn awaited(this: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes what is awaited, which lives until this returns.
    let this = unsafe { Ref::share(this) };
    py::returned(
        py::import(c"upcall._mpi_requests")
            .and_then(|module| module.get(c"awaited"))
            .and_then(|awaited| py::call_one(&awaited, &this)),
    )
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a request that nobody refers to.
    unsafe {
        let object = this.cast::<Object>();
        // What a child has of its parent's is not its own to end.
        if !(*object).state.is_null() && !is_forked() {
            let state = Box::from_raw((*object).state);
            if let State::Begun(request) = *state {
                unlocked(|| drop(request));
                release_left();
            }
        }
        drop(Ref::steal((*object).data));
        if !(*object).function.is_null() && !is_forked() {
            drop(Arc::from_raw((*object).function));
            release_left();
        }
        make::free(this);
    }
}
