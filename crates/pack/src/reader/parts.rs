//! Consecutive slices: going from one to the next, and putting together what lies across two.

use super::Reader;
use crate::prelude::*;
use crate::{Error, ErrorKind, Options};
use core::ptr;
#[cfg(feature = "brotli")]
use core::slice;

impl<'a> Reader<'a> {
    /// A reader of consecutive slices, such as a socket's or a chain of chunks. A value that lies across two of
    /// them is put together; only what is borrowed must lie in one.
    #[must_use]
    pub fn of_parts(parts: &'a [&'a [u8]], options: Options) -> Reader<'a> {
        let mut reader = Reader::with(&[], options);
        reader.later = parts.iter().map(|part| part.len()).sum();
        reader.parts = parts.iter();
        reader.next_part();
        reader
    }

    /// What lies next in one slice, at most `most` bytes, without consuming it. Empty only at the end.
    #[cfg(feature = "brotli")]
    pub(crate) fn bytes_here(&mut self, most: usize) -> &'a [u8] {
        while self.here() == 0 && self.later > 0 {
            self.next_part();
        }
        // SAFETY: the current slice, which lives for `'a`, has that many bytes from here.
        unsafe { slice::from_raw_parts(self.at, self.here().min(most)) }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn peek_parts(&mut self, count: usize) -> Result<*const u8, Error> {
        let (at, end, start) = (self.at, self.end, self.start);
        let (before, later, parts) = (self.before, self.later, self.parts.clone());
        let found = self.gather(count);
        (self.at, self.end, self.start) = (at, end, start);
        (self.before, self.later, self.parts) = (before, later, parts);
        found
    }

    /// What lies across a boundary, put together.
    #[cold]
    #[inline(never)]
    pub(super) fn gather(&mut self, count: usize) -> Result<*const u8, Error> {
        if count > self.remaining() {
            return Err(self.truncated(count));
        }
        let mut gathered = core::mem::take(&mut self.gathered);
        gathered.clear();
        gathered.reserve(count);
        // SAFETY: `count` bytes were just reserved, and `copy_parts` fills them or fails.
        let copied = unsafe {
            let copied = self.copy_parts(gathered.as_mut_ptr(), count);
            gathered.set_len(if copied.is_ok() { count } else { 0 });
            copied
        };
        self.gathered = gathered;
        copied.map(|()| self.gathered.as_ptr())
    }

    /// # Safety
    /// `to` must be valid for writes of `count` bytes.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn copy_parts(&mut self, mut to: *mut u8, mut count: usize) -> Result<(), Error> {
        if count > self.remaining() {
            return Err(self.truncated(count));
        }
        loop {
            let piece = count.min(self.here());
            // SAFETY: `piece` bytes are here, and are part of the `count` that `to` has room for.
            unsafe { ptr::copy_nonoverlapping(self.at, to, piece) };
            self.at = self.at.wrapping_add(piece);
            count -= piece;
            if count == 0 {
                return Ok(());
            }
            to = to.wrapping_add(piece);
            self.next_part();
        }
    }

    /// Makes the current slice one with `count` bytes left, if it has been read to its end.
    #[cold]
    #[inline(never)]
    pub(super) fn straddle(&mut self, count: usize) -> Result<(), Error> {
        if count > self.remaining() {
            return Err(self.truncated(count));
        }
        while self.here() == 0 {
            self.next_part();
        }
        if self.here() < count {
            let message = format!(
                "{count} bytes to be borrowed lie in more than one slice: read an owned type, or a `Cow`"
            );
            return Err(self.error(ErrorKind::NotBorrowable, message));
        }
        Ok(())
    }

    pub(super) fn next_part(&mut self) {
        if let Some(part) = self.parts.next() {
            self.before += self.end.addr() - self.start.addr();
            self.later -= part.len();
            let range = part.as_ptr_range();
            (self.at, self.start, self.end) = (range.start, range.start, range.end);
        }
    }
}
