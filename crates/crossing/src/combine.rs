//! COMBINE: two arrays go in, the second comes back.

use super::theirs;
use crate::room::{Full, Room};
use upcall_abi::{CombineFrame, ErrorSlot, Rel, base};

/// Returns where the frame and the second array are.
///
/// # Safety
/// The frame must be as an engine passes it: both arrays are there.
pub(super) unsafe fn cross(
    room: &mut impl Room,
    frame: &CombineFrame,
    error: ErrorSlot,
) -> Result<(u64, u64), Full> {
    // SAFETY: the caller's promise.
    let [from, into] = unsafe {
        [frame.from.get(frame.head.base[base::BATCH]), frame.into.get(frame.head.base[base::OUTPUT])]
    };
    let (from_at, into_at) = (room.put(from)?, room.put(into)?);
    let at = room.put_one(CombineFrame {
        head: theirs::<CombineFrame>(&frame.head, error),
        from: Rel::new(from_at, frame.from.len),
        into: Rel::new(into_at, frame.into.len),
        count: frame.count,
    })?;
    Ok((at, into_at))
}

/// The second array comes back from where it was put.
///
/// # Safety
/// `frame` must be the one that has crossed, whose second array is the guest's to write.
pub(super) unsafe fn back(room: &impl Room, into: u64, frame: &CombineFrame) {
    let bytes = frame.into.len;
    let Some(from) = room.place(into, bytes) else { return };
    let to = (frame.head.base[base::OUTPUT] + frame.into.offset) as *mut u8;
    // SAFETY: the caller's promise; the copy in the guest's memory has as many bytes. Of a blittable type any bytes are a value.
    unsafe { to.copy_from_nonoverlapping(from, bytes as usize) };
}
