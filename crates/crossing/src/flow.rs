//! FLOW, and its FLUSH: items go in, records and progress come out.

use super::{BEFORE, Chunks, Stands, theirs};
use crate::room::{Full, Room};
use std::mem::offset_of;
use upcall_abi::{ErrorSlot, FlowFrame, Item, Progress, Rel, base, copy_short};

/// Where its output is.
pub(super) const OUT: u64 = offset_of!(FlowFrame, out) as u64;

/// Returns where the frame is, where items, keys and values begin and end, and the room for the text of an error.
///
/// # Safety
/// The frame must be as an engine passes it: items, keys and values are there.
#[inline]
pub(super) unsafe fn cross(
    room: &mut impl Room,
    chunks: &mut Chunks,
    frame: &FlowFrame,
) -> Result<(u64, [u64; 2], Rel<u8>), Full> {
    let origin = frame.head.base[base::BATCH];
    // SAFETY: the caller's promise.
    let items = unsafe { frame.items.get(origin) };
    let (said, emitted) = (frame.head.error.text.len, frame.out.end - frame.out.at);
    // All that a call with few items needs follows in one.
    let mut rest = Rest::begin(room, said)?;
    let (text, _) = rest.take(room, said)?;
    let from = rest.offset;
    // SAFETY: as above.
    let first = unsafe { objects(room, &mut rest, items, origin)? };
    let end = rest.offset;
    let (chunk, _) = rest.take(room, emitted)?;
    let (at, put) = rest.take(room, size_of::<Put>() as u64)?;
    room.give_back(rest.offset);
    let error = ErrorSlot { text: Rel::new(text, said), ..ErrorSlot::EMPTY };
    let head = theirs::<FlowFrame>(&frame.head, error);
    let out = chunks.begin(&frame.head, &frame.out, chunk);
    let items = Rel::new(first, items.len() as u64);
    let frame = FlowFrame { head, items, out, ..FlowFrame::new(0) };
    // SAFETY: just taken, aligned to 16.
    unsafe { put.cast::<Put>().write(Put { before: [0; 2], frame }) };
    Ok((at + BEFORE, [from, end], error.text))
}

/// Copies items there, with their values and keys: where the first is.
///
/// # Safety
/// As [`cross`], for items relative to `origin`.
#[inline]
unsafe fn objects(room: &mut impl Room, rest: &mut Rest, items: &[Item], origin: u64) -> Result<u64, Full> {
    // Vectors of twice the width: of a batch that crosses, 12 to 18 % (`bench boundary`, on an AMD EPYC).
    #[cfg(target_arch = "x86_64")]
    if items.len() > 4 && is_x86_feature_detected!("avx2") {
        // SAFETY: the caller's promise, and the machine has it.
        return unsafe { wide(room, rest, items, origin) };
    }
    // SAFETY: the caller's promise.
    unsafe { each(room, rest, items, origin) }
}

/// [`each`], compiled for AVX2.
///
/// # Safety
/// As [`objects`], on a machine that has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn wide(room: &mut impl Room, rest: &mut Rest, items: &[Item], origin: u64) -> Result<u64, Full> {
    // SAFETY: the caller's promise.
    unsafe { each(room, rest, items, origin) }
}

/// Copies them one after the other, with the instructions of its caller.
///
/// # Safety
/// As [`objects`].
#[inline(always)]
unsafe fn each(room: &mut impl Room, rest: &mut Rest, items: &[Item], origin: u64) -> Result<u64, Full> {
    let (first, to) = rest.take(room, size_of_val(items) as u64)?;
    let mut to = to.cast::<Item>();
    for item in items {
        let (value_len, key_len) = (item.value.len, item.key.len);
        // Both are in memory, so that together they are no more than there are numbers.
        let bytes = value_len + key_len;
        let (offset, at) = rest.take(room, bytes)?;
        // SAFETY: the caller's promise for what is read; there is room for all that is written.
        unsafe {
            let (value, key) =
                ((origin + item.value.offset) as *const u8, (origin + item.key.offset) as *const u8);
            if key == value.wrapping_add(value_len as usize) {
                // As objects lie in the engine's chunks.
                copy_short(value, at, bytes as usize);
            } else {
                copy_short(value, at, value_len as usize);
                copy_short(key, at.add(value_len as usize), key_len as usize);
            }
            // As a whole, and then the two that differ: fewer instructions than field by field.
            to.copy_from_nonoverlapping(item, 1);
            (*to).key.offset = offset + value_len;
            (*to).value.offset = offset;
            to = to.add(1);
        }
    }
    Ok(first)
}

/// What was taken of a room at once, and is still free: what crosses is many small pieces.
struct Rest {
    /// What offsets are relative to.
    origin: *mut u8,
    /// Both are multiples of 16.
    offset: u64,
    end: u64,
}

