//! What all ranks do together, begun now and ended later, once or again and again.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::memory::{Keep, Ours};
use super::operation::UpcallMpiOperation;
use super::parts::sizes;
use super::rank;
use super::request::{State, UpcallMpiRequest};
use super::rounds::Rounds;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_mpi::{Lent, LentCall, Together};

/// What all ranks do together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiCollective {
    /// They wait for each other.
    Barrier,
    /// All get what the root has, into memory of the same size.
    Broadcast,
    /// The root gets what all have, of the same size.
    Gather,
    /// Each gets its part of what the root has, of the same size.
    Scatter,
    /// As `Gather`, for all.
    AllGather,
    /// Each has a part for each, of the same size.
    AllToAll,
    /// As `Gather`: `counts[r]` bytes of rank `r`, as all know.
    GatherParts,
    /// As `Scatter`: `counts[r]` bytes for rank `r`, as all know.
    ScatterParts,
    /// As `GatherParts`, for all.
    AllGatherParts,
    /// Each has `counts[r]` bytes for rank `r`, and gets `into_counts[r]` of it.
    AllToAllParts,
    /// The root gets what all have, combined.
    Reduce,
    /// As `Reduce`, for all.
    AllReduce,
    /// Each gets its part of what all have, combined: `counts[r]` bytes for rank `r`.
    ReduceScatter,
    /// Each gets what the ranks up to it have, combined.
    Scan,
    /// Each gets what the ranks before it have, combined; rank 0 gets nothing.
    ExclusiveScan,
}

impl From<UpcallMpiCollective> for Together {
    fn from(what: UpcallMpiCollective) -> Together {
        match what {
            UpcallMpiCollective::Barrier => Together::Barrier,
            UpcallMpiCollective::Broadcast => Together::Broadcast,
            UpcallMpiCollective::Gather => Together::Gather,
            UpcallMpiCollective::Scatter => Together::Scatter,
            UpcallMpiCollective::AllGather => Together::AllGather,
            UpcallMpiCollective::AllToAll => Together::AllToAll,
            UpcallMpiCollective::GatherParts => Together::GatherParts,
            UpcallMpiCollective::ScatterParts => Together::ScatterParts,
            UpcallMpiCollective::AllGatherParts => Together::AllGatherParts,
            UpcallMpiCollective::AllToAllParts => Together::AllToAllParts,
            UpcallMpiCollective::Reduce => Together::Reduce,
            UpcallMpiCollective::AllReduce => Together::AllReduce,
            UpcallMpiCollective::ReduceScatter => Together::ReduceScatter,
            UpcallMpiCollective::Scan => Together::Scan,
            UpcallMpiCollective::ExclusiveScan => Together::ExclusiveScan,
        }
    }
}

