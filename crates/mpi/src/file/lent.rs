//! Reading and writing in the background of memory that another language keeps where it is.

use super::start::lost;
use super::{File, Place};
use crate::error::Error;
use crate::request::Lent;
use std::fmt;
use std::sync::mpsc::{Receiver, TryRecvError};

/// A read or write of a file that was begun, of bytes that somebody else keeps. It outlives its file, which waits for it when it
/// is closed. Where it is dropped, it goes on by itself.
#[must_use = "a transfer says how it has ended when it is waited for"]
pub struct LentTransfer<K> {
    told: Receiver<Result<(Lent<K>, usize), Error>>,
}

impl<K> LentTransfer<K> {
    /// Waits until it has ended: the memory, and how many bytes were read or written. Once.
    ///
    /// # Errors
    /// As of the call that waits; the keeper was dropped then.
    pub fn wait(&mut self) -> Result<(Lent<K>, usize), Error> {
        self.told.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// What [`wait`](LentTransfer::wait) returns, where it has ended.
    ///
    /// # Errors
    /// As there.
    pub fn test(&mut self) -> Result<Option<(Lent<K>, usize)>, Error> {
        match self.told.try_recv() {
            Ok(told) => told.map(Some),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(lost()),
        }
    }
}

impl<K> fmt::Debug for LentTransfer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LentTransfer").finish_non_exhaustive()
    }
}

impl File {
    /// As [`start_read_at`](File::start_read_at), of elements of so many bytes each, into memory that somebody else keeps.
    ///
    /// # Errors
    /// As there; the keeper is dropped then.
    pub fn start_read_at_lent<K: Send + 'static>(
        &self,
        into: Lent<K>,
        element: usize,
        offset: u64,
    ) -> Result<LentTransfer<K>, Error> {
        let (how, what) = (Place::At(offset), "begin to read from");
        self.may(true, what)?;
        let offset = self.placed(how, into.as_slice().len(), what)?;
        let gaps = self.gaps.then_some(self.unit);
        let told = self.begun(move |raw| {
            // SAFETY: nobody else uses it until this has ended: that was promised when it was lent.
            let bytes = raw.read_before_end(unsafe { into.as_mut_slice() }, how, offset, gaps)?;
            raw.whole(bytes, element)?;
            Ok((into, bytes))
        })?;
        Ok(LentTransfer { told })
    }

    /// As [`start_write_at`](File::start_write_at), of memory that somebody else keeps.
    ///
    /// # Errors
    /// As there; the keeper is dropped then.
    pub fn start_write_at_lent<K: Send + 'static>(
        &self,
        data: Lent<K>,
        offset: u64,
    ) -> Result<LentTransfer<K>, Error> {
        let (how, what) = (Place::At(offset), "begin to write to");
        self.may(false, what)?;
        let offset = self.placed(how, data.as_slice().len(), what)?;
        let told = self.begun(move |raw| {
            raw.write(data.as_slice(), how, offset)?;
            let bytes = data.as_slice().len();
            Ok((data, bytes))
        })?;
        Ok(LentTransfer { told })
    }
}
