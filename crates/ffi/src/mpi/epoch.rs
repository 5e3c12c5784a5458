use super::buffer::UpcallMpiMemory;
use super::failure::{MpiFailure, UPCALL_MPI_RANGE};
use super::window::Keeper;
use super::{UPCALL_MPI_ANY, rank};
use std::ffi::c_void;
use upcall_mpi::{Combining, Lent, OpenEpoch, OpenExposure};

/// What is done to a window between two points in time. Places and counts are of elements, and data whole ones.
///
/// It ends by `end`; released before that it stays open, and neither is its window freed nor MPI finalized. What is done to it once
/// it has ended is a failure.
pub struct UpcallMpiEpoch(pub(super) OpenEpoch<Keeper>);

/// This rank's memory, which others access until it is waited for.
pub struct UpcallMpiExposure(pub(super) OpenExposure<Keeper>);

/// One of MPI's own operations on numbers: of a window nobody runs a function.
pub struct UpcallMpiCombining(pub(super) Combining);

#[upcall::export]
impl UpcallMpiCombining {
    /// An operation on numbers by their names, as `upcall_mpi_operation_named` has them, or `Replace`, or `Nothing`, which leaves
    /// what is there.
    pub fn named(operator: &str, number: &str) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiCombining(Combining::named(operator, number)?))
    }
}

/// Memory of the caller's.
pub(super) fn lent(address: *const c_void, bytes: usize, keep: Keeper) -> Lent<Keeper> {
    // SAFETY: the caller's duty, as of every address.
    unsafe { Lent::new(address.cast_mut().cast(), bytes, keep) }
}

#[upcall::export]
impl UpcallMpiEpoch {
    /// Writes a copy of elements at a rank, from its element `at` on.
    pub fn put(&self, data: &[u8], to: i32, at: u64) -> Result<(), MpiFailure> {
        Ok(self.0.put(data, rank(to, "put")?, place(at)?)?)
    }

    /// The same of so many bytes at an address. `keep` is never called: it is released when the epoch has ended, and until then
    /// they stay there, unchanged; so below.
    pub fn put_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        at: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        Ok(self.0.put_lent(lent(address, bytes, keep), rank(to, "put")?, place(at)?)?)
    }

    /// Reads elements of a rank's into so many bytes at an address, where they are when the epoch has ended, or after a flush.
    pub fn get_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        from: i32,
        at: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        Ok(self.0.get_lent(lent(address, bytes, keep), rank(from, "get")?, place(at)?)?)
    }

    /// The same, in an epoch of locks: they are there when it returns.
    pub fn fetch(&self, into: &mut [u8], from: i32, at: u64) -> Result<(), MpiFailure> {
        Ok(self.0.fetch(into, rank(from, "fetch")?, place(at)?)?)
    }

    /// Combines a copy of elements into those of a rank's, each at once.
    pub fn accumulate(
        &self,
        data: &[u8],
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
    ) -> Result<(), MpiFailure> {
        Ok(self.0.accumulate(data, rank(to, "accumulate")?, place(at)?, by.0)?)
    }

    /// The same of bytes at an address.
    pub fn accumulate_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        let data = lent(address, bytes, keep);
        Ok(self.0.accumulate_lent(data, rank(to, "accumulate")?, place(at)?, by.0)?)
    }

    /// As `accumulate`; what was there before is at the address when the epoch has ended.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn get_accumulate_lent(
        &self,
        data: &[u8],
        before: *mut c_void,
        bytes: usize,
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        let before = lent(before, bytes, keep);
        Ok(self.0.get_accumulate_lent(data, before, rank(to, "accumulate")?, place(at)?, by.0)?)
    }

    /// As `accumulate`, in an epoch of locks: what was there before is in `before` when it returns.
    pub fn fetch_and_accumulate(
        &self,
        data: &[u8],
        before: &mut [u8],
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
    ) -> Result<(), MpiFailure> {
        Ok(self.0.fetch_and_accumulate(data, before, rank(to, "accumulate")?, place(at)?, by.0)?)
    }

    /// The same of one number, which is faster.
    pub fn fetch_and_op(
        &self,
        value: &[u8],
        before: &mut [u8],
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
    ) -> Result<(), MpiFailure> {
        Ok(self.0.fetch_and_op(value, before, rank(to, "fetch and combine")?, place(at)?, by.0)?)
    }

    /// The same; what was there before is at the address when the epoch has ended.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn fetch_and_op_lent(
        &self,
        value: &[u8],
        before: *mut c_void,
        bytes: usize,
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        let before = lent(before, bytes, keep);
        Ok(self.0.fetch_and_op_lent(value, before, rank(to, "fetch and combine")?, place(at)?, by.0)?)
    }

    /// Writes an integer at a rank if what is there is `expected`, at once, in an epoch of locks: what was there is in `before` when
    /// it returns. Of the operation only its numbers count.
    pub fn compare_and_swap(
        &self,
        expected: &[u8],
        value: &[u8],
        before: &mut [u8],
        to: i32,
        at: u64,
        of: &UpcallMpiCombining,
    ) -> Result<(), MpiFailure> {
        let to = rank(to, "compare and swap")?;
        Ok(self.0.compare_and_swap(expected, value, before, to, place(at)?, of.0)?)
    }

    /// The same; what was there before is at the address when the epoch has ended.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn compare_and_swap_lent(
        &self,
        expected: &[u8],
        value: &[u8],
        before: *mut c_void,
        bytes: usize,
        to: i32,
        at: u64,
        of: &UpcallMpiCombining,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        let (to, before) = (rank(to, "compare and swap")?, lent(before, bytes, keep));
        Ok(self.0.compare_and_swap_lent(expected, value, before, to, place(at)?, of.0)?)
    }

    /// Completes what was begun with a rank, or with all (`UPCALL_MPI_ANY`), in an epoch of locks: there too, or `local` on this side
    /// only, where what was put has been read and may not be there yet.
    pub fn flush(&self, rank: i32, local: bool) -> Result<(), MpiFailure> {
        let rank = if rank == UPCALL_MPI_ANY { None } else { Some(super::rank(rank, "flush")?) };
        Ok(self.0.flush(rank, local)?)
    }

    /// Where a rank's memory is, in an epoch of memory in place, until that has ended. What is there when the window has been freed is
    /// nobody's.
    pub fn memory(&self, rank: i32, memory: &mut UpcallMpiMemory) -> Result<(), MpiFailure> {
        let (data, len) = self.0.memory(super::rank(rank, "find a window's memory")?)?;
        *memory = UpcallMpiMemory::of(data, len);
        Ok(())
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        self.0.has_ended()
    }

    /// Ends it: what was begun is done, also where it fails, but where this thread may not call MPI.
    pub fn end(&self) -> Result<(), MpiFailure> {
        Ok(self.0.end()?)
    }
}

#[upcall::export]
impl UpcallMpiExposure {
    /// Waits until all ranks that it is for have ended their access.
    pub fn wait(&self) -> Result<(), MpiFailure> {
        Ok(self.0.wait()?)
    }

    /// Whether they have, which ends it.
    pub fn test(&self) -> Result<bool, MpiFailure> {
        Ok(self.0.test()?)
    }
}

/// An element's number. What no memory has is mostly a negative number of another language's.
pub(super) fn place(at: u64) -> Result<usize, MpiFailure> {
    let place = i64::try_from(at).ok().and_then(|at| usize::try_from(at).ok());
    place.ok_or_else(|| {
        let message =
            format!("access a window: there is no element {}; they count from 0 on", at.cast_signed());
        MpiFailure::new(UPCALL_MPI_RANGE, message)
    })
}
