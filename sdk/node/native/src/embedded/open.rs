//! The open calls of a handler that answers later.

use super::program::lock;
use super::talk::Told;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use upcall_abi::{FrameHead, Status};
use upcall_apart::{Room, SharedBlocks};
use upcall_crossing::{Chunks, Crossing, Room as _, Unable, cross, tell};
use upcall_segment::Segment;

#[derive(Default)]
pub(super) struct Open(Mutex<Calls>);

#[derive(Default)]
struct Calls {
    /// By the offsets of their frames.
    open: HashMap<u64, Call>,
    /// What others needed, for the next ones.
    spare: Vec<Call>,
}

/// What it takes to end a call.
struct Call {
    /// The engine's frame.
    frame: *mut FrameHead,
    room: Room,
    chunks: Chunks,
    crossing: Option<Crossing>,
}

// SAFETY: an open call's frame belongs to whoever has the call, on whatever thread.
unsafe impl Send for Call {}

impl Open {
    /// Copies a frame there, which stays open. The offset of the copy.
    ///
    /// # Safety
    /// It must be a whole frame of its kind, as an engine passes it, that stays until it is completed.
    pub(super) unsafe fn enter(
        &self,
        frame: *mut FrameHead,
        batch: u16,
        segment: &Arc<Segment>,
        blocks: &SharedBlocks,
    ) -> Result<u64, Unable> {
        let spare = lock(&self.0).spare.pop();
        let mut call = spare.unwrap_or_else(|| Call {
            frame,
            room: Room::of_lane(segment.clone(), blocks.clone()),
            chunks: Chunks::default(),
            crossing: None,
        });
        call.frame = frame;
        // SAFETY: the caller's promise.
        match unsafe { cross(&mut call.room, &mut call.chunks, frame, batch) } {
            Ok(crossing) => {
                let at = crossing.at;
                call.crossing = Some(crossing);
                lock(&self.0).open.insert(at, call);
                Ok(at)
            }
            Err(unable) => {
                call.room.reset();
                lock(&self.0).spare.push(call);
                Err(unable)
            }
        }
    }

    /// The offset of the copy of an open frame.
    pub(super) fn find(&self, frame: *mut FrameHead) -> Option<u64> {
        let calls = lock(&self.0);
        calls.open.iter().find(|(_, call)| call.frame == frame).map(|(at, _)| *at)
    }

    /// Another chunk of output for an open call. `None` where it is none.
    pub(super) fn grow(&self, at: u64, need: u64) -> Option<Told> {
        let mut calls = lock(&self.0);
        let Call { frame, room, chunks, crossing } = calls.open.get_mut(&at)?;
        // SAFETY: the frame is the engine's until it is completed, which takes the call away first.
        let grown = unsafe {
            let emitted = crossing.as_ref()?.emitted(*frame)?;
            chunks.grow(room, &emitted, need)
        };
        Some(grown.ok().flatten().map_or(Told::NO, |with| Told { yes: true, with }))
    }

    /// Gives a frame back to the engine, answered. False where it is not open.
    pub(super) fn complete(&self, at: u64, status: Status) -> bool {
        let Some(mut call) = lock(&self.0).open.remove(&at) else { return false };
        let Call { frame, room, chunks, crossing } = &mut call;
        let frame = *frame;
        // SAFETY: the frame is the engine's until it is completed, and only this thread uses it meanwhile.
        let status = unsafe {
            let back = crossing.as_ref().map(|crossing| crossing.back(room, chunks, frame, status));
            match back {
                Some(Err(broken)) => {
                    crossing.iter().for_each(|crossing| crossing.nothing(chunks, frame));
                    tell(frame, "Error", broken);
                    Status::FAILED
                }
                _ => status,
            }
        };
        self.complete_with(call, status);
        true
    }

    /// All that is open fails, for this reason.
    pub(super) fn end(&self, why: &str) {
        let open = std::mem::take(&mut lock(&self.0).open);
        for call in open.into_values() {
            self.fail(call, why);
        }
    }

    /// One of them that nobody has heard of. Whether it was still open.
    pub(super) fn take_back(&self, at: u64) -> bool {
        let Some(mut call) = lock(&self.0).open.remove(&at) else { return false };
        call.room.reset();
        lock(&self.0).spare.push(call);
        true
    }

    fn fail(&self, mut call: Call, why: &str) {
        let Call { frame, chunks, crossing, .. } = &mut call;
        // SAFETY: as in `complete`; nothing of the frame is done.
        unsafe {
            crossing.iter().for_each(|crossing| crossing.nothing(chunks, *frame));
            tell(*frame, "Error", why);
        }
        self.complete_with(call, Status::FAILED);
    }

    fn complete_with(&self, mut call: Call, status: Status) {
        let frame = call.frame;
        call.room.reset();
        lock(&self.0).spare.push(call);
        // SAFETY: a frame that is completed later has it, and is completed once, as it is open no longer.
        unsafe {
            if let Some(complete) = (*frame).complete {
                complete(frame, status);
            }
        }
    }
}
