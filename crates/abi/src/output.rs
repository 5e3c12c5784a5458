use crate::{FrameHead, OpenRecord, Status, base};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, Ordering::Release};

/// The head of one emission; the value, the key and padding to a multiple of 8 follow.
///
/// The value comes first so that a blittable one is 8-byte aligned.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The pool's id.
    pub pool: u32,
    /// Index of the item that was being handled, or [`Record::NO_ITEM`].
    pub item: u32,
    /// Bytes of the value.
    pub value_len: u32,
    /// Bytes of the key.
    pub key_len: u32,
}

crate::layout::layout!(Record: 16, 4 { pool: 0, item: 4, value_len: 8, key_len: 12 });

impl Record {
    /// Emitted by FLUSH, or by a batch handler.
    pub const NO_ITEM: u32 = u32::MAX;

    /// A pool that is none: the record says that the next one, of the same item, is emitted on condition. Its value is the
    /// version that must be the newest of that one's key, 8 bytes, little-endian; 0 for none.
    pub const CONDITION: u32 = u32::MAX;

    /// Bytes that the whole record takes, padding included.
    #[must_use]
    pub const fn bytes(value_len: usize, key_len: usize) -> u64 {
        // Shorter than `next_multiple_of`, which knows no overflow either: no two lengths come near it.
        (size_of::<Record>() as u64 + value_len as u64 + key_len as u64 + 7) & !7
    }
}

/// Where emissions go: the current chunk of a chain. Offsets are relative to `base::OUTPUT`.
///
/// A driver writes a record at `at` and advances it. When `end` is too near it calls `grow`, which records
/// how far the chunk was filled and opens the next one. A chunk never moves.
#[repr(C)]
#[derive(Debug)]
pub struct Output {
    /// The next free byte, a multiple of 8.
    pub at: u64,
    /// The end of the current chunk.
    pub end: u64,
    /// Index of the current chunk. On failure the driver puts `chunk` and `at` back to where they were before
    /// the item; the engine drops the chunks after it. If it goes on writing it sets `end`, too.
    pub chunk: u32,
    /// Zero.
    pub reserved: u32,
    /// Opens a chunk with at least `need` bytes after the current one and sets `at`, `end` and `chunk`; drops
    /// what a driver that went back has left there. `FAILED` when there is no more memory.
    pub grow: Option<unsafe extern "C" fn(frame: *mut FrameHead, need: u64) -> Status>,
}

crate::layout::layout!(Output: 32, 8 { at: 0, end: 8, chunk: 16, reserved: 20, grow: 24 });

impl Output {
    /// Without a chunk, and without a way to one.
    pub const NONE: Output = Output { at: 0, end: 0, chunk: 0, reserved: 0, grow: None };
}

/// A place in the output to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    at: u64,
    chunk: u32,
}

/// Writes records into a frame's output.
#[derive(Debug)]
pub struct Writer {
    frame: *mut FrameHead,
    out: *mut Output,
    base: u64,
}

impl Writer {
    /// A writer into `out`, which is part of `frame`.
    ///
    /// # Safety
    /// - `frame` and `out` must be valid for as long as the writer is used, and used by it alone.
    /// - `out` must describe writable memory as [`Output`] says, and `grow` must keep to it.
    pub unsafe fn new(frame: *mut FrameHead, out: *mut Output) -> Writer {
        // SAFETY: the caller's promise.
        let base = unsafe { (*frame).base[base::OUTPUT] };
        Writer { frame, out, base }
    }

    /// A base of the frame: one of [`base`].
    #[inline]
    #[must_use]
    pub fn base(&self, which: usize) -> u64 {
        // SAFETY: `new`'s promise.
        unsafe { (*self.frame).base[which] }
    }

    /// Where the output stands.
    #[inline]
    #[must_use]
    pub fn mark(&self) -> Mark {
        // SAFETY: `new`'s promise.
        unsafe { Mark { at: (*self.out).at, chunk: (*self.out).chunk } }
    }

