//! Messages over memory that is not Rust's, to be started again and again.

use super::{Copies, Persistent};
use crate::communicator::Communicator;
use crate::error::Error;
use crate::point::{Source, Tag, sender, tagged};
use crate::request::{Behind, Lent, Sending, Sort, sweep};
use crate::shim::{Constant, Handle};
use crate::together::Keeps;
use std::ffi::c_int;

impl Persistent<u8> {
    /// One whose memory is kept by what is behind it, and not by its own buffers, which are empty.
    pub(crate) fn of_lent(
        comm: &Communicator,
        handle: Handle,
        sort: Sort,
        behind: Box<dyn Behind>,
    ) -> Persistent<u8> {
        let mut made = Persistent::message(comm, handle, sort, Vec::new(), Vec::new());
        made.behind = Some(behind);
        made
    }

    /// One that sends a copy of that memory in each round.
    fn of_copies(comm: &Communicator, peer: c_int, tag: c_int, behind: Box<dyn Behind>) -> Persistent<u8> {
        let nothing = comm.library.constant(Constant::RequestNull);
        let mut made = Persistent::of_lent(comm, nothing, Sort::Send, behind);
        made.copies = Some(Copies { comm: comm.handle, peer, tag });
        made
    }
}

impl Communicator {
    /// Makes a send of bytes ready that somebody else keeps: until the result is dropped, and MPI has ended with them. Between
    /// rounds they may be changed. Each round is sent as the call does that `how` names. The result's own buffers are empty.
    ///
    /// # Errors
    /// As [`send`](Communicator::send); the keeper is dropped then.
    pub fn send_init_lent<K: Send + 'static>(
        &self,
        data: Lent<K>,
        to: usize,
        tag: i32,
        how: Sending,
    ) -> Result<Persistent<u8>, Error> {
        let bytes = data.bytes();
        let what = || format!("make a send of {bytes} bytes to rank {to} with tag {tag} ready");
        let (peer, number) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        sweep(self.library);
        let Some(mode) = how.mode() else {
            return Ok(Persistent::of_copies(self, peer, number, only(data)));
        };
        let mode = mode as c_int;
        let byte = self.library.constant(Constant::Byte);
        let mut handle = 0;
        self.library.call(
            // SAFETY: the keeper keeps so many bytes where they are, and the request keeps the keeper; here and below.
            |table| unsafe {
                let (place, comm) = (data.place(), self.handle);
                (table.send_init)(place, bytes as i64, byte, peer, number, comm, mode, &mut handle)
            },
            what,
        )?;
        Ok(Persistent::of_lent(self, handle, Sort::Send, only(data)))
    }

    /// Makes a receive ready, of as many bytes as there is room for, at most, into memory that somebody else keeps, as of
    /// [`send_init_lent`](Communicator::send_init_lent).
    ///
    /// # Errors
    /// As [`receive_into`](Communicator::receive_into); the keeper is dropped then.
    pub fn receive_init_lent<K: Send + 'static>(
        &self,
        into: Lent<K>,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Persistent<u8>, Error> {
        let (from, tag, bytes) = (from.into(), tag.into(), into.bytes());
        let what = || {
            let (from, tag) = (sender(from), tagged(tag));
            format!("make a receive of {bytes} bytes at most from {from} with {tag} ready")
        };
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        sweep(self.library);
        let byte = self.library.constant(Constant::Byte);
        let mut handle = 0;
        self.library.call(
            // SAFETY: as above, of room.
            |table| unsafe {
                let (place, comm) = (into.place(), self.handle);
                (table.recv_init)(place, bytes as i64, byte, peer, number, comm, &mut handle)
            },
            what,
        )?;
        Ok(Persistent::of_lent(self, handle, Sort::Receive, only(into)))
    }
}

fn only<K: Send + 'static>(memory: Lent<K>) -> Box<dyn Behind> {
    Box::new(Keeps::of_message(memory))
}
