//! Memory of the segment for what crosses: where the next thing goes.

use crate::lending::Lending;
use crate::protocol::{ARENA, SCRATCH};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use upcall_crossing::{Full, Room as _};
use upcall_host::Lent;
use upcall_segment::{Arena, Blocks, Segment};

/// Lane 0 has the start of the arena. Where other lanes are used it shares the rest with them: blocks, which each takes when
/// it has no room left, and gives back when its call has ended.
///
/// A guest in this process that sees a segment only, as Node does, has its calls there in the same way.
pub struct Room {
    pub(crate) segment: Arc<Segment>,
    arena: Arena,
    /// What it has without blocks.
    own: Range<u64>,
    blocks: Option<SharedBlocks>,
    taken: Vec<Range<u64>>,
    /// What was copied there because the guest has asked for it, and its offset.
    copied: Vec<(Value, u64)>,
    lending: Lending,
}

/// A value of a pool: address and bytes, pool and version. The address alone would not do, as the engine may have forgotten
/// the value, and have another one there.
type Value = (u64, u64, u32, u64);

/// What is given out to several rooms of one segment.
pub type SharedBlocks = Arc<Mutex<Blocks>>;

/// Bytes from which on it is remembered what was copied.
const LARGE: u64 = 4096;

/// Bytes of lane 0's own where other lanes are used.
const FIRST: u64 = 1 << 20;

/// Where blocks end: Node sees no more of a segment.
const BLOCKS: u64 = (4 << 30) - 4096;

/// Bytes of a block from which on its memory goes back to the system.
const FORGET: u64 = 1 << 20;

impl Room {
    /// That of lane 0: all of the segment from an offset on.
    #[must_use]
    pub fn new(segment: Arc<Segment>, from: u64) -> Room {
        let own = from..segment.bytes();
        Room {
            arena: Arena::new(own.clone()),
            own,
            segment,
            blocks: None,
            taken: Vec::new(),
            copied: Vec::new(),
            lending: Lending::NOTHING,
        }
    }

    /// That of lane 0 behind what an engine lends, whose files are mapped over a part of this process's own segment, up to an offset at
    /// most: what has no room is not lent.
    ///
    /// # Errors
    /// A file cannot be mapped.
    ///
    /// # Safety
    /// The files stay as they are as long as the segment, of which nobody uses what is behind [`ARENA`].
    pub unsafe fn with_lent(segment: Arc<Segment>, lent: &[Lent], most: u64) -> std::io::Result<Room> {
        let lending = Lending::of(lent, most);
        // SAFETY: the caller's promise.
        unsafe { lending.cover(&segment)? };
        Ok(Room::new(segment, lending.arena).lending(lending))
    }

    /// The same, whose guest has mapped what this lends.
    pub(crate) fn lending(self, lending: Lending) -> Room {
        Room { lending, ..self }
    }

    /// That of another lane.
    #[must_use]
    pub fn of_lane(segment: Arc<Segment>, blocks: SharedBlocks) -> Room {
        let blocks = Some(blocks);
        Room {
            arena: Arena::new(0..0),
            own: 0..0,
            segment,
            blocks,
            taken: Vec::new(),
            copied: Vec::new(),
            lending: Lending::NOTHING,
        }
    }

    /// Leaves what is behind the first bytes to blocks. What was put there stays until it is forgotten.
    #[must_use]
    pub fn share(&mut self) -> SharedBlocks {
        let end = self.arena.given().max(self.own.start + FIRST).min(self.own.end);
        let blocks = Arc::new(Mutex::new(Blocks::new(end..self.own.end.min(BLOCKS))));
        (self.own.end, self.blocks) = (end, Some(blocks.clone()));
        self.arena.end_at(end);
        blocks
    }

    /// The first bytes that the guest has left in the scratch, copied. No more than there are.
    pub(crate) fn scratch(&self, bytes: u64) -> Vec<u8> {
        self.copy(SCRATCH, bytes.min(ARENA - SCRATCH)).unwrap_or_default()
    }

    /// What was put there since `reset`, to put it there again. Before the guest has its turn.
    pub(crate) fn snapshot(&mut self) -> Result<Vec<u8>, Full> {
        if !self.taken.is_empty() {
            return Err(Full);
        }
        let (end, _) = self.give(0)?;
        self.copy(self.own.start, end - self.own.start).ok_or(Full)
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Room").field("own", &self.own).finish_non_exhaustive()
    }
}

// SAFETY: the arena gives each place once, in multiples of 16, and a segment stays where it is; both look whether all bytes
// are inside.
unsafe impl upcall_crossing::Room for Room {
    fn reset(&mut self) {
        self.copied.clear();
        if self.taken.is_empty() {
            return self.arena.reset(&self.segment);
        }
        for block in &self.taken {
            if block.end - block.start >= FORGET {
                // Where it cannot be given back it is kept, and used again.
                let _ = self.segment.forget(block.clone());
            }
        }
        if let Some(blocks) = &self.blocks {
            let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            self.taken.drain(..).for_each(|block| blocks.take_back(block));
        }
        self.arena = Arena::new(self.own.clone());
    }

    /// Whether it is not lane 0's.
    fn reserves(&self) -> bool {
        self.own.is_empty()
    }

    fn reserve(&mut self, bytes: u64) -> Result<(), Full> {
        let blocks = self.blocks.as_ref().ok_or(Full)?;
        let block = blocks.lock().unwrap_or_else(PoisonError::into_inner).give(bytes).ok_or(Full)?;
        self.arena = Arena::new(block.clone());
        self.taken.push(block);
        Ok(())
    }

    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full> {
        let offset = match self.arena.give(bytes) {
            Some(offset) => offset,
            None => {
                self.reserve(bytes)?;
                self.arena.give(bytes).ok_or(Full)?
            }
        };
        Ok((offset, self.segment.place(offset, bytes).ok_or(Full)?))
    }

    fn give_back(&mut self, from: u64) {
        self.arena.give_back(from);
    }

    fn place(&self, offset: u64, bytes: u64) -> Option<*mut u8> {
        self.segment.place(offset, bytes)
    }

    fn put_once(&mut self, bytes: &[u8], (pool, version): (u32, u64)) -> Result<u64, Full> {
        let len = bytes.len() as u64;
        // Looking for a small one would cost more than copying it.
        if len < LARGE {
            return self.put(bytes);
        }
        let value = (bytes.as_ptr().addr() as u64, len, pool, version);
        if let Some((_, offset)) = self.copied.iter().find(|(copied, _)| *copied == value) {
            return Ok(*offset);
        }
        let offset = self.put(bytes)?;
        self.copied.push((value, offset));
        Ok(offset)
    }

    fn end(&self) -> u64 {
        self.arena.given()
    }

    fn lent(&self, address: u64, bytes: u64) -> Option<u64> {
        self.lending.find(address, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_at_the_same_address_is_copied_and_the_same_one_once() {
        let segment = Arc::new(Segment::create("test", 256 << 20).unwrap());
        let mut room = Room::new(segment, 4096);
        let mut value = vec![1; LARGE as usize];
        let first = room.put_once(&value, (0, 1)).unwrap();
        assert_eq!(room.put_once(&value, (0, 1)).unwrap(), first);
        // As where the engine has forgotten the first, and puts the next one there.
        value.fill(2);
        let second = room.put_once(&value, (0, 2)).unwrap();
        assert_eq!(room.copy(second, LARGE).unwrap(), value);
        assert_eq!(room.copy(first, LARGE).unwrap(), vec![1; LARGE as usize]);
    }
}
