//! The forms in which each rank of the other group may have another number of elements: exchanges more tell how many.

use super::{Intercommunicator, Root};
use crate::collective::{Parts, countable, room_of, wide};
use crate::datatype::{place, place_mut, whole, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::Max;
use crate::padding::{clean, may_travel};
use std::ptr;
use upcall_abi::Blit;

impl Intercommunicator {
    /// Gives the root the elements of the other group, where each rank may have another number: two exchanges more tell the root
    /// how many, and the others that it has room.
    ///
    /// # Errors
    /// There is no such rank, they are more than MPI counts, or MPI refuses.
    pub fn gather_parts<T: Blit>(&self, data: &[T], root: Root) -> Result<Option<Parts<T>>, Error> {
        let what = || format!("gather elements of another group, root: {root:?}");
        let peer = self.root(root, what)?;
        let copy = if matches!(root, Root::Remote(_)) { clean(data)? } else { None };
        may_travel::<T>()?;
        let mut told = if root == Root::Here { vec![0u64; self.remote_size()] } else { Vec::new() };
        self.gather_into(&[data.len() as u64], &mut told, root)?;
        let room = countable(&told, what).and_then(|()| room_of::<T>(&told));
        // The other group waits for this word.
        let mut word = [u8::from(room.is_err())];
        self.broadcast(&mut word, root)?;
        let mut parts = room?;
        if word[0] != 0 {
            let message = format!("{}: the root has no room for them", what());
            return Err(Error::new(ErrorKind::Count, message));
        }
        let data = copy.as_deref().unwrap_or(data);
        let datatype = whole(self.comm.library, size_of::<T>())?;
        let (counts, is_root) = (wide(&parts.counts), root == Root::Here);
        let count = if matches!(root, Root::Remote(_)) { data.len() as i64 } else { 0 };
        self.comm.library.call(
            // SAFETY: an intercommunicator of this MPI's, here and below, and at the root room for what each rank has said.
            |table| unsafe {
                let into = if is_root { place_mut(&mut parts.data) } else { ptr::null_mut() };
                let counts = if is_root { counts.as_ptr() } else { ptr::null() };
                (table.inter_gatherv)(place(data), count, into, counts, datatype, peer, self.comm.handle)
            },
            what,
        )?;
        Ok(is_root.then_some(parts))
    }

    /// As [`scatter`](Intercommunicator::scatter), with `counts[r]` elements for rank `r` of the other group, which the root says.
    ///
    /// # Errors
    /// There is no such rank, the counts are not those of the elements or ranks, or MPI refuses.
    pub fn scatter_parts<T: Blit>(&self, data: &[T], counts: &[usize], root: Root) -> Result<Vec<T>, Error> {
        let what = || format!("scatter elements to another group in parts, root: {root:?}");
        let peer = self.root(root, what)?;
        may_travel::<T>()?;
        let (is_root, gets) = (root == Root::Here, matches!(root, Root::Remote(_)));
        let mut told: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        let right = if is_root {
            self.shared_out(counts, data.len(), what).and_then(|()| countable(&told, what))
        } else {
            Ok(())
        };
        if right.is_err() {
            told = vec![u64::MAX; self.remote_size()];
        }
        let mut each = [0u64; 1];
        let into = if gets { &mut each[..] } else { &mut [] };
        self.scatter_into(&told, into, root)?;
        right?;
        if each[0] == u64::MAX {
            let message = format!("{}: the root has not shared them out", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let copy = if is_root { clean(data)? } else { None };
        let data = copy.as_deref().unwrap_or(data);
        let mut into = zeroed::<T>(usize::try_from(each[0]).unwrap_or(usize::MAX))?;
        let (count, datatype) = (into.len() as i64, whole(self.comm.library, size_of::<T>())?);
        let counts = wide(counts);
        self.comm.library.call(
            // SAFETY: as above, with what the root has for this rank.
            |table| unsafe {
                let counts = if is_root { counts.as_ptr() } else { ptr::null() };
                let (data, into) = (place(data), place_mut(&mut into));
                (table.inter_scatterv)(data, counts, into, count, datatype, peer, self.comm.handle)
            },
            what,
        )?;
        Ok(into)
    }

    /// Gives each group the elements of all ranks of the other, where each rank may have another number.
    ///
    /// # Errors
    /// They are more than MPI counts, or MPI refuses.
    pub fn all_gather_parts<T: Blit>(&self, data: &[T]) -> Result<Parts<T>, Error> {
        let what = || "gather elements of two groups in parts".to_owned();
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let mut told = vec![0u64; self.remote_size()];
        self.all_gather_into(&[data.len() as u64], &mut told)?;
        let room = countable(&told, what).and_then(|()| room_of::<T>(&told));
        let mut parts = self.both(room, what)?;
        let (count, datatype) = (data.len() as i64, whole(self.comm.library, size_of::<T>())?);
        let counts = wide(&parts.counts);
        self.comm.library.call(
            // SAFETY: as above, with room for what each rank has said.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(&mut parts.data));
                (table.inter_allgatherv)(data, count, into, counts.as_ptr(), datatype, self.comm.handle)
            },
            what,
        )?;
        Ok(parts)
    }

    /// Each rank has `counts[r]` elements for rank `r` of the other group: what comes is what those had for this one.
    ///
    /// # Errors
    /// The counts of any rank are not those of its elements or ranks, they are more than MPI counts, or MPI refuses.
    pub fn all_to_all_parts<T: Blit>(&self, data: &[T], counts: &[usize]) -> Result<Parts<T>, Error> {
        let what = || "exchange elements with another group in parts".to_owned();
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let right = self.shared_out(counts, data.len(), what);
        let mut given: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        given.resize(self.remote_size(), 0);
        let mut told = vec![0u64; self.remote_size()];
        self.all_to_all_into(&given, &mut told)?;
        let room = right
            .and_then(|()| countable(&given, what))
            .and_then(|()| countable(&told, what))
            .and_then(|()| room_of::<T>(&told));
        let mut parts = self.both(room, what)?;
        let (counts, into_counts) = (wide(counts), wide(&parts.counts));
        let datatype = whole(self.comm.library, size_of::<T>())?;
        self.comm.library.call(
            // SAFETY: as above, with what each rank has said that it has for this one.
            |table| unsafe {
                let (data, counts) = (place(data), counts.as_ptr());
                let (into, into_counts) = (place_mut(&mut parts.data), into_counts.as_ptr());
                (table.inter_alltoallv)(data, counts, into, into_counts, datatype, self.comm.handle)
            },
            what,
        )?;
        Ok(parts)
    }

    /// What this rank has, where all ranks of both groups have something: they would wait for one that has not.
    pub(super) fn both<T>(&self, given: Result<T, Error>, what: impl FnOnce() -> String) -> Result<T, Error> {
        let theirs = self.all_reduce(&[u8::from(given.is_err())], Max)?;
        // What they have been told of this group.
        let ours = self.all_reduce(&theirs, Max)?;
        if given.is_ok() && theirs[0].max(ours[0]) != 0 {
            let message = format!("{}: what another rank has given is wrong, as it is told", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        given
    }

    /// Whether there is a count for each rank of the other group, and they share out as many elements.
    fn shared_out(
        &self,
        counts: &[usize],
        elements: usize,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
        if counts.len() == self.remote_size() && sum == Some(elements) {
            return Ok(());
        }
        let message = format!(
            "{}: there is one count for each of the other group's {} ranks, and together they are the elements",
            what(),
            self.remote_size()
        );
        Err(Error::new(ErrorKind::Usage, message))
    }
}
