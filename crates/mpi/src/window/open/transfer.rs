//! Reads and writes of other ranks' memory that were begun in such an epoch, over memory that somebody else keeps.

use super::epoch::{Open, OpenEpoch};
use crate::error::Error;
use crate::request::Lent;
use crate::window::accumulate::Combining;
use std::fmt;
use std::sync::{Arc, PoisonError};

/// As [`Transfer`](crate::Transfer), over lent memory, which is let go when it has ended. It ends with its epoch at the latest,
/// which says then what has failed. One that is dropped is waited for by its epoch.
#[doc(hidden)]
#[must_use = "a transfer is waited for, at the latest by its epoch"]
pub struct OpenTransfer<K: Send + 'static> {
    epoch: Arc<Open<K>>,
    id: u64,
}

impl<K: Send + 'static> OpenTransfer<K> {
    /// Waits until it has ended.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn wait(&self) -> Result<(), Error> {
        self.ended(true).map(drop)
    }

    /// Whether it has ended.
    ///
    /// # Errors
    /// What was begun has failed.
    pub fn test(&self) -> Result<bool, Error> {
        self.ended(false)
    }

    /// Whether it goes on: a call was refused that this thread may not make.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        let epoch = self.epoch.read().unwrap_or_else(PoisonError::into_inner);
        epoch.as_ref().is_some_and(|opened| opened.epoch.begun.has(self.id))
    }

    fn ended(&self, wait: bool) -> Result<bool, Error> {
        match &*self.epoch.read().unwrap_or_else(PoisonError::into_inner) {
            Some(opened) => opened.epoch.begun.has_ended(self.id, wait),
            None => Ok(true),
        }
    }
}

impl<K: Send + 'static> OpenEpoch<K> {
    /// As [`Passive::start_put`](crate::Passive::start_put).
    ///
    /// # Errors
    /// As there; the keeper is dropped then.
    pub fn start_put_lent(&self, data: Lent<K>, rank: usize, at: usize) -> Result<OpenTransfer<K>, Error> {
        let what = "begin to put";
        self.on(what, data.bytes(), |opened| {
            // SAFETY: the keeper is kept until the transfer has ended, here and below.
            let request = unsafe { opened.passive(what)?.put_begun(data.as_slice(), rank, at)? };
            Ok(self.begun(opened.epoch.begun.keep_lent(request, data)))
        })
    }

    /// As [`Passive::start_get`](crate::Passive::start_get).
    ///
    /// # Errors
    /// As there; the keeper is dropped then.
    pub fn start_get_lent(&self, into: Lent<K>, rank: usize, at: usize) -> Result<OpenTransfer<K>, Error> {
        let what = "begin to get";
        self.on(what, into.bytes(), |opened| {
            // SAFETY: as above; nobody else uses them meanwhile.
            let request = unsafe { opened.passive(what)?.get_begun(into.as_mut_slice(), rank, at)? };
            Ok(self.begun(opened.epoch.begun.keep_lent(request, into)))
        })
    }

    /// As [`Passive::start_accumulate`](crate::Passive::start_accumulate).
    ///
    /// # Errors
    /// As there, or the operator's numbers do not make up the elements; the keeper is dropped then.
    pub fn start_accumulate_lent(
        &self,
        data: Lent<K>,
        rank: usize,
        at: usize,
        by: Combining,
    ) -> Result<OpenTransfer<K>, Error> {
        let what = "begin to accumulate";
        self.by(what, data.bytes(), by, false, |opened| {
            // SAFETY: as above.
            let request = unsafe { opened.passive(what)?.accumulate_begun(data.as_slice(), rank, at, by)? };
            Ok(self.begun(opened.epoch.begun.keep_lent(request, data)))
        })
    }

    fn begun(&self, id: u64) -> OpenTransfer<K> {
        OpenTransfer { epoch: Arc::clone(&self.0), id }
    }
}

impl<K: Send + 'static> fmt::Debug for OpenTransfer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenTransfer {}", self.id)
    }
}
