//! The forms in which each rank may have another number of elements: one exchange more tells how many.

use crate::communicator::Communicator;
use crate::datatype::{amount, place, place_mut, whole, zeroed};
use crate::error::{Error, ErrorKind};
use crate::padding::{clean, may_travel};
use crate::shim::{Collective, Together};
use crate::status::Status;
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};
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
    /// There is no such rank, or MPI refuses.
    pub fn gather_parts<T: Blit>(&self, data: &[T], root: usize) -> Result<Option<Parts<T>>, Error> {
        self.gather_given(Some(data), root)
    }

    /// As [`gather_parts`](Communicator::gather_parts); where a rank has failed to make what it gives, it says so by `None`, and
    /// all ranks are told.
    ///
    /// # Errors
    /// As there, or a rank gives none.
    #[doc(hidden)]
    pub fn gather_given<T: Blit>(&self, data: Option<&[T]>, root: usize) -> Result<Option<Parts<T>>, Error> {
        let what = || format!("gather elements of each rank at rank {root}");
        let peer = self.peer(root, what)?;
        let copy = clean(data.unwrap_or_default())?;
        // All ranks are told all counts, so that all go the same way.
        let counts = self.all_gather(&[count_of(data)])?;
        all_give(&counts, what)?;
        let data = copy.as_deref().or(data).unwrap_or_default();
        let all = counts_of(&counts)?;
        let mut parts = if self.rank() == root { Some(room_of::<T>(&counts)?) } else { None };
        if many(&all) {
            let into = parts.as_mut().map(|parts| parts.data.as_mut_slice()).unwrap_or_default();
            self.large(Together::GatherParts, data, into, data.len(), Some(&all), root)?;
            return Ok(parts);
        }
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
    /// MPI refuses.
    pub fn all_gather_parts<T: Blit>(&self, data: &[T]) -> Result<Parts<T>, Error> {
        self.all_gather_given(Some(data))
    }

    /// As [`all_gather_parts`](Communicator::all_gather_parts); where a rank has failed to make what it gives, it says so by
    /// `None`, and all ranks are told.
    ///
    /// # Errors
    /// As there, or a rank gives none.
    #[doc(hidden)]
    pub fn all_gather_given<T: Blit>(&self, data: Option<&[T]>) -> Result<Parts<T>, Error> {
        let what = || "gather elements of each rank everywhere".to_owned();
        let copy = clean(data.unwrap_or_default())?;
        let counts = self.all_gather(&[count_of(data)])?;
        all_give(&counts, what)?;
        let data = copy.as_deref().or(data).unwrap_or_default();
        let mut parts = room_of::<T>(&counts)?;
        if many(&parts.counts) {
            let Parts { data: into, counts } = &mut parts;
            self.large(Together::AllGatherParts, data, into, data.len(), Some(counts), 0)?;
            return Ok(parts);
        }
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
        let right = self.shared_out(counts, data.len(), what);
        // Each is told its count, and whether together they are many.
        let (wrong, large) = ([u64::MAX, 0], u64::from(many(counts)));
        let told = if right.is_ok() && self.rank() == root {
            counts.iter().map(|count| [*count as u64, large]).collect()
        } else {
            vec![wrong; self.size()]
        };
        let told = self.scatter(&told, root)?[0];
        if told == wrong {
            return Err(if self.rank() == root {
                right.err().unwrap_or_else(|| uneven(what()))
            } else {
                uneven(what())
            });
        }
        let copy = if self.rank() == root { clean(data)? } else { None };
        let data = copy.as_deref().unwrap_or(data);
        let mut into = zeroed::<T>(usize::try_from(told[0]).unwrap_or(usize::MAX))?;
        if told[1] != 0 {
            let (room, counts) = (into.len(), (self.rank() == root).then_some(counts));
            self.large(Together::ScatterParts, data, &mut into, room, counts, root)?;
            return Ok(into);
        }
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
    /// The counts of a rank are not those of its elements or of the ranks, which is an error of all; or MPI refuses.
    pub fn all_to_all_parts<T: Blit>(&self, data: &[T], counts: &[usize]) -> Result<Parts<T>, Error> {
        let what = || "exchange elements with all ranks in parts".to_owned();
        let right = self.shared_out(counts, data.len(), what);
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        // The others wait for these numbers, whatever is wrong here.
        let told = match right {
            Ok(()) => counts.iter().map(|count| *count as u64).collect(),
            Err(_) => vec![u64::MAX; self.size()],
        };
        let told = self.all_to_all(&told)?;
        right?;
        if let Some(rank) = told.iter().position(|count| *count == u64::MAX) {
            return Err(Error::new(ErrorKind::Usage, format!("{}: rank {rank} gives wrong counts", what())));
        }
        let mut parts = room_of::<T>(&told)?;
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

    /// More than 31 bits count, of which all ranks know. `count` is this rank's.
    fn large<T: Blit>(
        &self,
        what: Together,
        data: &[T],
        into: &mut [T],
        count: usize,
        counts: Option<&[usize]>,
        root: usize,
    ) -> Result<(), Error> {
        let words =
            || format!("move {} of this rank, of more than 2,147,483,647 of all ranks", amount::<T>(count));
        let root = self.peer(root, words)?;
        let counts = counts.map(wide);
        let call = Collective {
            what,
            root,
            persistent: 0,
            large: 1,
            data: place(data),
            into: place_mut(into),
            count: count as i64,
            counts: counts.as_ref().map_or(ptr::null(), |counts| counts.as_ptr()),
            into_counts: ptr::null(),
            datatype: whole(self.library, size_of::<T>())?,
            op: 0,
            comm: self.handle,
        };
        let (mut request, mut kept, mut status) = (0, 0, Status::EMPTY);
        self.library.call(
            // SAFETY: the slices are as long as the counts say, and stay until it has ended, which is waited for.
            |table| unsafe {
                let begun = (table.collective)(&call, &mut request, &mut kept);
                if begun != 0 {
                    return begun;
                }
                let ended = (table.wait)(&mut request, &mut status);
                match (table.kept_free)(kept) {
                    freed if ended == 0 => freed,
                    _ => ended,
                }
            },
            words,
        )
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
/// What a rank tells of what it gives.
fn count_of<T>(data: Option<&[T]>) -> u64 {
    data.map_or(u64::MAX, |data| data.len() as u64)
}

/// Whether all ranks give something.
fn all_give(counts: &[u64], what: impl FnOnce() -> String) -> Result<(), Error> {
    let Some(rank) = counts.iter().position(|count| *count == u64::MAX) else { return Ok(()) };
    let message = format!("{}: rank {rank} has failed to give one", what());
    Err(Error::new(ErrorKind::Usage, message))
}

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

/// The most elements of all ranks together that MPI's plain calls count in parts of different size.
static MOST: AtomicI64 = AtomicI64::new(i32::MAX as i64);

/// Whether so many elements of all ranks go another way. All ranks say the same of the same counts.
pub(crate) fn many(counts: &[usize]) -> bool {
    let most = usize::try_from(MOST.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
    counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count)).is_none_or(|sum| sum > most)
}

impl Communicator {
    /// For tests: from now on more than `most` is as much as what MPI counts with more than 31 bits. All ranks say the same,
    /// while nothing goes on.
    ///
    /// # Errors
    /// It is not 1 to 2,147,483,647.
    #[doc(hidden)]
    pub fn limit_counts(&self, most: i64) -> Result<(), Error> {
        self.library.call(
            // SAFETY: a number is set.
            |table| unsafe { (table.limit_counts)(most) },
            || format!("limit counts to {most}"),
        )?;
        MOST.store(most, Ordering::Relaxed);
        Ok(())
    }
}

fn uneven(what: String) -> Error {
    let message = format!("{what}: there is one count for each rank, and together they are the elements");
    Error::new(ErrorKind::Usage, message)
}

/// Counts as ranks have told them.
fn counts_of(told: &[u64]) -> Result<Vec<usize>, Error> {
    let counts = told.iter().map(|count| usize::try_from(*count));
    counts.collect::<Result<_, _>>().map_err(|_| too_many())
}

pub(crate) fn room_of<T: Blit>(told: &[u64]) -> Result<Parts<T>, Error> {
    let counts = counts_of(told)?;
    let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
    Ok(Parts { data: zeroed(sum.ok_or_else(too_many)?)?, counts })
}

fn too_many() -> Error {
    Error::new(ErrorKind::Count, "make room for the elements of all ranks: too many")
}
