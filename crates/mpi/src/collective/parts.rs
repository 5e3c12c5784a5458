//! The forms in which each rank may have another number of elements: one exchange more tells how many.

use crate::communicator::Communicator;
use crate::datatype::{clean, may_travel, place, place_mut, whole, zeroed};
use crate::error::{Error, ErrorKind};
use std::ptr;
use upcall_abi::Blit;

/// Elements of all ranks, side by side: how many are whose.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parts<T> {
    /// Those of rank 0, then those of rank 1, and so on.
    pub data: Vec<T>,
    /// How many each rank has.
    pub counts: Vec<usize>,
}

impl<T> Parts<T> {
    /// Those of each rank.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        let mut rest = self.data.as_slice();
        self.counts.iter().map(move |count| {
            let (part, behind) = rest.split_at((*count).min(rest.len()));
            rest = behind;
            part
        })
    }
}

impl Communicator {
    /// As [`gather`](Communicator::gather), where each rank may have another number; one exchange more tells how many.
    ///
    /// # Errors
    /// There is no such rank, they are more than MPI counts, or MPI refuses.
    pub fn gather_parts<T: Blit>(&self, data: &[T], root: usize) -> Result<Option<Parts<T>>, Error> {
        let what = || format!("gather elements of each rank at rank {root}");
        let peer = self.peer(root, what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        // All ranks are told all counts, so that what is too much for MPI is an error on all of them.
        let counts = self.all_gather(&[data.len() as u64])?;
        countable(&counts, what)?;
        let mut parts = if self.rank() == root { Some(room_of::<T>(&counts)?) } else { None };
        let (count, datatype) = (data.len() as i64, whole(self.library, size_of::<T>())?);
        let (to, counts) = match &mut parts {
            Some(parts) => (place_mut(&mut parts.data), wide(&parts.counts)),
            None => (ptr::null_mut(), Vec::new()),
        };
        self.library.call(
            // SAFETY: as above, for what each rank has said that it has.
            |table| unsafe {
                let (data, counts) = (place(data), counts.as_ptr());
                (table.gatherv)(data, count, to, counts, datatype, peer, self.handle)
            },
            what,
        )?;
        Ok(parts)
    }

    /// As [`gather_parts`](Communicator::gather_parts), for all ranks.
    ///
    /// # Errors
    /// They are more than MPI counts, or MPI refuses.
    pub fn all_gather_parts<T: Blit>(&self, data: &[T]) -> Result<Parts<T>, Error> {
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let what = || "gather elements of each rank everywhere".to_owned();
        let counts = self.all_gather(&[data.len() as u64])?;
        countable(&counts, what)?;
        let mut parts = room_of::<T>(&counts)?;
        let (count, datatype) = (data.len() as i64, whole(self.library, size_of::<T>())?);
        let counts = wide(&parts.counts);
        self.library.call(
            // SAFETY: as in `gather_parts`.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(&mut parts.data));
                (table.allgatherv)(data, count, into, counts.as_ptr(), datatype, self.handle)
            },
            what,
        )?;
        Ok(parts)
    }

    /// As [`scatter`](Communicator::scatter), with `counts[r]` elements for rank `r`, which the root says.
    ///
    /// # Errors
    /// There is no such rank, the counts are not those of the elements or ranks, or MPI refuses.
    pub fn scatter_parts<T: Blit>(&self, data: &[T], counts: &[usize], root: usize) -> Result<Vec<T>, Error> {
        let what = || format!("scatter elements of rank {root} in parts");
        let peer = self.peer(root, what)?;
        may_travel::<T>()?;
        let told: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        let right = self.shared_out(counts, data.len(), what).and_then(|()| countable(&told, what));
        let told = if right.is_ok() && self.rank() == root { told } else { vec![u64::MAX; self.size()] };
        let each = self.scatter(&told, root)?[0];
        if each == u64::MAX {
            return Err(if self.rank() == root {
                right.err().unwrap_or_else(|| uneven(what()))
            } else {
                uneven(what())
            });
        }
        let copy = if self.rank() == root { clean(data)? } else { None };
        let data = copy.as_deref().unwrap_or(data);
        let mut into = zeroed::<T>(usize::try_from(each).unwrap_or(usize::MAX))?;
        let (count, datatype) = (into.len() as i64, whole(self.library, size_of::<T>())?);
        let counts = wide(counts);
        self.library.call(
            // SAFETY: as above, with what the root has for this rank.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(&mut into));
                (table.scatterv)(data, counts.as_ptr(), into, count, datatype, peer, self.handle)
            },
            what,
        )?;
        Ok(into)
    }

    /// As [`all_to_all`](Communicator::all_to_all), with `counts[r]` elements for rank `r`.
    ///
    /// # Errors
    /// The counts are not those of the elements or ranks, or MPI refuses. One rank that sends or receives more than
    /// 2,147,483,647 elements in all is told so while the others wait for it.
    pub fn all_to_all_parts<T: Blit>(&self, data: &[T], counts: &[usize]) -> Result<Parts<T>, Error> {
        let what = || "exchange elements with all ranks in parts".to_owned();
        self.shared_out(counts, data.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let told: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        let mut parts = room_of::<T>(&self.all_to_all(&told)?)?;
        let (counts, into_counts) = (wide(counts), wide(&parts.counts));
        let datatype = whole(self.library, size_of::<T>())?;
        self.library.call(
            // SAFETY: as above, with what each rank has said that it has for this one.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(&mut parts.data));
                (table.alltoallv)(data, counts.as_ptr(), into, into_counts.as_ptr(), datatype, self.handle)
            },
            what,
        )?;
        Ok(parts)
    }

    /// Whether there is a count for each rank, and they share out as many elements.
    pub(crate) fn shared_out(
        &self,
        counts: &[usize],
        elements: usize,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
        if counts.len() == self.size() && sum == Some(elements) { Ok(()) } else { Err(uneven(what())) }
    }
}

/// Counts as the shim takes them.
pub(crate) fn wide(counts: &[usize]) -> Vec<i64> {
    counts.iter().map(|count| *count as i64).collect()
}

/// Whether MPI, whose displacements have 31 bits in these forms, counts so many elements of all ranks.
pub(crate) fn countable(counts: &[u64], what: impl FnOnce() -> String) -> Result<(), Error> {
    const MOST: u64 = i32::MAX as u64;
    let sum = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count)).filter(|sum| *sum <= MOST);
    if sum.is_some() {
        return Ok(());
    }
    let message = format!(
        "{}: together the ranks have more than {MOST} elements, which MPI counts in parts of different size; give it larger \
         elements, such as arrays, or several calls",
        what()
    );
    Err(Error::new(ErrorKind::Count, message))
}

fn uneven(what: String) -> Error {
    let message = format!("{what}: there is one count for each rank, and together they are the elements");
    Error::new(ErrorKind::Usage, message)
}

pub(crate) fn room_of<T: Blit>(counts: &[u64]) -> Result<Parts<T>, Error> {
    let counts: Vec<usize> =
        counts.iter().map(|count| usize::try_from(*count).unwrap_or(usize::MAX)).collect();
    let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
    let sum =
        sum.ok_or_else(|| Error::new(ErrorKind::Count, "make room for the elements of all ranks: too many"))?;
    Ok(Parts { data: zeroed(sum)?, counts })
}
