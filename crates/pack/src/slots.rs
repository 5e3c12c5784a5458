//! Version-tolerant objects: every member in a slot whose length is known before it.
//!
//! The lengths stand before the members, so a member must be measured before it is written. The outermost
//! object is packed twice: once into a window that is written over and over, which tells the lengths of all
//! slots in it, then for good. So nothing is copied, and depth costs nothing.

use crate::members::MOST;
use crate::sink::Measure;
use crate::{Error, ErrorKind, Reader, Unpack, Writer, varint};

/// The lengths of the slots of the outermost object, in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    known: Vec<usize>,
    /// The first that has not been used.
    next: usize,
}

impl Writer<'_> {
    /// Writes an object of `count` slots, each by `write`, and for a circular one its `id`.
    pub fn slots(
        &mut self,
        count: u8,
        id: Option<u32>,
        write: &dyn Fn(usize, &mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if self.is_measuring() {
            return self.measure_slots(count, id, write);
        }
        if self.lengths.next == self.lengths.known.len() {
            self.lengths = self.measured(count, id, write)?;
        }
        self.enter()?;
        self.u8(count)?;
        let first = self.lengths.next;
        let last = first + usize::from(count);
        self.lengths.next = last;
        for slot in first..last {
            self.varint_length(self.lengths.known[slot])?;
        }
        if let Some(id) = id {
            self.varint_id(id)?;
        }
        for slot in first..last {
            let before = self.position();
            write(slot - first, self)?;
            let (found, measured) = (self.position() - before, self.lengths.known.get(slot));
            if measured != Some(&found) {
                let message = "a member was not as long as it had been when it was measured: its value changed \
                               while it was being written";
                return Err(self.error(ErrorKind::Unsupported, message));
            }
        }
        self.leave();
        Ok(())
    }

    /// The lengths of all slots in an object.
    #[inline(never)]
    fn measured(
        &mut self,
        count: u8,
        id: Option<u32>,
        write: &dyn Fn(usize, &mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<Lengths, Error> {
        let mut sink = Measure::default();
        let (mut measuring, mark) = self.measuring(&mut sink);
        let measured = measuring.measure_slots(count, id, write);
        let known = std::mem::take(&mut measuring.lengths.known);
        self.end_measuring(measuring, mark);
        measured.map(|()| Lengths { known, next: 0 })
    }

    fn measure_slots(
        &mut self,
        count: u8,
        id: Option<u32>,
        write: &dyn Fn(usize, &mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.enter()?;
        let first = self.lengths.known.len();
        self.lengths.known.resize(first + usize::from(count), 0);
        let mut header = 1 + id.map_or(0, varint::id_len);
        for slot in 0..usize::from(count) {
            let before = self.position();
            write(slot, self)?;
            let len = self.position() - before;
            self.lengths.known[first + slot] = len;
            header += varint::length_len(len);
        }
        self.count_only(header);
        self.leave();
        Ok(())
    }
}

/// Reads the slots of one object, of which `N` are known.
pub struct ReadSlots<'r, 'a, const N: usize> {
    reader: &'r mut Reader<'a>,
    lengths: [usize; N],
    /// Bytes of the slots that are not known.
    rest: usize,
}

impl<'r, 'a, const N: usize> ReadSlots<'r, 'a, N> {
    /// Reads the lengths of the slots.
    pub fn begin(reader: &'r mut Reader<'a>) -> Result<ReadSlots<'r, 'a, N>, Error> {
        let place = reader.position();
        let count = usize::from(reader.u8()?);
        if count > MOST {
            return Err(crate::members::no_object(place, count as u8));
        }
        let (mut lengths, mut rest, mut all) = ([0; N], 0, 0);
        for slot in 0..count {
            let length = reader.varint_length()?;
            match lengths.get_mut(slot) {
                Some(known) => *known = length,
                None => rest = usize::saturating_add(rest, length),
            }
            all = usize::saturating_add(all, length);
        }
        if all > reader.remaining() {
            let message = format!("slots of {all} bytes together, {} are left", reader.remaining());
            return Err(Error::new(ErrorKind::Truncated, place, message));
        }
        reader.enter()?;
        Ok(ReadSlots { reader, lengths, rest })
    }

    /// The reader, between two slots.
    pub fn reader(&mut self) -> &mut Reader<'a> {
        self.reader
    }

    /// The member in a slot; `None` where the slot is a hole.
    #[inline]
    pub fn take<T: Unpack<'a>>(&mut self, slot: usize, name: &'static str) -> Result<Option<T>, Error> {
        self.take_with(slot, name, T::unpack)
    }

    /// Reads over the member in a slot, unless the slot is a hole.
    #[inline]
    pub fn over<T: Unpack<'a>>(
        &mut self,
        slot: usize,
        member: &mut T,
        name: &'static str,
    ) -> Result<(), Error> {
        self.take_with(slot, name, |reader| member.overwrite(reader)).map(|_| ())
    }

    /// Reads a slot by a function of its own.
    #[inline]
    pub fn take_with<T>(
        &mut self,
        slot: usize,
        name: &'static str,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let len = self.lengths[slot];
        if len == 0 {
            return Ok(None);
        }
        let before = self.reader.position();
        let member = match read(self.reader) {
            Ok(member) => member,
            Err(error) => return Err(error.inside(name)),
        };
        match (before + len).checked_sub(self.reader.position()) {
            Some(left) => self.reader.skip(left)?,
            None => return Err(self.longer(before, len).inside(name)),
        }
        Ok(Some(member))
    }

    /// Passes over a slot that is a hole of the type, in which an older or newer one may have a member.
    #[inline]
    pub fn pass(&mut self, slot: usize) -> Result<(), Error> {
        match self.lengths[slot] {
            0 => Ok(()),
            bytes => self.reader.skip(bytes),
        }
    }

    /// Ends the object, behind the slots that are not known.
    pub fn end(self) -> Result<(), Error> {
        self.reader.skip(self.rest)?;
        self.reader.leave();
        Ok(())
    }

    /// The error for a member that the input does not have and that has no default.
    #[cold]
    pub fn missing(&self, name: &'static str) -> Error {
        crate::members::no_default(self.reader, name)
    }

    #[cold]
    fn longer(&self, place: usize, len: usize) -> Error {
        let message =
            format!("a slot of {len} bytes, but its value takes {}", self.reader.position() - place);
        Error::new(ErrorKind::LengthInvalid, place, message)
    }
}
