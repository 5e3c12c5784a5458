//! Messages that say which type their elements have.

mod bytes;
mod element;
mod head;

pub use element::ElementType;

use crate::communicator::Communicator;
use crate::datatype::zeroed;
use crate::error::{Error, ErrorKind};
use crate::operation::{BitAnd, Max};
use crate::padding::clean;
use crate::point::{Source, Tag};
use crate::status::Status;
use head::Head;
use std::sync::Arc;
use upcall_abi::Blit;

/// Whether types are checked, where it is set: `1` or `0`.
const VARIABLE: &str = "UPCALL_MPI_CHECK_TYPES";

/// A communicator whose messages say which type their elements have: where the receiver's is another, it is an error that names
/// both, in place of numbers that mean nothing.
///
/// MPI itself compares no types, and bytes have none. So that it holds for every message, one that is checked has a communicator
/// of its own, which nothing else is sent on: messages have a head of 64 bytes there, which programs in C, and calls that know
/// nothing of it, would take for elements. It is on where all of its ranks want it, which they tell each other when it is made:
/// those that are built with debug assertions, or whose environment sets `UPCALL_MPI_CHECK_TYPES` to `1`, and not to `0`.
/// Otherwise it costs nothing.
///
/// ```no_run
/// use upcall_mpi::{Environment, Sum, Threads};
///
/// let mpi = Environment::start(Threads::Funneled)?;
/// let world = mpi.world().checked()?;
/// if world.rank() == 0 {
///     world.send(&[1.5f64], 1, 0)?;
/// } else if world.rank() == 1 {
///     // receive from rank 0 with tag 0: it sent f64 of 8 bytes, and this rank receives f32 of 4
///     let error = world.receive::<f32>(0, 0);
/// }
/// let sum = world.together::<f64>()?.all_reduce(&[1.5], Sum)?;
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
#[derive(Debug)]
pub struct Checked {
    /// For messages from rank to rank.
    messages: Communicator,
    /// For what all ranks do together.
    together: Arc<Communicator>,
    on: bool,
}

/// What is known of a checked message that has arrived, as [`Status`] is of others.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    status: Status,
    /// Bytes that are none of its elements'.
    head: usize,
}

impl Arrived {
    /// The rank that has sent it.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn source(&self) -> Result<usize, Error> {
        self.status.source()
    }

    /// Its tag.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn tag(&self) -> Result<i32, Error> {
        self.status.tag()
    }

    /// Its elements' bytes.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn bytes(&self) -> Result<usize, Error> {
        Ok(self.status.bytes()?.saturating_sub(self.head))
    }

    /// How many elements it has.
    ///
    /// # Errors
    /// It is no whole number of them, or MPI has been finalized.
    pub fn count<T>(&self) -> Result<usize, Error> {
        let (bytes, each) = (self.bytes()?, size_of::<T>().max(1));
        if !bytes.is_multiple_of(each) {
            let message = format!(
                "receive elements of {each} bytes: the checked message has {bytes}, no whole number of them"
            );
            return Err(Error::new(ErrorKind::Type, message));
        }
        Ok(bytes / each)
    }
}

impl Communicator {
    /// The same processes, whose messages say which type their elements have, where all of them want it. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn checked(&self) -> Result<Checked, Error> {
        self.checked_where(cfg!(debug_assertions))
    }

    /// As [`checked`](Communicator::checked), where this rank says itself whether it wants it, unless its environment does.
    ///
    /// # Errors
    /// As there.
    pub fn checked_where(&self, wanted: bool) -> Result<Checked, Error> {
        let wanted = match std::env::var(VARIABLE).as_deref() {
            Ok("1") => true,
            Ok("0") => false,
            _ => wanted,
        };
        let (messages, together) = (self.duplicate()?, Arc::new(self.duplicate()?));
        let on = together.all_reduce(&[u8::from(wanted)], BitAnd)?[0] == 1;
        Ok(Checked { messages, together, on })
    }
}

