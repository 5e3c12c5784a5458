//! Two groups of processes, each of which passes messages to the other.

mod collective;
mod messages;
mod object;
mod parts;

use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::group::{Comparison, Group};
use crate::library::Library;
use crate::point::Tag;
use crate::shim::{Constant, Handle};
use std::ffi::c_int;
use std::fmt;

/// Two groups of processes that have none in common. Every rank that is sent to or received from, and every root, is one of the
/// other group; what all do together goes from one group to the other, or both ways.
///
/// It is made of two communicators ([`Communicator::intercommunicator`]), by starting processes, or by a port. It may be shared by
/// threads, as far as the thread level goes, and is freed when it is dropped, unless MPI has been finalized before.
pub struct Intercommunicator {
    /// Its rank and size are of this group, and its peers are the other one.
    pub(crate) comm: Communicator,
}

/// Whose elements are given to the other group, or who gets those of the other group. The ranks of one call say different things,
/// so that one is root and everyone knows where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// This process: what the root itself says.
    Here,
    /// Another of this group: what the others of the root's group say. They take no part, and what they give does not count.
    Beside,
    /// This rank of the other group: what all ranks of the other group say.
    Remote(usize),
}

impl Communicator {
    /// Joins this communicator's ranks with those of another: each side calls it, with a leader of its own. The two leaders are
    /// ranks of one `bridge`, in which `remote_leader` is the other side's; they exchange messages there with this `tag`.
    /// Collective over both sides, which have no rank in common.
    ///
    /// # Errors
    /// There is no such rank or tag, on any rank of this side; or MPI refuses. The other side waits then.
    pub fn intercommunicator(
        &self,
        leader: usize,
        bridge: &Communicator,
        remote_leader: usize,
        tag: i32,
    ) -> Result<Intercommunicator, Error> {
        let what = || {
            let (ours, leader, theirs) = (self.size(), leader.cast_signed(), remote_leader.cast_signed());
            format!("join {ours} ranks, led by {leader}, with those of the leader {theirs}")
        };
        let given = self.peer(leader, what).and_then(|leader| {
            Ok((leader, bridge.peer(remote_leader, what)?, bridge.tag(Tag::Is(tag), what)?))
        });
        let (leader, remote_leader, tag) = self.all_or_none(given, what)?;
        let mut made = 0;
        self.library.call(
            // SAFETY: two communicators of this MPI's.
            |table| unsafe {
                let (ours, bridge) = (self.handle, bridge.handle);
                (table.intercomm_create)(ours, leader, bridge, remote_leader, tag, &mut made)
            },
            what,
        )?;
        Intercommunicator::new(self.library, made)
    }
}

impl Intercommunicator {
    /// One that a call has made.
    pub(crate) fn new(library: &'static Library, handle: Handle) -> Result<Intercommunicator, Error> {
        Ok(Intercommunicator { comm: Communicator::apart(library, handle)? })
    }

    /// This process's rank in its own group, from 0 on: what the other group knows it by.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.comm.rank()
    }

    /// How many processes this group has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.comm.size()
    }

    /// How many processes the other group has.
    #[must_use]
    pub fn remote_size(&self) -> usize {
        self.comm.peers()
    }

    /// The processes of this group.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn group(&self) -> Result<Group, Error> {
        self.comm.group_of(false)
    }

    /// The processes of the other group.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn remote_group(&self) -> Result<Group, Error> {
        self.comm.group_of(true)
    }

    /// The same groups, whose messages never meet those of this one. Collective over both.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn duplicate(&self) -> Result<Intercommunicator, Error> {
        let mut made = 0;
        self.comm.library.call(
            // SAFETY: an intercommunicator of this MPI's, here and below.
            |table| unsafe { (table.comm_dup)(self.comm.handle, &mut made) },
            || "duplicate an intercommunicator".to_owned(),
        )?;
        Intercommunicator::new(self.comm.library, made)
    }

    /// All processes of both groups in one communicator: first those of the group that says that it is not `high`. Where both say
    /// the same, MPI chooses. Collective over both.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn merge(&self, high: bool) -> Result<Communicator, Error> {
        let mut made = 0;
        self.comm.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.intercomm_merge)(self.comm.handle, c_int::from(high), &mut made) },
            || "merge two groups".to_owned(),
        )?;
        Communicator::new(self.comm.library, made, true)
    }

    /// Frees it when all messages have arrived, after which the two groups know nothing of each other: neither waits for the other
    /// where it finalizes MPI. Collective over both.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn disconnect(self) -> Result<(), Error> {
        self.disconnect_in_place()
    }

    /// As [`disconnect`](Intercommunicator::disconnect), where the intercommunicator itself stays, as in the hands of another
    /// language, which uses it no more.
    #[doc(hidden)]
    pub fn disconnect_in_place(&self) -> Result<(), Error> {
        if !self.comm.disown() {
            let message = "disconnect from the other group: that was done before";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let (mut handle, mut called) = (self.comm.handle, false);
        let done = self.comm.library.call(
            // SAFETY: as above; it is used no more.
            |table| unsafe {
                called = true;
                (table.comm_disconnect)(&mut handle)
            },
            || "disconnect from the other group".to_owned(),
        );
        if !called {
            self.comm.own();
        }
        done
    }

    /// What passes messages to the other group: for the C ABI, whose calls on both are the same. What all ranks do together is
    /// not to be called on it.
    #[doc(hidden)]
    #[must_use]
    pub fn messages(&self) -> &Communicator {
        &self.comm
    }

    /// It is used no more, and not freed.
    pub(crate) fn leave(self) {
        self.comm.disown();
    }

    /// How alike this one and another are: a [duplicate](Intercommunicator::duplicate) is [`Comparison::Congruent`].
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn compare(&self, other: &Intercommunicator) -> Result<Comparison, Error> {
        self.comm.compare(&other.comm)
    }

    /// Its name, as debuggers and profilers show it; empty where it has none.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn name(&self) -> Result<String, Error> {
        self.comm.name()
    }

    /// Names it, on this process.
    ///
    /// # Errors
    /// As [`Communicator::set_name`].
    pub fn set_name(&self, name: &str) -> Result<(), Error> {
        self.comm.set_name(name)
    }

    /// A root as MPI has it.
    fn root(&self, root: Root, what: impl FnOnce() -> String) -> Result<c_int, Error> {
        match root {
            Root::Here => Ok(self.comm.library.number(Constant::Root)),
            Root::Beside => Ok(self.comm.library.number(Constant::ProcNull)),
            Root::Remote(rank) => self.comm.peer(rank, what),
        }
    }

    /// How many elements each of the other group has in a slice for all of it.
    fn share(&self, length: usize, what: impl FnOnce() -> String) -> Result<usize, Error> {
        let ranks = self.remote_size();
        if length.is_multiple_of(ranks) {
            return Ok(length / ranks);
        }
        let message =
            format!("{}: the slice has {length}, no multiple of the other group's {ranks} ranks", what());
        Err(Error::new(ErrorKind::Usage, message))
    }
}

impl fmt::Debug for Intercommunicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Intercommunicator");
        shown.field("rank", &self.rank()).field("size", &self.size());
        shown.field("remote_size", &self.remote_size()).finish()
    }
}
