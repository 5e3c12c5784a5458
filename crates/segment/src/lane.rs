use crate::segment::Head;
use crate::turn::Word;
use crate::{Message, Segment, Side};

/// A place where the two sides take turns: whose turn it is, and a message.
#[derive(Clone, Copy, Debug)]
pub struct Lane<'s>(&'s Head);

impl Segment {
    /// The first one, at the segment's start.
    #[must_use]
    pub fn first(&self) -> Lane<'_> {
        Lane(self.head())
    }

    /// One that lies at this offset, a multiple of 128. `None` where there is no room for one.
    #[must_use]
    pub fn lane(&self, offset: u64) -> Option<Lane<'_>> {
        let at = self.place(offset, size_of::<Head>() as u64)?.cast::<Head>();
        // SAFETY: inside the segment and aligned, and made of atomic integers.
        at.is_aligned().then(|| Lane(unsafe { &*at }))
    }
}

impl Lane<'_> {
    /// Leaves a message for the other side, before the turn is passed.
    pub fn leave(self, message: Message) {
        self.0.mailbox.leave(message);
    }

    /// The message that the other side has left, after its turn. Each number is read once.
    #[must_use]
    pub fn message(self) -> Message {
        self.0.mailbox.message()
    }

    /// Whether it is the turn of this side.
    #[must_use]
    pub fn is_turn_of(self, side: Side) -> bool {
        self.0.word.is_turn_of(side)
    }

    /// Gives the turn to a side, whoever has it, and wakes it where it sleeps until it has.
    pub fn give(self, side: Side) {
        self.0.word.give(side);
    }

    pub(crate) fn word(&self) -> &Word {
        &self.0.word
    }
}
