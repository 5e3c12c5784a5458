//! A frame for one upcall after the other: its output chain, the room for error text, and how an answer that comes
//! later finds its way.

use crate::chunk::{CHUNK, Chunk};
use crate::inbox::{Answer, Message};
use crate::memory::Memory;
use crate::shared::Shared;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::{Arc, Weak};
use upcall_abi::{
    CallFailed, Chain, Filled, FlowFrame, FrameHead, Item, Progress, Record, Rel, Status, kind,
};

const ERROR_TEXT: usize = 32 << 10;

/// Of a call that may be answered later, as there are many at a time: its error text, and its first chunk.
const LATER: usize = 4 << 10;

/// The frame and, behind it, what `grow` needs to know.
#[repr(C)]
pub(crate) struct Call {
    frame: FlowFrame,
    chain: Chain<Arc<Chunk>>,
    /// What the frame's error slot points to.
    _text: Box<[u8]>,
    /// Bytes of the chunk that a call begins with.
    first_chunk: usize,
    memory: Arc<Memory>,
    /// Bytes that this call may still ask for: behind its first item, and at all.
    room: u64,
    budget: u64,
    refused: Option<usize>,
    /// Of a handler that may answer later: the items, which the frame then shows in place of the worker's, and who is
    /// told.
    pub(crate) items: Vec<Item>,
    answer_to: Option<AnswerTo>,
}

// A frame's address is that of its call.
const _: () = assert!(std::mem::offset_of!(Call, frame) == 0);

/// A call, where it stays until it is dropped: its frame is found by its address.
// Not a `Box`, which nobody else may use the contents of while it is moved: a guest that answers later does.
pub(crate) struct OwnedCall(NonNull<Call>);

impl OwnedCall {
    pub(crate) fn new(memory: &Arc<Memory>) -> OwnedCall {
        OwnedCall::with_room(memory, ERROR_TEXT, CHUNK)
    }

    /// For a handler that may answer later.
    pub(crate) fn later(memory: &Arc<Memory>) -> OwnedCall {
        OwnedCall::with_room(memory, LATER, LATER)
    }

    fn with_room(memory: &Arc<Memory>, error_text: usize, chunk: usize) -> OwnedCall {
        let mut text = vec![0u8; error_text].into_boxed_slice();
        let mut frame = FlowFrame::new(kind::FLOW);
        frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, error_text as u64);
        frame.out.grow = Some(grow);
        OwnedCall(NonNull::from(Box::leak(Box::new(Call {
            frame,
            chain: Chain::default(),
            _text: text,
            first_chunk: chunk,
            memory: memory.clone(),
            room: 0,
            budget: 0,
            refused: None,
            items: Vec::new(),
            answer_to: None,
        }))))
    }

    /// The frame, for the upcall.
    pub(crate) fn frame(&mut self) -> *mut FrameHead {
        self.0.as_ptr().cast()
    }

    /// Nobody knows whether a guest still uses the frame: it is never freed.
    pub(crate) fn leak(self) {
        std::mem::forget(self);
    }
}

impl Deref for OwnedCall {
    type Target = Call;

    fn deref(&self) -> &Call {
        // SAFETY: made by `new`, and ours alone but while it is unanswered, when nobody looks at it.
        unsafe { self.0.as_ref() }
    }
}

impl DerefMut for OwnedCall {
    fn deref_mut(&mut self) -> &mut Call {
        // SAFETY: as above.
        unsafe { self.0.as_mut() }
    }
}