impl Checked {
    /// This process's rank, from 0 on.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.messages.rank()
    }

    /// How many processes there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.messages.size()
    }

    /// Whether types are checked.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// As [`Communicator::send`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn send<T: Blit>(&self, data: &[T], to: usize, tag: i32) -> Result<(), Error> {
        if self.on { self.messages.send(&headed(data)?, to, tag) } else { self.messages.send(data, to, tag) }
    }

    /// As [`Communicator::receive`].
    ///
    /// # Errors
    /// As there; or the sender's type is another ([`ErrorKind::Type`]), and the message is gone.
    #[inline]
    pub fn receive<T: Blit>(
        &self,
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<(Vec<T>, Arrived), Error> {
        if !self.on {
            let (data, status) = self.messages.receive(from, tag)?;
            return Ok((data, Arrived { status, head: 0 }));
        }
        let (bytes, status) = self.received(&Head::of::<T>(), from.into(), tag.into())?;
        let mut data = zeroed::<T>(status.count::<T>()?)?;
        copy(&bytes, &mut data);
        Ok((data, status))
    }

    /// As [`Communicator::receive_into`].
    ///
    /// # Errors
    /// As there; or the sender's type is another ([`ErrorKind::Type`]), and the message is gone.
    #[inline]
    pub fn receive_into<T: Blit>(
        &self,
        into: &mut [T],
        from: impl Into<Source>,
        tag: impl Into<Tag>,
    ) -> Result<Arrived, Error> {
        if !self.on {
            let status = self.messages.receive_into(into, from, tag)?;
            return Ok(Arrived { status, head: 0 });
        }
        let (bytes, status) = self.received(&Head::of::<T>(), from.into(), tag.into())?;
        has_room(status.bytes()?, size_of_val(into))?;
        copy(&bytes, into);
        Ok(status)
    }

    /// As [`Communicator::send_receive`].
    ///
    /// # Errors
    /// As there; or the sender's type is another ([`ErrorKind::Type`]), and the message is gone.
    pub fn send_receive<T: Blit, R: Blit>(
        &self,
        data: &[T],
        to: usize,
        tag: i32,
        into: &mut [R],
        from: impl Into<Source>,
        from_tag: impl Into<Tag>,
    ) -> Result<Arrived, Error> {
        if !self.on {
            let status = self.messages.send_receive(data, to, tag, into, from, from_tag)?;
            return Ok(Arrived { status, head: 0 });
        }
        let (from, from_tag) = (from.into(), from_tag.into());
        let what = || "send to one rank and receive from another".to_owned();
        // Before anything is under way.
        self.messages.source(from, what)?;
        self.messages.tag(from_tag, what)?;
        let sent = self.messages.start_send(headed(data)?, to, tag)?;
        let received = self.receive_into(into, from, from_tag);
        sent.wait()?;
        received
    }

    /// The communicator for what all ranks do together with elements of a type, which they compare: one small exchange, where
    /// types are checked. What is sent from rank to rank on it is not checked.
    ///
    /// # Errors
    /// A rank has another type: [`ErrorKind::Type`] on all of them, each with its own; or MPI refuses.
    pub fn together<T: Blit>(&self) -> Result<&Communicator, Error> {
        self.agree(&Head::of::<T>())?;
        Ok(&self.together)
    }

    /// Fails where a rank has another type.
    fn agree(&self, head: &Head) -> Result<(), Error> {
        if self.on {
            let hash = head.hash();
            // The largest, and the smallest.
            let ends = self.together.all_reduce(&[hash, !hash], Max)?;
            if ends[0] != !ends[1] {
                let heads = self.together.all_gather(&head.bytes())?;
                let all = heads.chunks_exact(Head::BYTES).map(Head::read).enumerate();
                let other = all
                    .into_iter()
                    .find_map(|(rank, other)| Some((rank, other.filter(|other| other != head)?)));
                let other = other.map_or("another type".to_owned(), |(rank, other)| {
                    let same = if other.told() == head.told() { " with other fields" } else { "" };
                    format!("rank {rank} has {}{same}", other.told())
                });
                let message = format!("call a collective on {}: {other}", head.told());
                return Err(Error::new(ErrorKind::Type, message));
            }
        }
        Ok(())
    }

    /// A message's elements, as bytes, and its status without the head.
    fn received(&self, head: &Head, from: Source, tag: Tag) -> Result<(Vec<u8>, Arrived), Error> {
        let (mut bytes, status) = self.messages.receive::<u8>(from, tag)?;
        let sent = Head::read(&bytes);
        if !sent.is_some_and(|sent| sent.fits(head)) {
            let sent = sent.map_or("nothing that is checked".to_owned(), |sent| {
                let same = if sent.told() == head.told() { " with other fields" } else { "" };
                format!("{}{same}", sent.told())
            });
            let (source, tag) = (status.source()?, status.tag()?);
            let message = format!(
                "receive from rank {source} with tag {tag}: it sent {sent}, and this rank receives {}",
                head.told()
            );
            return Err(Error::new(ErrorKind::Type, message));
        }
        bytes.drain(..Head::BYTES);
        Ok((bytes, Arrived { status, head: Head::BYTES }))
    }
}

/// A message with its head.
fn headed<T: Blit>(data: &[T]) -> Result<Vec<u8>, Error> {
    let copy = clean(data)?;
    let data = copy.as_deref().unwrap_or(data);
    // SAFETY: the elements' bytes, of which the padding has just been zeroed where there is any.
    let bytes = unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) };
    Ok(with_head(&Head::of::<T>(), bytes))
}

fn with_head(head: &Head, bytes: &[u8]) -> Vec<u8> {
    let mut message = Vec::with_capacity(Head::BYTES + bytes.len());
    message.extend_from_slice(&head.bytes());
    message.extend_from_slice(bytes);
    message
}

fn has_room(has: usize, room: usize) -> Result<(), Error> {
    if has <= room {
        return Ok(());
    }
    let message = format!("receive a checked message: it has {has} bytes, and there is room for {room}");
    Err(Error::new(ErrorKind::Truncated, message))
}

/// Elements from their bytes, of which there are no more than there is room for.
fn copy<T: Blit>(bytes: &[u8], into: &mut [T]) {
    let count = bytes.len().min(size_of_val(into));
    // SAFETY: there are as many on both sides, and any bytes are elements.
    unsafe { into.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), count) };
}
