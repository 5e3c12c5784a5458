//! The side that sends.

use super::Partitions;
use crate::error::Error;
use crate::library::Library;
use crate::padding::clean_in_place;
use crate::shim::Handle;
use crate::status::Status;
use std::ffi::c_int;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_abi::Blit;

/// A message in partitions, to be sent again and again. It owns its buffer.
///
/// ```no_run
/// # use upcall_mpi::{Environment, Threads};
/// # let mpi = Environment::start(Threads::Multiple)?;
/// let mut message = mpi.world().partitioned_send_init(vec![0.0; 400], 4, 1, 0)?;
/// std::thread::scope(|scope| {
///     for mut partition in message.start()? {
///         scope.spawn(move || {
///             partition.fill(1.5);
///             partition.ready()
///         });
///     }
///     Ok::<_, upcall_mpi::Error>(())
/// })?;
/// message.wait()?;
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
///
/// Dropping it is safe: what was not ready is sent as it is, and the buffer is freed by a later call.
#[must_use = "it does nothing until it is started"]
pub struct PartitionedSend<T: Blit + Send> {
    pub(super) all: Partitions<T>,
}

/// A part of a message, to be written and sent. One that is dropped goes as it is when the message is waited for.
#[must_use = "it is sent when it is ready"]
pub struct Partition<'m, T: Blit + Send> {
    pub(super) library: &'static Library,
    pub(super) handle: Handle,
    pub(super) index: c_int,
    pub(super) data: &'m mut [T],
    pub(super) ready: &'m AtomicBool,
}

impl<T: Blit + Send> PartitionedSend<T> {
    /// Starts a round: its partitions, to be written and sent one by one, in any order, by any thread.
    ///
    /// # Errors
    /// One is under way, or MPI refuses.
    pub fn start(&mut self) -> Result<Vec<Partition<'_, T>>, Error> {
        self.all.start()?;
        let (library, handle, each) = (self.all.library, self.all.handle, self.all.each);
        let parts = self.all.data.chunks_exact_mut(each).zip(&self.all.ready);
        Ok((0..)
            .zip(parts)
            .map(|(index, (data, ready))| {
                ready.store(false, Ordering::Relaxed);
                Partition { library, handle, index, data, ready }
            })
            .collect())
    }

    /// Waits until the round has ended. Partitions that are not ready go as they are.
    ///
    /// # Errors
    /// None was started, or it has failed.
    pub fn wait(&mut self) -> Result<Status, Error> {
        self.all.is_started()?;
        self.all.rest()?;
        self.all.wait()
    }

    /// The elements.
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

impl<T: Blit + Send> Partition<'_, T> {
    /// Which it is.
    #[must_use]
    pub fn index(&self) -> usize {
        usize::try_from(self.index).unwrap_or(0)
    }

    /// Sends it.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn ready(self) -> Result<(), Error> {
        clean_in_place(self.data)?;
        self.library.call(
            // SAFETY: a partition of a request that was started, which is written no more until it has ended.
            |table| unsafe { (table.pready)(self.index, self.handle) },
            || format!("send partition {}", self.index),
        )?;
        self.ready.store(true, Ordering::Release);
        Ok(())
    }
}

impl<T: Blit + Send> Deref for Partition<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.data
    }
}

impl<T: Blit + Send> DerefMut for Partition<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.data
    }
}

impl<T: Blit + Send> fmt::Debug for PartitionedSend<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionedSend").field("active", &self.all.active).finish_non_exhaustive()
    }
}

impl<T: Blit + Send> fmt::Debug for Partition<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partition").field("index", &self.index).finish_non_exhaustive()
    }
}
