use super::failure::{MpiFailure, UPCALL_MPI_LIFECYCLE};
use super::intercommunicator::Between;
use super::{UpcallMpiStatus, rank, source, tag, tell};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use upcall_mpi::{Cartesian, Communicator, Graph, Sending};

/// How a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiMode {
    /// Ends when the bytes may be changed again.
    Standard,
    /// Ends when the receiver has begun to receive.
    Synchronous,
    /// The receiver is known to wait already.
    Ready,
    /// The bytes are copied into the room for buffered sends, whether or not anybody receives them.
    Buffered,
}

impl UpcallMpiMode {
    pub(super) fn sending(self) -> Sending {
        match self {
            UpcallMpiMode::Standard => Sending::Standard,
            UpcallMpiMode::Synchronous => Sending::Synchronous,
            UpcallMpiMode::Ready => Sending::Ready,
            UpcallMpiMode::Buffered => Sending::Buffered,
        }
    }
}

/// Processes that pass messages to one another, each with a rank from 0 on. One that was made is freed when it is released,
/// which the ranks do in the same order.
pub struct UpcallMpiCommunicator {
    held: Option<Held>,
    /// What MPI had of it may be no more.
    closed: AtomicBool,
}

/// A communicator, for as long as anything needs it.
#[derive(Clone)]
pub(super) enum Held {
    Given(&'static Communicator),
    Made(Arc<Communicator>),
    Grid(Arc<Cartesian>),
    Graph(Arc<Graph>),
    /// Messages go to another group.
    Between(Arc<Between>),
}

impl Deref for Held {
    type Target = Communicator;

    #[inline]
    fn deref(&self) -> &Communicator {
        match self {
            Held::Given(given) => given,
            Held::Made(made) => made,
            Held::Grid(grid) => grid,
            Held::Graph(graph) => graph,
            Held::Between(between) => between.messages(),
        }
    }
}

impl UpcallMpiCommunicator {
    pub(super) fn given(comm: &'static Communicator) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator::perhaps(Some(Held::Given(comm)))
    }

    pub(super) fn made(comm: Communicator) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator::perhaps(Some(Held::Made(Arc::new(comm))))
    }

    /// One, or none for this process.
    pub(super) fn perhaps(held: Option<Held>) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator { held, closed: AtomicBool::new(false) }
    }

    /// The communicator, if this is one whose ranks all do together what they do.
    #[inline]
    pub(super) fn get(&self) -> Result<&Held, MpiFailure> {
        match &self.held {
            Some(Held::Between(_)) | None => Err(self.refused()),
            Some(held) if !self.is_closed() => Ok(held),
            Some(_) => Err(self.refused()),
        }
    }

    /// The communicator, if there is one, or what passes messages to another group.
    #[inline]
    pub(super) fn peers(&self) -> Result<&Held, MpiFailure> {
        match &self.held {
            Some(Held::Between(between)) if between.is_gone() => Err(self.refused()),
            Some(held) if !self.is_closed() => Ok(held),
            _ => Err(self.refused()),
        }
    }

    #[inline]
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// What passes messages to another group.
    pub(super) fn between(&self) -> Result<&Between, MpiFailure> {
        match self.peers()? {
            Held::Between(between) => Ok(between),
            _ => Err(MpiFailure::usage(
                "use an intercommunicator: this communicator has one group only; `intercommunicator` joins two",
            )),
        }
    }

    #[cold]
    fn refused(&self) -> MpiFailure {
        if self.is_closed() {
            let message = "use a communicator: it has been closed; close it last, or make another with `duplicate` before";
            return MpiFailure::new(UPCALL_MPI_LIFECYCLE, message);
        }
        MpiFailure::usage(match &self.held {
            Some(Held::Between(between)) if between.is_gone() => {
                "use an intercommunicator: it was disconnected from the other group"
            }
            Some(Held::Between(_)) => {
                "use a communicator: this one is between two groups, which have calls of their own; `merge` makes one of all"
            }
            _ => {
                "use a communicator: this process is not in it, as it gave no color to `split`, is not in the group, or has no \
                 place on the grid; ask `is_none` first"
            }
        })
    }
}

#[upcall::export(marked)]
impl UpcallMpiCommunicator {
    /// Whether this process is in none: it gave no color to `split`, is not in the group that `create` was given, or has no place
    /// on the grid. All calls but this fail then.
    pub fn is_none(&self) -> bool {
        self.held.is_none()
    }

    /// This process's rank, from 0 on.
    pub fn rank(&self) -> Result<i32, MpiFailure> {
        Ok(self.peers()?.rank() as i32)
    }

    /// How many processes there are.
    pub fn size(&self) -> Result<i32, MpiFailure> {
        Ok(self.peers()?.size() as i32)
    }

