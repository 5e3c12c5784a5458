//! Calls that are made ready once and started again and again.

mod lent;
mod make;

use crate::buffered::sent;
use crate::communicator::Kept;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::padding::clean_in_place;
use crate::request::{Begun, Behind, Sort, give_up};
use crate::shim::{Constant, Handle, RawStatus};
use crate::status::Status;
use std::ffi::c_int;
use std::fmt;
use std::mem::take;
use std::sync::Arc;
use upcall_abi::Blit;

/// A message, or a call of all ranks, that is made ready once and started again and again. It owns its buffers, which are
/// there between its rounds.
///
/// Dropping it is safe: while it is under way, what MPI reads or fills is freed by a later call.
///
/// ```no_run
/// # use upcall_mpi::{Environment, Sum, Threads};
/// let mpi = Environment::start(Threads::Funneled)?;
/// let mut sum = mpi.world().all_reduce_init(vec![0.0; 8], Sum)?;
/// for round in 0..100 {
///     sum.data_mut()?.fill(f64::from(round));
///     sum.start()?;
///     sum.wait()?;
///     println!("{:?}", sum.result()?);
/// }
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
#[must_use = "it does nothing until it is started"]
pub struct Persistent<T: Blit + Send> {
    library: &'static Library,
    handle: Handle,
    /// What is sent.
    data: Vec<T>,
    /// What comes, where it comes elsewhere.
    into: Vec<T>,
    in_place: bool,
    sort: Sort,
    active: bool,
    behind: Option<Box<dyn Behind>>,
    /// The communicator is there as long as the request is.
    on: Arc<Kept>,
    /// Where each round sends a copy, and MPI has no request.
    copies: Option<Copies>,
}

/// Where copies are sent to.
struct Copies {
    comm: Handle,
    peer: c_int,
    tag: c_int,
}

impl<T: Blit + Send> Persistent<T> {
    /// Starts a round.
    ///
    /// # Errors
    /// One is under way, or MPI refuses; or a round has failed and the MPI has freed the request for it, as Open MPI does.
    pub fn start(&mut self) -> Result<(), Error> {
        Persistent::start_all(std::slice::from_mut(self))
    }

    /// Starts a round of each.
    ///
    /// # Errors
    /// One of them is under way, and none is started; or MPI refuses.
    pub fn start_all(requests: &mut [Persistent<T>]) -> Result<(), Error> {
        let Some(first) = requests.first() else { return Ok(()) };
        let library = first.library;
        for request in &mut *requests {
            request.at_rest()?;
            if request.is_gone() && request.copies.is_none() {
                let why =
                    "start a persistent request: a round has failed, and the MPI has freed it; make it again";
                return Err(Error::new(ErrorKind::Usage, why));
            }
            clean_in_place(&mut request.data)?;
        }
        for request in &mut *requests {
            if let Some(behind) = &mut request.behind {
                behind.again();
            }
        }
        for request in &mut *requests {
            if let Some(Copies { comm, peer, tag, .. }) = request.copies {
                let what = || "start a persistent send from the buffer".to_owned();
                match &request.behind {
                    Some(behind) => sent(library, comm, behind.sent(), peer, tag, what)?,
                    None => sent(library, comm, &request.data, peer, tag, what)?,
                }
                request.active = true;
            }
        }
        let mut mpis: Vec<&mut Persistent<T>> =
            requests.iter_mut().filter(|request| request.copies.is_none()).collect();
        let mut handles: Vec<Handle> = mpis.iter().map(|request| request.handle).collect();
        let count = handles.len();
        if count == 0 {
            return Ok(());
        }
        let mut called = false;
        let started = library.call(
            // SAFETY: requests of MPI's that are at rest, whose buffers stay where they are until they have ended.
            |table| unsafe {
                called = true;
                (table.start_all)(count as i64, handles.as_mut_ptr())
            },
            || format!("start {count} persistent requests"),
        );
        for (request, handle) in mpis.iter_mut().zip(handles) {
            // Some may have been started where MPI has refused others: those that were not have ended when they are waited for.
            (request.handle, request.active) = (handle, called);
        }
        started
    }

    /// Waits until the round has ended. Of a call of all ranks the status says nothing.
    ///
    /// # Errors
    /// None was started, or it has failed. Open MPI frees a request that has failed, so that it cannot be started again.
    pub fn wait(&mut self) -> Result<Status, Error> {
        let mut status = Status::EMPTY;
        self.is_started()?;
        let waited = self.library.call(
            // SAFETY: a request of MPI's, here and below.
            |table| unsafe { (table.wait)(&mut self.handle, &mut status) },
            || "wait for a persistent request".to_owned(),
        );
        self.ended(waited, status)
    }

