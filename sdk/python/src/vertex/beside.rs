//! What neighbours show, side by side: numpy looks numbers up one at a time, and cannot have the processor fetch the next ones meanwhile.

use super::frame::Frame;
use crate::number::Number;
use crate::view::Memory;
use std::cell::RefCell;

/// Of the vertices of a frame, by the direction of their edges; each is put there once per frame, when it is asked for.
#[derive(Default)]
pub struct Beside {
    rooms: [RefCell<Room>; 2],
}

#[derive(Default)]
struct Room {
    /// The numbers, of 4 or 8 bytes.
    words: Vec<u64>,
    /// How many there are of the current frame's.
    count: Option<usize>,
}

impl Beside {
    /// What is there is of a frame that has ended. No view of it may be left.
    pub fn end(&self) {
        self.rooms.iter().for_each(|room| room.borrow_mut().count = None);
    }

    /// Of the edges of this frame in one direction; none where one of them leads out of it.
    pub fn of(&self, frame: &Frame, side: usize, number: Number) -> Option<Memory> {
        let Room { words, count } = &mut *self.rooms[side].borrow_mut();
        if count.is_none() {
            *count = match number.size() {
                4 => frame.shown_beside::<u32>(side, words),
                _ => frame.shown_beside::<u64>(side, words),
            };
        }
        (*count).map(|count| Memory::source(words.as_ptr().cast(), count, number))
    }
}
