//! Messages in partitions over memory that is not Rust's: another language fills and reads it, and says when a partition is ready.

use super::{Partitions, Side};
use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::request::Lent;
use crate::status::Status;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// A message in partitions, to be sent or received again and again, by whichever threads. The memory stays lent until this is
/// dropped, and MPI has ended with it; between rounds it is the lender's to use, and of a round, what is not ready or has arrived.
#[must_use = "it does nothing until it is started"]
pub struct LentPartitions {
    all: RwLock<Partitions<u8>>,
    sends: bool,
}

impl Communicator {
    /// Makes a message of so many partitions ready, of as many bytes each, as
    /// [`partitioned_send_init`](Communicator::partitioned_send_init).
    ///
    /// # Errors
    /// As there; the keeper is dropped then.
    pub fn partitioned_send_init_lent<K: Send + 'static>(
        &self,
        data: Lent<K>,
        partitions: usize,
        to: usize,
        tag: i32,
    ) -> Result<LentPartitions, Error> {
        let bytes = data.bytes();
        let what = || format!("make a send of {bytes} bytes in {partitions} partitions to rank {to} ready");
        self.lent_partitions(data, (partitions, to, tag), Side::Sends, what)
    }

    /// Makes the receive of such a message ready, whose partitions are as the receiver likes.
    ///
    /// # Errors
    /// As [`partitioned_send_init`](Communicator::partitioned_send_init).
    pub fn partitioned_receive_init_lent<K: Send + 'static>(
        &self,
        into: Lent<K>,
        partitions: usize,
        from: usize,
        tag: i32,
    ) -> Result<LentPartitions, Error> {
        let bytes = into.bytes();
        let what =
            || format!("make a receive of {bytes} bytes in {partitions} partitions from rank {from} ready");
        self.lent_partitions(into, (partitions, from, tag), Side::Receives, what)
    }

    fn lent_partitions<K: Send + 'static>(
        &self,
        memory: Lent<K>,
        at: (usize, usize, i32),
        side: Side,
        what: impl Fn() -> String,
    ) -> Result<LentPartitions, Error> {
        // SAFETY: the keeper keeps so many bytes where they are, and goes where the request does.
        let mut all = unsafe { self.partitions_at::<u8>(memory.place(), memory.bytes(), at, side, what)? };
        all.ready.resize_with(at.0, AtomicBool::default);
        all.keeper = Some(Box::new(Mutex::new(memory)));
        Ok(LentPartitions { all: RwLock::new(all), sends: matches!(side, Side::Sends) })
    }
}

impl LentPartitions {
    /// Starts a round.
    ///
    /// # Errors
    /// One is under way, or MPI refuses.
    pub fn start(&self) -> Result<(), Error> {
        let mut all = self.whole()?;
        all.at_rest()?;
        for ready in &all.ready {
            ready.store(!self.sends, Ordering::Relaxed);
        }
        all.start()
    }

    /// Sends a partition, which is not to be changed until the round has ended.
    ///
    /// # Errors
    /// None was started, this is a receive, there is no such partition, it was sent in this round, or MPI refuses.
    pub fn ready(&self, partition: usize) -> Result<(), Error> {
        self.ready_when(partition, || ())
    }

    /// The same of one that is written before, by this thread alone.
    ///
    /// # Errors
    /// As [`ready`](LentPartitions::ready); nothing was written then, but where MPI refuses.
    pub fn ready_when(&self, partition: usize, write: impl FnOnce()) -> Result<(), Error> {
        let what = || format!("send partition {partition}");
        let all = self.part(partition, self.sends, what)?;
        if all.ready[partition].swap(true, Ordering::AcqRel) {
            return Err(Error::new(ErrorKind::Usage, format!("{}: it was sent in this round", what())));
        }
        write();
        let sent = all.library.call(
            // SAFETY: a partition of a request that was started, which was not sent in this round.
            |table| unsafe { (table.pready)(partition as c_int, all.handle) },
            what,
        );
        if sent.is_err() {
            all.ready[partition].store(false, Ordering::Release);
        }
        sent
    }

    /// Whether a partition has arrived, and may be read.
    ///
    /// # Errors
    /// None was started, this is a send, there is no such partition, or MPI refuses.
    pub fn has_arrived(&self, partition: usize) -> Result<bool, Error> {
        let what = || format!("look at partition {partition}");
        let all = self.part(partition, !self.sends, what)?;
        let mut arrived = 0;
        all.library.call(
            // SAFETY: a request that was started, with such a partition.
            |table| unsafe { (table.parrived)(all.handle, partition as c_int, &mut arrived) },
            what,
        )?;
        Ok(arrived != 0)
    }

    /// Reads a partition where it has arrived, or no round is under way. Returns whether it did.
    ///
    /// # Errors
    /// This is a send, there is no such partition, or MPI refuses.
    pub fn read_when(&self, partition: usize, read: impl FnOnce()) -> Result<bool, Error> {
        // Nobody starts or ends a round meanwhile.
        let _held = match self.all.try_read() {
            Ok(all) => all,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(used()),
        };
        if self.is_active() && !self.has_arrived(partition)? {
            return Ok(false);
        }
        read();
        Ok(true)
    }

    /// Waits until the round has ended. Of a send, partitions that are not ready go as they are.
    ///
    /// # Errors
    /// None was started, or it has failed.
    pub fn wait(&self) -> Result<Status, Error> {
        let mut all = self.whole()?;
        all.is_started()?;
        all.rest()?;
        all.wait()
    }

    /// Whether a round is under way.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.all.try_read().map_or(true, |all| all.active)
    }

    fn whole(&self) -> Result<RwLockWriteGuard<'_, Partitions<u8>>, Error> {
        match self.all.try_write() {
            Ok(all) => Ok(all),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(used()),
        }
    }

    fn part(
        &self,
        partition: usize,
        right: bool,
        what: impl Fn() -> String,
    ) -> Result<RwLockReadGuard<'_, Partitions<u8>>, Error> {
        let all = match self.all.try_read() {
            Ok(all) => all,
            Err(TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(TryLockError::WouldBlock) => return Err(used()),
        };
        let refused = |why: String| Err(Error::new(ErrorKind::Usage, format!("{}: {why}", what())));
        if !right {
            return refused("partitions are sent by the side that sends, and arrive at the other".to_owned());
        }
        if !all.active {
            return refused("the message in partitions was not started".to_owned());
        }
        if partition >= all.ready.len() {
            return refused(format!("there are {}", all.ready.len()));
        }
        Ok(all)
    }
}

fn used() -> Error {
    Error::new(ErrorKind::Usage, "use a message in partitions: another thread does, or waits for it")
}
