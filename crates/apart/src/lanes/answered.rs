//! How calls end: answered by the guest, or lost with it.

use super::{Call, Frame, Phase, Shared, Slot};
use crate::protocol::to_host;
use crate::services::grown;
use std::sync::atomic::Ordering::Relaxed;
use upcall_abi::Status;
use upcall_crossing::{Broken, Room as _, tell};
use upcall_segment::{Message, Side};

impl Call {
    /// The guest asks for another chunk of output.
    ///
    /// # Safety
    /// The frame must be the call's, and nobody else use it meanwhile.
    pub(super) unsafe fn grow(&mut self, Frame(frame): Frame, need: u64) -> Result<Message, Broken> {
        let Call { room, chunks, crossing } = self;
        let crossing = crossing.as_ref().ok_or("it asks for output where there is none")?;
        // SAFETY: the caller's promise.
        unsafe {
            let emitted = crossing.emitted(frame).ok_or("it asks for output where there is none")?;
            chunks.grow(room, &emitted, need).map(grown)
        }
    }

    /// Copies what the guest has made of the frame.
    ///
    /// # Safety
    /// As [`Call::grow`].
    unsafe fn back(&mut self, Frame(frame): Frame, status: Status) -> Result<(), Broken> {
        let Call { room, chunks, crossing } = self;
        let crossing = crossing.as_ref().ok_or("it returns what it was not given")?;
        // SAFETY: the caller's promise.
        let back = unsafe { crossing.back(room, chunks, frame, status) };
        if back.is_err() {
            // SAFETY: as above.
            unsafe { crossing.nothing(chunks, frame) };
        }
        back
    }
}

impl Shared {
    /// The guest has answered a call.
    pub(super) fn returned(
        &self,
        lane: u64,
        frame: Frame,
        mut call: Box<Call>,
        status: Status,
    ) -> Result<(), Broken> {
        let back = match status {
            Status::PENDING | Status::LOST => Err("it answers a call as no guest does"),
            // SAFETY: the frame is the engine's until it is completed, and only this thread uses it meanwhile.
            status => unsafe { call.back(frame, status) },
        };
        match back {
            Ok(()) => {
                self.got_on.store(true, Relaxed);
                self.complete(lane, frame, call, status);
            }
            Err(broken) => {
                self.kill(broken);
                self.lose(lane, frame, call, &self.fate.ending().to_string());
            }
        }
        Ok(())
    }

    /// No call will be opened, and those that are open end: answered as far as they are, else lost for this reason.
    pub(super) fn end(&self, why: &str) {
        let mut lost = 0;
        let mut state = self.state();
        if state.phase == Phase::Over {
            return;
        }
        state.phase = Phase::Over;
        for lane in 1..state.slots.len() {
            let slot = &mut state.slots[lane];
            if slot.frame.0.is_null() {
                continue;
            }
            let Slot { frame, call, .. } = std::mem::take(slot);
            let Some(mut call) = call else { continue };
            drop(state);
            let (lane, place) = (lane as u64, self.lane(lane as u64));
            let said = place.message();
            let status = Status(said.with[0] as u32 as i32);
            // It may have been passed without a ring.
            let passed = place.is_turn_of(Side::Host) && said.what == to_host::RETURNED;
            let answered = passed && [Status::OK, Status::FAILED].contains(&status);
            // SAFETY: as in `returned`.
            let back = |call: &mut Call, status| unsafe { call.back(frame, status) };
            if answered && back(&mut call, status).is_ok() {
                self.complete(lane, frame, call, status);
            } else {
                lost += 1;
                // What it had finished counts.
                let _ = back(&mut call, Status::LOST);
                self.lose(lane, frame, call, why);
            }
            state = self.state();
        }
        drop(state);
        self.changed.notify_all();
        if lost > 0 {
            let handler = &self.handler;
            tracing::warn!(target: "upcall::handler", handler, "{}: {why}", lost_calls(lost));
        }
    }

    /// A call is lost, for this reason.
    fn lose(&self, lane: u64, frame: Frame, call: Box<Call>, why: &str) {
        self.lost.store(true, Relaxed);
        // SAFETY: the frame is the engine's until it is completed.
        unsafe { tell(frame.0, "process", why) };
        self.complete(lane, frame, call, Status::LOST);
    }

    /// Gives the frame back to the engine, when all that the call needed may be used again.
    fn complete(&self, lane: u64, Frame(frame): Frame, mut call: Box<Call>, status: Status) {
        call.room.reset();
        call.crossing = None;
        let mut state = self.state();
        state.free(lane, call);
        let waiting = state.waiting > 0;
        drop(state);
        if waiting {
            self.changed.notify_all();
        }
        // SAFETY: opened with a frame that has it, and once for each.
        unsafe {
            if let Some(complete) = (*frame).complete {
                complete(frame, status);
            }
        }
    }
}

fn lost_calls(lost: usize) -> String {
    if lost == 1 { "1 open call was lost".into() } else { format!("{lost} open calls were lost") }
}
