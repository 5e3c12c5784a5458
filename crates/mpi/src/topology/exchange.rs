//! What each rank does together with its neighbors: each calls the same, in the same order.

use super::Neighborhood;
use crate::collective::{Parts, room_of, wide};
use crate::datatype::{amount, place, place_mut, whole, zeroed};
use crate::error::{Error, ErrorKind};
use crate::padding::clean;
use crate::point::counted;
use std::ffi::c_int;
use upcall_abi::Blit;

impl Neighborhood {
    /// Gives all targets the same elements, of which all ranks have as many: what the sources have given, in their order. Of a
    /// source that is nobody there are none.
    ///
    /// # Errors
    /// MPI refuses. Where a rank has more elements than another, MPI may say so.
    pub fn neighbor_all_gather<T: Blit>(&self, data: &[T]) -> Result<Parts<T>, Error> {
        let mut into = zeroed::<T>(times(data.len(), self.sources.len())?)?;
        self.neighbor_all_gather_into(data, &mut into)?;
        Ok(self.present(into, data.len()))
    }

    /// As [`neighbor_all_gather`](Neighborhood::neighbor_all_gather), into a slice that has room for the elements of all sources;
    /// where a source is nobody, its room stays as it is.
    ///
    /// # Errors
    /// As there, or the slice has another length.
    pub fn neighbor_all_gather_into<T: Blit>(&self, data: &[T], into: &mut [T]) -> Result<(), Error> {
        let elements = data.len();
        let what = || format!("gather {} of each neighbor", amount::<T>(elements));
        has_room(data.len(), self.sources.len(), into.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, data.len());
        self.library.call(
            // SAFETY: a communicator of this MPI's with neighbors, and room for as many elements of each, here and below.
            |table| unsafe {
                (table.neighbor_allgather)(place(data), place_mut(into), count, datatype, self.handle)
            },
            what,
        )
    }

    /// As [`neighbor_all_gather`](Neighborhood::neighbor_all_gather), where each rank may have another number; one exchange more
    /// tells how many.
    ///
    /// # Errors
    /// There is no memory for them, which the rank that gets them is told, while others wait for it; or MPI refuses.
    pub fn neighbor_all_gather_parts<T: Blit>(&self, data: &[T]) -> Result<Parts<T>, Error> {
        let what = || "gather elements of each neighbor".to_owned();
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let mut told = vec![0u64; self.sources.len()];
        self.neighbor_all_gather_into(&[data.len() as u64], &mut told)?;
        let mut parts = room_of::<T>(&told)?;
        let (count, datatype) = (data.len() as i64, whole(self.library, size_of::<T>())?);
        let counts = wide(&parts.counts);
        self.library.call(
            // SAFETY: as above, for what each source has said that it has.
            |table| unsafe {
                let (into, inward) = (place_mut(&mut parts.data), counts.len() as c_int);
                (table.neighbor_allgatherv)(
                    place(data),
                    count,
                    into,
                    counts.as_ptr(),
                    inward,
                    datatype,
                    self.handle,
                )
            },
            what,
        )?;
        Ok(parts)
    }

    /// Gives each target its own part, all as large, in the order of the targets: what the sources have given to this rank. Of a
    /// source that is nobody there is none; the part of a target that is nobody goes nowhere.
    ///
    /// # Errors
    /// The elements cannot be shared evenly, or MPI refuses.
    pub fn neighbor_all_to_all<T: Blit>(&self, data: &[T], each: usize) -> Result<Parts<T>, Error> {
        let mut into = zeroed::<T>(times(each, self.sources.len())?)?;
        self.neighbor_all_to_all_into(data, &mut into, each)?;
        Ok(self.present(into, each))
    }

