//! Memory that the ranks of one machine have in common.

use super::make::agreed;
use super::state::Access;
use super::{Local, Lock, Passive, Window};
use crate::communicator::Communicator;
use crate::ending::Hold;
use crate::error::{Error, ErrorKind};
use crate::padding::may_travel;
use std::ffi::c_int;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use upcall_abi::Blit;

/// A [`Window`] among the ranks of one machine, whose memory each of them reaches in place.
///
/// Slices of it are lent out in two ways: by [`memory_of`](SharedWindow::memory_of) to one rank, which keeps all others out; and
/// by [`together`](SharedWindow::together) to all ranks, which read only. It has the epochs of locks, not those of fences, in
/// which a rank could not know what others do with a third's memory.
///
/// ```no_run
/// # use upcall_mpi::{Environment, SharedWindow, Threads};
/// # let mpi = Environment::start(Threads::Funneled)?;
/// let table = SharedWindow::<f64>::allocate(mpi.world(), 1000)?;
/// table.local()?.fill(1.0);
/// let sum: f64 = table.together(|all| all.iter().flatten().sum())?;
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct SharedWindow<T: Blit> {
    window: Window<T>,
    comm: Communicator,
    /// Each rank's memory, as this process sees it.
    bases: Vec<*mut T>,
}

// SAFETY: as of the window's.
unsafe impl<T: Blit + Send> Send for SharedWindow<T> {}
// SAFETY: as above.
unsafe impl<T: Blit + Send + Sync> Sync for SharedWindow<T> {}

/// The memory of all ranks, while nobody writes it.
pub struct Neighbors<'a, T: Blit>(&'a SharedWindow<T>);

impl<T: Blit> Window<T> {
    /// A rank's memory, where this process sees it.
    fn seen(&self, rank: usize) -> Result<*mut T, Error> {
        let what = || format!("find the memory of rank {rank}");
        let (mut base, mut bytes) = (ptr::null_mut(), 0);
        self.library.call(
            // SAFETY: a window of shared memory, and a rank of it.
            |table| unsafe { (table.win_shared_query)(self.handle, rank as c_int, &mut bytes, &mut base) },
            what,
        )?;
        // Of nothing there is no place.
        let base = if self.room(rank) * size_of::<T>() == 0 { ptr::dangling_mut() } else { base.cast::<T>() };
        if base.is_aligned() && !base.is_null() {
            return Ok(base);
        }
        let message = format!("{}: it is not aligned to {} bytes here", what(), align_of::<T>());
        Err(Error::new(ErrorKind::Usage, message))
    }
}

impl<T: Blit> SharedWindow<T> {
    /// Allocates memory among the ranks of `comm` that run on this machine: `count` elements here, which are zero. Ranks are
    /// numbered as in [`communicator`](SharedWindow::communicator). Collective; each rank has its own number.
    ///
    /// # Errors
    /// As [`Window::allocate`].
    pub fn allocate(comm: &Communicator, count: usize) -> Result<SharedWindow<T>, Error> {
        SharedWindow::allocated(comm, count, 1)
    }

    /// The same of elements that are `stride` of its own.
    pub(super) fn allocated(
        comm: &Communicator,
        count: usize,
        stride: usize,
    ) -> Result<SharedWindow<T>, Error> {
        may_travel::<T>()?;
        let comm = comm.split_shared_memory(0)?;
        let window = Window::<T>::allocated(&comm, &comm, count, stride)?;
        let found: Result<Vec<*mut T>, Error> = (0..window.size()).map(|rank| window.seen(rank)).collect();
        let (found, bases) = match found {
            Ok(bases) => (Ok(()), bases),
            Err(error) => (Err(error), Vec::new()),
        };
        agreed(&comm, found, "find the memory of all ranks")?;
        Ok(SharedWindow { window, comm, bases })
    }

    /// The ranks of this machine, as the window numbers them.
    #[must_use]
    pub fn communicator(&self) -> &Communicator {
        &self.comm
    }

    /// As [`Window::length`].
    #[must_use]
    pub fn length(&self, rank: usize) -> Option<usize> {
        self.window.length(rank)
    }