impl Drop for OwnedCall {
    fn drop(&mut self) {
        // SAFETY: `new` leaked it; nobody else has it.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Who is told what a call has come to that was answered with PENDING.
pub(crate) struct AnswerTo {
    /// Not counted: a frame that nobody ever answers keeps no flow.
    pub(crate) shared: Weak<Shared>,
    pub(crate) worker: usize,
    pub(crate) handler: usize,
    /// Of the handler on this worker.
    pub(crate) call: u64,
}

/// The part of a chunk that a call has written.
pub(crate) type Written = Filled<Arc<Chunk>>;

impl Call {
    /// Makes the frame ready for a call. Its output goes on in the chunk that the last call ended in.
    pub(crate) fn begin(&mut self, kind: u16, items: &[Item], room: u64, budget: u64) {
        let frame = &mut self.frame;
        frame.head.kind = kind;
        frame.head.error.clear();
        frame.items = Rel::of(items);
        frame.done = 0;
        frame.progress = [Progress::NONE; 2];
        (self.room, self.budget, self.refused) = (room.min(budget), budget, None);
        // Where nobody holds what was written before, the chunk is begun again.
        if !self.chain.resume(&mut frame.out, |chunk| Arc::get_mut(chunk).is_some()) {
            self.chain.open(&mut frame.out, Chunk::new(self.first_chunk, &self.memory));
        }
    }

    /// Lets the handler answer later: the frame is to be kept until then, and so are the chunks of its items.
    pub(crate) fn may_wait(&mut self, items: &[Item], answer_to: AnswerTo) {
        self.items.clear();
        self.items.extend_from_slice(items);
        self.frame.items = Rel::of(&self.items);
        self.frame.head.complete = Some(complete);
        self.answer_to = Some(answer_to);
    }

    /// Whether it is a batch, and not FLUSH.
    pub(crate) fn is_batch(&self) -> bool {
        self.frame.head.kind == kind::FLOW
    }

    /// It has been answered: what a guest says of it from now on is not heard.
    pub(crate) fn answered(&mut self) {
        (self.frame.head.complete, self.answer_to) = (None, None);
    }

    /// After the call: what was written, and how many items are done. An error when the guest left the
    /// output in a state that it cannot have.
    pub(crate) fn finish(&mut self) -> Result<(&[Written], usize), &'static str> {
        // SAFETY: what was written, a driver has: the boundary's rule, which a guest in this process is trusted with.
        Ok((unsafe { self.chain.finish(&self.frame.out)? }, self.frame.done as usize))
    }

    /// After a call whose guest has died: what was written for the items that it had finished, and how many they are.
    pub(crate) fn finish_lost(&mut self) -> (&[Written], usize) {
        let frame = &mut self.frame;
        // What went on without memory for its emission has not finished.
        let done = frame.done.min(frame.items.len as u32).min(self.refused.map_or(u32::MAX, |at| at as u32));
        let reported = frame.progress.iter().find(|progress| done > 0 && progress.done == done);
        if let Some(progress) = reported {
            (frame.out.at, frame.out.chunk) = (progress.at, progress.chunk);
        }
        // A batch handler that has reported nothing: nobody knows of which items its emissions are.
        let mut untold = done == 0;
        let known = reported.is_some();
        let counts = |record: &Record| {
            untold |= record.item == Record::NO_ITEM && !known;
            record.item == Record::NO_ITEM || record.item < done
        };
        // SAFETY: whole records were written for what is done, before `done` was stored; the rest is cut off.
        match unsafe { self.chain.finish_while(&mut frame.out, counts) } {
            Ok(written) if !untold => (written, done as usize),
            _ => (&[], 0),
        }
    }

    /// Forgets all chunks but the one that the next call goes on in: the last that is of ordinary size, as a
    /// small object would keep all of a large one.
    pub(crate) fn recycle(&mut self) {
        let ordinary = self.first_chunk as u64;
        self.chain.recycle(&self.frame.out, |chunk| chunk.end() - chunk.start() == ordinary);
    }

    /// Forgets all chunks: the guest may have left them in any state.
    pub(crate) fn discard(&mut self) {
        self.chain.discard();
    }

    /// How many items were done when the call first asked for more memory than it may have.
    pub(crate) fn refused(&self) -> Option<usize> {
        self.refused
    }

    /// What the guest wrote into the error slot.
    pub(crate) fn failed(&self) -> CallFailed {
        // SAFETY: the text is ours, initialised, and as long as the slot says.
        unsafe { CallFailed::of(&self.frame.head) }
    }
}

unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    // SAFETY: `frame` is the start of the Call that `OwnedCall::frame` gave out, which lives until it is answered. Until then it is
    // the guest's, whose one thread at a time calls this: the worker knows its address, and no more.
    let call = unsafe { &mut *frame.cast::<Call>() };
    // The largest record is two lengths of 32 bits; a guest that asks for more is wrong.
    let bytes = need.max(CHUNK as u64);
    // The first item may have all that there is, and so may what follows the last: a batch that is cut there would
    // not get on.
    let done = u64::from(call.frame.done);
    let may_have = if (1..call.frame.items.len).contains(&done) { call.room } else { call.budget };
    // Calls that are answered later have all begun with what was left then.
    let full =
        |to: &AnswerTo| to.shared.upgrade().is_none_or(|shared| shared.held() + bytes > shared.plan.memory);
    if bytes > may_have || need > 1 << 34 || call.answer_to.as_ref().is_some_and(full) {
        call.refused.get_or_insert(call.frame.done as usize);
        return Status::FAILED;
    }
    (call.room, call.budget) = (call.room.saturating_sub(bytes), call.budget - bytes);
    call.chain.open(&mut call.frame.out, Chunk::new(bytes as usize, &call.memory))
}

unsafe extern "C" fn complete(frame: *mut FrameHead, status: Status) {
    // SAFETY: `frame` is the start of the Call that `OwnedCall::frame` gave out, which is kept until its answer has been sent or
    // CLOSE has returned; nobody writes it meanwhile but the guest, which does not from now on.
    let Some(to) = (unsafe { &(*frame.cast::<Call>()).answer_to }) else { return };
    let (Some(shared), handler, id) = (to.shared.upgrade(), to.handler, to.call) else { return };
    // From the moment it is sent the worker may drop the call.
    shared.inboxes[to.worker].send(Message::Answers { handler, answers: vec![(id, Answer::Status(status))] });
}
