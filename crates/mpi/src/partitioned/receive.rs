//! The side that receives.

use super::Partitions;
use crate::error::{Error, ErrorKind};
use crate::status::Status;
use std::ffi::c_int;
use std::fmt;
use upcall_abi::Blit;

/// A message that arrives in partitions, again and again. It owns its buffer.
///
/// Dropping it is safe: while it is under way its buffer stays until the message has come.
#[must_use = "it does nothing until it is started"]
pub struct PartitionedReceive<T: Blit + Send> {
    pub(super) all: Partitions<T>,
}

impl<T: Blit + Send> PartitionedReceive<T> {
    /// Starts a round.
    ///
    /// # Errors
    /// One is under way, or MPI refuses.
    pub fn start(&mut self) -> Result<(), Error> {
        self.all.start()
    }

    /// A partition, where it has arrived. It may be asked by several threads.
    ///
    /// # Errors
    /// None was started, there is no such partition, or MPI refuses.
    pub fn arrived(&self, partition: usize) -> Result<Option<&[T]>, Error> {
        self.all.is_started()?;
        let what = || format!("look at partition {partition}");
        let begin = partition.checked_mul(self.all.each).filter(|begin| *begin < self.all.data.len());
        let Some(begin) = begin else {
            let message = format!("{}: there are {}", what(), self.all.data.len() / self.all.each);
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let mut arrived = 0;
        self.all.library.call(
            // SAFETY: a request that was started, with such a partition.
            |table| unsafe { (table.parrived)(self.all.handle, partition as c_int, &mut arrived) },
            what,
        )?;
        // SAFETY: it lies within the elements, any bytes are values, and MPI writes it no more in this round.
        Ok((arrived != 0)
            .then(|| unsafe { std::slice::from_raw_parts(self.all.data.as_ptr().add(begin), self.all.each) }))
    }

    /// Waits until all have arrived.
    ///
    /// # Errors
    /// None was started, or it has failed.
    pub fn wait(&mut self) -> Result<Status, Error> {
        self.all.is_started()?;
        self.all.wait()
    }

    /// The elements of the last round.
    ///
    /// # Errors
    /// A round is under way.
    pub fn data(&self) -> Result<&[T], Error> {
        self.all.at_rest()?;
        Ok(&self.all.data)
    }

    /// Gives back the elements.
    ///
    /// # Errors
    /// A round is under way, or MPI refuses.
    pub fn free(self) -> Result<Vec<T>, Error> {
        self.all.free()
    }
}

impl<T: Blit + Send> fmt::Debug for PartitionedReceive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionedReceive").field("active", &self.all.active).finish_non_exhaustive()
    }
}
