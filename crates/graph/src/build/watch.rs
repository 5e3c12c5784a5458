//! How far it is, and whether somebody wants it to stop.

use crate::error::{Error, ErrorKind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// Lists of edges are read, sorted in pieces, and the pieces written.
    Reading,
    /// Pieces are merged into larger ones, as there are too many of them.
    Merging,
    /// The incoming edges are written.
    Incoming,
    /// The outgoing edges are written.
    Outgoing,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// How many bytes of the lists have been read, as they are in their files.
    pub bytes: u64,
    /// How many edges this phase is done with.
    pub edges: u64,
}

/// Somebody who watches.
pub(crate) struct Watch<'a> {
    stop: Option<&'a AtomicBool>,
    told: Option<Box<dyn FnMut(Progress) + 'a>>,
    pub(crate) now: Progress,
}

/// So many edges are done between two looks.
const OFTEN: u64 = 1 << 15;

impl<'a> Watch<'a> {
    pub(crate) fn new(
        stop: Option<&'a AtomicBool>,
        told: Option<Box<dyn FnMut(Progress) + 'a>>,
    ) -> Watch<'a> {
        Watch { stop, told, now: Progress { phase: Phase::Reading, bytes: 0, edges: 0 } }
    }

    pub(crate) fn begin(&mut self, phase: Phase) -> Result<(), Error> {
        (self.now.phase, self.now.edges) = (phase, 0);
        self.look()
    }

    /// Another edge is done.
    #[inline]
    pub(crate) fn edge(&mut self) -> Result<(), Error> {
        self.now.edges += 1;
        match self.now.edges.is_multiple_of(OFTEN) {
            true => self.look(),
            false => Ok(()),
        }
    }

    pub(crate) fn look(&mut self) -> Result<(), Error> {
        if self.stop.is_some_and(|stop| stop.load(Relaxed)) {
            return Err(Error::new(
                ErrorKind::Interrupted,
                "make a graph: it was stopped, and nothing is left of it",
            ));
        }
        if let Some(told) = &mut self.told {
            told(self.now);
        }
        Ok(())
    }
}
