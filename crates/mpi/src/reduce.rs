//! What all ranks have, combined element by element.

use crate::communicator::Communicator;
use crate::datatype::{amount, place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::{Max, Operate, Told, failure};
use crate::padding::{clean, clean_in_place};
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
        let mut into = if self.rank() == root { Some(zeroed::<T>(data.len())?) } else { None };
        self.reduce_into(data, into.as_deref_mut().unwrap_or_default(), operation, root)?;
        Ok(into)
    }

    /// As [`reduce`](Communicator::reduce), into a slice of the same length at the root; the others' is not looked at.
    ///
    /// # Errors
    /// As there. Where the root's has another length it alone is told so, while the others may wait for it.
    pub fn reduce_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
        root: usize,
    ) -> Result<(), Error> {
        let what = || format!("reduce {} of each rank at rank {root}", amount::<T>(data.len()));
        let peer = self.peer(root, what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let to = if self.rank() == root {
            same_length(data, into, what)?;
            place_mut(into)
        } else {
            ptr::null_mut()
        };
        let Told { op, datatype, size } = operation.told(self.library)?;
        let count = elements(data, size, what)?;
        let before = operation.failures();
        let reduced = self.library.call(
            // SAFETY: a communicator and an operation of this MPI's, and as many elements here and, at the root, there.
            |table| unsafe { (table.reduce)(place(data), to, count, datatype, op, peer, self.handle) },
            what,
        );
        ended(reduced, &operation, before, what)
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
        same_length(data, into, || format!("reduce {} of each rank everywhere", amount::<T>(data.len())))?;
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
        clean_in_place(data)?;
        self.all_reduced(ptr::null(), data, operation)
    }

    #[inline]
    fn all_reduced<T: Blit>(
        &self,
        from: *const c_void,
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        let length = into.len();
        let what = || format!("reduce {} of each rank everywhere", amount::<T>(length));
        let Told { op, datatype, size } = operation.told(self.library)?;
        let count = elements(into, size, what)?;
        let before = operation.failures();
        let reduced = self.library.call(
            // SAFETY: as in `reduce`; null stands for what is there already.
            |table| unsafe { (table.allreduce)(from, place_mut(into), count, datatype, op, self.handle) },
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
                let what = format!("reduce {} of each rank everywhere", amount::<T>(data.len()));
                Err(failure(&what, &format!("failed on rank {rank}")))
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
        let mine = counts.get(self.rank()).copied().unwrap_or(0);
        let mut into = zeroed::<T>(mine.min(data.len()))?;
        self.reduce_scatter_into(data, &mut into, counts, operation)?;
        Ok(into)
    }

    /// As [`reduce_scatter`](Communicator::reduce_scatter), into a slice of `counts[rank]` elements.
    ///
    /// # Errors
    /// As there, or the slice has another length.
    pub fn reduce_scatter_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        counts: &[usize],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        let what = || format!("reduce {} of each rank in parts", amount::<T>(data.len()));
        self.shared_out(counts, data.len(), what)?;
        if into.len() != counts[self.rank()] {
            let message = format!(
                "{}: {} are this rank's, and the slice has {}",
                what(),
                counts[self.rank()],
                into.len()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, size } = operation.told(self.library)?;
        let counts = counts.iter().map(|count| whole_elements(count * size_of::<T>(), size, what));
        let counts = counts.collect::<Result<Vec<i64>, _>>()?;
        let before = operation.failures();
        let reduced = self.library.call(
            // SAFETY: as in `reduce`, with room for this rank's part.
            |table| unsafe {
                (table.reduce_scatter)(
                    place(data),
                    place_mut(into),
                    counts.as_ptr(),
                    datatype,
                    op,
                    self.handle,
                )
            },
            what,
        );
        ended(reduced, &operation, before, what)
    }

    /// Combines the elements of the ranks up to this one, itself included.
    ///
    /// # Errors
    /// As [`all_reduce`](Communicator::all_reduce).
    pub fn scan<T: Blit>(&self, data: &[T], operation: impl Operate<T>) -> Result<Vec<T>, Error> {
        let mut into = zeroed::<T>(data.len())?;
        self.scan_into(data, &mut into, operation)?;
        Ok(into)
    }

    /// As [`scan`](Communicator::scan), into a slice of the same length.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    pub fn scan_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        self.scanned(data, into, operation, false)
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
        let mut into = zeroed::<T>(data.len())?;
        self.exclusive_scan_into(data, &mut into, operation)?;
        Ok((self.rank() > 0).then_some(into))
    }

    /// As [`exclusive_scan`](Communicator::exclusive_scan), into a slice of the same length, which stays as it is at rank 0.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    pub fn exclusive_scan_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        self.scanned(data, into, operation, true)
    }

    fn scanned<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
        exclusive: bool,
    ) -> Result<(), Error> {
        let what = || format!("scan {} of each rank", amount::<T>(data.len()));
        same_length(data, into, what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, size } = operation.told(self.library)?;
        let count = elements(data, size, what)?;
        let before = operation.failures();
        let reduced = self.library.call(
            // SAFETY: as in `reduce`.
            |table| unsafe {
                let (from, into) = (place(data), place_mut(into));
                (table.scan)(from, into, count, datatype, op, c_int::from(exclusive), self.handle)
            },
            what,
        );
        ended(reduced, &operation, before, what)
    }
}

fn same_length<T>(data: &[T], into: &[T], what: impl FnOnce() -> String) -> Result<(), Error> {
    if data.len() == into.len() {
        return Ok(());
    }
    let message = format!("{}: the slice for them has {}", what(), into.len());
    Err(Error::new(ErrorKind::Usage, message))
}

/// How many of MPI's elements, of so many bytes each, there are.
#[inline]
pub(crate) fn elements<T>(data: &[T], size: usize, what: impl FnOnce() -> String) -> Result<i64, Error> {
    // As nearly always: without a division, which takes as long as all else here.
    if size == size_of::<T>() && size > 0 {
        return Ok(data.len() as i64);
    }
    whole_elements(size_of_val(data), size, what)
}

/// The same of so many bytes: of an operation that is known only when the program runs they need not be whole elements.
#[inline]
pub(crate) fn whole_elements(bytes: usize, size: usize, what: impl FnOnce() -> String) -> Result<i64, Error> {
    let size = size.max(1);
    if bytes.is_multiple_of(size) { Ok((bytes / size) as i64) } else { Err(uneven(bytes, size, what())) }
}

#[cold]
fn uneven(bytes: usize, size: usize, what: String) -> Error {
    let message =
        format!("{what}: {bytes} bytes are no whole number of the operation's elements, of {size} each");
    Error::new(ErrorKind::Usage, message)
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