    /// What [`wait`](Persistent::wait) returns, where the round has ended; else `None`.
    ///
    /// # Errors
    /// As there.
    pub fn test(&mut self) -> Result<Option<Status>, Error> {
        let (mut done, mut status) = (0, Status::EMPTY);
        self.is_started()?;
        let tested = self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.test)(&mut self.handle, &mut done, &mut status) },
            || "look at a persistent request".to_owned(),
        );
        if tested.is_ok() && done == 0 {
            return Ok(None);
        }
        self.ended(tested, status).map(Some)
    }

    /// Waits for the rounds of all of them.
    ///
    /// # Errors
    /// The first that has failed, when all have ended.
    pub fn wait_all(requests: &mut [Persistent<T>]) -> Result<Vec<Status>, Error> {
        let ended: Vec<_> = requests.iter_mut().map(Persistent::wait).collect();
        ended.into_iter().collect()
    }

    /// Waits for the first round that ends: its index and its status. `None` where none is under way.
    ///
    /// # Errors
    /// It has failed.
    pub fn wait_any(requests: &mut [Persistent<T>]) -> Result<Option<(usize, Status)>, Error> {
        while requests.iter().any(|request| request.active) {
            for (index, request) in requests.iter_mut().enumerate().filter(|(_, request)| request.active) {
                if let Some(status) = request.test()? {
                    return Ok(Some((index, status)));
                }
            }
            std::thread::yield_now();
        }
        Ok(None)
    }

    /// Whether a round is under way.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// What is sent.
    ///
    /// # Errors
    /// A round is under way.
    pub fn data(&self) -> Result<&[T], Error> {
        self.at_rest()?;
        Ok(&self.data)
    }

    /// The same, to be changed before the next round. It stays as long as it is.
    ///
    /// # Errors
    /// As there.
    pub fn data_mut(&mut self) -> Result<&mut [T], Error> {
        self.at_rest()?;
        Ok(&mut self.data)
    }

    /// What has come in the last round; of a receive, the status [counts](Status::count) it. Of a send it is what was sent.
    ///
    /// # Errors
    /// As there.
    pub fn result(&self) -> Result<&[T], Error> {
        self.at_rest()?;
        Ok(if self.in_place { &self.data } else { &self.into })
    }

    /// Gives back what is sent and what has come. Where a round is under way it is waited for.
    ///
    /// # Errors
    /// That round has failed, or MPI refuses.
    pub fn free(mut self) -> Result<(Vec<T>, Vec<T>), Error> {
        let ended = if self.active { self.wait().map(drop) } else { Ok(()) };
        if self.active {
            // It goes on, as this thread was refused, and is given up.
            return ended.map(|()| (Vec::new(), Vec::new()));
        }
        self.freed()?;
        ended?;
        Ok((take(&mut self.data), take(&mut self.into)))
    }

    /// Whether MPI has it no more.
    fn is_gone(&self) -> bool {
        self.handle == self.library.constant(Constant::RequestNull)
    }

    fn freed(&mut self) -> Result<(), Error> {
        if self.is_gone() {
            return Ok(());
        }
        let freed = self.library.call(
            // SAFETY: a request of MPI's that is at rest.
            |table| unsafe { (table.request_free)(&mut self.handle) },
            || "free a persistent request".to_owned(),
        );
        if freed.is_ok() {
            self.handle = self.library.constant(Constant::RequestNull);
        }
        freed
    }

    fn at_rest(&self) -> Result<(), Error> {
        if !self.active {
            return Ok(());
        }
        let what = "use a persistent request: it is under way; wait for it first";
        Err(Error::new(ErrorKind::Usage, what))
    }

    fn is_started(&self) -> Result<(), Error> {
        if self.active {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Usage, "wait for a persistent request: it was not started"))
    }

    fn ended(&mut self, said: Result<(), Error>, status: RawStatus) -> Result<Status, Error> {
        self.active = said.as_ref().is_err_and(|error| goes_on(self.library, &mut self.handle, error));
        said?;
        if let Some(behind) = &self.behind {
            behind.outcome()?;
        }
        Ok(Status::new(status, self.library))
    }
}

/// Whether a round goes on that was waited for with an error: MPI was not asked, or it still has it, as where a process has died
/// that may not have been the sender.
pub(crate) fn goes_on(library: &Library, handle: &mut Handle, error: &Error) -> bool {
    if matches!(error.kind(), ErrorKind::Lifecycle | ErrorKind::Usage) {
        return true;
    }
    if *handle == library.constant(Constant::RequestNull) {
        return false;
    }
    let (mut done, mut status) = (0, Status::EMPTY);
    // SAFETY: a request of MPI's: one that is at rest has ended.
    let tested = library.call(|table| unsafe { (table.test)(handle, &mut done, &mut status) }, String::new);
    tested.is_err() || done == 0
}

impl<T: Blit + Send> Drop for Persistent<T> {
    fn drop(&mut self) {
        if self.is_gone() || (!self.active && self.freed().is_ok()) {
            return;
        }
        let sort = if self.active { self.sort } else { Sort::AtRest };
        let buffer = (take(&mut self.data), take(&mut self.into), Arc::clone(&self.on));
        let begun = Begun { handle: self.handle, buffer, sort, behind: self.behind.take() };
        give_up(self.library, begun, true);
    }
}

impl<T: Blit + Send> fmt::Debug for Persistent<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Persistent").field("active", &self.active).finish_non_exhaustive()
    }
}
