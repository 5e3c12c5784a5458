//! Strings: an i32 that tells null, empty, UTF-8 and UTF-16 apart, then the text.

use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Pack, Reader, Text, Unpack, Writer, ascii, reader, utf16};
use alloc::borrow::Cow;

impl Writer<'_> {
    /// Writes text in the encoding of the options.
    ///
    /// # Errors
    /// When there is no space left, or the text is longer than an i32 can say.
    #[inline(always)]
    pub fn string(&mut self, text: &str) -> Result<(), Error> {
        match self.text() {
            Text::Utf8 => self.utf8(text, true),
            Text::Utf8WithoutLength => self.utf8(text, false),
            Text::Utf16 => self.utf16(text),
        }
    }

    /// Writes text as UTF-16, whatever the options say.
    ///
    /// # Errors
    /// As [`Writer::string`].
    pub fn string_utf16(&mut self, text: &str) -> Result<(), Error> {
        self.utf16(text)
    }

    /// Writes short text that fits, as nearly all does, without a call.
    #[inline(always)]
    fn utf8(&mut self, text: &str, with_length: bool) -> Result<(), Error> {
        let len = text.len();
        if len == 0 || len > ascii::SHORT || self.left() < 8 + len {
            return self.any_utf8(text, with_length);
        }
        let room = self.take_room(8 + len);
        // SAFETY: there is room for two lengths and the text.
        unsafe {
            let ascii = ascii::copy(text.as_ptr(), room.add(8), len);
            if with_length && !ascii {
                return self.units_at(room, text);
            }
            let units = if with_length { len as i32 } else { -1 };
            write_lengths(room, len, units);
        }
        Ok(())
    }

    #[inline(never)]
    fn any_utf8(&mut self, text: &str, with_length: bool) -> Result<(), Error> {
        let len = text.len();
        if len == 0 {
            return self.i32(0);
        }
        if len >= i32::MAX as usize {
            return Err(self.too_long(len));
        }
        let units = if with_length { utf16::units(text) as i32 } else { -1 };
        let room = self.reserve(8)?;
        // SAFETY: there is room for two lengths.
        unsafe { write_lengths(room, len, units) };
        self.bytes(text.as_bytes())
    }

    /// Writes the lengths of text that is not ASCII.
    ///
    /// # Safety
    /// `room` must be valid for writes of two lengths.
    #[cold]
    #[inline(never)]
    unsafe fn units_at(&mut self, room: *mut u8, text: &str) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { write_lengths(room, text.len(), utf16::units_beyond_ascii(text) as i32) };
        Ok(())
    }

    #[inline(never)]
    fn utf16(&mut self, text: &str) -> Result<(), Error> {
        let units = utf16::units(text);
        self.count(units)?;
        let mut room = self.reserve(2 * units)?;
        for unit in text.encode_utf16() {
            // SAFETY: there is room for as many units as were counted, which is as many as there are.
            unsafe {
                room.cast::<[u8; 2]>().write(unit.to_le_bytes());
                room = room.add(2);
            }
        }
        Ok(())
    }
}

/// # Safety
/// `room` must be valid for writes of two lengths.
#[inline(always)]
unsafe fn write_lengths(room: *mut u8, len: usize, units: i32) {
    // SAFETY: the caller's promise.
    unsafe {
        room.cast::<[u8; 4]>().write((!(len as i32)).to_le_bytes());
        room.add(4).cast::<[u8; 4]>().write(units.to_le_bytes());
    }
}

