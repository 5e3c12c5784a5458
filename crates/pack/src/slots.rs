//! Version-tolerant objects: every member in a slot whose length is known before it.
//!
//! The lengths precede the members, but are known only once the members are written. Most objects fit one window
//! of the sink, where room for short lengths is left at the front; where one turns out to be long, the members
//! are moved by a few bytes. An object that meets the end of the window, or is deeply nested, is packed twice
//! instead: first into a scratch window, which tells the lengths of all its slots, then for good. So no byte is
//! moved more than a few times, however deeply it is nested.

use crate::members::MOST;
use crate::prelude::*;
use crate::sink::Measure;
use crate::{Error, ErrorKind, Reader, Unpack, Writer, varint};
use core::mem::MaybeUninit;
use core::ptr;

/// The lengths of the slots of the outermost object, in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    known: Vec<usize>,
    /// The first that has not been used.
    next: usize,
}

/// How deeply nested objects are written in place.
const DEEPEST: u32 = 4;

/// Where the objects are that are being written in place.
#[derive(Debug, Default)]
pub(crate) struct InPlace {
    /// How many, inside one another. The window must stay where it is.
    pub(crate) depth: u32,
    /// One of them did not fit the window.
    pub(crate) failed: bool,
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
            if self.slots_in_place(count, id, write)? {
                return Ok(());
            }
            if self.in_place.depth > 0 {
                return Err(self.not_in_place());
            }
            self.in_place.failed = false;
            self.lengths = self.measured(count, id, write)?;
        }
        self.enter()?;
        let first = self.lengths.next;
        let last = first + usize::from(count);
        self.lengths.next = last;
        let known = core::mem::take(&mut self.lengths.known);
        let header = known.get(first..last).ok_or_else(|| self.changed()).and_then(|lengths| {
            self.check(lengths)?;
            let room = self.reserve(varint::header_len(lengths, id))?;
            // SAFETY: there is room for this header.
            unsafe { varint::write_header(room, lengths, id) };
            Ok(())
        });
        self.lengths.known = known;
        header?;
        for slot in first..last {
            let before = self.position();
            write(slot - first, self)?;
            let (found, measured) = (self.position() - before, self.lengths.known.get(slot));
            if measured != Some(&found) {
                return Err(self.changed());
            }
        }
        self.leave();
        Ok(())
    }

    /// Writes an object into the window, if it fits; otherwise nothing is written.
    #[inline(never)]
    fn slots_in_place(
        &mut self,
        count: u8,
        id: Option<u32>,
        write: &dyn Fn(usize, &mut Writer<'_>) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let count = usize::from(count);
        let header = 1 + count + id.map_or(0, varint::id_len);
        if self.in_place.depth == DEEPEST || self.left() < header {
            return Ok(false);
        }
        let before = self.before_object();
        self.enter()?;
        self.in_place.depth += 1;
        let start = self.take_room(header);
        // SAFETY: there is room for the header, which is written again when the lengths are known.
        unsafe { start.write_bytes(0, header) };
        let window = self.window();
        let mut lengths = [const { MaybeUninit::<usize>::uninit() }; MOST];
        let mut written = Ok(());
        for (slot, length) in lengths[..count].iter_mut().enumerate() {
            let at = self.position();
            written = write(slot, self);
            if self.window() != window {
                let message = "a member put another writer in the place of its own";
                return Err(self.error(ErrorKind::Unsupported, message));
            }
            if written.is_err() {
                break;
            }
            length.write(self.position() - at);
        }
        self.in_place.depth -= 1;
        if self.in_place.failed {
            self.back_to(before);
            return Ok(false);
        }
        written?;
        // SAFETY: the length of each of the `count` slots was written, or `written` is an error.
        let lengths = unsafe { lengths[..count].assume_init_ref() };
        self.check(lengths)?;
        let more: usize = lengths.iter().map(|length| varint::length_len(*length) - 1).sum();
        if self.left() < more {
            self.back_to(before);
            return Ok(false);
        }
        let (members, end) = (start.wrapping_add(header), self.take_room(more));
        // SAFETY: all from `start` to `end` was written, `more` bytes after it are room that was just taken, and
        // the header fits before the members at their new place, as `more` says.
        unsafe {
            ptr::copy(members, members.add(more), end.addr() - members.addr());
            varint::write_header(start, lengths, id);
        }
        self.leave();
        Ok(true)
    }

    /// Refuses what a header cannot express.
    fn check(&self, lengths: &[usize]) -> Result<(), Error> {
        match lengths.iter().find(|length| **length > i32::MAX as usize) {
            Some(length) => Err(self.too_long(*length)),
            None => Ok(()),
        }
    }

    #[cold]
    fn changed(&self) -> Error {
        let message = "a member was not as long as it had been when it was measured: its value changed while it \
                       was being written";
        self.error(ErrorKind::Unsupported, message)
    }

    /// The error for an object that does not fit while the one around it is written in place.
    #[cold]
    fn not_in_place(&mut self) -> Error {
        self.in_place.failed = true;
        self.error(ErrorKind::Full, "the object does not fit the window, so it is measured first")
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
        let known = core::mem::take(&mut measuring.lengths.known);
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
            let Some(known) = self.lengths.known.get_mut(first + slot) else { return Err(self.changed()) };
            *known = len;
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
            let error = Error::new(ErrorKind::Truncated, place, message);
            return Err(error.missing(all - reader.remaining()));
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

    /// Reads into an existing member from a slot; `None` where the slot is a hole.
    #[inline]
    pub fn over<T: Unpack<'a>>(
        &mut self,
        slot: usize,
        member: &mut T,
        name: &'static str,
    ) -> Result<Option<()>, Error> {
        self.take_with(slot, name, |reader| member.overwrite(reader))
    }

    /// Whether a member that the input does not have stays as it is.
    #[inline]
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.reader.keeps()
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
            Err(error) => return Err(self.lacking(before, len, error).inside(name)),
        };
        match (before + len).checked_sub(self.reader.position()) {
            Some(left) => self.reader.skip(left)?,
            None => return Err(self.longer(before, len).inside(name)),
        }
        Ok(Some(member))
    }

    /// Skips a slot that is a hole in this type; an older or newer one may have a member there.
    #[inline]
    pub fn pass(&mut self, slot: usize) -> Result<(), Error> {
        match self.lengths[slot] {
            0 => Ok(()),
            bytes => self.reader.skip(bytes),
        }
    }

    /// Ends the object, after the slots that are not known.
    pub fn end(self) -> Result<(), Error> {
        self.reader.skip(self.rest)?;
        self.reader.leave();
        Ok(())
    }

    /// The error for a member that the input does not have and that has no default.
    #[cold]
    #[must_use]
    pub fn missing(&self, name: &'static str) -> Error {
        crate::members::no_default(self.reader, name)
    }

    /// The error for a value that could not be read from a slot. Where all of the slot's bytes are there, no more
    /// will come; a circular object's id follows the lengths, so the last bytes may be missing.
    #[cold]
    fn lacking(&self, place: usize, len: usize, error: Error) -> Error {
        let end = self.reader.position() + self.reader.remaining();
        if len <= end - place { error.whole() } else { error }
    }

    #[cold]
    fn longer(&self, place: usize, len: usize) -> Error {
        let message =
            format!("a slot of {len} bytes, but its value takes {}", self.reader.position() - place);
        Error::new(ErrorKind::LengthInvalid, place, message)
    }
}
