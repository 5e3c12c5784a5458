use super::communicator::UpcallMpiCommunicator;
use super::epoch::{UpcallMpiEpoch, UpcallMpiExposure};
use super::failure::MpiFailure;
use super::rank;
use std::ffi::c_void;
use upcall_mpi::{Lent, Lock, OpenWindow};

/// What keeps the caller's memory, until it is dropped.
pub(super) type Keeper = Box<dyn Fn() + Send + Sync>;

/// Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on. What is done
/// lies in an epoch, which begins with a call here and ends with `end`.
///
/// It ends by `free`, which all ranks call in one order; released before that, as by a finaliser, it stays until MPI is finalized.
/// What is done to it once it has been freed is a failure.
pub struct UpcallMpiWindow(OpenWindow<Keeper>);

/// Who else may lock the same rank's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiLock {
    /// Others that share it.
    Shared,
    /// Nobody.
    Exclusive,
}

fn ranks(numbers: &[i32], what: &str) -> Result<Vec<usize>, MpiFailure> {
    numbers.iter().map(|number| rank(*number, what)).collect()
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// A window of `count` elements of so many bytes here, which are zero, in memory of MPI's. Collective; each rank has its own
    /// number.
    pub fn window(&self, count: usize, element: usize) -> Result<UpcallMpiWindow, MpiFailure> {
        Ok(UpcallMpiWindow(OpenWindow::allocate(self.get()?, count, element)?))
    }

    /// A window over so many bytes at an address, which are the window's until it is freed: where MPI does not take them where they
    /// lie they are copied, and back in the end. `keep` is never called: it is released when MPI needs the memory no more, on any
    /// thread. Collective.
    pub fn window_over(
        &self,
        address: *mut c_void,
        bytes: usize,
        element: usize,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiWindow, MpiFailure> {
        let comm = self.get()?;
        // SAFETY: the caller's duty, as of every address.
        let lent = unsafe { Lent::new(address.cast(), bytes, keep) };
        Ok(UpcallMpiWindow(OpenWindow::create(comm, lent, element)?))
    }

    /// A window among those ranks that run on this machine, each of which reaches the others' memory in place. Collective.
    pub fn shared_window(&self, count: usize, element: usize) -> Result<UpcallMpiWindow, MpiFailure> {
        Ok(UpcallMpiWindow(OpenWindow::shared(self.get()?, count, element)?))
    }
}

#[upcall::export]
impl UpcallMpiWindow {
    /// This process's rank, as the window numbers them.
    pub fn rank(&self) -> i32 {
        self.0.rank() as i32
    }

    /// How many ranks there are.
    pub fn size(&self) -> i32 {
        self.0.size() as i32
    }

    /// How many elements a rank has.
    pub fn length(&self, rank: i32) -> Result<u64, MpiFailure> {
        let what = "ask for a window's length";
        let length = self.0.length(super::rank(rank, what)?);
        length.map(|length| length as u64).ok_or_else(|| {
            let message =
                format!("{what}: there is no rank {rank}; this window has {}, from 0 on", self.0.size());
            MpiFailure::new(super::failure::UPCALL_MPI_RANK, message)
        })
    }

    /// The bytes of an element.
    pub fn element(&self) -> usize {
        self.0.element()
    }

    /// Whether what is written here and what others write is one memory, in MPI's words: its unified model.
    pub fn is_unified(&self) -> Result<bool, MpiFailure> {
        Ok(self.0.is_unified()?)
    }

    /// An epoch of all ranks: it begins when all have called this, and ends when all have ended it. Collective.
    pub fn fence(&self) -> Result<UpcallMpiEpoch, MpiFailure> {
        Ok(UpcallMpiEpoch(self.0.fence()?))
    }

    /// An epoch with some ranks, which expose their memory to this one meanwhile.
    pub fn access(&self, ranks: &[i32]) -> Result<UpcallMpiEpoch, MpiFailure> {
        Ok(UpcallMpiEpoch(self.0.access(&self::ranks(ranks, "access a window")?)?))
    }

    /// Lets some ranks access this rank's memory, each once, until it is waited for.
    pub fn expose(&self, ranks: &[i32]) -> Result<UpcallMpiExposure, MpiFailure> {
        Ok(UpcallMpiExposure(self.0.expose(&self::ranks(ranks, "expose a window")?)?))
    }

    /// An epoch with one rank, which need not call anything.
    pub fn lock(&self, lock: UpcallMpiLock, rank: i32) -> Result<UpcallMpiEpoch, MpiFailure> {
        let lock = match lock {
            UpcallMpiLock::Shared => Lock::Shared,
            UpcallMpiLock::Exclusive => Lock::Exclusive,
        };
        Ok(UpcallMpiEpoch(self.0.lock(lock, super::rank(rank, "lock a window")?)?))
    }

    /// An epoch with all ranks, which others may have at the same time.
    pub fn lock_all(&self) -> Result<UpcallMpiEpoch, MpiFailure> {
        Ok(UpcallMpiEpoch(self.0.lock_all()?))
    }

    /// A rank's memory, in place, when no other rank has locked it, and for no other until it is ended: this rank's own, or of a
    /// shared window anyone's.
    pub fn memory_of(&self, rank: i32) -> Result<UpcallMpiEpoch, MpiFailure> {
        Ok(UpcallMpiEpoch(self.0.memory_of(super::rank(rank, "lock a window's memory")?)?))
    }

    /// The memory of all ranks of a shared window, to read. Collective: it begins when all have called this, and ends when all have
    /// ended it.
    pub fn together(&self) -> Result<UpcallMpiEpoch, MpiFailure> {
        Ok(UpcallMpiEpoch(self.0.together()?))
    }

    /// Ends it, when all ranks do. Memory that it was made over has its elements then. A second call does nothing. Collective.
    pub fn free(&self) -> Result<(), MpiFailure> {
        Ok(self.0.free()?)
    }
}
