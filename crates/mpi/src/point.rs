//! Messages from one rank to another.

use crate::communicator::Communicator;
use crate::datatype::{amount, place, place_mut, room, zeroed};
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::padding::clean;
use crate::shim::{Constant, Handle, Mode, Told};
use crate::status::{self, Status};
use std::ffi::{c_int, c_void};
use upcall_abi::Blit;

/// Whose messages are received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Those of this rank.
    Rank(usize),
    /// Those of any.
    Any,
}

impl From<usize> for Source {
    fn from(rank: usize) -> Source {
        Source::Rank(rank)
    }
}

/// Which messages are received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// Those with this tag, 0 or more.
    Is(i32),
    /// Those with any.
    Any,
}

impl From<i32> for Tag {
    fn from(tag: i32) -> Tag {
        Tag::Is(tag)
    }
}

/// What is known of a message that was received, for faces of this crate.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// The rank that has sent it.
    pub source: i32,
    /// Its tag.
    pub tag: i32,
    /// Its bytes, or -1 where they cannot be counted.
    pub bytes: i64,
}

/// A message that was matched, and is now this process's to receive: nobody else gets it.
///
/// Where it is dropped it is received and thrown away, so that it does not stay in MPI's memory.
#[derive(Debug)]
pub struct Message<'c> {
    comm: &'c Communicator,
    handle: Handle,
    status: Status,
    bytes: usize,
    received: bool,
}

/// Elements as MPI takes them where they are moved: how many bytes.
#[inline]
pub(crate) fn counted<T: Blit>(comm: &Communicator, elements: usize) -> (i64, Handle) {
    // Elements that are in memory have no more bytes than an address counts.
    ((elements * size_of::<T>()) as i64, comm.library.constant(Constant::Byte))
}

impl Communicator {
    #[inline]
    pub(crate) fn source(&self, from: Source, what: impl FnOnce() -> String) -> Result<c_int, Error> {
        match from {
            Source::Rank(rank) => self.peer(rank, what),
            Source::Any => Ok(self.library.number(Constant::AnySource)),
        }
    }

    /// A tag as MPI has it. One that is negative may be MPI's for any.
    #[inline]
    pub(crate) fn tag(&self, tag: Tag, what: impl FnOnce() -> String) -> Result<c_int, Error> {
        match tag {
            Tag::Is(tag) if tag >= 0 => Ok(tag),
            Tag::Is(tag) => Err(no_tag(tag, what)),
            Tag::Any => Ok(self.library.number(Constant::AnyTag)),
        }
    }

    /// Sends elements. Returns when they may be changed again, which may be before or after they are received.
    ///
    /// # Errors
    /// There is no such rank or tag, the type has padding that cannot be zeroed, or MPI refuses.
    #[inline]
    pub fn send<T: Blit>(&self, data: &[T], to: usize, tag: i32) -> Result<(), Error> {
        self.send_as(data, to, tag, Mode::Standard)
    }

    /// As [`send`](Communicator::send); returns when the receiver has begun to receive them.
    ///
    /// # Errors
    /// As there.
    pub fn send_synchronous<T: Blit>(&self, data: &[T], to: usize, tag: i32) -> Result<(), Error> {
        self.send_as(data, to, tag, Mode::Synchronous)
    }

    /// As [`send`](Communicator::send), where the receiver is known to wait already: otherwise the message may be lost.
    ///
    /// # Errors
    /// As there.
    pub fn send_ready<T: Blit>(&self, data: &[T], to: usize, tag: i32) -> Result<(), Error> {
        self.send_as(data, to, tag, Mode::Ready)
    }

