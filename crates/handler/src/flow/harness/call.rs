//! A frame of the harness, which a handler may keep until it answers.

use super::Failed;
use crate::Ended;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;
use upcall_abi::{Chained, ErrorSlot, FlowFrame, FrameHead, Item, Rel, Status, base};

/// Bytes of room for an error's text.
pub(super) const TEXT: usize = 4096;

/// The frame and, behind it, what it points to and who is told that it is complete.
#[repr(C)]
pub(super) struct Call {
    pub(super) frame: Chained<FlowFrame>,
    // In `Vec`s, which may move while somebody has what is in them; a `Box` may not.
    _items: Vec<Item>,
    _bytes: Vec<Vec<u8>>,
    _text: Vec<u8>,
    id: u64,
    answers: Arc<Answers>,
}

/// A call, where it stays: its frame is found by its address.
pub(super) struct OwnedCall {
    // Not a `Box`, which nobody else may use the contents of while it is moved.
    call: NonNull<Call>,
    /// When it is to be cancelled.
    pub(super) due: Option<Instant>,
    /// Why it is no longer waited for.
    pub(super) ended: Option<Ended>,
}

impl OwnedCall {
    /// With objects whose keys and values are `bytes`, or without one.
    pub(super) fn new(
        kind: u16,
        items: Vec<Item>,
        bytes: Vec<Vec<u8>>,
        id: u64,
        answers: &Arc<Answers>,
        due: Option<Instant>,
    ) -> OwnedCall {
        let mut text = vec![0u8; TEXT];
        let mut frame = *Chained::new(FlowFrame::new(kind));
        frame.frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, TEXT as u64);
        frame.frame.head.complete = Some(complete);
        frame.frame.items = Rel::of(&items);
        let call = Call { frame, _items: items, _bytes: bytes, _text: text, id, answers: answers.clone() };
        OwnedCall { call: NonNull::from(Box::leak(Box::new(call))), due, ended: None }
    }

    /// The frame, for the handler.
    pub(super) fn frame(&self) -> *mut FrameHead {
        self.call.as_ptr().cast()
    }

    /// # Safety
    /// It must be answered: nobody else uses it.
    pub(super) unsafe fn get(&mut self) -> &mut Call {
        // SAFETY: the caller's promise.
        unsafe { self.call.as_mut() }
    }

    /// Nobody knows whether a handler still uses the frame: it is never freed.
    pub(super) fn leak(self) {
        std::mem::forget(self);
    }
}

impl Drop for OwnedCall {
    fn drop(&mut self) {
        // SAFETY: `new` leaked it; whoever drops it has its answer.
        drop(unsafe { Box::from_raw(self.call.as_ptr()) });
    }
}

unsafe extern "C" fn complete(frame: *mut FrameHead, status: Status) {
    // SAFETY: `frame` is the start of the Call that `OwnedCall::frame` gave out, which is there until its answer is.
    let (answers, id) = unsafe {
        let call = frame.cast::<Call>();
        ((*call).answers.clone(), (*call).id)
    };
    answers.add(id, status);
}

/// What calls have come to, by their numbers.
#[derive(Default)]
pub(super) struct Answers {
    known: Mutex<HashMap<u64, Status>>,
    added: Condvar,
}

impl Answers {
    pub(super) fn add(&self, id: u64, status: Status) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(id, status);
        self.added.notify_all();
    }

    pub(super) fn has(&self, id: u64) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&id)
    }

    /// Waits for one, until this moment if there is one.
    pub(super) fn take(&self, id: u64, until: Option<Instant>) -> Option<Status> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(status) = known.remove(&id) {
                return Some(status);
            }
            known = match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => self.added.wait(known).unwrap_or_else(PoisonError::into_inner),
                Some(left) if left.is_zero() => return None,
                Some(left) => self.added.wait_timeout(known, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }
}

/// What an answer says.
///
/// # Safety
/// The text of the head's error slot must be there.
pub(super) unsafe fn outcome(
    status: Status,
    head: &FrameHead,
    done: usize,
    ended: Option<Ended>,
) -> Result<(), Failed> {
    if status == Status::OK {
        return Ok(());
    }
    // SAFETY: the caller's promise.
    let (type_name, message, stack) = unsafe { head.error.read(head.base[base::OUTPUT]) };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let item = (head.error.item != ErrorSlot::NO_ITEM).then_some(head.error.item as usize);
    let (type_name, message, stack) = (text(type_name), text(message), text(stack));
    Err(Failed { type_name, message, stack, done, item, ended })
}