    /// The same processes, whose messages never meet those of this communicator; of a grid or graph one more. Collective.
    pub fn duplicate(&self) -> Result<Self, MpiFailure> {
        let twin = match self.peers()? {
            Held::Grid(grid) => Held::Grid(Arc::new(grid.duplicate()?)),
            Held::Graph(graph) => Held::Graph(Arc::new(graph.duplicate()?)),
            Held::Between(between) => Held::Between(Arc::new(between.duplicate()?)),
            comm => Held::Made(Arc::new(comm.duplicate()?)),
        };
        Ok(UpcallMpiCommunicator::perhaps(Some(twin)))
    }

    /// Frees what MPI has of it, which the ranks do in the same order, where it stays until it is released: all but that
    /// fails from then on. What MPI has from the start is not closed, and a second call does nothing. Where requests go on, or
    /// on a thread that may not call MPI, it is freed when it is released.
    pub fn close(&self) -> Result<(), MpiFailure> {
        match &self.held {
            None | Some(Held::Given(_)) => return Ok(()),
            // Others have it too: a parent is the environment's, and what is checked has that of what all ranks do.
            Some(Held::Between(between)) if Arc::strong_count(between) > 1 => {}
            Some(Held::Made(made)) if Arc::strong_count(made) > 1 => {}
            Some(Held::Grid(grid)) if Arc::strong_count(grid) > 1 => {}
            Some(Held::Graph(graph)) if Arc::strong_count(graph) > 1 => {}
            Some(held) => held.free_in_place()?,
        }
        self.closed.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The processes that give the same `color`, ranked by `key` and then as here; none for those whose color is negative. A
    /// color that is larger than an `i32` is a failure on all ranks. Collective.
    pub fn split(&self, color: i64, key: i32) -> Result<Self, MpiFailure> {
        // What is too large to be one at all is as wrong as what MPI does not take.
        let color = u64::try_from(color).ok().map(|color| u32::try_from(color).unwrap_or(u32::MAX));
        let made = self.get()?.split(color, key)?;
        Ok(made.map_or(UpcallMpiCommunicator::perhaps(None), UpcallMpiCommunicator::made))
    }

    /// The largest tag that messages may have: 32,767 or more.
    pub fn largest_tag(&self) -> Result<i32, MpiFailure> {
        Ok(self.peers()?.largest_tag()?)
    }

    /// Ends all processes of the job at once, with this exit code. It does not return.
    pub fn abort(&self, code: i32) -> Result<(), MpiFailure> {
        self.peers()?.abort(code)
    }

    /// Sends bytes. Returns when they may be changed again, which may be before or after they are received.
    pub fn send(&self, data: &[u8], to: i32, tag: i32, mode: UpcallMpiMode) -> Result<(), MpiFailure> {
        let (comm, to) = (self.peers()?, rank(to, "send")?);
        Ok(match mode {
            UpcallMpiMode::Standard => comm.send(data, to, tag),
            UpcallMpiMode::Synchronous => comm.send_synchronous(data, to, tag),
            UpcallMpiMode::Ready => comm.send_ready(data, to, tag),
            UpcallMpiMode::Buffered => comm.send_buffered(data, to, tag),
        }?)
    }

    /// Receives at most as many bytes as there is room for, from a rank and with a tag, or `UPCALL_MPI_ANY`. Without a status
    /// nobody hears how many there were.
    pub fn receive_into(
        &self,
        into: &mut [u8],
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<(), MpiFailure> {
        let (comm, from, tag) = (self.peers()?, source(from, "receive")?, super::tag(tag));
        match status {
            // It is read in the same call: apart it takes as long as the receive of a few bytes.
            Some(status) => *status = UpcallMpiStatus::told(comm.receive_into_told(into, from, tag)?)?,
            None => drop(comm.receive_into(into, from, tag)?),
        }
        Ok(())
    }

    /// Receives a message of any size.
    pub fn receive(
        &self,
        from: i32,
        tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<Vec<u8>, MpiFailure> {
        let (data, received) = self.peers()?.receive::<u8>(source(from, "receive")?, super::tag(tag))?;
        tell(&received, status)?;
        Ok(data)
    }

    /// Sends to one rank and receives from another in one call, which cannot block each other.
    #[expect(clippy::too_many_arguments, reason = "they are MPI's")]
    pub fn send_receive(
        &self,
        data: &[u8],
        to: i32,
        send_tag: i32,
        into: &mut [u8],
        from: i32,
        receive_tag: i32,
        status: Option<&mut UpcallMpiStatus>,
    ) -> Result<(), MpiFailure> {
        let (to, from) = (rank(to, "send and receive")?, source(from, "send and receive")?);
        let received = self.peers()?.send_receive(data, to, send_tag, into, from, tag(receive_tag))?;
        tell(&received, status)
    }
}