    /// Forgets what was written since `mark`. What is left of an earlier chunk is not used: a mark is made for
    /// each item and does not hold where its chunk ends.
    ///
    /// # Safety
    /// `mark` must be of this output and this call, and of nothing that was forgotten since.
    #[inline]
    pub unsafe fn truncate(&mut self, mark: Mark) {
        // SAFETY: `new`'s promise; the mark's chunk is still there, the caller says.
        unsafe {
            if (*self.out).chunk != mark.chunk {
                (*self.out).end = mark.at;
            }
            (*self.out).at = mark.at;
            (*self.out).chunk = mark.chunk;
        }
    }

    /// Writes one record. `None` when the lengths exceed 4 GiB or the engine gives no more memory.
    #[inline]
    pub fn put(&mut self, pool: u32, item: u32, key: &[u8], value: &[u8]) -> Option<()> {
        let room = self.reserve(pool, item, key.len(), value.len())?;
        // SAFETY: `reserve` returned room for both, which nobody else sees.
        unsafe {
            core::ptr::copy_nonoverlapping(value.as_ptr(), room, value.len());
            core::ptr::copy_nonoverlapping(key.as_ptr(), room.add(value.len()), key.len());
        }
        Some(())
    }

    /// Says that the next record, of the same item, is to be put only if its key is at this version; 0 for none. If there is
    /// no next one, what was written has to be forgotten. `None` when the engine gives no more memory.
    #[inline]
    pub fn condition(&mut self, item: u32, version: u64) -> Option<()> {
        self.put(Record::CONDITION, item, &[], &version.to_le_bytes())
    }

    /// Writes the head of a record and returns the room for its value and, right after it, its key, both of
    /// which the caller fills.
    #[inline]
    fn reserve(&mut self, pool: u32, item: u32, key_len: usize, value_len: usize) -> Option<*mut u8> {
        let head =
            Record { pool, item, value_len: value_len.try_into().ok()?, key_len: key_len.try_into().ok()? };
        let bytes = Record::bytes(value_len, key_len);
        // SAFETY: `new`'s promise; a chunk holds `at..end`, and `at` is a multiple of 8.
        unsafe {
            if (*self.out).end - (*self.out).at < bytes {
                self.grow(bytes)?;
            }
            let at = (self.base + (*self.out).at) as *mut u8;
            at.cast::<Record>().write(head);
            (*self.out).at += bytes;
            Some(at.add(size_of::<Record>()))
        }
    }

    /// Begins a record whose value's length is not known yet.
    #[inline]
    pub fn open(&mut self, pool: u32, item: u32) -> OpenRecord<'_> {
        OpenRecord::new(self, pool, item)
    }

    /// Bytes that are left in the current chunk.
    #[inline]
    pub(crate) fn room(&self) -> u64 {
        // SAFETY: `new`'s promise.
        unsafe { (*self.out).end - (*self.out).at }
    }

    /// The next free byte.
    #[inline]
    pub(crate) fn place(&self) -> *mut u8 {
        // SAFETY: `new`'s promise.
        unsafe { (self.base + (*self.out).at) as *mut u8 }
    }

    /// Counts a record as written.
    ///
    /// # Safety
    /// It must be whole, at [`Writer::place`], and `bytes` long.
    #[inline]
    pub(crate) unsafe fn advance(&mut self, bytes: u64) {
        // SAFETY: `new`'s promise.
        unsafe {
            let at = (*self.out).at + bytes;
            // Behind the record's bytes, as for `FlowFrame::finish`: a plain store on x86.
            AtomicU64::from_ptr(&raw mut (*self.out).at).store(at, Release);
        }
    }

    #[cold]
    pub(crate) fn grow(&mut self, need: u64) -> Option<()> {
        // SAFETY: `new`'s promise.
        let status = unsafe { ((*self.out).grow?)(self.frame, need) };
        (status == Status::OK).then_some(())
    }
}

/// Walks the records of one chunk. Stops with an error where a record does not fit.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    /// Padding among them may be memory that nobody has written.
    bytes: &'a [MaybeUninit<u8>],
    at: usize,
}

