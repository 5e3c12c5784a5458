//! Reads and writes of other ranks' memory that are requests: each is waited for by itself, and by its epoch at the latest.

use super::epoch::{UpcallMpiCombining, UpcallMpiEpoch, lent, place};
use super::failure::MpiFailure;
use super::memory::Ours;
use super::rank;
use super::request::{State, UpcallMpiRequest};
use super::window::Keeper;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_mpi::{Lent, OpenTransfer};

fn begun(transfer: OpenTransfer<Keeper>, into: Option<Arc<Ours>>) -> UpcallMpiRequest {
    UpcallMpiRequest::new(State::Access(transfer, into))
}

/// The library's own memory, as an epoch is lent it.
fn ours(memory: &Arc<Ours>) -> Lent<Keeper> {
    let kept = Arc::clone(memory);
    memory.lent_with(Box::new(move || drop(Arc::clone(&kept))))
}

fn copy(data: &[u8]) -> Result<Lent<Keeper>, MpiFailure> {
    let copy = Ours::zeroes(data.len())?;
    // SAFETY: nobody else has it yet.
    unsafe { copy.write(data) };
    Ok(ours(&copy))
}

#[upcall::export(extend)]
impl UpcallMpiEpoch {
    /// Begins to write a copy of elements at a rank, from its element `at` on, in an epoch of locks. When the request has ended they
    /// have been read, and are there at the latest when the epoch has ended, or after a flush. Nothing is cancelled; a request that is
    /// released is waited for by its epoch, and one that is waited for when that has ended says that it has ended; so below.
    pub fn start_put(&self, data: &[u8], to: i32, at: u64) -> Result<UpcallMpiRequest, MpiFailure> {
        Ok(begun(self.0.start_put_lent(copy(data)?, rank(to, "begin to put")?, place(at)?)?, None))
    }

    /// The same of so many bytes at an address. `keep` is never called: it is released when the transfer has ended, and until then
    /// they stay there, unchanged; so below.
    pub fn start_put_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        at: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let data = lent(address, bytes, keep);
        Ok(begun(self.0.start_put_lent(data, rank(to, "begin to put")?, place(at)?)?, None))
    }

    /// Begins to read so many bytes of elements of a rank's, in an epoch of locks, into memory of the library's: the request's `take`
    /// and `copy` have them at the end.
    pub fn start_get(&self, bytes: usize, from: i32, at: u64) -> Result<UpcallMpiRequest, MpiFailure> {
        let into = Ours::zeroes(bytes)?;
        let transfer = self.0.start_get_lent(ours(&into), rank(from, "begin to get")?, place(at)?)?;
        Ok(begun(transfer, Some(into)))
    }

    /// The same into so many bytes at an address, where they are when the request has ended.
    pub fn start_get_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        from: i32,
        at: u64,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let into = lent(address, bytes, keep);
        Ok(begun(self.0.start_get_lent(into, rank(from, "begin to get")?, place(at)?)?, None))
    }

    /// Begins to combine a copy of elements into those of a rank's, each at once, in an epoch of locks.
    pub fn start_accumulate(
        &self,
        data: &[u8],
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let to = rank(to, "begin to accumulate")?;
        Ok(begun(self.0.start_accumulate_lent(copy(data)?, to, place(at)?, by.0)?, None))
    }

    /// The same of so many bytes at an address.
    pub fn start_accumulate_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        to: i32,
        at: u64,
        by: &UpcallMpiCombining,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let (data, to) = (lent(address, bytes, keep), rank(to, "begin to accumulate")?);
        Ok(begun(self.0.start_accumulate_lent(data, to, place(at)?, by.0)?, None))
    }
}
