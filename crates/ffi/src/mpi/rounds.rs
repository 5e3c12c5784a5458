//! Requests that are started again and again.

use super::communicator::{UpcallMpiCommunicator, UpcallMpiMode};
use super::failure::MpiFailure;
use super::memory::{Keep, Ours};
use super::request::{NOTHING, State, UpcallMpiRequest};
use super::{UpcallMpiStatus, rank, source};
use std::ffi::c_void;
use std::sync::Arc;
use upcall_mpi::{Lent, Persistent, Status};

/// One of them.
pub(super) struct Rounds {
    request: Persistent<u8>,
    receives: bool,
    /// What the last round has come to.
    last: Option<Result<UpcallMpiStatus, MpiFailure>>,
    /// What is sent, and what comes, where that is the library's memory.
    data: Option<Arc<Ours>>,
    into: Option<Arc<Ours>>,
}

impl Rounds {
    pub(super) fn new(
        request: Persistent<u8>,
        receives: bool,
        data: Option<Arc<Ours>>,
        into: Option<Arc<Ours>>,
    ) -> Rounds {
        Rounds { request, receives, last: None, data, into }
    }

    pub(super) fn is_active(&self) -> bool {
        self.request.is_active()
    }

    pub(super) fn start(&mut self) -> Result<(), MpiFailure> {
        self.request.start()?;
        self.last = None;
        Ok(())
    }

    pub(super) fn wait(&mut self) -> Result<(), MpiFailure> {
        if self.request.is_active() {
            let waited = self.request.wait();
            if self.request.is_active() {
                // It goes on: this thread was refused.
                return Ok(waited.map(drop)?);
            }
            self.last = Some(self.known(waited));
        }
        self.outcome()
    }

    /// Whether a round has ended.
    pub(super) fn test(&mut self) -> Result<bool, MpiFailure> {
        if self.request.is_active() {
            let tested = self.request.test();
            if self.request.is_active() {
                return Ok(tested.map(|_| false)?);
            }
            let tested = tested.map(|status| status.unwrap_or_else(|| unreachable!("it has ended")));
            self.last = Some(self.known(tested));
        }
        self.outcome().map(|()| true)
    }

    fn known(&self, status: Result<Status, upcall_mpi::Error>) -> Result<UpcallMpiStatus, MpiFailure> {
        let status = status?;
        if self.receives { UpcallMpiStatus::of(&status) } else { Ok(NOTHING) }
    }

    fn outcome(&self) -> Result<(), MpiFailure> {
        match &self.last {
            Some(last) => last.clone().map(drop),
            None => Err(MpiFailure::usage("wait for a persistent request: it was not started")),
        }
    }

    pub(super) fn status(&self) -> UpcallMpiStatus {
        self.last.as_ref().and_then(|last| last.as_ref().ok()).copied().unwrap_or(NOTHING)
    }

    pub(super) fn write(&mut self, data: &[u8]) -> Result<(), MpiFailure> {
        self.at_rest()?;
        let room = self.data.as_ref().map_or(0, |memory| memory.len());
        if data.len() != room {
            return Err(MpiFailure::usage(format!(
                "write what a persistent request sends: {} bytes, and it sends {room}",
                data.len()
            )));
        }
        if let Some(memory) = &self.data {
            // SAFETY: MPI uses it in rounds alone, and this thread has the request.
            unsafe { memory.write(data) };
        }
        Ok(())
    }

    /// What the last round has brought.
    pub(super) fn arrived(&self) -> Result<&[u8], MpiFailure> {
        self.at_rest()?;
        self.outcome()?;
        let Some(memory) = &self.into else { return Ok(&[]) };
        // SAFETY: as above.
        let bytes = unsafe { memory.bytes() };
        let count = if self.receives { self.status().bytes as usize } else { bytes.len() };
        Ok(&bytes[..count.min(bytes.len())])
    }

    fn at_rest(&self) -> Result<(), MpiFailure> {
        if !self.request.is_active() {
            return Ok(());
        }
        Err(MpiFailure::usage("use a persistent request: it is under way; wait for it first"))
    }
}

fn made(
    request: Persistent<u8>,
    receives: bool,
    data: Option<Arc<Ours>>,
    into: Option<Arc<Ours>>,
) -> UpcallMpiRequest {
    UpcallMpiRequest::new(State::Rounds(Rounds::new(request, receives, data, into)))
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Makes a send of so many bytes ready, out of memory of the library's: `write` says what, and `start` starts each round.
    pub fn send_init(
        &self,
        bytes: usize,
        to: i32,
        tag: i32,
        mode: UpcallMpiMode,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, to, data) = (self.peers()?, rank(to, "make a send ready")?, Ours::zeroes(bytes)?);
        let request = comm.send_init_lent(data.lent(), to, tag, mode.sending())?;
        Ok(made(request, false, Some(data), None))
    }

    /// The same of bytes at an address, which may be changed while no round is under way. `keep` is never called: it is released
    /// when MPI needs them no more, on any thread, and until then they stay there.
    pub fn send_init_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        tag: i32,
        mode: UpcallMpiMode,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, to) = (self.peers()?, rank(to, "make a send ready")?);
        // SAFETY: the caller's duty, as of every address.
        let data = unsafe { Lent::new(address.cast_mut().cast(), bytes, Keep::Theirs(keep)) };
        let request = comm.send_init_lent(data, to, tag, mode.sending())?;
        Ok(made(request, false, None, None))
    }

    /// Makes a receive of at most so many bytes ready, into memory of the library's: `take` and `copy` have what a round has
    /// brought, until the next is started.
    pub fn receive_init(&self, bytes: usize, from: i32, tag: i32) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, from) = (self.peers()?, source(from, "make a receive ready")?);
        let into = Ours::zeroes(bytes)?;
        let request = comm.receive_init_lent(into.lent(), from, super::tag(tag))?;
        Ok(made(request, true, None, Some(into)))
    }

    /// The same into memory at an address, which is the caller's to use while no round is under way; `keep` as of
    /// `send_init_lent`.
    pub fn receive_init_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        from: i32,
        tag: i32,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (comm, from) = (self.peers()?, source(from, "make a receive ready")?);
        // SAFETY: as above.
        let into = unsafe { Lent::new(address.cast(), bytes, Keep::Theirs(keep)) };
        Ok(made(comm.receive_init_lent(into, from, super::tag(tag))?, true, None, None))
    }
}
