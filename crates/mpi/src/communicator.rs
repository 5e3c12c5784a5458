mod made;

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::{Constant, Handle};
use std::ffi::c_int;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Processes that pass messages to one another, each with a rank from 0 on.
///
/// It may be shared by threads, as far as the thread level goes. One that was made, by [`split`](Communicator::split) or another
/// call, is freed when it is dropped and its requests have ended, unless MPI has been finalized before; where that is on a thread
/// that may not call MPI, at the next call of one that may.
pub struct Communicator {
    pub(crate) library: &'static Library,
    pub(crate) handle: Handle,
    rank: usize,
    size: usize,
    /// How many processes messages are sent to: the same ones, or those of the other group.
    peers: usize,
    apart: bool,
    kept: Arc<Kept>,
}

/// What frees a communicator of ours, when nobody needs it any more: requests that go on may outlive it.
pub(crate) struct Kept {
    library: &'static Library,
    handle: Handle,
    owned: AtomicBool,
}

impl Communicator {
    /// One that MPI has from the start.
    pub(crate) fn given(library: &'static Library, which: Constant) -> Result<Communicator, Error> {
        Communicator::new(library, library.constant(which), false)
    }

    pub(crate) fn new(library: &'static Library, handle: Handle, owned: bool) -> Result<Communicator, Error> {
        let kept = Arc::new(Kept { library, handle, owned: AtomicBool::new(owned) });
        let (mut rank, mut size) = (0, 0);
        library.call(
            // SAFETY: a communicator of this MPI's.
            |table| unsafe {
                match (table.comm_rank)(handle, &mut rank) {
                    0 => (table.comm_size)(handle, &mut size),
                    code => code,
                }
            },
            || "look at a communicator".to_owned(),
        )?;
        let number = |number: c_int| usize::try_from(number).unwrap_or(0);
        let (rank, size) = (number(rank), number(size));
        Ok(Communicator { library, handle, rank, size, peers: size, apart: false, kept })
    }

    /// One between two groups, whose messages go to the other.
    pub(crate) fn apart(library: &'static Library, handle: Handle) -> Result<Communicator, Error> {
        let mut comm = Communicator::new(library, handle, true)?;
        let mut peers = 0;
        library.call(
            // SAFETY: a communicator between groups, of this MPI's.
            |table| unsafe { (table.comm_remote_size)(handle, &mut peers) },
            || "look at an intercommunicator".to_owned(),
        )?;
        comm.peers = usize::try_from(peers).unwrap_or(0);
        comm.apart = true;
        Ok(comm)
    }

    /// How many processes messages are sent to.
    pub(crate) fn peers(&self) -> usize {
        self.peers
    }

    /// It is freed elsewhere, or by nobody. Returns whether it was to be freed here.
    pub(crate) fn disown(&self) -> bool {
        self.kept.owned.swap(false, Ordering::Relaxed)
    }

    /// What was disowned is to be freed all the same.
    pub(crate) fn own(&self) {
        self.kept.owned.store(true, Ordering::Relaxed);
    }

    /// Frees what MPI has of it, unless requests go on, while the communicator itself stays, as in the hands of another language,
    /// which uses it no more.
    #[doc(hidden)]
    pub fn free_in_place(&self) -> Result<(), Error> {
        if Arc::strong_count(&self.kept) > 1 || !self.disown() {
            return Ok(());
        }
        let mut handle = self.handle;
        let freed = self.library.call(
            // SAFETY: as above; it is used no more.
            |table| unsafe { (table.comm_free)(&mut handle) },
            || "free a communicator".to_owned(),
        );
        if freed.is_err() {
            // A thread that may does it.
            self.own();
        }
        freed
    }

    /// This process's rank, from 0 on.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many processes there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The same processes, whose messages never meet those of this communicator. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn duplicate(&self) -> Result<Communicator, Error> {
        let mut made = 0;
        self.library.call(
            // SAFETY: it is a communicator of this MPI's, here and below.
            |table| unsafe { (table.comm_dup)(self.handle, &mut made) },
            || "duplicate a communicator".to_owned(),
        )?;
        Communicator::new(self.library, made, true)
    }

    /// The processes that give the same `color`, ranked by `key` and then as here; `None` for those that give none. Collective.
    ///
    /// # Errors
    /// MPI refuses, or the color of any rank is larger than an `i32`, which all are told.
    pub fn split(&self, color: Option<u32>, key: i32) -> Result<Option<Communicator>, Error> {
        let what = || "split a communicator".to_owned();
        let color = match color {
            Some(color) => c_int::try_from(color).map_err(|_| {
                Error::new(ErrorKind::Usage, format!("{}: the color {color} is too large", what()))
            }),
            None => Ok(self.library.number(Constant::Undefined)),
        };
        let color = self.all_or_none(color, what)?;
        let mut made = 0;
        // SAFETY: as above.
        self.library.call(|table| unsafe { (table.comm_split)(self.handle, color, key, &mut made) }, what)?;
        if made == self.library.constant(Constant::CommNull) {
            return Ok(None);
        }
        Communicator::new(self.library, made, true).map(Some)
    }

    /// Ends all processes of the job at once, with this exit code. For what cannot go on: messages are lost.
    pub fn abort(&self, code: i32) -> ! {
        self.library.abort(self.handle, code);
        std::process::exit(code)
    }

    /// The largest tag that messages may have: 32,767 or more.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn largest_tag(&self) -> Result<i32, Error> {
        let mut largest = 0;
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.comm_tag_limit)(self.handle, &mut largest) },
            || "ask for the largest tag".to_owned(),
        )?;
        Ok(largest)
    }

    /// What keeps it, for requests.
    pub(crate) fn kept(&self) -> Arc<Kept> {
        Arc::clone(&self.kept)
    }

    /// A rank as MPI has it, which counts them by an `int`.
    #[inline]
    pub(crate) fn peer(&self, rank: usize, what: impl FnOnce() -> String) -> Result<c_int, Error> {
        if rank < self.peers { Ok(rank as c_int) } else { Err(self.no_rank(rank, what)) }
    }

    #[cold]
    #[inline(never)]
    fn no_rank(&self, rank: usize, what: impl FnOnce() -> String) -> Error {
        let (what, whose) = (what(), if self.apart { "the other group" } else { "this communicator" });
        let message =
            format!("{what}: there is no rank {}; {whose} has {}, from 0 on", rank.cast_signed(), self.peers);
        Error::new(ErrorKind::Rank, message)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if *self.owned.get_mut() {
            let (library, mut handle) = (self.library, self.handle);
            // Nobody could be told; it fails where MPI has been finalized.
            Library::free(move || {
                // SAFETY: as above; it is used no more.
                library.call(|table| unsafe { (table.comm_free)(&mut handle) }, String::new)
            });
        }
    }
}

impl fmt::Debug for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Communicator").field("rank", &self.rank).field("size", &self.size).finish()
    }
}
