use super::communicator::{UpcallMpiCommunicator, UpcallMpiMode};
use super::failure::{MpiFailure, UPCALL_MPI_TYPE};
use super::memory::{Arrived, Keep, Ours};
use super::rounds::Rounds;
use super::window::Keeper;
use super::{UpcallMpiStatus, rank, source};
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use upcall_mpi::{Lent, LentTransfer, OpenTransfer, Request, Status};

/// A call that goes on: a send or a receive, a call of all ranks, or a read or write of a file or of a window, with the memory that
/// it reads or fills. That is the library's own, or the caller's, who keeps it where it is until it is told that MPI needs it
/// no more. Released before its end, a receive is cancelled, and a send goes on by itself.
pub struct UpcallMpiRequest(Arc<Mutex<State>>);

pub(super) enum State {
    Lent(Request<Lent<Keep>>),
    /// A call of all ranks.
    Together(Request<Lent<Keep>>),
    /// One that is started again and again.
    Rounds(Rounds),
    /// Of a file.
    Transfer(LentTransfer<Keep>),
    /// Of a window, with what it brings where that is the library's memory.
    Access(OpenTransfer<Keeper>, Option<Arc<Ours>>),
    /// The status, and what has arrived.
    Ended(UpcallMpiStatus, Arrived),
    Failed(MpiFailure),
}

impl State {
    /// Ends as a request has, which was waited for.
    fn end<B>(
        &mut self,
        ended: Result<(B, Status), upcall_mpi::Error>,
        known: impl FnOnce(&Status) -> Result<UpcallMpiStatus, MpiFailure>,
        data: impl FnOnce(B, usize) -> Arrived,
    ) -> Result<(), MpiFailure> {
        let ended = ended.map_err(MpiFailure::from);
        let ended = ended.and_then(|(buffer, status)| Ok((known(&status)?, buffer)));
        match ended {
            Ok((status, buffer)) => {
                let bytes = usize::try_from(status.bytes).unwrap_or(usize::MAX);
                *self = State::Ended(status, data(buffer, bytes));
                Ok(())
            }
            Err(failure) => {
                *self = State::Failed(failure.clone());
                Err(failure)
            }
        }
    }

    fn wait(&mut self) -> Result<(), MpiFailure> {
        match self {
            State::Lent(request) | State::Together(request) => request.wait_in_place()?,
            State::Rounds(rounds) => return rounds.wait(),
            State::Transfer(transfer) => {
                let ended = transfer.wait();
                return self.transferred(ended);
            }
            State::Access(transfer, _) => {
                let ended = transfer.wait();
                return self.accessed(ended.map(|()| true)).map(drop);
            }
            State::Ended(..) | State::Failed(_) => {}
        }
        self.outcome()
    }

    /// Whether it has ended.
    fn test(&mut self) -> Result<bool, MpiFailure> {
        let has_ended = match self {
            State::Lent(request) | State::Together(request) => request.has_ended()?,
            State::Rounds(rounds) => return rounds.test(),
            State::Transfer(transfer) => {
                return match transfer.test().transpose() {
                    None => Ok(false),
                    Some(ended) => self.transferred(ended).map(|()| true),
                };
            }
            State::Access(transfer, _) => {
                let ended = transfer.test();
                return self.accessed(ended);
            }
            State::Ended(..) | State::Failed(_) => true,
        };
        if has_ended {
            self.outcome()?;
        }
        Ok(has_ended)
    }

    /// Ends as a transfer of a file has.
    fn transferred(
        &mut self,
        ended: Result<(Lent<Keep>, usize), upcall_mpi::Error>,
    ) -> Result<(), MpiFailure> {
        let ended = ended.map_err(MpiFailure::from);
        let outcome = ended.as_ref().map(drop).map_err(MpiFailure::clone);
        *self = match ended {
            Ok((lent, bytes)) => {
                let arrived = lent.into_keeper().arrived().shortened(bytes);
                State::Ended(UpcallMpiStatus { bytes: bytes as u64, ..NOTHING }, arrived)
            }
            Err(failure) => State::Failed(failure),
        };
        outcome
    }