impl Rest {
    #[inline]
    fn begin(room: &mut impl Room, least: u64) -> Result<Rest, Full> {
        let (offset, at, bytes) = room.give_rest(least)?;
        Ok(Rest { origin: at.wrapping_sub(offset as usize), offset, end: offset + bytes })
    }

    /// The next so many bytes, aligned to 16.
    #[inline]
    fn take(&mut self, room: &mut impl Room, bytes: u64) -> Result<(u64, *mut u8), Full> {
        if bytes > self.end - self.offset {
            room.give_back(self.offset);
            *self = Rest::begin(room, bytes)?;
        }
        let offset = self.offset;
        // No more than the end.
        self.offset += bytes.next_multiple_of(16);
        Ok((offset, self.origin.wrapping_add(offset as usize)))
    }
}

/// A frame, and what the guest writes before it.
#[repr(C)]
struct Put {
    before: [u64; 2],
    frame: FlowFrame,
}

const _: () = assert!(offset_of!(Put, frame) as u64 == BEFORE);

/// Bytes that the frame and all that it points to take, but for the text of an error.
///
/// # Safety
/// As [`cross`].
pub(super) unsafe fn bytes(frame: &FlowFrame) -> u64 {
    const ALIGN: u64 = 16;
    // SAFETY: the caller's promise.
    let items = unsafe { frame.items.get(frame.head.base[base::BATCH]) };
    let each = |item: &Item| item.value.len + item.key.len + (size_of::<Item>() as u64) + ALIGN;
    items.iter().map(each).sum::<u64>() + (frame.out.end - frame.out.at) + size_of::<Put>() as u64 + 4 * ALIGN
}

/// Whether the frame's only item is one that was never put.
///
/// # Safety
/// As [`cross`].
pub(super) unsafe fn is_sample(frame: &FlowFrame) -> bool {
    // SAFETY: the caller's promise.
    matches!(unsafe { frame.items.get(frame.head.base[base::BATCH]) }, [Item { version: 0, .. }])
}

/// How many items of the frame at this offset are done: no more than there are.
pub(super) fn done(room: &impl Room, at: u64, frame: &mut FlowFrame) {
    // SAFETY: any bytes are a number.
    let done = unsafe { room.read::<u32>(at + offset_of!(FlowFrame, done) as u64) };
    set_done(frame, done.unwrap_or(0));
}

#[inline]
fn set_done(frame: &mut FlowFrame, done: u32) {
    frame.done = done.min(u32::try_from(frame.items.len).unwrap_or(u32::MAX));
}

/// What the guest has written into its frame.
pub(super) struct Told {
    at: u64,
    chunk: u32,
    done: u32,
    progress: [Progress; 2],
}

impl Told {
    /// That of the frame at this offset.
    #[inline]
    pub(super) fn read(room: &impl Room, at: u64) -> Option<Told> {
        let frame = room.place(at, size_of::<FlowFrame>() as u64)?.cast::<FlowFrame>();
        if !frame.is_aligned() {
            return None;
        }
        // SAFETY: inside the memory, and any bytes are numbers. One by one, as they were written: as a whole they would have to
        // wait until the guest's stores are through.
        unsafe {
            let reports = (&raw const (*frame).progress).cast::<Progress>();
            Some(Told {
                at: (&raw const (*frame).out.at).read_volatile(),
                chunk: (&raw const (*frame).out.chunk).read_volatile(),
                done: (&raw const (*frame).done).read_volatile(),
                progress: [progress(reports), progress(reports.add(1))],
            })
        }
    }

    /// Where its output stands.
    #[inline]
    pub(super) fn stands(&self) -> Stands {
        Stands { chunk: self.chunk, at: self.at }
    }

    /// How many items are done, and how far the output was when they were reported, where it has been so far: `chunks` have
    /// been copied back.
    #[inline]
    pub(super) fn back(&self, chunks: &Chunks, frame: &mut FlowFrame) {
        set_done(frame, self.done);
        frame.progress = [Progress::NONE; 2];
        for (ours, theirs) in frame.progress.iter_mut().zip(self.progress) {
            if theirs.done > 0
                && let Some(at) = chunks.ours(theirs.chunk, theirs.at)
            {
                *ours = Progress { at, ..theirs };
            }
        }
    }
}

/// What lies there, each number read once.
///
/// # Safety
/// It must be readable, and aligned.
#[inline]
unsafe fn progress(of: *const Progress) -> Progress {
    // SAFETY: the caller's promise; any bytes are numbers.
    unsafe {
        Progress {
            at: (&raw const (*of).at).read_volatile(),
            chunk: (&raw const (*of).chunk).read_volatile(),
            done: (&raw const (*of).done).read_volatile(),
        }
    }
}