/// Calls with what it is besides memory.
fn call<T>(
    what: UpcallMpiCollective,
    root: i32,
    element: usize,
    (counts, into_counts): (&[u64], &[u64]),
    operation: Option<&UpcallMpiOperation>,
    with: impl FnOnce(LentCall<'_>) -> Result<T, MpiFailure>,
) -> Result<T, MpiFailure> {
    let (counts, into_counts) = (sizes(counts), sizes(into_counts));
    let (root, operation) =
        (rank(root, "begin a call of all ranks")?, operation.map(UpcallMpiOperation::kept));
    let (what, counts, into_counts) = (what.into(), counts.as_slice(), into_counts.as_slice());
    with(LentCall { what, root, element, counts, into_counts, operation })
}

/// Memory of the caller's, of which what comes is kept, and what is sent is beside it.
fn lent(
    address: *const c_void,
    bytes: usize,
    into: *mut c_void,
    room: usize,
    keep: Box<dyn Fn() + Send + Sync>,
) -> (Lent<Keep>, Lent<Keep>) {
    // SAFETY: the caller's duty, as of every address: what is kept with one stays where it is as the other does.
    unsafe {
        let data = Lent::new(address.cast_mut().cast(), bytes, Keep::Nothing);
        (data, Lent::new(into.cast(), room, Keep::Theirs(keep)))
    }
}

/// Memory of the library's for what is sent and what comes: of a broadcast it is the same.
fn ours(what: UpcallMpiCollective, bytes: usize, room: usize) -> Result<[Arc<Ours>; 2], MpiFailure> {
    if what == UpcallMpiCollective::Broadcast {
        return Ok([Ours::zeroes(0)?, Ours::zeroes(bytes.max(room))?]);
    }
    Ok([Ours::zeroes(bytes)?, Ours::zeroes(room)?])
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Begins a call of all ranks with a copy of what this one gives, which has room for so many bytes: `take` and `copy` have
    /// what has come. `element` is the bytes of an element, of which parts have whole ones; an operation is for those that
    /// combine; counts are of bytes, of those that have them. Where this rank gives or gets nothing, that is empty. A broadcast
    /// sends `data` at the root, and others have as much room.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn start_collective(
        &self,
        what: UpcallMpiCollective,
        data: &[u8],
        room: usize,
        root: i32,
        element: usize,
        counts: &[u64],
        into_counts: &[u64],
        operation: Option<&UpcallMpiOperation>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let comm = self.get()?;
        call(what, root, element, (counts, into_counts), operation, |call| {
            let [sent, into] = ours(what, data.len(), room)?;
            let to = if what == UpcallMpiCollective::Broadcast { &into } else { &sent };
            // SAFETY: new memory, which nobody else has.
            unsafe { to.write(data) };
            let request = comm.start_together_lent(call, sent.lent(), into.lent())?;
            Ok(UpcallMpiRequest::new(State::Together(request)))
        })
    }

    /// The same over memory at addresses. `keep` is never called: it is released when MPI needs that no more, on any thread, and
    /// until then all of it stays there, what is sent unchanged, and what comes unused. Both are apart; numbers lie where their
    /// type has them. A broadcast reads at the root, and fills elsewhere, what is at `into`, and has no other memory.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn start_collective_lent(
        &self,
        what: UpcallMpiCollective,
        address: *const c_void,
        bytes: usize,
        into: *mut c_void,
        room: usize,
        root: i32,
        element: usize,
        counts: &[u64],
        into_counts: &[u64],
        operation: Option<&UpcallMpiOperation>,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let comm = self.get()?;
        let (data, into) = lent(address, bytes, into, room, keep);
        call(what, root, element, (counts, into_counts), operation, |call| {
            Ok(UpcallMpiRequest::new(State::Together(comm.start_together_lent(call, data, into)?)))
        })
    }

    /// Makes a call of all ranks ready that sends so many bytes out of memory of the library's and has as much room there: each
    /// round is written by `write`, started by `start`, waited for, and read by `take` or `copy`. All ranks make the same ready
    /// and start it in the same order. The rest as of `start_collective`.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn collective_init(
        &self,
        what: UpcallMpiCollective,
        bytes: usize,
        room: usize,
        root: i32,
        element: usize,
        counts: &[u64],
        into_counts: &[u64],
        operation: Option<&UpcallMpiOperation>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let comm = self.get()?;
        call(what, root, element, (counts, into_counts), operation, |call| {
            let [data, into] = ours(what, bytes, room)?;
            let request = comm.together_init_lent(call, data.lent(), into.lent())?;
            let sent = if what == UpcallMpiCollective::Broadcast { &into } else { &data };
            let rounds = Rounds::new(request, false, Some(Arc::clone(sent)), Some(into));
            Ok(UpcallMpiRequest::new(State::Rounds(rounds)))
        })
    }

    /// The same over memory at addresses, as of `start_collective_lent`; while no round is under way it is the caller's to use.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn collective_init_lent(
        &self,
        what: UpcallMpiCollective,
        address: *const c_void,
        bytes: usize,
        into: *mut c_void,
        room: usize,
        root: i32,
        element: usize,
        counts: &[u64],
        into_counts: &[u64],
        operation: Option<&UpcallMpiOperation>,
        keep: Box<dyn Fn() + Send + Sync>,
    ) -> Result<UpcallMpiRequest, MpiFailure> {
        let comm = self.get()?;
        let (data, into) = lent(address, bytes, into, room, keep);
        call(what, root, element, (counts, into_counts), operation, |call| {
            let request = comm.together_init_lent(call, data, into)?;
            Ok(UpcallMpiRequest::new(State::Rounds(Rounds::new(request, false, None, None))))
        })
    }
}
