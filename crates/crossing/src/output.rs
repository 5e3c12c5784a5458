//! What a handler emits: for each chunk of the engine's one of the same size in its memory.

use super::{Broken, flow};
use crate::room::Room;
use std::mem::offset_of;
use upcall_abi::{FlowFrame, FrameHead, Output, Record, Records, Status, base};

/// A chunk of the engine's, and the one in the guest's memory that it writes in its place.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// Where it begins, as the engine's output says it.
    ours: u64,
    /// What that is relative to: not 0 where the engine is in another process, whose frame is handed on.
    base: u64,
    /// An offset.
    theirs: u64,
    bytes: u64,
    /// How far the guest has filled it, for all but the current one.
    filled: u64,
}

/// Where another chunk begins and ends; `None` where the engine gives none.
pub type Grown = Option<[u64; 2]>;

impl Chunk {
    fn address(&self) -> u64 {
        self.base + self.ours
    }
}

/// The largest record, whose lengths have 32 bits: no flow is asked for more.
const LARGEST: u64 = (2 << 32) + 64;

/// More than any handler says of itself at once.
const DESCRIPTION: u64 = 1 << 20;

/// Bytes of a chunk in the guest's memory at least, as engines give them: where an engine gives more they are not used.
const CHUNK: u64 = 64 << 10;

/// The chunks of one call.
#[derive(Default, Debug)]
pub struct Chunks(Vec<Chunk>);

/// Where a guest says that its output stands: the index of a chunk, and a place.
pub(super) struct Stands {
    pub(super) chunk: u32,
    pub(super) at: u64,
}

impl Stands {
    /// What the output at this offset says. Each number is read once.
    pub(super) fn read(room: &impl Room, output: u64) -> Result<Stands, Broken> {
        // SAFETY: any bytes are numbers.
        let (chunk, at) = unsafe {
            let chunk = room.read::<u32>(output + offset_of!(Output, chunk) as u64);
            (chunk, room.read::<u64>(output + offset_of!(Output, at) as u64))
        };
        let (Some(chunk), Some(at)) = (chunk, at) else { return Err(OUTSIDE) };
        Ok(Stands { chunk, at })
    }
}

/// What is broken where a guest's output cannot be read.
pub(super) const OUTSIDE: Broken = "its output lies outside its memory";

/// An engine's frame that emits: its output, and where the guest's is.
#[derive(Debug)]
pub struct Emitted {
    frame: *mut FrameHead,
    out: *mut Output,
    theirs: u64,
    /// The guest's frame, where it is a flow's.
    flow: Option<u64>,
    /// Bytes of a chunk at most.
    largest: u64,
}

impl Emitted {
    /// `out` is the output of a flow's `frame`, and `theirs` the offset of the guest's, in the frame at `at`.
    #[inline]
    pub(super) fn flow(frame: *mut FrameHead, out: *mut Output, theirs: u64, at: u64) -> Emitted {
        Emitted { frame, out, theirs, flow: Some(at), largest: LARGEST }
    }

    /// The same for what a handler says of itself.
    pub(super) fn description(frame: *mut FrameHead, out: *mut Output, theirs: u64) -> Emitted {
        Emitted { frame, out, theirs, flow: None, largest: DESCRIPTION }
    }
}

impl Chunks {
    /// The guest's output for a call: a first chunk at `theirs`, as large as what is left of the engine's.
    #[inline]
    pub(super) fn begin(&mut self, head: &FrameHead, out: &Output, theirs: u64) -> Output {
        self.0.clear();
        let (at, end) = self.open(out, head.base[base::OUTPUT], theirs, out.end - out.at);
        Output { at, end, ..Output::NONE }
    }

    #[inline]
    fn open(&mut self, out: &Output, base: u64, theirs: u64, bytes: u64) -> (u64, u64) {
        self.0.push(Chunk { ours: out.at, base, theirs, bytes, filled: 0 });
        (theirs, theirs + bytes)
    }

