//! What all ranks have, combined element by element.

use crate::communicator::Communicator;
use crate::datatype::{clean, place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::{Max, Operate, Told, failure};
use std::ffi::{c_int, c_void};
use std::ptr;
use upcall_abi::Blit;

impl Communicator {
    /// Combines the elements of all ranks, of which all have as many, for one of them.
    ///
    /// # Errors
    /// There is no such rank, the operation panicked on this rank, or MPI refuses. Where a rank has more elements than another,
    /// MPI may say so.
    pub fn reduce<T: Blit>(
        &self,
        data: &[T],
        operation: impl Operate<T>,
        root: usize,
    ) -> Result<Option<Vec<T>>, Error> {
        let what = || format!("reduce {} elements of each rank at rank {root}", data.len());
        let peer = self.peer(root, what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, each } = operation.told(self.library)?;
        let before = operation.failures();
        let mut into = if self.rank() == root { Some(zeroed::<T>(data.len())?) } else { None };
        let to = into.as_mut().map_or(ptr::null_mut(), |into| place_mut(into));
        let reduced = self.library.call(
            // SAFETY: a communicator and an operation of this MPI's, and as many elements here and, at the root, there.
            |table| unsafe {
                let (data, count) = (place(data), (data.len() * each) as i64);
                (table.reduce)(data, to, count, datatype, op, peer, self.handle)
            },
            what,
        );
        ended(reduced, &operation, before, what)?;
        Ok(into)
    }

    /// Combines the elements of all ranks, of which all have as many, for all of them.
    ///
    /// # Errors
    /// The operation panicked on this rank, or MPI refuses. Where a rank has more elements than another, MPI may say so.
    pub fn all_reduce<T: Blit>(&self, data: &[T], operation: impl Operate<T>) -> Result<Vec<T>, Error> {
        let mut into = zeroed::<T>(data.len())?;
        self.all_reduce_into(data, &mut into, operation)?;
        Ok(into)
    }

    /// As [`all_reduce`](Communicator::all_reduce), into a slice of the same length.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    #[inline]
    pub fn all_reduce_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        if data.len() != into.len() {
            let message = format!(
                "reduce {} elements of each rank into {}: there are as many of both",
                data.len(),
                into.len()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let copy = clean(data)?;
        self.all_reduced(place(copy.as_deref().unwrap_or(data)), into, operation)
    }

    /// As [`all_reduce`](Communicator::all_reduce), in place.
    ///
    /// # Errors
    /// As there.
    pub fn all_reduce_in_place<T: Blit>(
        &self,
        data: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        if let Some(copy) = clean(data)? {
            data.copy_from_slice(&copy);
        }
        self.all_reduced(ptr::null(), data, operation)
    }

    #[inline]
    fn all_reduced<T: Blit>(
        &self,
        from: *const c_void,
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        let count = into.len();
        let what = || format!("reduce {count} elements of each rank everywhere");
        let Told { op, datatype, each } = operation.told(self.library)?;
        let before = operation.failures();
        let reduced = self.library.call(
            // SAFETY: as in `reduce`; null stands for what is there already.
            |table| unsafe {
                let (into, count) = (place_mut(into), (count * each) as i64);
                (table.allreduce)(from, into, count, datatype, op, self.handle)
            },
            what,
        );
        ended(reduced, &operation, before, what)
    }

    /// As [`all_reduce`](Communicator::all_reduce), and where the operation panicked on one rank it is an error on all of them:
    /// one small exchange more.
    ///
    /// # Errors
    /// As there.
    pub fn all_reduce_checked<T: Blit>(
        &self,
        data: &[T],
        operation: impl Operate<T>,
    ) -> Result<Vec<T>, Error> {
        let outcome = self.all_reduce(data, operation);
        // The rank that has failed, counted from 1. Each takes part, whatever has failed there.
        let told = [if outcome.is_err() { self.rank() as u64 + 1 } else { 0 }];
        let rank = self.all_reduce(&told, Max)?[0];
        let data = outcome?;
        match rank.checked_sub(1) {
            None => Ok(data),
            Some(rank) => {
                let what = format!("reduce {} elements of each rank everywhere", data.len());
                Err(failure(&what, &format!("on rank {rank}")))
            }
        }
    }

    /// Combines the elements of all ranks and gives each its part: `counts[r]` for rank `r`.
    ///
    /// # Errors
    /// The counts are not those of the elements or ranks, the operation panicked on this rank, or MPI refuses.
    pub fn reduce_scatter<T: Blit>(
        &self,
        data: &[T],
        counts: &[usize],
        operation: impl Operate<T>,
    ) -> Result<Vec<T>, Error> {
        let what = || format!("reduce {} elements of each rank in parts", data.len());
        self.shared_out(counts, data.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, each } = operation.told(self.library)?;
        let before = operation.failures();
        let mut into = zeroed::<T>(counts[self.rank()])?;
        let counts: Vec<i64> = counts.iter().map(|count| (count * each) as i64).collect();
        let reduced = self.library.call(
            // SAFETY: as in `reduce`, with room for this rank's part.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(&mut into));
                (table.reduce_scatter)(data, into, counts.as_ptr(), datatype, op, self.handle)
            },
            what,
        );
        ended(reduced, &operation, before, what)?;
        Ok(into)
    }

    /// Combines the elements of the ranks up to this one, itself included.
    ///
    /// # Errors
    /// As [`all_reduce`](Communicator::all_reduce).
    pub fn scan<T: Blit>(&self, data: &[T], operation: impl Operate<T>) -> Result<Vec<T>, Error> {
        self.scanned(data, operation, false)
    }

    /// Combines the elements of the ranks before this one; `None` at rank 0.
    ///
    /// # Errors
    /// As [`all_reduce`](Communicator::all_reduce).
    pub fn exclusive_scan<T: Blit>(
        &self,
        data: &[T],
        operation: impl Operate<T>,
    ) -> Result<Option<Vec<T>>, Error> {
        let combined = self.scanned(data, operation, true)?;
        Ok((self.rank() > 0).then_some(combined))
    }

    fn scanned<T: Blit>(
        &self,
        data: &[T],
        operation: impl Operate<T>,
        exclusive: bool,
    ) -> Result<Vec<T>, Error> {
        let what = || format!("scan {} elements of each rank", data.len());
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, each } = operation.told(self.library)?;
        let before = operation.failures();
        let mut into = zeroed::<T>(data.len())?;
        let reduced = self.library.call(
            // SAFETY: as in `reduce`.
            |table| unsafe {
                let (from, into, count) = (place(data), place_mut(&mut into), (data.len() * each) as i64);
                (table.scan)(from, into, count, datatype, op, c_int::from(exclusive), self.handle)
            },
            what,
        );
        ended(reduced, &operation, before, what)?;
        Ok(into)
    }
}

/// What a reduction has come to: MPI's word, and the operation's.
#[inline]
fn ended<T: Blit>(
    reduced: Result<(), Error>,
    operation: &impl Operate<T>,
    before: u64,
    what: impl FnOnce() -> String,
) -> Result<(), Error> {
    reduced?;
    if operation.failures() == before { Ok(()) } else { Err(failure(&what(), &operation.why())) }
}
