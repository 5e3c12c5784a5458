use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::rank;

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Waits until all ranks have called it; between two groups, those of both.
    pub fn barrier(&self) -> Result<(), MpiFailure> {
        Ok(self.peers()?.barrier()?)
    }

    /// Gives all ranks the bytes of one, of which all have as many.
    pub fn broadcast(&self, data: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.get()?.broadcast(data, rank(root, "broadcast")?)?)
    }

    /// As `broadcast`, where the root alone knows how many there are: one exchange more. Where the root has none to give, as
    /// its value could not be written, it says that they are not `valid`, and all ranks fail.
    pub fn broadcast_any(&self, data: &[u8], valid: bool, root: i32) -> Result<Vec<u8>, MpiFailure> {
        let (comm, root) = (self.get()?, rank(root, "broadcast")?);
        let mut told = [if valid { data.len() as u64 } else { u64::MAX }];
        comm.broadcast(&mut told, root)?;
        if told[0] == u64::MAX {
            return Err(MpiFailure::usage(format!("broadcast a value: rank {root} has failed to give one")));
        }
        let mut all = if comm.rank() == root { data.to_vec() } else { vec![0; told[0] as usize] };
        comm.broadcast(&mut all, root)?;
        Ok(all)
    }

    /// Gives one rank the bytes of all, of which all have as many, in the order of the ranks. `into` counts at the root.
    pub fn gather(&self, data: &[u8], into: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.get()?.gather_into(data, into, rank(root, "gather")?)?)
    }

    /// As `gather`, for all ranks.
    pub fn all_gather(&self, data: &[u8], into: &mut [u8]) -> Result<(), MpiFailure> {
        Ok(self.get()?.all_gather_into(data, into)?)
    }

    /// Gives each rank its part of what one has: as many bytes each, in the order of the ranks. `data` counts at the root.
    pub fn scatter_into(&self, data: &[u8], into: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.get()?.scatter_into(data, into, rank(root, "scatter")?)?)
    }

    /// As `scatter_into`, where the root alone knows how many elements, of so many bytes each, there are: one exchange more.
    pub fn scatter(&self, data: &[u8], element: usize, root: i32) -> Result<Vec<u8>, MpiFailure> {
        let (comm, root) = (self.get()?, rank(root, "scatter")?);
        let each = shared(data.len(), element, comm.size());
        // The others wait for this number, whatever it is.
        let mut told = [each.map_or(u64::MAX, |each| each as u64)];
        comm.broadcast(&mut told, root)?;
        if told[0] == u64::MAX {
            return Err(MpiFailure::usage(format!(
                "scatter elements of rank {root}: their number is no multiple of the {} ranks; use the form with parts",
                comm.size()
            )));
        }
        let mut into = vec![0; told[0] as usize];
        comm.scatter_into(data, &mut into, root)?;
        Ok(into)
    }

    /// Each rank has a part for each other: what comes back is what all had for this one. All parts are as large, in elements
    /// of so many bytes.
    pub fn all_to_all(&self, data: &[u8], into: &mut [u8], element: usize) -> Result<(), MpiFailure> {
        let comm = self.get()?;
        if shared(data.len(), element, comm.size()).is_none() {
            return Err(MpiFailure::usage(format!(
                "exchange {} elements with all ranks: that is no multiple of the {} ranks; use the form with parts",
                data.len() / element.max(1),
                comm.size()
            )));
        }
        Ok(comm.all_to_all_into(data, into)?)
    }
}

/// How many bytes are each rank's, in whole elements.
pub(super) fn shared(bytes: usize, element: usize, ranks: usize) -> Option<usize> {
    let each = bytes / ranks;
    (bytes.is_multiple_of(ranks) && each.is_multiple_of(element.max(1))).then_some(each)
}
