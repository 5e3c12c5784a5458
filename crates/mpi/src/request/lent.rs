//! Requests over memory that is not Rust's: another language keeps it where it is until the request has ended.

use super::{Begun, Request, Sort, Stage, sweep};
use crate::buffered::sent;
use crate::communicator::Communicator;
use crate::error::Error;
use crate::point::{Source, Tag, sender, tagged};
use crate::shim::{Constant, Mode};
use std::ffi::{c_int, c_void};

/// Memory of another language's: an address and bytes, and what keeps them there until it is dropped.
#[derive(Debug)]
pub struct Lent<K> {
    address: *mut u8,
    bytes: usize,
    keeper: K,
}

// SAFETY: the address is used by MPI alone, and the keeper goes to other threads.
unsafe impl<K: Send> Send for Lent<K> {}
// SAFETY: nothing but the keeper can be reached by reference.
unsafe impl<K: Sync> Sync for Lent<K> {}

impl<K> Lent<K> {
    /// So many bytes at an address.
    ///
    /// # Safety
    /// - The memory must stay where it is until `keeper` is dropped, which may be on any thread and, where MPI never says that
    ///   it has ended with it, never.
    /// - Nobody may write it while it is sent, or read or write it while it is received into.
    pub const unsafe fn new(address: *mut u8, bytes: usize, keeper: K) -> Lent<K> {
        Lent { address, bytes, keeper }
    }

    /// What has kept the memory.
    pub fn into_keeper(self) -> K {
        self.keeper
    }

    /// How many bytes there are.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Where they are.
    pub(crate) fn elements(&self) -> *mut u8 {
        self.place().cast()
    }

    /// They, to be read: the keeper keeps them as long.
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: what `new` was promised.
        unsafe { std::slice::from_raw_parts(self.elements(), self.bytes) }
    }

    /// They, to be written.
    ///
    /// # Safety
    /// Nobody else may read or write them meanwhile.
    #[expect(clippy::mut_from_ref, reason = "it is not its own memory")]
    pub(crate) unsafe fn as_mut_slice(&self) -> &mut [u8] {
        // SAFETY: what `new` was promised, and the caller promises.
        unsafe { std::slice::from_raw_parts_mut(self.elements(), self.bytes) }
    }

    /// Where they are said to be.
    pub(crate) fn address(&self) -> usize {
        self.address.addr()
    }

    /// Where it is. What is there where there are no bytes may be any address, and 1 is Open MPI's `MPI_IN_PLACE`.
    pub(crate) fn place(&self) -> *mut c_void {
        static NOTHING: u64 = 0;
        if self.bytes == 0 { (&raw const NOTHING).cast_mut().cast() } else { self.address.cast() }
    }
}

/// How bytes of somebody else's are sent: as the call of that name does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sending {
    /// [`send`](Communicator::send).
    Standard,
    /// [`send_synchronous`](Communicator::send_synchronous).
    Synchronous,
    /// [`send_ready`](Communicator::send_ready).
    Ready,
    /// [`send_buffered`](Communicator::send_buffered).
    Buffered,
}

impl Sending {
    /// MPI's own, but where the copies are ours.
    pub(crate) fn mode(self) -> Option<Mode> {
        match self {
            Sending::Standard => Some(Mode::Standard),
            Sending::Synchronous => Some(Mode::Synchronous),
            Sending::Ready => Some(Mode::Ready),
            Sending::Buffered => None,
        }
    }
}

impl Communicator {
    /// Begins to send bytes that somebody else keeps. A buffered send has ended when it is begun.
    ///
    /// # Errors
    /// As [`send`](Communicator::send), or as the call that `how` names; the keeper is dropped then.
    pub fn start_send_lent<K: Send + 'static>(
        &self,
        data: Lent<K>,
        to: usize,
        tag: i32,
        how: Sending,
    ) -> Result<Request<Lent<K>>, Error> {
        let what = || format!("begin to send {} bytes to rank {to} with tag {tag}", data.bytes);
        let (peer, number) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        sweep(self.library);
        let Some(mode) = how.mode() else {
            sent(self.library, self.handle, data.as_slice(), peer, number, what)?;
            return Ok(Request::of_ended(self.library, data));
        };
        let mode = mode as c_int;
        let byte = self.library.constant(Constant::Byte);
        let mut handle = 0;
        self.library.call(
            // SAFETY: the keeper keeps so many bytes where they are, and the request keeps the keeper.
            |table| unsafe {
                let count = data.bytes as i64;
                (table.isend)(data.place(), count, byte, peer, number, self.handle, mode, &mut handle)
            },
            what,
        )?;
        Ok(Request::begun(self.library, Begun { handle, buffer: data, sort: Sort::Send, behind: None }))
    }

    /// Begins to receive as many bytes as there is room for, at most, into memory that somebody else keeps.
    ///
    /// # Errors
    /// As [`receive_into`](Communicator::receive_into); the keeper is dropped then.
    pub fn start_receive_lent<K: Send + 'static>(
        &self,
        into: Lent<K>,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Request<Lent<K>>, Error> {
        let (from, tag) = (from.into(), tag.into());
        let what = || {
            format!(
                "begin to receive {} bytes at most from {} with {}",
                into.bytes,
                sender(from),
                tagged(tag)
            )
        };
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        sweep(self.library);
        let byte = self.library.constant(Constant::Byte);
        let mut handle = 0;
        self.library.call(
            // SAFETY: as above.
            |table| unsafe {
                let count = into.bytes as i64;
                (table.irecv)(into.place(), count, byte, peer, number, self.handle, &mut handle)
            },
            what,
        )?;
        Ok(Request::begun(self.library, Begun { handle, buffer: into, sort: Sort::Receive, behind: None }))
    }
}

impl<B: Send + 'static> Request<B> {
    /// Asks MPI to give up a receive that nothing has arrived for: it has still to be waited for, and its status says whether
    /// it [was cancelled](crate::Status::is_cancelled). A send goes on. [`withdraw`](Request::withdraw) does both at once.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn cancel(&mut self) -> Result<(), Error> {
        let Stage::Begun(Begun { handle, sort: Sort::Receive, .. }) = &mut self.stage else { return Ok(()) };
        // SAFETY: a request of MPI's, which has not ended.
        self.library.call(|table| unsafe { (table.cancel)(handle) }, || "cancel a request".to_owned())
    }
}
