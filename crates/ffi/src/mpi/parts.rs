//! The forms in which each rank may have another number of bytes.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::rank;
use upcall_mpi::Parts;

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Gives one rank the bytes of all, in the order of the ranks, and writes how many each has. Both are for the root: others
    /// get nothing.
    pub fn gather_parts(&self, data: &[u8], counts: &mut [u64], root: i32) -> Result<Vec<u8>, MpiFailure> {
        let (comm, root) = (self.get()?, rank(root, "gather")?);
        if comm.rank() == root {
            has_room(counts, comm.size(), "gather in parts")?;
        }
        let parts = comm.gather_parts(data, root)?;
        Ok(parts.map(|parts| told(parts, counts)).unwrap_or_default())
    }

    /// As `gather_parts`, for all ranks.
    pub fn all_gather_parts(&self, data: &[u8], counts: &mut [u64]) -> Result<Vec<u8>, MpiFailure> {
        let comm = self.get()?;
        has_room(counts, comm.size(), "gather in parts")?;
        Ok(told(comm.all_gather_parts(data)?, counts))
    }

    /// As `gather_parts`, of values: where this rank's could not be written it says that it is not `valid`, and all ranks fail.
    pub fn gather_values(
        &self,
        data: &[u8],
        valid: bool,
        counts: &mut [u64],
        root: i32,
    ) -> Result<Vec<u8>, MpiFailure> {
        let (comm, root) = (self.get()?, rank(root, "gather")?);
        if comm.rank() == root {
            has_room(counts, comm.size(), "gather values")?;
        }
        let parts = comm.gather_given(valid.then_some(data), root)?;
        Ok(parts.map(|parts| told(parts, counts)).unwrap_or_default())
    }

    /// As `gather_values`, for all ranks.
    pub fn all_gather_values(
        &self,
        data: &[u8],
        valid: bool,
        counts: &mut [u64],
    ) -> Result<Vec<u8>, MpiFailure> {
        let comm = self.get()?;
        has_room(counts, comm.size(), "gather values")?;
        Ok(told(comm.all_gather_given(valid.then_some(data))?, counts))
    }

    /// Gives each rank its part of what one has: `counts[r]` bytes for rank `r`, which the root says.
    pub fn scatter_parts(&self, data: &[u8], counts: &[u64], root: i32) -> Result<Vec<u8>, MpiFailure> {
        Ok(self.get()?.scatter_parts(data, &sizes(counts), rank(root, "scatter")?)?)
    }

    /// Each rank has a part for each other: `counts[r]` bytes for rank `r`. What comes back is what all had for this one, in the
    /// order of the ranks, and how many bytes are whose is written.
    pub fn all_to_all_parts(
        &self,
        data: &[u8],
        counts: &[u64],
        received: &mut [u64],
    ) -> Result<Vec<u8>, MpiFailure> {
        let comm = self.get()?;
        has_room(received, comm.size(), "exchange in parts")?;
        Ok(told(comm.all_to_all_parts(data, &sizes(counts))?, received))
    }
}

/// Counts as sizes in memory. One that is larger than that is more than there are bytes, which is an error then.
pub(super) fn sizes(counts: &[u64]) -> Vec<usize> {
    counts.iter().map(|count| usize::try_from(*count).unwrap_or(usize::MAX)).collect()
}

/// Whether there is room for a count of each that gives a part.
pub(super) fn has_room(counts: &[u64], parts: usize, what: &str) -> Result<(), MpiFailure> {
    if counts.len() == parts {
        return Ok(());
    }
    Err(MpiFailure::usage(format!(
        "{what}: there is room for {} counts, and there are {parts}",
        counts.len()
    )))
}

/// The elements of all parts, when their counts are told.
pub(super) fn told(parts: Parts<u8>, counts: &mut [u64]) -> Vec<u8> {
    for (to, count) in counts.iter_mut().zip(&parts.counts) {
        *to = *count as u64;
    }
    parts.data
}