impl<'a> Reader<'a> {
    /// Text in either encoding, borrowed where it is UTF-8 and lies in one slice. `None` is null.
    ///
    /// # Errors
    /// When the input ends before it does, or it is not UTF-8, UTF-16, or not as long as it says.
    #[inline]
    pub fn text(&mut self) -> Result<Option<Cow<'a, str>>, Error> {
        match self.ascii() {
            Some(text) => Ok(Some(Cow::Borrowed(text))),
            None => self.any_text(),
        }
    }

    /// The length of UTF-8 text, all of it here, that has as many units as bytes if it says how many. Nothing is
    /// consumed: the text lies eight bytes on.
    #[inline(always)]
    fn narrow(&self) -> Option<usize> {
        if self.here() < 8 {
            return None;
        }
        // SAFETY: there are eight bytes here.
        let (first, units) = unsafe {
            let at = self.at().cast::<[u8; 4]>();
            (i32::from_le_bytes(at.read()), i32::from_le_bytes(at.add(1).read()))
        };
        let len = !first as usize;
        let fits = first < -1 && len <= self.here() - 8 && (units <= 0 || units as usize == len);
        fits.then_some(len)
    }

    /// ASCII in UTF-8, all of it here: what most text is. Nothing is consumed for anything else.
    #[inline(always)]
    fn ascii(&mut self) -> Option<&'a str> {
        let len = self.narrow()?;
        // SAFETY: `len` bytes are here after the two lengths, and the input lives for `'a`.
        let bytes = unsafe { core::slice::from_raw_parts(self.at().add(8), len) };
        if !ascii::is(bytes) {
            return None;
        }
        self.pass(8 + len);
        // SAFETY: ASCII is UTF-8.
        Some(unsafe { core::str::from_utf8_unchecked(bytes) })
    }

    /// Reads short ASCII, if all of it is here, into `text`, if that has memory for it: copied and checked in
    /// one pass. Otherwise nothing is consumed, and `text` may be empty.
    #[inline(always)]
    fn ascii_over(&mut self, text: &mut String) -> bool {
        let Some(len) = self.narrow().filter(|len| *len <= ascii::SHORT && *len <= text.capacity()) else {
            return false;
        };
        text.clear();
        // SAFETY: `len` bytes are here after the two lengths, and `text` has room for them; they become part of it
        // only as ASCII, which is UTF-8.
        unsafe {
            let bytes = text.as_mut_vec();
            let ascii = ascii::copy(self.at().add(8), bytes.as_mut_ptr(), len);
            if ascii {
                bytes.set_len(len);
                self.pass(8 + len);
            }
            ascii
        }
    }

    #[inline(never)]
    fn any_text(&mut self) -> Result<Option<Cow<'a, str>>, Error> {
        let place = self.position();
        match self.i32()? {
            -1 => Ok(None),
            0 => Ok(Some(Cow::Borrowed(""))),
            units @ 1.. => self.utf16(units as usize).map(|text| Some(Cow::Owned(text))),
            len => {
                let units = self.i32()?;
                self.utf8(place, !len as usize, units).map(Some)
            }
        }
    }

    fn utf8(&mut self, place: usize, len: usize, units: i32) -> Result<Cow<'a, str>, Error> {
        let text_at = self.position();
        let not_utf8 =
            |valid: usize| Error::new(ErrorKind::TextInvalid, text_at + valid, "text that is not UTF-8");
        let text = if self.here() >= len {
            let bytes = self.bytes(len)?;
            Cow::Borrowed(core::str::from_utf8(bytes).map_err(|error| not_utf8(error.valid_up_to()))?)
        } else {
            let bytes = self.owned_bytes(len)?;
            Cow::Owned(String::from_utf8(bytes).map_err(|error| not_utf8(error.utf8_error().valid_up_to()))?)
        };
        if units > 0 && units as usize != utf16::units(&text) {
            let message = format!(
                "text said to have {units} UTF-16 units has {}; a length that is not known is -1",
                utf16::units(&text)
            );
            return Err(Error::new(ErrorKind::TextInvalid, place + 4, message));
        }
        Ok(text)
    }

    fn utf16(&mut self, units: usize) -> Result<String, Error> {
        let place = self.position();
        let bytes = match units.checked_mul(2) {
            Some(len) if len <= self.here() => Cow::Borrowed(self.bytes(len)?),
            len => Cow::Owned(self.owned_bytes(len.unwrap_or(usize::MAX))?),
        };
        utf16::decode(&bytes)
            .map_err(|half| Error::new(ErrorKind::TextInvalid, place + half.at, half.to_string()))
    }
}

impl Pack for str {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.plain("text");
    }

    #[inline]
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.string(self)
    }
}

impl Pack for String {
    const FORM: Form<Self> = Form::Counted;
    const MIN: usize = 4;

    fn describe(to: &mut crate::Describe) {
        to.plain("text");
    }

    #[inline]
    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.string(self)
    }
}

impl<'a> Unpack<'a> for String {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        not_null(reader).map(Cow::into_owned)
    }

    #[inline]
    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        if reader.ascii_over(self) { Ok(()) } else { over(self, reader) }
    }
}

#[inline(never)]
fn over(text: &mut String, reader: &mut Reader<'_>) -> Result<(), Error> {
    match not_null(reader)? {
        Cow::Borrowed(read) => {
            text.clear();
            text.push_str(read);
        }
        Cow::Owned(read) => *text = read,
    }
    Ok(())
}

impl<'a: 't, 't> Unpack<'a> for Cow<'t, str> {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        not_null(reader)
    }
}

/// Borrows from the input, so that reading text allocates nothing.
///
/// # Errors
/// Text in UTF-16, and text that lies in two slices of the input, cannot be borrowed: `String` and `Cow` read it.
impl<'a: 't, 't> Unpack<'a> for &'t str {
    #[inline]
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        match reader.ascii() {
            Some(text) => Ok(text),
            None => borrowed(reader),
        }
    }
}

#[inline(never)]
fn borrowed<'a>(reader: &mut Reader<'a>) -> Result<&'a str, Error> {
    let place = reader.position();
    match not_null(reader)? {
        Cow::Borrowed(text) => Ok(text),
        Cow::Owned(_) => {
            let why =
                "text that is UTF-16 or lies in two slices cannot be borrowed: read a `String` or a `Cow`";
            Err(Error::new(ErrorKind::NotBorrowable, place, why))
        }
    }
}

#[inline]
fn not_null<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, str>, Error> {
    match reader.text()? {
        Some(text) => Ok(text),
        None => Err(reader::null(reader.position() - 4)),
    }
}
