//! Communicators between two groups: what passes messages to the other group is a communicator in all that two ranks do, and what
//! all do together goes from one group to the other.

use super::collective::shared;
use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::{MpiFailure, UPCALL_MPI_RANK};
use super::group::UpcallMpiGroup;
use super::operation::{UpcallMpiOperation, What};
use super::parts::{has_room, sizes, told};
use super::rank;
use super::reduce::{by, reduced};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_mpi::{Intercommunicator, Root};

/// In place of a root: this process is it.
pub const UPCALL_MPI_ROOT_HERE: i32 = -3;
/// In place of a root: another process of this group is it, and this one takes no part.
pub const UPCALL_MPI_ROOT_BESIDE: i32 = -2;

/// What passes messages to another group, until it is disconnected.
pub(super) struct Between {
    comm: Intercommunicator,
    gone: AtomicBool,
}

impl Between {
    pub(super) fn new(comm: Intercommunicator) -> Between {
        Between { comm, gone: AtomicBool::new(false) }
    }

    #[inline]
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    pub(super) fn duplicate(&self) -> Result<Between, MpiFailure> {
        Ok(Between::new(self.comm.duplicate()?))
    }
}

impl Deref for Between {
    type Target = Intercommunicator;

    fn deref(&self) -> &Intercommunicator {
        &self.comm
    }
}

impl From<Intercommunicator> for UpcallMpiCommunicator {
    fn from(comm: Intercommunicator) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator::perhaps(Some(Held::Between(Arc::new(Between::new(comm)))))
    }
}

