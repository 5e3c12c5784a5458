use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::memory::{Keep, Ours};
use super::rank;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_mpi::{Lent, LentPartitions};

/// A message whose partitions are sent as soon as they are ready, or looked at as soon as they have arrived, again and again, by
/// whichever threads (MPI 4; Open MPI before 5 has none).
pub struct UpcallMpiPartitions {
    all: LentPartitions,
    /// Its memory, where that is the library's, and the bytes of a partition.
    memory: Option<(Arc<Ours>, usize)>,
}

#[upcall::export]
impl UpcallMpiPartitions {
    /// Starts a round.
    pub fn start(&self) -> Result<(), MpiFailure> {
        Ok(self.all.start()?)
    }

    /// Sends a partition, which is not to be changed until the round has ended.
    pub fn ready(&self, partition: usize) -> Result<(), MpiFailure> {
        Ok(self.all.ready(partition)?)
    }

    /// Whether a partition has arrived, and may be read.
    pub fn has_arrived(&self, partition: usize) -> Result<bool, MpiFailure> {
        Ok(self.all.has_arrived(partition)?)
    }

    /// Waits until the round has ended. Of a send, partitions that are not ready go as they are.
    pub fn wait(&self) -> Result<(), MpiFailure> {
        self.all.wait()?;
        Ok(())
    }

    /// Whether a round is under way.
    pub fn is_active(&self) -> bool {
        self.all.is_active()
    }

    /// Writes a partition into the library's memory and sends it.
    pub fn write(&self, partition: usize, data: &[u8]) -> Result<(), MpiFailure> {
        let (memory, at, each) = self.part(partition)?;
        if data.len() != each {
            let message = format!("write a partition: {} bytes, and it has {each}", data.len());
            return Err(MpiFailure::usage(message));
        }
        let memory = Arc::clone(memory);
        // SAFETY: no other thread sends this partition, and MPI reads it when it is ready.
        Ok(self.all.ready_when(partition, || unsafe { memory.write_at(at, data) })?)
    }

    /// Copies a partition that has arrived out of the library's memory. Returns whether it has.
    pub fn copy(&self, partition: usize, into: &mut [u8]) -> Result<bool, MpiFailure> {
        let (memory, at, each) = self.part(partition)?;
        if into.len() != each {
            let message =
                format!("copy a partition: there is room for {} bytes, and it has {each}", into.len());
            return Err(MpiFailure::usage(message));
        }
        let memory = Arc::clone(memory);
        // SAFETY: it has arrived, or no round is under way: MPI does not write it.
        Ok(self.all.read_when(partition, || unsafe { memory.read_at(at, into) })?)
    }
}

impl UpcallMpiPartitions {
    fn part(&self, partition: usize) -> Result<(&Arc<Ours>, usize, usize), MpiFailure> {
        let Some((memory, each)) = &self.memory else {
            return Err(MpiFailure::usage(
                "use the memory of a message in partitions: it is the caller's own",
            ));
        };
        let at = partition.checked_mul(*each).filter(|at| *at < memory.len()).ok_or_else(|| {
            MpiFailure::usage(format!("use partition {partition}: there are {}", memory.len() / each))
        })?;
        Ok((memory, at, *each))
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Makes a message of so many partitions ready, of as many bytes each, out of memory of the library's: `write` fills a
    /// partition and sends it.
    pub fn partitioned_send_init(
        &self,
        bytes: usize,
        partitions: usize,
        to: i32,
        tag: i32,
    ) -> Result<UpcallMpiPartitions, MpiFailure> {
        let (comm, to, data) =
            (self.get()?, rank(to, "make a send in partitions ready")?, Ours::zeroes(bytes)?);
        let all = comm.partitioned_send_init_lent(data.lent(), partitions, to, tag)?;
        Ok(UpcallMpiPartitions { all, memory: Some((data, bytes / partitions.max(1))) })
    }

    /// The same of bytes at an address, which may be changed until their partition is ready. `keep` is never called: it is
    /// released when MPI needs them no more, on any thread, and until then they stay there.
    pub fn partitioned_send_init_lent(
        &self,
        address: *const c_void,
        bytes: usize,
        partitions: usize,
        to: i32,
        tag: i32,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiPartitions, MpiFailure> {
        let (comm, to) = (self.get()?, rank(to, "make a send in partitions ready")?);
        // SAFETY: the caller's duty, as of every address.
        let data = unsafe { Lent::new(address.cast_mut().cast(), bytes, Keep::Theirs(keep)) };
        Ok(UpcallMpiPartitions {
            all: comm.partitioned_send_init_lent(data, partitions, to, tag)?,
            memory: None,
        })
    }

    /// Makes the receive of such a message ready, whose partitions are as the receiver likes, into memory of the library's:
    /// `copy` reads a partition.
    pub fn partitioned_receive_init(
        &self,
        bytes: usize,
        partitions: usize,
        from: i32,
        tag: i32,
    ) -> Result<UpcallMpiPartitions, MpiFailure> {
        let (comm, from) = (self.get()?, rank(from, "make a receive in partitions ready")?);
        let into = Ours::zeroes(bytes)?;
        let all = comm.partitioned_receive_init_lent(into.lent(), partitions, from, tag)?;
        Ok(UpcallMpiPartitions { all, memory: Some((into, bytes / partitions.max(1))) })
    }

    /// The same into memory at an address, of which a partition that has arrived may be read; `keep` as of
    /// `partitioned_send_init_lent`.
    pub fn partitioned_receive_init_lent(
        &self,
        address: *mut c_void,
        bytes: usize,
        partitions: usize,
        from: i32,
        tag: i32,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiPartitions, MpiFailure> {
        let (comm, from) = (self.get()?, rank(from, "make a receive in partitions ready")?);
        // SAFETY: as above.
        let into = unsafe { Lent::new(address.cast(), bytes, Keep::Theirs(keep)) };
        let all = comm.partitioned_receive_init_lent(into, partitions, from, tag)?;
        Ok(UpcallMpiPartitions { all, memory: None })
    }
}
