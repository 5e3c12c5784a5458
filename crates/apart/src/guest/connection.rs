//! The guest's end of a segment.

use crate::protocol::{SCRATCH, to_guest};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread::{self, ThreadId};
use upcall_segment::{Message, Patience, Segment, Side, Turn, Waited};

pub(super) struct Connection {
    segment: Segment,
    turn: Turn,
    /// The thread that serves it.
    thread: ThreadId,
}

/// The only one of this process, for what a driver calls without saying from where.
static ONLY: AtomicPtr<Connection> = AtomicPtr::new(std::ptr::null_mut());

impl Connection {
    pub(super) fn new(segment: Segment) -> Connection {
        Connection { segment, turn: Turn::new(Side::Guest), thread: thread::current().id() }
    }

    /// Lets [`Connection::only`] find it.
    pub(super) fn publish(&mut self) {
        ONLY.store(self, Release);
    }

    /// The one that was published; `None` on another thread than its own, which never has the turn.
    ///
    /// # Safety
    /// During a call, so that nobody else uses it; it must still be where it was published.
    pub(super) unsafe fn only<'a>() -> Option<&'a mut Connection> {
        let only = ONLY.load(Acquire);
        // SAFETY: the caller's promise; which thread it is nobody changes any more.
        let mine = !only.is_null() && unsafe { (*only).thread } == thread::current().id();
        // SAFETY: as above, and this is its thread.
        mine.then(|| unsafe { &mut *only })
    }

    /// Where the segment begins.
    pub(super) fn base(&self) -> u64 {
        self.segment.base()
    }

    /// The address of an offset that the host has named.
    pub(super) fn place(&self, offset: u64) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut((self.base() + offset) as usize)
    }

    /// Leaves a text where the host looks for it, cut where it is longer than what fits. Its bytes.
    pub(super) fn say(&self, text: &str) -> u64 {
        let room = SCRATCH.end - SCRATCH.start;
        self.leave(&text.as_bytes()[..text.floor_char_boundary(room as usize)]).unwrap_or(0)
    }

    /// Leaves bytes where the host looks for them. `None` where they do not fit.
    pub(super) fn leave(&self, bytes: &[u8]) -> Option<u64> {
        let len = bytes.len() as u64;
        let to = self.segment.place(SCRATCH.start, len).filter(|_| len <= SCRATCH.end - SCRATCH.start)?;
        // SAFETY: inside the segment; the scratch is ours.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        Some(len)
    }

    /// Waits for the first turn. False when there will be none.
    pub(super) fn wait(&mut self) -> bool {
        self.turn.wait(&self.segment, Patience::Endless) == Waited::Mine
    }

    /// Tells the host something, and waits for what it says to that.
    pub(super) fn ask(&mut self, what: u64, [a, b, c]: [u64; 3]) -> Message {
        self.segment.leave(Message { what, with: [a, b, c, 0, 0] });
        self.turn.pass(&self.segment);
        if self.wait() {
            self.segment.message()
        } else {
            Message { what: to_guest::END, ..Message::default() }
        }
    }
}