    /// Where the output of a guest stands, which may be `dead`: the index of its chunk and the bytes in it.
    #[inline]
    fn stands(&self, Stands { chunk, at }: Stands, dead: bool) -> Result<(usize, u64), Broken> {
        let mut index = chunk as usize;
        if dead {
            // It may have been killed between two stores, of which the place is the first: chunks lie side by side, and one
            // that has just been opened begins where the one before ends.
            let holds = |chunk: &Chunk| (chunk.theirs..=chunk.theirs + chunk.bytes).contains(&at);
            let opened = self.0.iter().rposition(|chunk| chunk.theirs == at).filter(|opened| *opened > index);
            let other = || self.0.iter().position(holds).filter(|_| !self.0.get(index).is_some_and(holds));
            index = opened.or_else(other).unwrap_or(index);
        }
        let chunk = self.0.get(index).ok_or("its output names a chunk that was never opened")?;
        let filled = at.checked_sub(chunk.theirs).filter(|filled| *filled <= chunk.bytes);
        match filled {
            Some(filled) if filled.is_multiple_of(8) => Ok((index, filled)),
            Some(_) => Err("its output ends at an offset that is not a multiple of 8"),
            None => Err("its output ends outside its chunk"),
        }
    }

    /// The guest asks for another chunk, of at least `need` bytes.
    ///
    /// # Errors
    /// Its output is where it cannot be.
    ///
    /// # Safety
    /// The engine's frame must be valid, and nobody else use it meanwhile.
    pub unsafe fn grow(
        &mut self,
        room: &mut impl Room,
        emitted: &Emitted,
        need: u64,
    ) -> Result<Grown, Broken> {
        let (index, filled) = self.stands(Stands::read(room, emitted.theirs)?, false)?;
        self.0[index].filled = filled;
        self.0.truncate(index + 1);
        let refused = Ok(None);
        if need > emitted.largest {
            return refused;
        }
        // Before the engine is asked, which counts what it gives and what it has to refuse: a guest that has no room for it has
        // failed alone.
        let bytes = need.max(CHUNK);
        let Ok((theirs, _)) = room.give(bytes) else { return refused };
        if let Some(at) = emitted.flow {
            // The engine looks at it to say how much more there may be.
            // SAFETY: the frame is a flow's, and the caller's promise.
            unsafe { flow::done(room, at, &mut *emitted.frame.cast()) };
        }
        // SAFETY: the caller's promise; the engine's output is put to where the guest's stands, so that both drop the same.
        unsafe {
            let out = &mut *emitted.out;
            (out.chunk, out.at) = (index as u32, self.0[index].ours + filled);
            let grown = out.grow.map(|grow| grow(emitted.frame, need));
            if grown != Some(Status::OK) {
                room.give_back(theirs);
                return refused;
            }
            let out = &*emitted.out;
            let bytes = bytes.min(out.end - out.at);
            let (at, end) = self.open(out, (*emitted.frame).base[base::OUTPUT], theirs, bytes);
            Ok(Some([at, end]))
        }
    }

    /// After the call: copies what was written into the engine's chunks, and puts the engine's output to where the guest's
    /// stands.
    ///
    /// # Safety
    /// The engine's frame must be valid, and nobody else use it meanwhile.
    #[inline]
    pub(super) unsafe fn copy_back(
        &mut self,
        room: &impl Room,
        emitted: &Emitted,
        stands: Stands,
        dead: bool,
    ) -> Result<(), Broken> {
        let (index, filled) = self.stands(stands, dead)?;
        self.0[index].filled = filled;
        for chunk in self.0[..=index].iter().filter(|chunk| chunk.filled > 0) {
            let from = room.place(chunk.theirs, chunk.filled).ok_or(OUTSIDE)?;
            // SAFETY: both chunks have that many bytes; the engine's is written by nobody else, and what the guest does to its own
            // meanwhile are other bytes.
            unsafe { (chunk.address() as *mut u8).copy_from_nonoverlapping(from, chunk.filled as usize) };
        }
        self.0.truncate(index + 1);
        // SAFETY: the caller's promise.
        unsafe {
            let out = &mut *emitted.out;
            (out.chunk, out.at) = (index as u32, self.0[index].ours + filled);
        }
        Ok(())
    }