    #[inline]
    fn send_as<T: Blit>(&self, data: &[T], to: usize, tag: i32, mode: Mode) -> Result<(), Error> {
        let elements = data.len();
        // What it is told is copied: what an error might need is in no memory while there is none.
        let what = move || format!("send {} to rank {to} with tag {tag}", amount::<T>(elements));
        let (peer, tag) = (self.peer(to, what)?, self.tag(Tag::Is(tag), what)?);
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, data.len());
        self.library.call(
            // SAFETY: there are so many elements of the type, which stay until it returns.
            |table| unsafe {
                match (mode, c_int::try_from(count)) {
                    (Mode::Standard, Ok(count)) => {
                        self.library.direct.send(place(data), count, datatype, peer, tag, self.handle)
                    }
                    _ => (table.send)(place(data), count, datatype, peer, tag, self.handle, mode as c_int),
                }
            },
            what,
        )
    }

    /// Receives elements into a slice, which may have room for more: the status [counts](Status::count) them.
    ///
    /// # Errors
    /// The message is larger ([`ErrorKind::Truncated`]), there is no such rank, or MPI refuses.
    #[inline]
    pub fn receive_into<T: Blit>(
        &self,
        into: &mut [T],
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Status, Error> {
        let (from, tag) = (from.into(), tag.into());
        let room = into.len();
        let what = move || {
            format!("receive {} at most from {} with {}", amount::<T>(room), sender(from), tagged(tag))
        };
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        let (count, datatype) = counted::<T>(self, room);
        let (data, mut status) = (place_mut(into), Status::EMPTY);
        self.library.call(
            // SAFETY: there is room for so many elements, of which any bytes are values.
            |table| unsafe {
                match c_int::try_from(count) {
                    Ok(count) => self
                        .library
                        .direct
                        .recv(data, count, datatype, peer, number, self.handle, &mut status),
                    Err(_) => (table.recv)(data, count, datatype, peer, number, self.handle, &mut status),
                }
            },
            what,
        )?;
        Ok(Status::new(status, self.library))
    }

    /// As [`receive_into`](Communicator::receive_into), and reads the whole status in the same call: for who wants all of it.
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn receive_into_told(
        &self,
        into: &mut [u8],
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Envelope, Error> {
        let (from, tag) = (from.into(), tag.into());
        let room = into.len();
        let what = move || format!("receive {room} bytes at most from {} with {}", sender(from), tagged(tag));
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        let (count, datatype) = counted::<u8>(self, room);
        let (data, mut told) = (place_mut(into), Told::default());
        self.library.call(
            // SAFETY: there is room for so many bytes.
            |table| unsafe { (table.recv_told)(data, count, datatype, peer, number, self.handle, &mut told) },
            what,
        )?;
        Ok(Envelope { source: told.source, tag: told.tag, bytes: told.bytes })
    }

    /// Receives a message of any size: waits for it, makes room for it, and receives that one, whatever other threads receive
    /// meanwhile.
    ///
    /// # Errors
    /// It is no whole number of elements, there is no such rank, or MPI refuses.
    #[inline]
    pub fn receive<T: Blit>(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(Vec<T>, Status), Error> {
        self.matched(from, tag)?.receive()
    }

    /// Waits for a message and takes it, to be received later, by whichever thread.
    ///
    /// # Errors
    /// There is no such rank, or MPI refuses.
    #[inline]
    pub fn matched(&self, from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Message<'_>, Error> {
        let message = self.probed(from.into(), tag.into(), true)?;
        message.ok_or_else(|| Error::new(ErrorKind::Mpi, "wait for a message: MPI has found none"))
    }

    /// Takes a message that has arrived already, if there is one.
    ///
    /// # Errors
    /// As [`matched`](Communicator::matched).
    pub fn try_matched(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Option<Message<'_>>, Error> {
        self.probed(from.into(), tag.into(), false)
    }

    /// Waits for a message and says what is known of it. Whoever receives next may have it: where several threads receive, use
    /// [`matched`](Communicator::matched).
    ///
    /// # Errors
    /// As there.
    pub fn probe(&self, from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Status, Error> {
        let seen = self.seen(from.into(), tag.into(), true)?;
        seen.ok_or_else(|| Error::new(ErrorKind::Mpi, "wait for a message: MPI has found none"))
    }

    /// As [`probe`](Communicator::probe), of a message that has arrived already, if there is one.
    ///
    /// # Errors
    /// As there.
    pub fn try_probe(&self, from: impl Into<Source>, tag: impl Into<Tag>) -> Result<Option<Status>, Error> {
        self.seen(from.into(), tag.into(), false)
    }

    fn seen(&self, from: Source, tag: Tag, wait: bool) -> Result<Option<Status>, Error> {
        let what = || format!("look for a message from {} with {}", sender(from), tagged(tag));
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        let (mut found, mut status) = (0, Status::EMPTY);
        self.library.call(
            // SAFETY: what it writes is here.
            |table| unsafe {
                (table.probe)(peer, number, self.handle, c_int::from(wait), &mut found, &mut status)
            },
            what,
        )?;
        Ok((found != 0).then(|| Status::new(status, self.library)))
    }

    #[inline]
    fn probed(&self, from: Source, tag: Tag, wait: bool) -> Result<Option<Message<'_>>, Error> {
        let what = || format!("look for a message from {} with {}", sender(from), tagged(tag));
        let (peer, number) = (self.source(from, what)?, self.tag(tag, what)?);
        let (mut found, mut handle, mut bytes, mut status) = (0, 0, 0, Status::EMPTY);
        self.library.call(
            // SAFETY: what it writes is here.
            |table| unsafe {
                let wait = c_int::from(wait);
                (table.mprobe)(
                    peer, number, self.handle, wait, &mut found, &mut handle, &mut bytes, &mut status,
                )
            },
            what,
        )?;
        if found == 0 {
            // Dropping a message would receive it.
            return Ok(None);
        }
        let (status, bytes) = (Status::new(status, self.library), status::counted(bytes)?);
        Ok(Some(Message { comm: self, handle, status, bytes, received: false }))
    }

    /// Sends to one rank and receives from another in one call, which cannot block each other.
    ///
    /// # Errors
    /// As [`send`](Communicator::send) and [`receive_into`](Communicator::receive_into).
    pub fn send_receive<T: Blit, R: Blit>(
        &self,
        data: &[T],
        to: usize,
        tag: i32,
        into: &mut [R],
        from: impl Into<Source>,
        from_tag: impl Into<Tag>,
    ) -> Result<Status, Error> {
        let (from, from_tag) = (from.into(), from_tag.into());
        let what =
            || format!("send {} to rank {to} and receive from {}", amount::<T>(data.len()), sender(from));
        let (peer, source) = (self.peer(to, what)?, self.source(from, what)?);
        let (tag, from_tag) = (self.tag(Tag::Is(tag), what)?, self.tag(from_tag, what)?);
        let copy = clean(data)?;
        let data = copy.as_deref().unwrap_or(data);
        let (count, datatype) = counted::<T>(self, data.len());
        let (room, into_type) = counted::<R>(self, into.len());
        let mut status = Status::EMPTY;
        self.library.call(
            // SAFETY: as in the two.
            |table| unsafe {
                let (data, into) = (place(data), place_mut(into));
                (table.sendrecv)(
                    data, count, datatype, peer, tag, into, room, into_type, source, from_tag, self.handle,
                    &mut status,
                )
            },
            what,
        )?;
        Ok(Status::new(status, self.library))
    }
}

impl Message<'_> {
    /// Who has sent it, with which tag, and how large it is.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.status
    }

    /// Receives it.
    ///
    /// # Errors
    /// It is no whole number of elements, and is thrown away then; or MPI refuses.
    #[inline]
    pub fn receive<T: Blit>(mut self) -> Result<(Vec<T>, Status), Error> {
        let elements = status::elements::<T>(self.bytes)?;
        let mut data = room::<T>(elements)?;
        let there = &mut data.spare_capacity_mut()[..elements];
        // SAFETY: there is room for as many; MPI writes all of them, as the message is the one that was counted, and any bytes
        // are values.
        unsafe {
            self.take(place_mut(there), size_of_val(there))?;
            data.set_len(elements);
        }
        Ok((data, self.status))
    }

    /// Receives it into a slice, which may have room for more: the status [counts](Status::count) its elements.
    ///
    /// # Errors
    /// It is larger, and is thrown away then ([`ErrorKind::Truncated`]); or MPI refuses.
    pub fn receive_into<T: Blit>(mut self, into: &mut [T]) -> Result<Status, Error> {
        let (bytes, room) = (self.bytes, size_of_val(into));
        if bytes > room {
            let message = format!(
                "receive a message that was matched: it has {bytes} bytes, and there is room for {room}"
            );
            return Err(Error::new(ErrorKind::Truncated, message));
        }
        // SAFETY: there is as much room, of elements of which any bytes are values.
        unsafe { self.take(place_mut(into), room)? };
        Ok(self.status)
    }

    /// # Safety
    /// There must be room for so many bytes, which may become any.
    #[inline]
    unsafe fn take(&mut self, into: *mut c_void, bytes: usize) -> Result<(), Error> {
        let (count, datatype) = counted::<u8>(self.comm, bytes);
        let (mut handle, mut status) = (self.handle, Status::EMPTY);
        let received = self.comm.library.call(
            // SAFETY: the caller's promise.
            |table| unsafe { (table.mrecv)(into, count, datatype, &mut handle, &mut status) },
            || format!("receive {bytes} bytes that were matched"),
        );
        self.received = taken(&received);
        received?;
        self.status = Status::new(status, self.comm.library);
        Ok(())
    }

    /// Receives it as elements of a type of MPI's.
    ///
    /// # Safety
    /// There is room for so many, of which any bytes are values.
    pub(crate) unsafe fn receive_as(
        mut self,
        into: *mut std::ffi::c_void,
        count: i64,
        datatype: Handle,
    ) -> Result<Status, Error> {
        let (mut handle, mut status) = (self.handle, Status::EMPTY);
        let received = self.comm.library.call(
            // SAFETY: the caller's promise.
            |table| unsafe { (table.mrecv)(into, count, datatype, &mut handle, &mut status) },
            || "receive a message that was matched".to_owned(),
        );
        self.received = taken(&received);
        received?;
        Ok(Status::new(status, self.comm.library))
    }
}