    /// As [`Window::local`].
    ///
    /// # Errors
    /// As there.
    pub fn local(&self) -> Result<Local<'_, T>, Error> {
        self.window.local()
    }

    /// A rank's memory, in place, when nobody else has locked it: it is locked until the guard is dropped.
    ///
    /// # Errors
    /// There is no such rank, it is locked by this rank already, another epoch is open, or MPI refuses.
    pub fn memory_of(&self, rank: usize) -> Result<Local<'_, T>, Error> {
        self.window.peer(rank, || format!("lock the memory of rank {rank}"))?;
        // SAFETY: it is that rank's.
        unsafe { self.window.in_place(rank, self.bases[rank]) }
    }

    /// Lends the closure the memory of all ranks, to read. Collective: it begins when all ranks have called it, and returns when
    /// all have read.
    ///
    /// # Errors
    /// Another epoch is open, or MPI refuses.
    pub fn together<R>(&self, read: impl FnOnce(&Neighbors<'_, T>) -> R) -> Result<R, Error> {
        let _hold = self.together_begun()?;
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&Neighbors(self))));
        let ended = self.together_ended();
        let outcome = outcome.unwrap_or_else(|panic| resume_unwind(panic));
        ended.map(|()| outcome)
    }

    pub(super) fn together_begun(&self) -> Result<Hold, Error> {
        let (window, what) = (&self.window, || "read the memory of all ranks".to_owned());
        let hold = Hold::new();
        window.state.begin(Access::Together, what)?;
        // Behind the barrier nobody has memory for itself, and what was written before is seen.
        let begun = self.comm.barrier().and_then(|()| {
            // SAFETY: a window of this MPI's, here and below.
            window.library.call(|table| unsafe { (table.win_lock_all)(window.handle) }, what)
        });
        begun.inspect_err(|_| window.state.end())?;
        if let Err(error) = window.synchronized() {
            // The others wait for this rank.
            let _ = self.together_ended();
            return Err(error);
        }
        Ok(hold)
    }

    pub(super) fn together_ended(&self) -> Result<(), Error> {
        let (window, what) = (&self.window, || "end to read the memory of all ranks".to_owned());
        let ended = self.comm.barrier();
        // SAFETY: as above.
        let unlocked = window.library.end(|table| unsafe { (table.win_unlock_all)(window.handle) }, what);
        window.state.end();
        ended.and(unlocked)
    }

    /// As [`free`](SharedWindow::free), of one that has nothing open and whose elements nobody wants.
    pub(super) fn closed(self) -> Result<(), Error> {
        self.window.closed()
    }

    pub(super) fn window(&self) -> &Window<T> {
        &self.window
    }

    /// A rank's memory, as this process sees it.
    pub(super) fn base_of(&self, rank: usize) -> Option<*mut T> {
        self.bases.get(rank).copied()
    }

    /// As [`Window::lock`].
    ///
    /// # Errors
    /// As there.
    pub fn lock<'env, R>(
        &self,
        lock: Lock,
        rank: usize,
        epoch: impl FnOnce(&Passive<'_, '_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.window.lock(lock, rank, epoch)
    }

    /// As [`Window::lock_all`].
    ///
    /// # Errors
    /// As there.
    pub fn lock_all<'env, R>(
        &self,
        epoch: impl FnOnce(&Passive<'_, '_, 'env, T>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.window.lock_all(epoch)
    }

    /// As [`Window::free`], of one that was allocated. Collective.
    ///
    /// # Errors
    /// As there.
    pub fn free(self) -> Result<Vec<T>, Error> {
        self.window.free()
    }
}

impl<T: Blit> Neighbors<'_, T> {
    /// A rank's elements; none where there is no such rank.
    #[must_use]
    pub fn of(&self, rank: usize) -> Option<&[T]> {
        let base = *self.0.bases.get(rank)?;
        // SAFETY: so many elements, of which any bytes are values; nobody writes them before all ranks have read.
        Some(unsafe { std::slice::from_raw_parts(base, self.0.window.room(rank)) })
    }

    /// Those of each rank.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.0.bases.len()).filter_map(|rank| self.of(rank))
    }
}

impl<T: Blit> fmt::Debug for SharedWindow<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.window.fmt(f)
    }
}

impl<T: Blit> fmt::Debug for Neighbors<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Neighbors of rank {}", self.0.window.rank)
    }
}