    /// After [`Crossing::back`](super::Crossing::back) of a guest that was ended while it wrote, in a process that goes on: the
    /// engine's output ends with what belongs to the items that are done.
    ///
    /// # Safety
    /// The frame must be the one that has crossed.
    pub unsafe fn cut(&self, frame: &mut FlowFrame) {
        let done = frame.done;
        let reported = frame.progress.iter().find(|progress| done > 0 && progress.done == done);
        (frame.out.chunk, frame.out.at) = match reported {
            Some(progress) => (progress.chunk, progress.at),
            // SAFETY: the caller's promise.
            None => unsafe { self.end_of(done) },
        };
    }

    /// Where the records of the first items end.
    ///
    /// # Safety
    /// As [`Chunks::cut`].
    unsafe fn end_of(&self, done: u32) -> (u32, u64) {
        let mut end = (0, self.0.first().map_or(0, |first| first.ours));
        for (index, chunk) in (0u32..).zip(&self.0) {
            // SAFETY: the caller's promise; so much was copied there.
            let mut records =
                unsafe { Records::written(chunk.address() as *const u8, chunk.filled as usize) };
            while let Some(record) = records.next_whole() {
                match record {
                    Ok((head, whole)) if head.item < done => {
                        let bytes = Record::bytes(head.value_len as usize, head.key_len as usize);
                        end = (index, whole.as_ptr().addr() as u64 - chunk.base + bytes);
                    }
                    _ => return end,
                }
            }
        }
        end
    }

    /// The engine's output is where it was before the call.
    ///
    /// # Safety
    /// The engine's frame must be valid, and nobody else use it meanwhile.
    pub(super) unsafe fn forget(&mut self, emitted: &Emitted) {
        let Some(first) = self.0.first() else { return };
        // SAFETY: the caller's promise.
        let out = unsafe { &mut *emitted.out };
        (out.chunk, out.at) = (0, first.ours);
        self.0.truncate(1);
    }

    /// After [`Crossing::back`](super::Crossing::back): whether there is a record about this.
    ///
    /// # Safety
    /// The engine's chunks must still be there.
    #[must_use]
    pub unsafe fn tell(&self, about: u32) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.any(|record, _| record.pool == about) }
    }

    /// As [`Chunks::tell`], of a record with this key.
    ///
    /// # Safety
    /// As [`Chunks::tell`].
    #[must_use]
    pub unsafe fn tell_that(&self, about: u32, key: &[u8]) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.any(|record, found| record.pool == about && found == key) }
    }

    /// # Safety
    /// As [`Chunks::tell`].
    unsafe fn any(&self, mut is: impl FnMut(Record, &[u8]) -> bool) -> bool {
        self.0.iter().any(|chunk| {
            // SAFETY: the caller's promise; so much was copied there.
            let records = unsafe { Records::written(chunk.address() as *const u8, chunk.filled as usize) };
            records.flatten().any(|(record, key, _)| is(record, key))
        })
    }

    /// After [`Chunks::copy_back`]: where in the engine's output a place of the guest's is; `None` where nothing was written.
    #[inline]
    pub(super) fn ours(&self, chunk: u32, at: u64) -> Option<u64> {
        let chunk = self.0.get(chunk as usize)?;
        let filled = at.checked_sub(chunk.theirs).filter(|filled| *filled <= chunk.filled)?;
        filled.is_multiple_of(8).then_some(chunk.ours + filled)
    }
}
