mod parts;

use crate::depth::{Depth, too_deep};
use crate::graph::Found;
use crate::prelude::*;
use crate::{Error, ErrorKind, Invalid, Options, Unpack};
use alloc::borrow::Cow;
use core::{ptr, slice};

/// Reads values from a slice, or from several consecutive ones.
pub struct Reader<'a> {
    at: *const u8,
    end: *const u8,
    start: *const u8,
    /// Bytes before the current slice.
    before: usize,
    /// Bytes in the slices after it.
    later: usize,
    /// Bytes of memory that the enclosing lists were promised and have not filled.
    pub(crate) promised: usize,
    /// Bytes that compressed members have expanded to.
    #[cfg(feature = "brotli")]
    pub(crate) inflated: usize,
    depth: Depth,
    keeps: bool,
    parts: slice::Iter<'a, &'a [u8]>,
    /// What straddled the last boundary.
    gathered: Vec<u8>,
    found: Option<Box<Found>>,
}

impl<'a> Reader<'a> {
    /// A reader of `bytes` with default options.
    #[inline]
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader::with(bytes, Options::new())
    }

    /// A reader of `bytes`.
    #[inline]
    #[must_use]
    pub fn with(bytes: &'a [u8], options: Options) -> Reader<'a> {
        let range = bytes.as_ptr_range();
        Reader {
            at: range.start,
            end: range.end,
            start: range.start,
            before: 0,
            later: 0,
            promised: 0,
            #[cfg(feature = "brotli")]
            inflated: 0,
            depth: Depth::new(options),
            keeps: false,
            parts: [].iter(),
            gathered: Vec::new(),
            found: None,
        }
    }

    /// The same, by which members that the input does not have stay as they are where a value is overwritten.
    pub(crate) fn keeping(self) -> Reader<'a> {
        Reader { keeps: true, ..self }
    }

    /// Whether they stay: an [`Unpack::overwrite`] written by hand resets them otherwise.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.keeps
    }

    /// Bytes read so far.
    #[inline]
    #[must_use]
    pub fn position(&self) -> usize {
        self.before + (self.at.addr() - self.start.addr())
    }

    /// Bytes not yet read.
    #[inline]
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.here() + self.later
    }

    /// An error at the reader's position.
    #[cold]
    pub fn error(&self, kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(kind, self.position(), message)
    }

    /// The next byte, which is not consumed.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub fn peek_u8(&mut self) -> Result<u8, Error> {
        let at = self.peek(1)?;
        // SAFETY: `peek` found one byte.
        Ok(unsafe { *at })
    }

    /// The next four bytes as a little-endian i32, which are not consumed.
    ///
    /// # Errors
    /// When there are fewer.
    #[inline]
    pub fn peek_i32(&mut self) -> Result<i32, Error> {
        let at = self.peek(4)?;
        // SAFETY: `peek` found four bytes.
        Ok(i32::from_le_bytes(unsafe { at.cast::<[u8; 4]>().read() }))
    }

    /// One byte.
    ///
    /// # Errors
    /// When there is none.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Error> {
        let at = self.run(1)?;
        // SAFETY: `run` found one byte.
        Ok(unsafe { *at })
    }

    /// A little-endian i32.
    ///
    /// # Errors
    /// When there are fewer than four bytes.
    #[inline]
    pub fn i32(&mut self) -> Result<i32, Error> {
        let at = self.run(4)?;
        // SAFETY: `run` found four bytes.
        Ok(i32::from_le_bytes(unsafe { at.cast::<[u8; 4]>().read() }))
    }

    /// The count of a collection whose items take at least `min` bytes each; `None` is null. A count that the
    /// remaining bytes cannot hold is refused here, before any memory is asked for.
    ///
    /// # Errors
    /// When it is below -1 or beyond the input.
    #[inline]
    pub fn count(&mut self, min: usize) -> Result<Option<usize>, Error> {
        let place = self.position();
        let Some(count) = self.claimed()? else { return Ok(None) };
        self.holds(place, count, min)?;
        Ok(Some(count))
    }

    /// The count of a collection that is not null.
    ///
    /// # Errors
    /// As [`Reader::count`], and for null.
    #[inline]
    pub fn count_not_null(&mut self, min: usize) -> Result<usize, Error> {
        match self.count(min)? {
            Some(count) => Ok(count),
            None => Err(null(self.position() - 4)),
        }
    }

    /// A raw value.
    ///
    /// # Errors
    /// When the bytes are not a `T`, or `T` is not raw.
    #[inline]
    pub fn raw<T: Unpack<'a>>(&mut self) -> Result<T, Error> {
        let Some(layout) = (const { T::FORM.layout() }) else {
            return Err(self.error(ErrorKind::Unsupported, "the type is not raw, so it has no raw bytes"));
        };
        let at = self.run(layout.size)?;
        // SAFETY: `run` found the layout's size, and the form is raw.
        unsafe { T::read_raw(at) }.map_err(|invalid| self.invalid(layout.size, invalid))
    }

    /// `count` bytes in place.
    ///
    /// # Errors
    /// When there are fewer, or they lie in more than one slice.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Error> {
        if self.here() < count {
            self.straddle(count)?;
        }
        let at = self.at;
        self.at = at.wrapping_add(count);
        // SAFETY: the current slice, which lives for `'a`, has `count` bytes from here.
        Ok(unsafe { slice::from_raw_parts(at, count) })
    }

    /// Skips `count` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn skip(&mut self, mut count: usize) -> Result<(), Error> {
        if count > self.remaining() {
            return Err(self.truncated(count));
        }
        while count > self.here() {
            count -= self.here();
            self.at = self.end;
            self.next_part();
        }
        self.at = self.at.wrapping_add(count);
        Ok(())
    }

    /// Begins an object inside what is being read; [`Reader::leave`] ends it.
    ///
    /// # Errors
    /// When the objects are nested deeper than allowed.
    #[inline]
    pub fn enter(&mut self) -> Result<(), Error> {
        if self.depth.enter() { Ok(()) } else { Err(too_deep(self.position())) }
    }

    /// Begins a list inside a list: none of them counts, but they take stack.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn check_stack(&mut self) -> Result<(), Error> {
        if self.depth.has_stack() { Ok(()) } else { Err(too_deep(self.position())) }
    }

    /// Ends what [`Reader::enter`] began.
    #[inline]
    pub fn leave(&mut self) {
        self.depth.leave();
    }

    /// Which objects of a graph were read.
    pub(crate) fn found(&mut self) -> &mut Found {
        self.found.get_or_insert_default()
    }

    /// Bytes left in the current slice.
    #[inline]
    pub(crate) fn here(&self) -> usize {
        self.end.addr() - self.at.addr()
    }

    /// Where the reader stands in the current slice.
    #[inline]
    pub(crate) fn at(&self) -> *const u8 {
        self.at
    }

    /// The next `count` bytes, consumed. The address is good until the next use of the reader.
    #[inline]
    pub(crate) fn run(&mut self, count: usize) -> Result<*const u8, Error> {
        if self.here() < count {
            return self.gather(count);
        }
        let at = self.at;
        self.at = at.wrapping_add(count);
        Ok(at)
    }

    /// Takes `count` bytes, which are here, as read.
    #[inline]
    pub(crate) fn pass(&mut self, count: usize) {
        debug_assert!(count <= self.here());
        self.at = self.at.wrapping_add(count);
    }

    /// `count` bytes, borrowed if they lie in one slice.
    #[cfg(feature = "serde")]
    #[inline]
    pub(crate) fn bytes_or_copy(&mut self, count: usize) -> Result<Cow<'a, [u8]>, Error> {
        if self.here() >= count {
            self.bytes(count).map(Cow::Borrowed)
        } else {
            self.owned_bytes(count).map(Cow::Owned)
        }
    }

    /// `count` bytes, wherever they lie.
    pub(crate) fn owned_bytes(&mut self, count: usize) -> Result<Vec<u8>, Error> {
        if count > self.remaining() {
            return Err(self.truncated(count));
        }
        let mut bytes = Vec::with_capacity(count);
        // SAFETY: room for `count` bytes was just made, and `copy` fills it or fails.
        unsafe {
            self.copy(bytes.as_mut_ptr(), count)?;
            bytes.set_len(count);
        }
        Ok(bytes)
    }

    /// Copies `count` bytes to `to`.
    ///
    /// # Safety
    /// `to` must be valid for writes of `count` bytes.
    #[inline]
    pub(crate) unsafe fn copy(&mut self, to: *mut u8, count: usize) -> Result<(), Error> {
        if self.here() < count {
            // SAFETY: the caller's promise.
            return unsafe { self.copy_parts(to, count) };
        }
        // SAFETY: the current slice has `count` bytes from here, `to` has room for them and is not part of it,
        // as the input is borrowed.
        unsafe { ptr::copy_nonoverlapping(self.at, to, count) };
        self.at = self.at.wrapping_add(count);
        Ok(())
    }

    /// A count that was not compared with the input yet; `None` is null. Where only one can be right, any other is
    /// refused before more input is asked for.
    #[inline]
    pub(crate) fn claimed(&mut self) -> Result<Option<usize>, Error> {
        let count = self.i32()?;
        if count < 0 {
            return if count == -1 { Ok(None) } else { Err(negative(self.position() - 4, count)) };
        }
        Ok(Some(count as usize))
    }

    /// Compares a count that stood at `place` with the input, as [`Reader::count`] does.
    #[inline]
    pub(crate) fn holds(&self, place: usize, count: usize, min: usize) -> Result<(), Error> {
        // A hand-written type that claims to take no bytes at all is counted as if it took one.
        if count > self.remaining() / min.max(1) {
            return Err(self.beyond(place, count, min.max(1)));
        }
        Ok(())
    }

    /// Turns a fault in the `size` bytes just read into an error.
    #[cold]
    #[inline(never)]
    pub(crate) fn invalid(&self, size: usize, invalid: Invalid) -> Error {
        Error::new(ErrorKind::ValueInvalid, self.position() - size + invalid.at, invalid.to_string())
    }

    #[inline]
    fn peek(&mut self, count: usize) -> Result<*const u8, Error> {
        if self.here() < count {
            return self.peek_parts(count);
        }
        Ok(self.at)
    }

    #[cold]
    #[inline(never)]
    fn truncated(&self, count: usize) -> Error {
        let left = self.remaining();
        let message = format!("{count} bytes are needed, {left} are left");
        self.error(ErrorKind::Truncated, message).missing(count - left)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn beyond(&self, place: usize, count: usize, min: usize) -> Error {
        let left = self.remaining();
        let message =
            format!("a count of {count}, at {min} bytes or more each, exceeds the {left} bytes left");
        Error::new(ErrorKind::Truncated, place, message).missing(count.saturating_mul(min) - left)
    }
}

#[cold]
#[inline(never)]
fn negative(place: usize, count: i32) -> Error {
    Error::new(
        ErrorKind::LengthInvalid,
        place,
        format!("a count of {count}: it is 0 or more, or -1 for null"),
    )
}

#[cold]
#[inline(never)]
pub(crate) fn null(place: usize) -> Error {
    let message = "null, but the type has none: make it an `Option`";
    Error::new(ErrorKind::NullUnexpected, place, message)
}
