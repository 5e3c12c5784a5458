use crate::Segment;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// What one side tells the other when it passes the turn: what it is, and up to five numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Message {
    /// What it is: a number that both sides have agreed on.
    pub what: u64,
    /// What it says.
    pub with: [u64; 5],
}

/// The offset of the message in a segment: what it is, and behind that its five numbers, 8 bytes each.
pub const MESSAGE: u64 = core::mem::offset_of!(crate::segment::Head, mailbox) as u64;

/// Where it lies. Atomic, so that a side that writes out of turn tears a message at worst.
#[repr(C, align(128))]
#[derive(Debug)]
pub(crate) struct Mailbox([AtomicU64; 6]);

impl Mailbox {
    pub(crate) fn leave(&self, message: Message) {
        let Message { what, with: [a, b, c, d, e] } = message;
        for (place, number) in self.0.iter().zip([what, a, b, c, d, e]) {
            place.store(number, Relaxed);
        }
    }

    pub(crate) fn message(&self) -> Message {
        let [what, with @ ..] = self.0.each_ref().map(|place| place.load(Relaxed));
        Message { what, with }
    }
}

impl Segment {
    /// Leaves a message for the other side, before the turn is passed.
    pub fn leave(&self, message: Message) {
        self.head().mailbox.leave(message);
    }

    /// The message that the other side has left, after its turn. Each number is read once.
    #[must_use]
    pub fn message(&self) -> Message {
        self.head().mailbox.message()
    }
}
