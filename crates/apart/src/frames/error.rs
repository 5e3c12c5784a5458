//! What a handler says when it fails.

use crate::link::{Full, Link};
use std::mem::offset_of;
use upcall_abi::{ErrorSlot, FrameHead, Rel, base};

/// The guest's slot, with as much room as the engine's.
pub(super) fn room(link: &mut Link, head: &FrameHead) -> Result<ErrorSlot, Full> {
    let bytes = head.error.text.len;
    let (offset, _) = link.give(bytes)?;
    Ok(ErrorSlot { text: Rel::new(offset, bytes), ..ErrorSlot::EMPTY })
}

/// What a frame's slot says: its numbers, each read once, and the bytes of the text.
pub(crate) struct Said {
    slot: ErrorSlot,
    text: Vec<u8>,
}

impl Said {
    /// What the guest has written into the slot of the frame at this offset, which had so much `room`.
    pub(crate) fn read(link: &Link, frame: u64, room: Rel<u8>) -> Option<Said> {
        let slot = frame + offset_of!(FrameHead, error) as u64;
        // SAFETY: any bytes are numbers.
        let slot: ErrorSlot = unsafe { link.read(slot)? };
        // The room is what was given, whatever the slot says of it now.
        let mut left = room.len;
        let mut part = |len: u32| {
            let len = u64::from(len).min(left);
            left -= len;
            len as u32
        };
        let (type_len, message_len) = (part(slot.type_len), part(slot.message_len));
        let stack_len = part(slot.stack_len);
        let slot = ErrorSlot { text: room, type_len, message_len, stack_len, item: slot.item };
        let text = link.copy(room.offset, room.len - left)?;
        Some(Said { slot, text })
    }

    /// Type and message.
    pub(crate) fn told(&self) -> String {
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
