//! FLOW, and its FLUSH: items go in, records and progress come out.

use super::{BEFORE, Chunks, theirs};
use crate::room::{Full, Room};
use std::mem::offset_of;
use std::ptr;
use upcall_abi::{ErrorSlot, FlowFrame, Item, Progress, Rel, base, copy_short};

/// Where its output is.
pub(super) const OUT: u64 = offset_of!(FlowFrame, out) as u64;

/// Returns where the frame is, and where items, keys and values end.
///
/// # Safety
/// The frame must be as an engine passes it: items, keys and values are there.
#[inline]
pub(super) unsafe fn cross(
    room: &mut impl Room,
    chunks: &mut Chunks,
    frame: &FlowFrame,
    error: ErrorSlot,
) -> Result<(u64, u64), Full> {
    let origin = frame.head.base[base::BATCH];
    // SAFETY: the caller's promise.
    let items = unsafe { frame.items.get(origin) };
    // SAFETY: as above.
    let at = unsafe { objects(room, items, origin)? };
    let end = room.end();
    let out = chunks.begin(room, &frame.head, &frame.out)?;
    let head = theirs::<FlowFrame>(&frame.head, error);
    let items = Rel::new(at, items.len() as u64);
    let frame = FlowFrame { head, items, out, ..FlowFrame::new(0) };
    Ok((room.put_one(Put { before: [0; 2], frame })? + BEFORE, end))
}

/// Copies items there, with their values and keys: where the first is.
///
/// # Safety
/// As [`cross`], for items relative to `origin`.
#[inline]
unsafe fn objects(room: &mut impl Room, items: &[Item], origin: u64) -> Result<u64, Full> {
    let (first, to) = room.give(size_of_val(items) as u64)?;
    let mut to = to.cast::<Item>();
    // Where the next value goes, and how much room follows.
    let (mut offset, mut at, mut left) = (0, ptr::null_mut::<u8>(), 0);
    for item in items {
        let (value_len, key_len) = (item.value.len, item.key.len);
        // Both are in memory, so that together they are no more than there are numbers.
        let bytes = value_len + key_len;
        if bytes > left || at.is_null() {
            if !at.is_null() {
                room.give_back(offset);
            }
            (offset, at, left) = room.give_rest(bytes)?;
        }
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
            to.write(Item {
                key: Rel::new(offset + value_len, key_len),
                value: Rel::new(offset, value_len),
                ..*item
            });
            to = to.add(1);
        }
        // No more than there is: both are multiples of 16.
        let taken = bytes.next_multiple_of(16);
        (offset, at, left) = (offset + taken, at.wrapping_add(taken as usize), left - taken);
    }
    if !at.is_null() {
        room.give_back(offset);
    }
    Ok(first)
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
#[inline]
pub(super) fn done(room: &impl Room, at: u64, frame: &mut FlowFrame) {
    // SAFETY: any bytes are a number.
    let done = unsafe { room.read::<u32>(at + offset_of!(FlowFrame, done) as u64) };
    frame.done = done.unwrap_or(0).min(u32::try_from(frame.items.len).unwrap_or(u32::MAX));
}

/// How many items are done, and how far the output was when they were reported, where it has been so far: `chunks` have been
/// copied back.
#[inline]
pub(super) fn back(room: &impl Room, at: u64, chunks: &Chunks, frame: &mut FlowFrame) {
    done(room, at, frame);
    // SAFETY: any bytes are numbers.
    let progress = unsafe { room.read::<[Progress; 2]>(at + offset_of!(FlowFrame, progress) as u64) };
    frame.progress = [Progress::NONE; 2];
    for (ours, theirs) in frame.progress.iter_mut().zip(progress.unwrap_or([Progress::NONE; 2])) {
        if theirs.done > 0
            && let Some(at) = chunks.ours(theirs.chunk, theirs.at)
        {
            *ours = Progress { at, ..theirs };
        }
    }
}
