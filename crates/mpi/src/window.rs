//! Memory that other ranks read and write: one-sided communication.

mod accumulate;
mod epoch;
mod exposure;
pub(crate) mod ghost;
mod local;
mod make;
mod open;
mod passive;
mod room;
mod shared;
mod state;

pub use accumulate::{Accumulate, Combining, Replace, Scalar};
pub use epoch::Epoch;
pub use exposure::Exposure;
pub use local::Local;
pub use open::{OpenEpoch, OpenExposure, OpenTransfer, OpenWindow};
pub use passive::{Lock, Passive};
pub use shared::{Neighbors, SharedWindow};

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::Handle;
use state::State;
use std::ffi::c_int;
use std::fmt;
use upcall_abi::Blit;

/// Memory of each rank's of a communicator, which all of them read and write: so many elements at each, from 0 on.
///
/// Whoever reads or writes does so in an *epoch*, a closure that is given what there is to call: [`fence`](Window::fence), for
/// all ranks at once; [`access`](Window::access) and [`expose`](Window::expose), for some; [`lock`](Window::lock) and
/// [`lock_all`](Window::lock_all), which the others need not take part in. What is put or fetched there is borrowed until the
/// closure has ended and the epoch with it, also where it panics: nothing dangles, whatever is dropped or forgotten. For one
/// transfer there are [`put`](Window::put), [`get`](Window::get) and the like, in epochs of their own.
///
/// This rank's own memory is read and written through [`local`](Window::local), which keeps all others out, or by the epochs as
/// that of any rank. A rank's memory is of bytes that are always a value, so that what two ranks write at once is in no order
/// but harms nobody.
///
/// What remains the program's duty, as MPI cannot see it:
/// - Within one epoch, what is put and what is fetched or combined must not overlap, but for what is accumulated with one
///   operator: who overlaps reads and leaves elements in any state.
/// - Collective calls (making one, [`fence`](Window::fence), freeing or dropping) are made by all ranks in one order; an error
///   that a single rank gets from its own mistake leaves the others waiting.
/// - It is dropped before MPI is finalized, which frees it otherwise. MPI is not finalized within an epoch, nor while a guard is
///   there.
/// - An operation on a rank that computes may wait until that rank calls MPI.
///
/// It may be shared by threads, as far as the thread level goes; an epoch is the whole process's.
///
/// ```no_run
/// # use upcall_mpi::{Environment, Lock, Sum, Threads, Window};
/// # let mpi = Environment::start(Threads::Funneled)?;
/// let world = mpi.world();
/// let window = Window::<u64>::allocate(world, 10)?;
/// let next = (world.rank() + 1) % world.size();
/// let mine = [world.rank() as u64];
/// window.fence(|epoch| epoch.put(&mine, next, 0))?;
/// // A counter at rank 0.
/// let ticket = window.lock_all(|epoch| epoch.fetch_and_op(1, 0, 9, Sum))?;
/// let last = window.local()?[0];
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct Window<T: Blit> {
    library: &'static Library,
    handle: Handle,
    rank: usize,
    /// The elements of each rank.
    lengths: Vec<usize>,
    /// How many `T` an element has: one, but where it is bytes whose type is known only when the program runs.
    stride: usize,
    /// This rank's.
    base: *mut T,
    /// The capacity of the `Vec` that they are; none where they are MPI's.
    capacity: Option<usize>,
    state: State,
}

// SAFETY: the memory is reached through MPI, or through a guard of which there is one at a time.
unsafe impl<T: Blit + Send> Send for Window<T> {}
// SAFETY: as above.
unsafe impl<T: Blit + Send + Sync> Sync for Window<T> {}

impl<T: Blit> Window<T> {
    /// This process's rank, as in the communicator that it was made of.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many ranks there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.lengths.len()
    }

    /// How many elements a rank has; none where there is no such rank.
    #[must_use]
    pub fn length(&self, rank: usize) -> Option<usize> {
        self.lengths.get(rank).copied()
    }

    /// Whether what is written here and what others write is one memory, in MPI's words: its unified model. Nothing in this
    /// interface depends on it.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn is_unified(&self) -> Result<bool, Error> {
        let mut unified = 0;
        self.library.call(
            // SAFETY: a window of this MPI's, here and below.
            |table| unsafe { (table.win_unified)(self.handle, &mut unified) },
            || "ask for a window's memory model".to_owned(),
        )?;
        Ok(unified != 0)
    }

    /// A rank as MPI has it.
    fn peer(&self, rank: usize, what: impl FnOnce() -> String) -> Result<c_int, Error> {
        match c_int::try_from(rank) {
            Ok(number) if rank < self.size() => Ok(number),
            _ => {
                let message = format!(
                    "{}: there is no rank {rank}; this window has {}, from 0 on",
                    what(),
                    self.size()
                );
                Err(Error::new(ErrorKind::Rank, message))
            }
        }
    }

    /// Where an element of a rank's is, in bytes, if it and those behind it are there.
    fn place(
        &self,
        rank: usize,
        at: usize,
        count: usize,
        what: impl Fn() -> String,
    ) -> Result<(c_int, i64), Error> {
        let peer = self.peer(rank, &what)?;
        let length = self.lengths[rank];
        if at.checked_add(count).is_none_or(|end| end > length) {
            let message = format!("{}: that rank's window has {length} elements", what());
            return Err(Error::new(ErrorKind::Range, message));
        }
        // It is in memory there, whose bytes an address counts.
        Ok((peer, (at * self.stride * size_of::<T>()) as i64))
    }

    /// How many elements these are.
    #[inline]
    fn elements_of(&self, data: &[T]) -> usize {
        data.len() / self.stride
    }

    /// How many `T` a rank has.
    fn room(&self, rank: usize) -> usize {
        self.lengths[rank] * self.stride
    }

    /// Writes elements at a rank, in an epoch of its own, and returns when they are there.
    ///
    /// # Errors
    /// There is no such rank or place, the rank is locked already, the type has padding that cannot be zeroed, or MPI refuses.
    pub fn put(&self, data: &[T], rank: usize, at: usize) -> Result<(), Error> {
        self.lock(Lock::Shared, rank, |epoch| epoch.put(data, rank, at))
    }

    /// Reads elements of a rank's, in an epoch of its own.
    ///
    /// # Errors
    /// As [`put`](Window::put).
    pub fn get(&self, rank: usize, at: usize, count: usize) -> Result<Vec<T>, Error> {
        self.lock(Lock::Shared, rank, |epoch| epoch.fetch(rank, at, count))
    }

    /// As [`get`](Window::get), into a slice.
    ///
    /// # Errors
    /// As there.
    pub fn get_into(&self, into: &mut [T], rank: usize, at: usize) -> Result<(), Error> {
        self.lock(Lock::Shared, rank, |epoch| epoch.get(into, rank, at))
    }
}

impl<T: Blit> fmt::Debug for Window<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Window").field("rank", &self.rank).field("lengths", &self.lengths).finish()
    }
}
