use crate::{Record, Writer};
use core::mem::MaybeUninit;
use core::slice;

/// A record whose value is written piece by piece, because its length is not known before.
///
/// The pieces go to where the value will stay; they are copied once more only when a chunk is full. If it is
/// dropped without [`OpenRecord::finish`], nothing is written.
///
/// ```
/// # use upcall_abi::{FlowFrame, FrameHead, Output, Record, Records, Rel, Writer, kind};
/// # let mut chunk = [0u64; 8];
/// # let mut frame = FrameHead::new::<FlowFrame>(kind::FLOW);
/// # let at = chunk.as_mut_ptr() as u64;
/// # let mut out = Output { at, end: at + 64, chunk: 0, reserved: 0, grow: None };
/// // SAFETY: frame and output live, and are this writer's alone; `chunk` is writable.
/// let mut writer = unsafe { Writer::new(&mut frame, &mut out) };
/// let mut record = writer.open(1, 0);
/// for word in ["in", "place"] {
///     record.extend(word.as_bytes()).expect("the chunk has room");
/// }
/// record.finish(b"key").expect("the chunk has room");
/// # let used = (out.at - at) as usize;
/// # let bytes = unsafe { std::slice::from_raw_parts(chunk.as_ptr().cast::<u8>(), used) };
/// let (_, key, value) = Records::new(bytes).next().unwrap().unwrap();
/// assert_eq!((key, value), (&b"key"[..], &b"inplace"[..]));
/// ```
#[derive(Debug)]
pub struct OpenRecord<'w> {
    writer: &'w mut Writer,
    pool: u32,
    item: u32,
    /// Bytes of the value so far. They lie in the chunk after the room for the record's head.
    len: usize,
}

const HEAD: usize = size_of::<Record>();

impl<'w> OpenRecord<'w> {
    pub(crate) fn new(writer: &'w mut Writer, pool: u32, item: u32) -> OpenRecord<'w> {
        OpenRecord { writer, pool, item, len: 0 }
    }

    /// Bytes of the value so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing of the value is written yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Room after what is written, at least `need` bytes of it. `None` when the engine gives no more memory.
    #[inline]
    pub fn room(&mut self, need: usize) -> Option<&mut [MaybeUninit<u8>]> {
        let used = HEAD + self.len;
        if (self.writer.room() as usize).saturating_sub(used) < need.max(1) {
            self.grow(need)?;
        }
        let free = (self.writer.room() as usize).saturating_sub(used);
        // SAFETY: the chunk has that many bytes after what is written, and the writer is ours.
        Some(unsafe { slice::from_raw_parts_mut(self.writer.place().add(used).cast(), free) })
    }

    /// Counts the first `bytes` of [`OpenRecord::room`] as written.
    ///
    /// # Safety
    /// They must have been, since the last call of `room`.
    #[inline]
    pub unsafe fn advance(&mut self, bytes: usize) {
        self.len += bytes;
    }

    /// Appends to the value. `None` when the engine gives no more memory.
    #[inline]
    pub fn extend(&mut self, bytes: &[u8]) -> Option<()> {
        let room = self.room(bytes.len())?;
        // SAFETY: `room` has space for all of them, and they are elsewhere; that many are written.
        unsafe {
            room.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            self.advance(bytes.len());
        }
        Some(())
    }

    /// Ends the record with its key; what is written next is another of the same pool and item. `None` when a
    /// length exceeds 4 GiB or the engine gives no more memory.
    // By reference: moving what was just written field by field costs as much as writing the record.
    #[inline]
    pub fn finish(&mut self, key: &[u8]) -> Option<()> {
        let (value_len, key_len) = (self.len.try_into().ok()?, key.len().try_into().ok()?);
        let bytes = Record::bytes(self.len, key.len());
        self.room(bytes as usize - HEAD - self.len)?;
        let head = Record { pool: self.pool, item: self.item, value_len, key_len };
        let at = self.writer.place();
        // SAFETY: `bytes` from `at` on are free, and `at` is a multiple of 8; the key is elsewhere.
        unsafe {
            at.add(HEAD + self.len).copy_from_nonoverlapping(key.as_ptr(), key.len());
            at.cast::<Record>().write(head);
            self.writer.advance(bytes);
        }
        self.len = 0;
        Some(())
    }

    /// Goes on in a chunk of its own, twice as large as what is there, so that a long value is rarely
    /// copied.
    #[cold]
    fn grow(&mut self, need: usize) -> Option<()> {
        let (from, used) = (self.writer.place(), HEAD + self.len);
        let wanted = (used as u64).checked_add(need as u64)?.max(2 * used as u64);
        self.writer.grow(wanted.checked_next_multiple_of(8)?)?;
        if self.len > 0 {
            // SAFETY: the chunk before still holds what was written there, as chunks never move; the new one
            // has room for it, and is another.
            unsafe {
                self.writer.place().add(HEAD).copy_from_nonoverlapping(from.add(HEAD), self.len);
            }
        }
        Some(())
    }
}