    /// As [`neighbor_all_to_all`](Neighborhood::neighbor_all_to_all), into a slice that has room for `each` elements of every
    /// source; where a source is nobody, its room stays as it is.
    ///
    /// # Errors
    /// As there, or the slice has another length.
    pub fn neighbor_all_to_all_into<T: Blit>(
        &self,
        data: &[T],
        into: &mut [T],
        each: usize,
    ) -> Result<(), Error> {
        let what = || format!("exchange {} with each neighbor", amount::<T>(each));
        has_room(each, self.targets.len(), data.len(), what)?;
        has_room(each, self.sources.len(), into.len(), what)?;
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, each);
        self.library.call(
            // SAFETY: as above.
            |table| unsafe {
                (table.neighbor_alltoall)(place(data), place_mut(into), count, datatype, self.handle)
            },
            what,
        )?;
        if let Some(order) = &self.crossed[0] {
            let arrived = into.to_vec();
            for (slot, &from) in order.iter().enumerate() {
                into[slot * each..][..each].copy_from_slice(&arrived[from * each..][..each]);
            }
        }
        Ok(())
    }

    /// As [`neighbor_all_to_all`](Neighborhood::neighbor_all_to_all), with `counts[t]` elements for the target `t`.
    ///
    /// # Errors
    /// The counts are not those of the elements or targets, or there is no memory for what comes, which that rank is told, while
    /// others wait for it; or MPI refuses.
    pub fn neighbor_all_to_all_parts<T: Blit>(
        &self,
        data: &[T],
        counts: &[usize],
    ) -> Result<Parts<T>, Error> {
        let what = || "exchange elements with each neighbor in parts".to_owned();
        let sum = counts.iter().try_fold(0usize, |sum, count| sum.checked_add(*count));
        if counts.len() != self.targets.len() || sum != Some(data.len()) {
            let message =
                format!("{}: there is one count for each target, and together they are the elements", what());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let given: Vec<u64> = counts.iter().map(|count| *count as u64).collect();
        let mut told = vec![0u64; self.sources.len()];
        self.neighbor_all_to_all_into(&given, &mut told, 1)?;
        let mut parts = room_of::<T>(&told)?;
        let (counts, mut into_counts) = (wide(counts), wide(&parts.counts));
        if let Some(order) = &self.crossed[1] {
            for (&count, &from) in parts.counts.iter().zip(order) {
                into_counts[from] = count as i64;
            }
        }
        let datatype = whole(self.library, size_of::<T>())?;
        self.library.call(
            // SAFETY: as above, with what each source has said that it has for this rank.
            |table| unsafe {
                (table.neighbor_alltoallv)(
                    place(data),
                    counts.as_ptr(),
                    counts.len() as c_int,
                    place_mut(&mut parts.data),
                    into_counts.as_ptr(),
                    into_counts.len() as c_int,
                    datatype,
                    self.handle,
                )
            },
            what,
        )?;
        if let Some(order) = &self.crossed[1] {
            let counts = into_counts.iter().map(|count| usize::try_from(*count).unwrap_or(0)).collect();
            let arrived = Parts { data: std::mem::take(&mut parts.data), counts };
            let arrived: Vec<&[T]> = arrived.iter().collect();
            parts.data = order.iter().flat_map(|from| arrived[*from]).copied().collect();
        }
        Ok(parts)
    }

    /// Finds out whether the library mixes up what arrives from one rank twice over, as MPICH 4.0.2 does: each target is told
    /// something, of which it is known where it should arrive. All ranks call it, or none.
    pub(super) fn look_for_crossings(&mut self, told: &[u64], wanted: &[u64]) -> Result<(), Error> {
        let even = self.neighbor_all_to_all(told, 1)?;
        let uneven = self.neighbor_all_to_all_parts(told, &vec![1; told.len()])?;
        self.crossed = [even, uneven].map(|arrived| {
            let arrived: Vec<Option<&u64>> = arrived.iter().map(<[u64]>::first).collect();
            let sources = || 0..self.sources.len();
            let of = |source: usize| {
                let is_it = |at: &usize| {
                    self.sources[*at] == self.sources[source] && arrived[*at] == Some(&wanted[source])
                };
                sources().find(is_it).unwrap_or(source)
            };
            let order: Vec<usize> = sources().map(of).collect();
            let is_right = order.iter().copied().eq(sources());
            (!is_right).then_some(order)
        });
        Ok(())
    }

    /// The parts of the sources that are there.
    fn present<T: Blit>(&self, into: Vec<T>, each: usize) -> Parts<T> {
        let counts: Vec<usize> =
            self.sources.iter().map(|source| if source.is_some() { each } else { 0 }).collect();
        if self.sources.iter().all(Option::is_some) {
            return Parts { data: into, counts };
        }
        let parts = into.chunks(each.max(1)).zip(&self.sources).filter(|(_, source)| source.is_some());
        Parts { data: parts.flat_map(|(part, _)| part.iter().copied()).collect(), counts }
    }
}

/// So many elements of each of so many.
fn times(each: usize, neighbors: usize) -> Result<usize, Error> {
    each.checked_mul(neighbors).ok_or_else(|| {
        Error::new(ErrorKind::Count, format!("make room for {each} elements of each neighbor: too many"))
    })
}

/// Whether a slice is as long as the elements of all neighbors, of which each has so many.
fn has_room(
    each: usize,
    neighbors: usize,
    length: usize,
    what: impl FnOnce() -> String,
) -> Result<(), Error> {
    if each.checked_mul(neighbors) == Some(length) {
        return Ok(());
    }
    let message = format!(
        "{}: the slice for all of them has {length}, and {neighbors} neighbors have {each} each",
        what()
    );
    Err(Error::new(ErrorKind::Usage, message))
}