impl Drop for Message<'_> {
    fn drop(&mut self) {
        if self.received {
            return;
        }
        let (library, handle, bytes) = (self.comm.library, self.handle, self.bytes);
        let byte = library.constant(Constant::Byte);
        // Nobody wants it.
        Library::free(move || {
            let mut room = zeroed::<u8>(bytes)?;
            let (mut handle, mut status) = (handle, Status::EMPTY);
            library.call(
                // SAFETY: there is room for all of it.
                |table| unsafe {
                    (table.mrecv)(place_mut(&mut room), room.len() as i64, byte, &mut handle, &mut status)
                },
                String::new,
            )
        });
    }
}

/// Whether MPI has had the message, well or not: a thread that may not call it has not, and the message is still to be thrown away.
#[inline]
fn taken(received: &Result<(), Error>) -> bool {
    received.as_ref().err().is_none_or(|error| error.kind() != ErrorKind::Usage)
}

#[cold]
#[inline(never)]
fn no_tag(tag: i32, what: impl FnOnce() -> String) -> Error {
    Error::new(ErrorKind::Tag, format!("{}: a tag is 0 or more, and this is {tag}", what()))
}

pub(crate) fn sender(from: Source) -> String {
    match from {
        Source::Rank(rank) => format!("rank {rank}"),
        Source::Any => "any rank".to_owned(),
    }
}

pub(crate) fn tagged(tag: Tag) -> String {
    match tag {
        Tag::Is(tag) => format!("tag {tag}"),
        Tag::Any => "any tag".to_owned(),
    }
}
