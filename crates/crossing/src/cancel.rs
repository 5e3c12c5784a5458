//! CANCEL: the call that it is about is named by the offset of its frame.

use super::{Crossing, Form, Unable, error, theirs};
use crate::room::Room;
use upcall_abi::{CancelFrame, FrameHead};

/// Copies a CANCEL frame there, about the call whose frame is at the offset `of`.
///
/// # Errors
/// There is no room for it.
pub fn cancel(room: &mut impl Room, frame: &CancelFrame, of: u64) -> Result<Crossing, Unable> {
    room.reset();
    let error = error::room(room, &frame.head)?;
    let call: *mut FrameHead = std::ptr::without_provenance_mut(of as usize);
    let head = theirs::<CancelFrame>(&frame.head, error);
    let at = room.put_one(CancelFrame { head, ..CancelFrame::new(call, frame.why) })?;
    Ok(Crossing { at, input: [at; 2], error: error.text, form: Form::Plain })
}