    /// Ends as a transfer of a window has, if it has.
    fn accessed(&mut self, ended: Result<bool, upcall_mpi::Error>) -> Result<bool, MpiFailure> {
        let State::Access(transfer, into) = self else { return Ok(true) };
        match ended {
            Ok(true) => *self = State::Ended(NOTHING, into.take().map_or(Arrived::Nothing, Arrived::Ours)),
            Ok(false) => return Ok(false),
            // This thread was refused.
            Err(error) if transfer.goes_on() => return Err(error.into()),
            Err(error) => {
                let failure = MpiFailure::from(error);
                *self = State::Failed(failure.clone());
                return Err(failure);
            }
        }
        Ok(true)
    }

    /// What one that has ended has come to.
    fn outcome(&mut self) -> Result<(), MpiFailure> {
        match self.take() {
            State::Lent(request) => self.end(request.wait(), UpcallMpiStatus::of, |lent, bytes| {
                lent.into_keeper().arrived().shortened(bytes)
            }),
            State::Together(request) => {
                self.end(request.wait(), |_| Ok(NOTHING), |lent, _| lent.into_keeper().arrived())
            }
            ended => self.again(ended),
        }
    }

    fn take(&mut self) -> State {
        std::mem::replace(self, State::Ended(NOTHING, Arrived::Nothing))
    }

    /// What it has ended with, once more.
    fn again(&mut self, ended: State) -> Result<(), MpiFailure> {
        let failure = if let State::Failed(failure) = &ended { Some(failure.clone()) } else { None };
        *self = ended;
        failure.map_or(Ok(()), Err)
    }

    fn status(&self) -> UpcallMpiStatus {
        match self {
            State::Ended(status, _) => *status,
            State::Rounds(rounds) => rounds.status(),
            _ => NOTHING,
        }
    }
}

/// What there is to know of a call that is no message.
pub(super) const NOTHING: UpcallMpiStatus = UpcallMpiStatus { source: -1, tag: -1, bytes: 0, cancelled: 0 };

impl UpcallMpiRequest {
    pub(super) fn new(state: State) -> UpcallMpiRequest {
        UpcallMpiRequest(Arc::new(Mutex::new(state)))
    }

    pub(super) fn shared(&self) -> SharedRequest {
        SharedRequest(self.0.clone())
    }
}

/// A request that several hold.
pub(super) struct SharedRequest(Arc<Mutex<State>>);

impl SharedRequest {
    /// Whether it has ended, well or not.
    pub(super) fn has_ended(&self) -> Result<bool, MpiFailure> {
        Ok(lock(&self.0)?.test().unwrap_or(true))
    }
}

fn lock(state: &Mutex<State>) -> Result<MutexGuard<'_, State>, MpiFailure> {
    match state.try_lock() {
        Ok(state) => Ok(state),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(MpiFailure::usage("use a request: another thread waits for it")),
    }
}

#[upcall::export]
impl UpcallMpiRequest {
    /// Waits until it has ended. Once it has, it says the same again.
    pub fn wait(&self, status: Option<&mut UpcallMpiStatus>) -> Result<(), MpiFailure> {
        let mut state = lock(&self.0)?;
        state.wait()?;
        if let Some(to) = status {
            *to = state.status();
        }
        Ok(())
    }

    /// Whether it has ended.
    pub fn test(&self, status: Option<&mut UpcallMpiStatus>) -> Result<bool, MpiFailure> {
        let mut state = lock(&self.0)?;
        let ended = state.test()?;
        if ended && let Some(to) = status {
            *to = state.status();
        }
        Ok(ended)
    }

    /// Asks MPI to give up a receive that nothing has arrived for: it has still to be waited for, and its status says whether
    /// it was cancelled. All else goes on, and what has ended stays as it is.
    pub fn cancel(&self) -> Result<(), MpiFailure> {
        match &mut *lock(&self.0)? {
            State::Lent(request) => Ok(request.cancel()?),
            State::Together(_)
            | State::Rounds(_)
            | State::Transfer(_)
            | State::Access(..)
            | State::Ended(..)
            | State::Failed(_) => Ok(()),
        }
    }

    /// What a receive into the library's own memory has brought, or a call of all ranks. Of one that is not started again it is
    /// taken once, when it has ended.
    pub fn take(&self) -> Result<Vec<u8>, MpiFailure> {
        match &mut *lock(&self.0)? {
            State::Ended(_, data) => Ok(std::mem::take(data).into_vec()),
            State::Rounds(rounds) => Ok(rounds.arrived()?.to_vec()),
            State::Failed(failure) => Err(failure.clone()),
            _ => Err(not_yet()),
        }
    }

