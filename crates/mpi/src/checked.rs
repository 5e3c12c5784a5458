//! Messages that say which type their elements have.

use crate::communicator::Communicator;
use crate::datatype::{clean, zeroed};
use crate::error::{Error, ErrorKind};
use crate::operation::{BitAnd, Max};
use crate::point::{Source, Tag};
use crate::status::Status;
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
    together: Communicator,
    on: bool,
}

/// What a message says of its elements.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
struct Head {
    /// Bytes of an element; of an array, of one of its own.
    size: u32,
    /// Those of the name.
    length: u32,
    /// Of the table of fields; 0 where there is none.
    fields: u64,
    name: [u8; Head::NAME],
}

const _: () = assert!(size_of::<Head>() == Head::BYTES);

impl Head {
    const BYTES: usize = 64;
    const NAME: usize = 48;

    fn of<T: Blit>() -> Head {
        let fields = T::FIELDS.iter().fold(FNV, |hash, field| {
            let hash = hashed(hashed(hash, field.name.as_bytes()), field.type_name.as_bytes());
            hashed(hashed(hash, &field.offset.to_le_bytes()), &field.size.to_le_bytes())
        });
        let fields = if T::FIELDS.is_empty() { 0 } else { fields | 1 };
        // An array of numbers is as many numbers.
        let size = crate::datatype::number(T::NAME).map_or(size_of::<T>(), |number| number.size);
        let mut name = [0; Head::NAME];
        let length = T::NAME.floor_char_boundary(Head::NAME);
        name[..length].copy_from_slice(&T::NAME.as_bytes()[..length]);
        Head { size: size as u32, length: length as u32, fields, name }
    }

    fn bytes(&self) -> [u8; Head::BYTES] {
        let mut bytes = [0; Head::BYTES];
        bytes[..4].copy_from_slice(&self.size.to_ne_bytes());
        bytes[4..8].copy_from_slice(&self.length.to_ne_bytes());
        bytes[8..16].copy_from_slice(&self.fields.to_ne_bytes());
        bytes[16..].copy_from_slice(&self.name);
        bytes
    }

    /// That of a message, where it has one.
    fn read(bytes: &[u8]) -> Option<Head> {
        let bytes: &[u8; Head::BYTES] = bytes.first_chunk()?;
        let number = |at: usize| u32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let fields = bytes[8..].first_chunk().map_or(0, |fields| u64::from_ne_bytes(*fields));
        let mut name = [0; Head::NAME];
        name.copy_from_slice(&bytes[16..]);
        Some(Head { size: number(0), length: number(4), fields, name })
    }

    /// Whether elements of the one are elements of the other. An array of structs has no table of fields.
    fn fits(&self, other: &Head) -> bool {
        let named = (self.name, self.length) == (other.name, other.length);
        named
            && (self.fields == 0
                || other.fields == 0
                || (self.fields, self.size) == (other.fields, other.size))
    }

    fn told(&self) -> String {
        let name = &self.name[..(self.length as usize).min(Head::NAME)];
        format!("{} of {} bytes", String::from_utf8_lossy(name), self.size)
    }
}

/// FNV-1a, which is the same in every build.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

impl Communicator {
    /// The same processes, whose messages say which type their elements have, where all of them want it. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn checked(&self) -> Result<Checked, Error> {
        let wanted = match std::env::var(VARIABLE).as_deref() {
            Ok("1") => true,
            Ok("0") => false,
            _ => cfg!(debug_assertions),
        };
        let (messages, together) = (self.duplicate()?, self.duplicate()?);
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
    ) -> Result<(Vec<T>, Status), Error> {
        if !self.on {
            return self.messages.receive(from, tag);
        }
        let (bytes, status) = self.received::<T>(from.into(), tag.into())?;
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
    ) -> Result<Status, Error> {
        if !self.on {
            return self.messages.receive_into(into, from, tag);
        }
        let (bytes, status) = self.received::<T>(from.into(), tag.into())?;
        let (has, room) = (status.bytes()?, size_of_val(into));
        if has > room {
            let message =
                format!("receive a checked message: it has {has} bytes, and there is room for {room}");
            return Err(Error::new(ErrorKind::Truncated, message));
        }
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
    ) -> Result<Status, Error> {
        if !self.on {
            return self.messages.send_receive(data, to, tag, into, from, from_tag);
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
        if self.on {
            let head = Head::of::<T>();
            let hash = hashed(FNV, &head.bytes());
            // The largest, and the smallest.
            let ends = self.together.all_reduce(&[hash, !hash], Max)?;
            if ends[0] != !ends[1] {
                let heads = self.together.all_gather(&head.bytes())?;
                let all = heads.chunks_exact(Head::BYTES).map(Head::read).enumerate();
                let other = all
                    .into_iter()
                    .find_map(|(rank, other)| Some((rank, other.filter(|other| *other != head)?)));
                let other = other.map_or("another type".to_owned(), |(rank, other)| {
                    let same = if other.told() == head.told() { " with other fields" } else { "" };
                    format!("rank {rank} has {}{same}", other.told())
                });
                let message = format!("call a collective on {}: {other}", head.told());
                return Err(Error::new(ErrorKind::Type, message));
            }
        }
        Ok(&self.together)
    }

    /// A message's elements, as bytes, and its status without the head.
    fn received<T: Blit>(&self, from: Source, tag: Tag) -> Result<(Vec<u8>, Status), Error> {
        let (mut bytes, status) = self.messages.receive::<u8>(from, tag)?;
        let head = Head::of::<T>();
        let sent = Head::read(&bytes);
        if !sent.is_some_and(|sent| sent.fits(&head)) {
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
        Ok((bytes, status.behind(Head::BYTES)))
    }
}

/// A message with its head.
fn headed<T: Blit>(data: &[T]) -> Result<Vec<u8>, Error> {
    let copy = clean(data)?;
    let data = copy.as_deref().unwrap_or(data);
    let mut message = Vec::with_capacity(Head::BYTES + size_of_val(data));
    message.extend_from_slice(&Head::of::<T>().bytes());
    // SAFETY: the elements' bytes, of which the padding has just been zeroed where there is any.
    message.extend_from_slice(unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) });
    Ok(message)
}

/// Elements from their bytes, of which there are no more than there is room for.
fn copy<T: Blit>(bytes: &[u8], into: &mut [T]) {
    let count = bytes.len().min(size_of_val(into));
    // SAFETY: there are as many on both sides, and any bytes are elements.
    unsafe { into.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), count) };
}
