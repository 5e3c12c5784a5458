//! What both groups do together: each rank calls the same, in the same order, and what one group has the other gets.

use super::{Intercommunicator, Root};
use crate::datatype::{place, place_mut, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::{Operate, Told, failure};
use crate::padding::{clean, may_travel};
use crate::point::counted;
use crate::reduce::whole_elements;
use std::ptr;
use upcall_abi::Blit;

impl Intercommunicator {
    /// Waits until all ranks of both groups have called it.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn barrier(&self) -> Result<(), Error> {
        self.comm.barrier()
    }

    /// Gives all ranks of the other group the elements of the root, of which all have as many.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    pub fn broadcast<T: Blit>(&self, data: &mut [T], root: Root) -> Result<(), Error> {
        let what = || format!("broadcast elements to another group, root: {root:?}");
        let peer = self.root(root, what)?;
        may_travel::<T>()?;
        let copy = if root == Root::Here { clean(data)? } else { None };
        if let Some(copy) = copy {
            data.copy_from_slice(&copy);
        }
        let data = if root == Root::Beside { &mut [] } else { data };
        let (count, datatype) = counted::<T>(&self.comm, data.len());
        self.comm.library.call(
            // SAFETY: an intercommunicator of this MPI's, here and below, and so many elements, of which any bytes are values.
            |table| unsafe { (table.bcast)(place_mut(data), count, datatype, peer, self.comm.handle) },
            what,
        )
    }

    /// Gives the root the elements of the other group, of which each rank has as many: those of its rank 0, then of rank 1, and so
    /// on. `into` counts at the root, and `data` in the other group.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where the root's slice is no multiple of the other group's ranks it alone is told so,
    /// while those may wait for it.
    pub fn gather_into<T: Blit>(&self, data: &[T], into: &mut [T], root: Root) -> Result<(), Error> {
        let what = || format!("gather elements of another group, root: {root:?}");
        let peer = self.root(root, what)?;
        may_travel::<T>()?;
        let (copy, each) = match root {
            Root::Here => (None, self.share(into.len(), what)?),
            Root::Beside => (None, 0),
            Root::Remote(_) => (clean(data)?, data.len()),
        };
        let data = copy.as_deref().unwrap_or(data);
        let to = if root == Root::Here { place_mut(into) } else { ptr::null_mut() };
        let (count, datatype) = counted::<T>(&self.comm, each);
        self.comm.library.call(
            // SAFETY: as above; at the root there is room for as many of each rank.
            |table| unsafe { (table.gather)(place(data), to, count, datatype, peer, self.comm.handle) },
            what,
        )
    }

    /// Gives each rank of the other group its part of what the root has: as many elements each. `data` counts at the root; one
    /// exchange more tells the others how many there are. What the root's own group gets is empty.
    ///
    /// # Errors
    /// There is no such rank, the elements cannot be shared evenly, or MPI refuses.
    pub fn scatter<T: Blit>(&self, data: &[T], root: Root) -> Result<Vec<T>, Error> {
        let what = || format!("scatter elements to another group, root: {root:?}");
        self.root(root, what)?;
        may_travel::<T>()?;
        let share = if root == Root::Here { self.share(data.len(), what) } else { Ok(0) };
        // The others wait for this number, whatever it is.
        let mut each = [share.as_ref().map_or(u64::MAX, |each| *each as u64)];
        self.broadcast(&mut each, root)?;
        share?;
        if each[0] == u64::MAX {
            let message = format!("{}: it cannot share them evenly; use the form with parts", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let each = if matches!(root, Root::Remote(_)) { each[0] } else { 0 };
        let mut into = zeroed::<T>(usize::try_from(each).unwrap_or(usize::MAX))?;
        self.scatter_into(data, &mut into, root)?;
        Ok(into)
    }

    /// As [`scatter`](Intercommunicator::scatter), into a slice of as many elements as each rank gets, which all know.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses. Where the root's elements are no multiple of the other group's ranks it alone is told
    /// so, while those may wait for it.
    pub fn scatter_into<T: Blit>(&self, data: &[T], into: &mut [T], root: Root) -> Result<(), Error> {
        let what = || format!("scatter elements to another group, root: {root:?}");
        let peer = self.root(root, what)?;
        may_travel::<T>()?;
        let (copy, each) = match root {
            Root::Here => (clean(data)?, self.share(data.len(), what)?),
            Root::Beside => (None, 0),
            Root::Remote(_) => (None, into.len()),
        };
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(&self.comm, each);
        self.comm.library.call(
            // SAFETY: as above; there is room for as many as the root has for each rank.
            |table| unsafe {
                (table.scatter)(place(data), place_mut(into), count, datatype, peer, self.comm.handle)
            },
            what,
        )
    }

    /// Gives each group the elements of all ranks of the other, of which all of a group have as many, into a slice that has room
    /// for them.
    ///
    /// # Errors
    /// The slice is no multiple of the other group's ranks, or MPI refuses.
    pub fn all_gather_into<T: Blit>(&self, data: &[T], into: &mut [T]) -> Result<(), Error> {
        let what = || "gather elements of two groups".to_owned();
        let each = self.share(into.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(&self.comm, data.len());
        let (each, _) = counted::<T>(&self.comm, each);
        self.comm.library.call(
            // SAFETY: as above, with room for as many of each of the other group.
            |table| unsafe {
                let into = place_mut(into);
                (table.inter_allgather)(place(data), count, into, each, datatype, self.comm.handle)
            },
            what,
        )
    }

    /// Each rank has a part for each of the other group, all of a group as large: what comes is what those had for this one, into a
    /// slice that has room for it.
    ///
    /// # Errors
    /// A slice is no multiple of the other group's ranks, or MPI refuses.
    pub fn all_to_all_into<T: Blit>(&self, data: &[T], into: &mut [T]) -> Result<(), Error> {
        let what = || "exchange elements with another group".to_owned();
        let (each, room) = (self.share(data.len(), what)?, self.share(into.len(), what)?);
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(&self.comm, each);
        let (room, _) = counted::<T>(&self.comm, room);
        self.comm.library.call(
            // SAFETY: as above.
            |table| unsafe {
                let into = place_mut(into);
                (table.inter_alltoall)(place(data), count, into, room, datatype, self.comm.handle)
            },
            what,
        )
    }

    /// Combines the elements of the other group's ranks, of which all have as many, for the root. One exchange more tells the root
    /// how many.
    ///
    /// # Errors
    /// There is no such rank, a rank has another number of elements than the others, the operation panicked on this rank, or MPI
    /// refuses.
    pub fn reduce<T: Blit>(
        &self,
        data: &[T],
        operation: impl Operate<T>,
        root: Root,
    ) -> Result<Option<Vec<T>>, Error> {
        let what = || format!("reduce elements of another group, root: {root:?}");
        self.root(root, what)?;
        may_travel::<T>()?;
        let mut told = if root == Root::Here { vec![0u64; self.remote_size()] } else { Vec::new() };
        self.gather_into(&[data.len() as u64], &mut told, root)?;
        let is_even = told.iter().all(|count| *count == told[0]);
        // The other group waits for this word.
        let mut word = [if is_even { told.first().copied().unwrap_or(0) } else { u64::MAX }];
        self.broadcast(&mut word, root)?;
        if word[0] == u64::MAX {
            let message = format!("{}: its ranks do not have as many", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let count = if root == Root::Here { usize::try_from(word[0]).unwrap_or(usize::MAX) } else { 0 };
        let mut into = zeroed::<T>(count)?;
        self.reduce_into(data, &mut into, operation, root)?;
        Ok((root == Root::Here).then_some(into))
    }

    /// As [`reduce`](Intercommunicator::reduce), into a slice of the root's that has as many elements as each rank of the other
    /// group, without the exchange.
    ///
    /// # Errors
    /// There is no such rank, the operation panicked on this rank, or MPI refuses. Where the root has another number, MPI may say
    /// so.
    pub fn reduce_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
        root: Root,
    ) -> Result<(), Error> {
        let what = || format!("reduce elements of another group, root: {root:?}");
        let peer = self.root(root, what)?;
        let (copy, length) = match root {
            Root::Here => (None, into.len()),
            Root::Beside => (None, 0),
            Root::Remote(_) => (clean(data)?, data.len()),
        };
        let data = copy.as_deref().unwrap_or(data);
        let Told { op, datatype, size } = operation.told(self.comm.library)?;
        let count = whole_elements(length * size_of::<T>(), size, what)?;
        let before = operation.failures();
        self.comm.library.call(
            // SAFETY: as above; at the root there is room for as many, and in the other group they are there.
            |table| unsafe {
                let (from, into) = (place(data), place_mut(into));
                (table.reduce)(from, into, count, datatype, op, peer, self.comm.handle)
            },
            what,
        )?;
        if operation.failures() == before { Ok(()) } else { Err(failure(&what(), &operation.why())) }
    }

    /// Combines the elements of each group for all ranks of the other. All ranks of both have as many.
    ///
    /// # Errors
    /// The operation panicked on this rank, or MPI refuses.
    pub fn all_reduce<T: Blit>(&self, data: &[T], operation: impl Operate<T>) -> Result<Vec<T>, Error> {
        let mut into = zeroed::<T>(data.len())?;
        self.comm.all_reduce_into(data, &mut into, operation)?;
        Ok(into)
    }

    /// As [`all_reduce`](Intercommunicator::all_reduce), into a slice of the same length.
    ///
    /// # Errors
    /// As there, or the slices are not of the same length.
    pub fn all_reduce_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        operation: impl Operate<T>,
    ) -> Result<(), Error> {
        self.comm.all_reduce_into(data, into, operation)
    }

    /// Combines the elements of each group and shares the outcome among the ranks of the other: `counts[r]` for rank `r` of this
    /// group. All ranks of both groups have as many elements, and each group's counts together are as many.
    ///
    /// # Errors
    /// The counts are not those of the elements or ranks, the operation panicked on this rank, or MPI refuses.
    pub fn reduce_scatter<T: Blit>(
        &self,
        data: &[T],
        counts: &[usize],
        operation: impl Operate<T>,
    ) -> Result<Vec<T>, Error> {
        self.comm.reduce_scatter(data, counts, operation)
    }
}
