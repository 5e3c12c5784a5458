//! What all ranks of a communicator do together: each calls the same, in the same order.

mod parts;

pub use parts::Parts;
pub(crate) use parts::{countable, many, room_of, wide};

use crate::communicator::Communicator;
use crate::datatype::{amount, place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::padding::{clean, clean_in_place, may_travel};
use crate::point::counted;
use std::ptr;
use upcall_abi::Blit;

impl Communicator {
    /// Waits until all ranks have called it.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn barrier(&self) -> Result<(), Error> {
        // SAFETY: a communicator of this MPI's, here and below.
        self.library.call(|table| unsafe { (table.barrier)(self.handle) }, || "wait for all ranks".to_owned())
    }

    /// Gives all ranks the elements of one, of which all have as many.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where a rank has more elements than another, MPI may say so; where it has fewer,
    /// what is missing is zero or as it was.
    pub fn broadcast<T: Blit>(&self, data: &mut [T], root: usize) -> Result<(), Error> {
        let count = data.len();
        let what = || format!("broadcast {} of rank {root}", amount::<T>(count));
        let peer = self.peer(root, what)?;
        may_travel::<T>()?;
        if self.rank() == root {
            clean_in_place(data)?;
        }
        let (count, datatype) = counted::<T>(self, data.len());
        self.library.call(
            // SAFETY: there are so many elements, of which any bytes are values.
            |table| unsafe { (table.bcast)(place_mut(data), count, datatype, peer, self.handle) },
            what,
        )
    }

    /// Gives one rank the elements of all, of which all have as many: there those of rank 0, then of rank 1, and so on.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where a rank has more elements than another, MPI may say so; where it has fewer,
    /// what is missing is zero or as it was.
    pub fn gather<T: Blit>(&self, data: &[T], root: usize) -> Result<Option<Vec<T>>, Error> {
        let mut into =
            if self.rank() == root { Some(zeroed::<T>(self.times::<T>(data.len())?)?) } else { None };
        self.gather_into(data, into.as_deref_mut().unwrap_or_default(), root)?;
        Ok(into)
    }

    /// As [`gather`](Communicator::gather), into a slice, which has room for the elements of all ranks at the root; the others'
    /// is not looked at.
    ///
    /// # Errors
    /// As there. Where the root's has another length it alone is told so, while the others may wait for it.
    pub fn gather_into<T: Blit>(&self, data: &[T], into: &mut [T], root: usize) -> Result<(), Error> {
        let what = || format!("gather {} of each rank at rank {root}", amount::<T>(data.len()));
        let peer = self.peer(root, what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        if self.rank() == root {
            self.has_room(data.len(), into.len(), what)?;
        }
        let to = if self.rank() == root { place_mut(into) } else { ptr::null_mut() };
        let (count, datatype) = counted::<T>(self, data.len());
        self.library.call(
            // SAFETY: as above; at the root there is room for as many of each rank.
            |table| unsafe { (table.gather)(place(data), to, count, datatype, peer, self.handle) },
            what,
        )
    }

    /// As [`gather`](Communicator::gather), for all ranks.
    ///
    /// # Errors
    /// MPI refuses. Where a rank has more elements than another, MPI may say so.
    pub fn all_gather<T: Blit>(&self, data: &[T]) -> Result<Vec<T>, Error> {
        let mut into = zeroed::<T>(self.times::<T>(data.len())?)?;
        self.all_gather_into(data, &mut into)?;
        Ok(into)
    }

    /// As [`all_gather`](Communicator::all_gather), into a slice that has room for the elements of all ranks.
    ///
    /// # Errors
    /// As there, or the slice has another length.
    pub fn all_gather_into<T: Blit>(&self, data: &[T], into: &mut [T]) -> Result<(), Error> {
        let elements = data.len();
        let what = || format!("gather {} of each rank everywhere", amount::<T>(elements));
        self.has_room(data.len(), into.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, data.len());
        self.library.call(
            // SAFETY: as in `gather`.
            |table| unsafe { (table.allgather)(place(data), place_mut(into), count, datatype, self.handle) },
            what,
        )
    }

    /// Gives each rank its part of what one has: as many elements each, in the order of the ranks. `data` counts at the root;
    /// one exchange more tells the others how many there are.
    ///
    /// # Errors
    /// There is no such rank, the elements cannot be shared evenly, or MPI refuses.
    pub fn scatter<T: Blit>(&self, data: &[T], root: usize) -> Result<Vec<T>, Error> {
        let what = || format!("scatter elements of rank {root}");
        self.peer(root, what)?;
        may_travel::<T>()?;
        let uneven = !data.len().is_multiple_of(self.size());
        // The others wait for this number, whatever it is.
        let mut each = [if uneven { u64::MAX } else { (data.len() / self.size()) as u64 }];
        self.broadcast(&mut each, root)?;
        if each[0] == u64::MAX {
            let message = format!(
                "{}: their number is no multiple of the {} ranks; use the form with parts",
                what(),
                self.size()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let mut into = zeroed::<T>(usize::try_from(each[0]).unwrap_or(usize::MAX))?;
        self.scatter_into(data, &mut into, root)?;
        Ok(into)
    }

    /// As [`scatter`](Communicator::scatter), into a slice of as many elements as each rank gets, which all ranks know: there
    /// is no exchange of that.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where the root has another number than the ranks' slices together it alone is
    /// told so, while the others may wait for it.
    pub fn scatter_into<T: Blit>(&self, data: &[T], into: &mut [T], root: usize) -> Result<(), Error> {
        let room = into.len();
        let what = || format!("scatter elements of rank {root}, {room} for each rank");
        let peer = self.peer(root, what)?;
        may_travel::<T>()?;
        let copy = if self.rank() == root { clean(data)? } else { None };
        let data = copy.as_deref().unwrap_or(data);
        if self.rank() == root {
            self.has_room(into.len(), data.len(), what)?;
        }
        let (count, datatype) = counted::<T>(self, into.len());
        self.library.call(
            // SAFETY: there is room for as many as the root has for each rank.
            |table| unsafe {
                (table.scatter)(place(data), place_mut(into), count, datatype, peer, self.handle)
            },
            what,
        )
    }

    /// Each rank has a part for each other: what comes back is what all had for this one. All parts are as large.
    ///
    /// # Errors
    /// The elements cannot be shared evenly, or MPI refuses.
    pub fn all_to_all<T: Blit>(&self, data: &[T]) -> Result<Vec<T>, Error> {
        let mut into = zeroed::<T>(data.len())?;
        self.all_to_all_into(data, &mut into)?;
        Ok(into)
    }

    /// As [`all_to_all`](Communicator::all_to_all), into a slice of the same length.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    pub fn all_to_all_into<T: Blit>(&self, data: &[T], into: &mut [T]) -> Result<(), Error> {
        let elements = data.len();
        let what = || format!("exchange {} with all ranks", amount::<T>(elements));
        if !data.len().is_multiple_of(self.size()) {
            let message = format!(
                "{}: that is no multiple of the {} ranks; use the form with parts",
                what(),
                self.size()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        self.has_room(data.len() / self.size(), into.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, data.len() / self.size());
        self.library.call(
            // SAFETY: as above; there is room for as many of each rank.
            |table| unsafe { (table.alltoall)(place(data), place_mut(into), count, datatype, self.handle) },
            what,
        )
    }

    /// Whether a slice is as long as the elements of all ranks, of which each has so many.
    fn has_room(&self, each: usize, length: usize, what: impl FnOnce() -> String) -> Result<(), Error> {
        if each.checked_mul(self.size()) == Some(length) {
            return Ok(());
        }
        let message = format!(
            "{}: the slice for all ranks has {length}, and {} ranks have {each} each",
            what(),
            self.size()
        );
        Err(Error::new(ErrorKind::Usage, message))
    }

    /// So many elements of each rank.
    fn times<T: Blit>(&self, each: usize) -> Result<usize, Error> {
        each.checked_mul(self.size()).ok_or_else(|| {
            Error::new(
                ErrorKind::Count,
                format!("make room for {} of each rank: too many", amount::<T>(each)),
            )
        })
    }
}
