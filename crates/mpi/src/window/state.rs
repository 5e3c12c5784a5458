//! What this rank has open on a window: MPI leaves undefined what happens where two of these meet.

use crate::ending::Hold;
use crate::error::{Error, ErrorKind};
use std::sync::{Mutex, PoisonError};

/// How this rank accesses others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Fence,
    Started,
    LockAll,
    /// Of this rank's memory, in `locks` too where it is locked.
    Together,
}

impl Access {
    fn words(self) -> &'static str {
        match self {
            Access::Fence => "a fence epoch is open",
            Access::Started => "an access epoch is open",
            Access::LockAll => "all ranks are locked",
            Access::Together => "it is read by all ranks together",
        }
    }
}

#[derive(Default, Debug)]
struct Open {
    access: Option<Access>,
    locks: Vec<Locked>,
    exposed: Option<Hold>,
}

/// A rank that is locked; by a guard, what keeps MPI from being finalized.
pub(super) type Locked = (usize, Option<Hold>);

impl Open {
    fn is_locked(&self, rank: usize) -> bool {
        self.locks.iter().any(|(locked, _)| *locked == rank)
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct State {
    rank: usize,
    open: Mutex<Open>,
}

impl State {
    pub(super) fn new(rank: usize) -> State {
        State { rank, open: Mutex::default() }
    }

    fn open<R>(
        &self,
        what: impl FnOnce() -> String,
        enter: impl FnOnce(&mut Open) -> Result<R, String>,
    ) -> Result<R, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        enter(&mut open).map_err(|why| {
            Error::new(ErrorKind::Synchronization, format!("{}: {why}; end that first", what()))
        })
    }

    /// Begins an epoch with several ranks.
    pub(super) fn begin(&self, access: Access, what: impl FnOnce() -> String) -> Result<(), Error> {
        self.open(what, |open| match open {
            Open { access: Some(other), .. } => Err(other.words().to_owned()),
            Open { locks, .. } if !locks.is_empty() => Err(locked(locks[0].0, self.rank)),
            Open { exposed: Some(_), .. } if access != Access::Started => Err(EXPOSED.to_owned()),
            _ => {
                open.access = Some(access);
                Ok(())
            }
        })
    }

    pub(super) fn end(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).access = None;
    }

    /// Begins one with one rank, by a guard where something is lent to that.
    pub(super) fn lock(
        &self,
        rank: usize,
        hold: Option<Hold>,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        self.open(what, |open| match open {
            Open { access: Some(other), .. } => Err(other.words().to_owned()),
            Open { exposed: Some(_), .. } if rank == self.rank => Err(EXPOSED.to_owned()),
            open if open.is_locked(rank) => Err(locked(rank, self.rank)),
            open => {
                open.locks.push((rank, hold));
                Ok(())
            }
        })
    }

    pub(super) fn unlock(&self, rank: usize) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).locks.retain(|(locked, _)| *locked != rank);
    }

    /// Gives this rank's memory to others.
    pub(super) fn expose(&self, hold: Hold, what: impl FnOnce() -> String) -> Result<(), Error> {
        self.open(what, |open| match open {
            Open { exposed: Some(_), .. } => Err(EXPOSED.to_owned()),
            Open { access: Some(access), .. } if *access != Access::Started => Err(access.words().to_owned()),
            open if open.is_locked(self.rank) => Err(locked(self.rank, self.rank)),
            open => {
                open.exposed = Some(hold);
                Ok(())
            }
        })
    }

    pub(super) fn hide(&self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).exposed = None;
    }

    /// Nothing is open.
    pub(super) fn idle(&self, what: impl FnOnce() -> String) -> Result<(), Error> {
        self.open(what, |open| match open {
            Open { access: Some(access), .. } => Err(access.words().to_owned()),
            Open { locks, .. } if !locks.is_empty() => Err(locked(locks[0].0, self.rank)),
            Open { exposed: Some(_), .. } => Err(EXPOSED.to_owned()),
            _ => Ok(()),
        })
    }

    /// What guards that were forgotten have left: locks, and an exposure.
    pub(super) fn left(&self) -> (Vec<Locked>, Option<Hold>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut open.locks), std::mem::take(&mut open.exposed))
    }
}

const EXPOSED: &str = "it is exposed to other ranks";

fn locked(rank: usize, own: usize) -> String {
    if rank == own { "this rank's own memory is locked".to_owned() } else { format!("rank {rank} is locked") }
}
