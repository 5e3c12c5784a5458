//! The host's end of a segment: lane 0, on which it calls and waits.

use crate::lending::Lending;
use crate::protocol::{SEGMENT, to_guest};
use crate::room::Room;
use std::io;
use std::sync::Arc;
use upcall_segment::{Message, Patience, Segment, Side, Turn, Waited};

pub(crate) struct Link {
    pub(crate) room: Room,
    pub(crate) turn: Turn,
    /// Whether the guest waits for its bell, and not for its turn.
    pub(crate) rings: bool,
}

impl Link {
    /// A new segment, in front of whose arena is what this lends.
    pub(crate) fn new(lending: Lending) -> io::Result<Link> {
        let segment = Arc::new(Segment::create("upcall-segment", SEGMENT)?);
        let room = Room::new(segment, lending.arena).lending(lending);
        Ok(Link { room, turn: Turn::new(Side::Host), rings: false })
    }

    pub(crate) fn segment(&self) -> &Arc<Segment> {
        &self.room.segment
    }

    pub(crate) fn wait(&mut self, patience: Patience) -> Waited {
        self.turn.wait(&self.room.segment, patience)
    }

    /// Tells the guest something, and passes the turn.
    pub(crate) fn say(&self, message: Message) {
        let segment = &*self.room.segment;
        segment.leave(message);
        self.turn.pass(segment);
        // Who has asked waits for the answer.
        if self.rings && message.what != to_guest::ANSWER {
            segment.ring(Side::Guest, 0);
        }
    }
}