impl<'a> Records<'a> {
    /// The records in `bytes`, the filled part of a chunk, aligned to 8.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Records<'a> {
        // SAFETY: they are initialised and may be read for 'a.
        unsafe { Records::written(bytes.as_ptr(), bytes.len()) }
    }

    /// The records in the `len` bytes at `start`, where padding may be memory that nobody has written.
    ///
    /// # Safety
    /// `start` must be the address of `len` bytes that stay unchanged for `'a`; all but the padding of records
    /// must be initialised.
    #[inline]
    #[must_use]
    pub unsafe fn written(start: *const u8, len: usize) -> Records<'a> {
        debug_assert!(start.addr().is_multiple_of(8));
        // SAFETY: the caller's promise; such bytes need not be initialised.
        Records { bytes: unsafe { core::slice::from_raw_parts(start.cast(), len) }, at: 0 }
    }

    /// The next record as it was written, without its padding: head, value and key side by side. So there are as many
    /// bytes as a head has before the end of every key, however short it is.
    ///
    /// # Errors
    /// The offset of a record that does not fit.
    #[inline]
    pub fn next_whole(&mut self) -> Option<Result<(Record, &'a [u8]), usize>> {
        let rest = &self.bytes[self.at..];
        if rest.is_empty() {
            return None;
        }
        let place = self.at;
        let Some(head) = rest.first_chunk::<{ size_of::<Record>() }>() else {
            self.at = self.bytes.len();
            return Some(Err(place));
        };
        // SAFETY: 16 initialised bytes are there; any bytes are a Record; unaligned reads need no alignment.
        let head = unsafe { head.as_ptr().cast::<Record>().read_unaligned() };
        let (value_len, key_len) = (head.value_len as usize, head.key_len as usize);
        let bytes = Record::bytes(value_len, key_len) as usize;
        if bytes > rest.len() {
            self.at = self.bytes.len();
            return Some(Err(place));
        }
        self.at += bytes;
        let whole = &rest[..size_of::<Record>() + value_len + key_len];
        // SAFETY: what is no padding is initialised, `new` and `written` say.
        Some(Ok((head, unsafe { whole.assume_init_ref() })))
    }
}

impl<'a> Iterator for Records<'a> {
    /// Head, key and value; or the offset of a record that does not fit.
    type Item = Result<(Record, &'a [u8], &'a [u8]), usize>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        Some(self.next_whole()?.map(|(head, whole)| {
            let (value, key) = whole[size_of::<Record>()..].split_at(head.value_len as usize);
            (head, key, value)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_or_value_of_4_gib_or_more_is_not_written() {
        let mut chunk = [0u64; 8];
        let mut frame = FrameHead::new::<crate::FlowFrame>(crate::kind::FLOW);
        let at = chunk.as_mut_ptr() as u64;
        let mut out = Output { at, end: at + (1 << 40), chunk: 0, reserved: 0, grow: None };
        // SAFETY: frame and output are this writer's alone; nothing is written after a record's head.
        let mut writer = unsafe { Writer::new(&mut frame, &mut out) };
        assert!(writer.reserve(1, 0, 0, 1 << 32).is_none());
        assert!(writer.reserve(1, 0, 1 << 32, 0).is_none());
        assert_eq!((out.at, chunk), (at, [0; 8]));
    }

    #[test]
    fn a_record_that_does_not_fit_is_an_error_with_its_offset() {
        let mut bytes = [0u64; 8];
        // SAFETY: 64 bytes, aligned to 8.
        let chunk = unsafe {
            bytes.as_mut_ptr().cast::<Record>().write(Record { pool: 1, item: 0, value_len: 3, key_len: 2 });
            bytes.as_mut_ptr().add(3).cast::<Record>().write(Record {
                pool: 1,
                item: 1,
                value_len: 4000,
                key_len: 0,
            });
            core::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), 64)
        };
        let mut records = Records::new(chunk);
        assert_eq!(records.next().unwrap().unwrap().1.len(), 2);
        assert_eq!(records.next(), Some(Err(24)));
        assert_eq!(records.next(), None);
        assert_eq!(Records::new(&chunk[..8]).next(), Some(Err(0)));
    }
}
