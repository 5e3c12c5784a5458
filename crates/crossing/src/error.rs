//! What a handler says when it fails.

use crate::room::{Full, Room};
use std::mem::offset_of;
use upcall_abi::{ErrorSlot, FrameHead, Rel, base};

/// The guest's slot, with as much room as the engine's.
#[inline]
pub(super) fn room(room: &mut impl Room, head: &FrameHead) -> Result<ErrorSlot, Full> {
    let bytes = head.error.text.len;
    let (offset, _) = room.give(bytes)?;
    Ok(ErrorSlot { text: Rel::new(offset, bytes), ..ErrorSlot::EMPTY })
}

/// What a frame's slot says: its numbers, each read once, and the bytes of the text.
pub struct Said {
    slot: ErrorSlot,
    text: Vec<u8>,
}

impl Said {
    /// What the guest has written into the slot of the frame at this offset, which had this `place` for it.
    pub(super) fn read(room: &impl Room, frame: u64, place: Rel<u8>) -> Option<Said> {
        let slot = frame + offset_of!(FrameHead, error) as u64;
        // SAFETY: any bytes are numbers.
        let slot: ErrorSlot = unsafe { room.read(slot)? };
        // The place is the one that was given, whatever the slot says of it now.
        let mut left = place.len;
        let mut part = |len: u32| {
            let len = u64::from(len).min(left);
            left -= len;
            len as u32
        };
        let (type_len, message_len) = (part(slot.type_len), part(slot.message_len));
        let stack_len = part(slot.stack_len);
        let slot = ErrorSlot { text: place, type_len, message_len, stack_len, item: slot.item };
        let text = room.copy(place.offset, place.len - left)?;
        Some(Said { slot, text })
    }

    /// Type and message.
    #[must_use]
    pub fn told(&self) -> String {
        let (type_name, rest) = self.text.split_at(self.slot.type_len as usize);
        let message = &rest[..self.slot.message_len as usize];
        format!("{}: {}", String::from_utf8_lossy(type_name), String::from_utf8_lossy(message))
    }

    /// Writes it into the engine's slot, which has at least as much room.
    ///
    /// # Safety
    /// The slot's room must be writable, and nobody else's.
    pub(super) unsafe fn write(&self, head: &mut FrameHead) {
        let ours = head.error.text;
        let len = self.text.len().min(ours.len as usize);
        // SAFETY: the caller's promise, for no more than there is.
        unsafe {
            let to = (head.base[base::OUTPUT] + ours.offset) as *mut u8;
            to.copy_from_nonoverlapping(self.text.as_ptr(), len);
        }
        head.error = ErrorSlot { text: ours, ..self.slot };
    }
}

/// Writes into a frame's error slot, for the whole frame.
///
/// # Safety
/// `frame` must be a whole frame of its kind, as an engine passes it.
pub unsafe fn tell(frame: *mut FrameHead, type_name: &str, why: &str) {
    // SAFETY: the caller's promise: the slot has room of its own.
    unsafe {
        let output = (*frame).base[base::OUTPUT];
        (*frame).error.write(output, ErrorSlot::NO_ITEM, type_name, why, "");
    }
}
