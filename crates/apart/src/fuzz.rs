//! Lets a guest write whatever it likes into a frame that is with it, and looks at what the host makes of that.

use crate::link::Link;
use crate::room::Room;
use std::cell::RefCell;
use upcall_abi::{Chained, ErrorSlot, FlowFrame, Frame, Item, Rel, Status, kind};
use upcall_crossing::{Chunks, cross};

thread_local! {
    /// Lane 0's, and another one's.
    static ROOMS: RefCell<Option<[Room; 2]>> = const { RefCell::new(None) };
}

/// A frame of three items crosses; `input` says what the guest writes where, and how often it asks for more output. Panics
/// where the host takes something for true that it was not given.
///
/// The first byte is the answer, and whether it is on a lane of its own; the second how often the output grows. Then follow
/// writes: two bytes say where in what was
/// handed over, one how many bytes, and those bytes.
pub fn returned(input: &[u8]) {
    let [answer, grows, writes @ ..] = input else { return };
    ROOMS.with_borrow_mut(|rooms| {
        let rooms = rooms.get_or_insert_with(|| {
            let mut first = Link::new(crate::lending::Lending::NOTHING).expect("a segment can be made").room;
            let other = Room::of_lane(first.segment.clone(), first.share());
            [first, other]
        });
        let room = &mut rooms[usize::from(answer & 64 != 0)];
        let values: [&[u8]; 3] = [b"one", b"", &[7; 300]];
        let item =
            |value: &&'static [u8]| Item { key: Rel::of(b"key"), value: Rel::of(value), ..Item::ABSENT };
        let items: Vec<Item> = values.iter().map(item).collect();
        let mut text = [0u8; 256];
        let mut frame = Chained::new(FlowFrame { items: Rel::of(&items), ..FlowFrame::new(kind::FLOW) });
        frame.head().error = ErrorSlot {
            text: Rel::new(text.as_mut_ptr().expose_provenance() as u64, 256),
            ..ErrorSlot::EMPTY
        };
        let (mut chunks, start) = (Chunks::default(), frame.start());
        // SAFETY: a whole frame, whose items and room live.
        let crossing = unsafe { cross(room, &mut chunks, start, kind::FLOW) }.expect("it fits");
        // The room for the error comes first.
        let from = crossing.input[0] - text.len() as u64;
        write(room, from, writes);
        // SAFETY: as above.
        let emitted = unsafe { crossing.emitted(start) }.expect("a flow's frame emits");
        for round in 0..grows % 8 {
            // SAFETY: as above.
            if unsafe { chunks.grow(room, &emitted, u64::from(round) << 9) }.is_err() {
                return;
            }
            write(room, from, writes);
        }
        let status = Status(i32::from(answer % 4));
        // SAFETY: as above.
        if unsafe { crossing.back(room, &mut chunks, start, status) }.is_err() {
            return;
        }
        assert!(frame.frame.done as usize <= items.len(), "so many items were never given");
        let ErrorSlot { type_len, message_len, stack_len, text, .. } = frame.frame.head.error;
        assert!(u64::from(type_len) + u64::from(message_len) + u64::from(stack_len) <= text.len);
        // SAFETY: what was written lies in the chunks, or `back` had refused it; records that do not fit are told.
        let _ = unsafe { frame.records() };
    });
}

/// Writes into what was handed over, as a guest may.
fn write(room: &Room, from: u64, mut writes: &[u8]) {
    while let [low, high, len, rest @ ..] = writes {
        let (bytes, rest) = rest.split_at(usize::from(*len).min(rest.len()));
        writes = rest;
        let at = from + u64::from(u16::from_le_bytes([*low, *high]));
        let to = room.segment.place(at, bytes.len() as u64).expect("the arena is larger");
        // SAFETY: inside the segment.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a frame of three items takes; most of what is of interest to write lies there.
    const NEAR: u16 = 2048;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn whatever_a_guest_writes_is_read_once_and_checked(
            answer: u8,
            grows: u8,
            writes in prop::collection::vec((0..NEAR, prop::collection::vec(any::<u8>(), 1..40)), 0..8),
        ) {
            let mut input = vec![answer, grows];
            for (at, bytes) in writes {
                input.extend(at.to_le_bytes());
                input.push(bytes.len() as u8);
                input.extend(bytes);
            }
            returned(&input);
        }
    }
}