    /// The same, into memory that may have room for more. Returns how many bytes there were.
    pub fn copy(&self, into: &mut [u8]) -> Result<u64, MpiFailure> {
        match &*lock(&self.0)? {
            State::Ended(_, data) => copied(data.bytes(), into),
            State::Rounds(rounds) => copied(rounds.arrived()?, into),
            State::Failed(failure) => Err(failure.clone()),
            _ => Err(not_yet()),
        }
    }

    /// Starts a round of one that was made by a function with `init` in its name; it is waited for as any request.
    pub fn start(&self) -> Result<(), MpiFailure> {
        match &mut *lock(&self.0)? {
            State::Rounds(rounds) => rounds.start(),
            _ => Err(MpiFailure::usage("start a request: it goes on from the start, and once")),
        }
    }

    /// Whether it goes on: of one that is started again and again, whether a round does.
    pub fn is_active(&self) -> Result<bool, MpiFailure> {
        Ok(match &*lock(&self.0)? {
            State::Rounds(rounds) => rounds.is_active(),
            State::Ended(..) | State::Failed(_) => false,
            State::Lent(_) | State::Together(_) | State::Transfer(_) | State::Access(..) => true,
        })
    }

    /// Writes what the next round sends into the library's own memory: as many bytes as were said when it was made.
    pub fn write(&self, data: &[u8]) -> Result<(), MpiFailure> {
        match &mut *lock(&self.0)? {
            State::Rounds(rounds) => rounds.write(data),
            _ => Err(MpiFailure::usage("write what a request sends: it is not started again")),
        }
    }
}

fn copied(data: &[u8], into: &mut [u8]) -> Result<u64, MpiFailure> {
    let Some(to) = into.get_mut(..data.len()) else {
        let message =
            format!("copy what has arrived: {} bytes, and there is room for {}", data.len(), into.len());
        return Err(MpiFailure::new(UPCALL_MPI_TYPE, message));
    };
    to.copy_from_slice(data);
    Ok(data.len() as u64)
}

fn not_yet() -> MpiFailure {
    MpiFailure::usage("take what a request has brought: it has not ended; wait for it")
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Begins to send a copy of these bytes. A buffered send has ended when it is begun.
    pub fn start_send(
        &self,
        data: &[u8],
        to: i32,
        tag: i32,
        mode: UpcallMpiMode,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, to) = (self.peers()?, rank(to, "begin to send")?);
        let copy = Ours::zeroes(data.len())?;
        // SAFETY: nobody else has it yet.
        unsafe { copy.write(data) };
        Ok(UpcallMpiRequest::new(State::Lent(comm.start_send_lent(copy.lent(), to, tag, mode.sending())?)))
    }

    /// Begins to send so many bytes at an address. `keep` is never called: it is released when MPI needs them no more, on any
    /// thread, and until then they stay there, unchanged.
    pub fn start_send_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        tag: i32,
        mode: UpcallMpiMode,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, to) = (self.peers()?, rank(to, "begin to send")?);
        // SAFETY: the caller's duty, as of every address.
        let data = unsafe { Lent::new(address.cast_mut().cast(), bytes, Keep::Theirs(keep)) };
        Ok(UpcallMpiRequest::new(State::Lent(comm.start_send_lent(data, to, tag, mode.sending())?)))
    }

    /// Begins to receive at most so many bytes, into memory of the library's: `take` and `copy` have them at the end.
    pub fn start_receive(&self, bytes: usize, from: i32, tag: i32) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, from) = (self.peers()?, source(from, "begin to receive")?);
        let into = Ours::zeroes(bytes)?.lent();
        Ok(UpcallMpiRequest::new(State::Lent(comm.start_receive_lent(into, from, super::tag(tag))?)))
    }

    /// Begins to receive at most so many bytes at an address. `keep` is never called: it is released when MPI needs the memory
    /// no more, on any thread, and until then that stays there and nobody else uses it.
    pub fn start_receive_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        from: i32,
        tag: i32,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, from) = (self.peers()?, source(from, "begin to receive")?);
        // SAFETY: as above.
        let into = unsafe { Lent::new(address.cast(), bytes, Keep::Theirs(keep)) };
        let request = comm.start_receive_lent(into, from, super::tag(tag))?;
        Ok(UpcallMpiRequest::new(State::Lent(request)))
    }
}