/// Where the root of a call is.
fn root_at(number: i32, what: &str) -> Result<Root, MpiFailure> {
    match number {
        UPCALL_MPI_ROOT_HERE => Ok(Root::Here),
        UPCALL_MPI_ROOT_BESIDE => Ok(Root::Beside),
        rank => usize::try_from(rank).map(Root::Remote).map_err(|_| {
            let message = format!(
                "{what}: there is no root {rank}; it is a rank of the other group, from 0 on, or here, or beside this process"
            );
            MpiFailure::new(UPCALL_MPI_RANK, message)
        }),
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Joins these ranks with those of another communicator, each side led by a rank of its own. The leaders are ranks of one
    /// `bridge`, in which `remote_leader` is the other side's, and exchange messages there with this tag. Collective over both
    /// sides, which have no process in common. Between two groups every rank that is sent to or received from is one of the
    /// other group, as are the roots of what is called `inter_…`, but for `UPCALL_MPI_ROOT_HERE` and `…_BESIDE`, which the root
    /// and those beside it say.
    pub fn intercommunicator(
        &self,
        leader: i32,
        bridge: &UpcallMpiCommunicator,
        remote_leader: i32,
        tag: i32,
    ) -> Result<Self, MpiFailure> {
        // What is wrong is told to all ranks: a negative one is out of range, and is shown as it was.
        let number = |rank: i32| (rank as isize).cast_unsigned();
        let (leader, remote) = (number(leader), number(remote_leader));
        Ok(self.get()?.intercommunicator(leader, bridge.get()?, remote, tag)?.into())
    }

    /// Whether it is between two groups.
    pub fn is_inter(&self) -> bool {
        matches!(self.peers().map(|held| matches!(held, Held::Between(_))), Ok(true))
    }

    /// Between two groups: how many processes the other one has.
    pub fn remote_size(&self) -> Result<i32, MpiFailure> {
        Ok(self.between()?.remote_size() as i32)
    }

    /// Between two groups: the processes of the other one.
    pub fn remote_group(&self) -> Result<UpcallMpiGroup, MpiFailure> {
        Ok(UpcallMpiGroup(self.between()?.remote_group()?))
    }

    /// All processes of both groups: first those of the group that says that it is not `high`. Collective over both.
    pub fn merge(&self, high: bool) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiCommunicator::made(self.between()?.merge(high)?))
    }

    /// Ends it when all messages have arrived, after which neither group waits for the other where it finalizes MPI. No other
    /// thread may be in a call on it. Collective over both.
    pub fn disconnect(&self) -> Result<(), MpiFailure> {
        let between = self.between()?;
        between.gone.store(true, Ordering::Relaxed);
        let done = between.disconnect_in_place();
        if done.is_err() {
            between.gone.store(false, Ordering::Relaxed);
        }
        Ok(done?)
    }

    /// Gives all ranks of the other group the bytes of the root, of which all have as many.
    pub fn inter_broadcast(&self, data: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.between()?.broadcast(data, root_at(root, "broadcast to another group")?)?)
    }

    /// As `inter_broadcast`, where the root alone knows how many there are, or that its value is not `valid`, which all of the
    /// other group are told.
    pub fn inter_broadcast_any(&self, data: &[u8], valid: bool, root: i32) -> Result<Vec<u8>, MpiFailure> {
        let what = "broadcast a value to another group";
        let (comm, root) = (self.between()?, root_at(root, what)?);
        let mut told = [if valid { data.len() as u64 } else { u64::MAX }];
        comm.broadcast(&mut told, root)?;
        let mut all = match root {
            Root::Beside => return Ok(Vec::new()),
            Root::Here if valid => data.to_vec(),
            Root::Remote(_) if told[0] != u64::MAX => vec![0; told[0] as usize],
            _ => return Err(MpiFailure::usage(format!("{what}: the root has failed to give one"))),
        };
        comm.broadcast(&mut all, root)?;
        Ok(all)
    }

    /// Gives the root the bytes of the other group's ranks, of which all have as many. `into` counts at the root, and `data` in
    /// the other group.
    pub fn inter_gather(&self, data: &[u8], into: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.between()?.gather_into(data, into, root_at(root, "gather of another group")?)?)
    }

    /// As `inter_gather`, where each may have another number of bytes: at the root, how many each has is written.
    pub fn inter_gather_parts(
        &self,
        data: &[u8],
        counts: &mut [u64],
        root: i32,
    ) -> Result<Vec<u8>, MpiFailure> {
        let (comm, root) = (self.between()?, root_at(root, "gather of another group")?);
        if root == Root::Here {
            has_room(counts, comm.remote_size(), "gather of another group in parts")?;
        }
        let parts = comm.gather_parts(data, root)?;
        Ok(parts.map(|parts| told(parts, counts)).unwrap_or_default())
    }

    /// Gives each rank of the other group its part of what the root has: as many bytes each, as `into` has room for there.
    pub fn inter_scatter_into(&self, data: &[u8], into: &mut [u8], root: i32) -> Result<(), MpiFailure> {
        Ok(self.between()?.scatter_into(data, into, root_at(root, "scatter to another group")?)?)
    }

    /// Gives each rank of the other group its part of what the root has: `counts[r]` bytes for rank `r`.
    pub fn inter_scatter_parts(&self, data: &[u8], counts: &[u64], root: i32) -> Result<Vec<u8>, MpiFailure> {
        let root = root_at(root, "scatter to another group")?;
        Ok(self.between()?.scatter_parts(data, &sizes(counts), root)?)
    }

    /// Gives each group the bytes of all ranks of the other, of which all of a group have as many.
    pub fn inter_all_gather(&self, data: &[u8], into: &mut [u8]) -> Result<(), MpiFailure> {
        Ok(self.between()?.all_gather_into(data, into)?)
    }

    /// As `inter_all_gather`, where each rank may have another number of bytes: how many each of the other group has is written.
    pub fn inter_all_gather_parts(&self, data: &[u8], counts: &mut [u64]) -> Result<Vec<u8>, MpiFailure> {
        let comm = self.between()?;
        has_room(counts, comm.remote_size(), "gather of two groups in parts")?;
        Ok(told(comm.all_gather_parts(data)?, counts))
    }

    /// Each rank has a part for each of the other group, all of them as large, in elements of so many bytes.
    pub fn inter_all_to_all(&self, data: &[u8], into: &mut [u8], element: usize) -> Result<(), MpiFailure> {
        let comm = self.between()?;
        if shared(data.len(), element, comm.remote_size()).is_none() {
            let (elements, ranks) = (data.len() / element.max(1), comm.remote_size());
            return Err(MpiFailure::usage(format!(
                "exchange {elements} elements with another group: that is no multiple of its {ranks} ranks; use the form with \
                 counts"
            )));
        }
        Ok(comm.all_to_all_into(data, into)?)
    }

    /// Each rank has `counts[r]` bytes for rank `r` of the other group: how many each of those had for this one is written.
    pub fn inter_all_to_all_parts(
        &self,
        data: &[u8],
        counts: &[u64],
        received: &mut [u64],
    ) -> Result<Vec<u8>, MpiFailure> {
        let comm = self.between()?;
        has_room(received, comm.remote_size(), "exchange with another group in parts")?;
        Ok(told(comm.all_to_all_parts(data, &sizes(counts))?, received))
    }

    /// Combines the elements of the other group's ranks, of which all have as many, for the root. `into` counts there, and `data`
    /// in the other group.
    pub fn inter_reduce(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
        root: i32,
    ) -> Result<(), MpiFailure> {
        let (comm, root) = (self.between()?, root_at(root, "reduce of another group")?);
        let data = if matches!(root, Root::Remote(_)) { data } else { &[] };
        let into = if root == Root::Here { into } else { &mut [] };
        reduced(data, into, operation, |data, into| {
            by!(operation, |by| comm.reduce_into(data, into, by, root))
        })
    }

    /// Combines the elements of each group for all ranks of the other. All ranks of both have as many.
    pub fn inter_all_reduce(
        &self,
        data: &[u8],
        into: &mut [u8],
        operation: &UpcallMpiOperation,
    ) -> Result<(), MpiFailure> {
        let comm = self.between()?;
        if data.len() != into.len() {
            let (has, room) = (data.len(), into.len());
            return Err(MpiFailure::usage(format!(
                "reduce {has} bytes of each rank for another group: there is room for {room}"
            )));
        }
        reduced(data, into, operation, |data, into| {
            into.copy_from_slice(&by!(operation, |by| comm.all_reduce(data, by))?);
            Ok(())
        })
    }

    /// Waits until another program's ranks connect to a port of this one. The port's name counts at the root. Collective.
    pub fn accept(&self, port: &str, root: i32) -> Result<Self, MpiFailure> {
        Ok(self.get()?.accept(port, rank(root, "wait for another program")?)?.into())
    }

    /// Joins the ranks of another program that wait at a port. The port's name counts at the root. Collective.
    pub fn connect(&self, port: &str, root: i32) -> Result<Self, MpiFailure> {
        Ok(self.get()?.connect(port, rank(root, "connect to a port")?)?.into())
    }
}
