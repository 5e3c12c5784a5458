//! The watcher: waits for the host's bell, and sees to what the guest has passed.

use super::{Phase, Shared};
use crate::ending::Killed;
use crate::protocol::{SERVICE, to_host};
use crate::room::Room;
use crate::services::answer_service;
use std::time::{Duration, Instant};
use upcall_abi::Status;
use upcall_crossing::{Broken, Room as _};
use upcall_segment::{Bell, Message, Patience, Side};

/// How often it is looked at whether the process has ended, whatever its memory says of that.
const LOOK: Duration = Duration::from_secs(1);

/// How often a bell may ring in a row with no lane to look at. A guest's own may be late by as many as it has threads.
const VAIN: u32 = 10_000;

impl Shared {
    /// Returns when the process has ended, or is closed, and every call has been completed.
    pub(super) fn watch(&self) {
        let mut bell = Bell::new(Side::Host);
        let mut service = Room::of_lane(self.segment.clone(), self.blocks.clone());
        let mut vain = 0;
        loop {
            // Looked at in each round, as what it has started itself may ring on; what it has passed before counts.
            let ended = self.fate.has_ended();
            let (deaf, due) = self.deaf();
            if let Some(within) = deaf {
                self.fate.kill(Killed::Deaf(within));
            }
            let look = Instant::now() + LOOK;
            let until = due.filter(|_| deaf.is_none()).map_or(look, |due| due.min(look));
            let mut rung = match ended {
                true => bell.take(&self.segment),
                false => bell.wait(&self.segment, Patience::Until(until)),
            };
            let closing = self.state().phase == Phase::Closing;
            if closing {
                rung.add(&bell.take(&self.segment));
            }
            let in_vain = rung.is_empty() && Instant::now() < until;
            vain = if in_vain { vain + 1 } else { 0 };
            for lane in rung {
                if let Err(broken) = self.passed(lane, &mut service) {
                    self.kill(broken);
                }
            }
            if vain > VAIN {
                self.kill("it rings and rings, and says nothing");
                vain = 0;
            }
            if closing {
                self.end("it was closed without an answer");
            }
            if ended {
                break;
            }
        }
        self.end(&self.fate.ending().to_string());
    }

    /// The guest has passed a lane, or says so.
    fn passed(&self, lane: u64, service: &mut Room) -> Result<(), Broken> {
        if lane == SERVICE {
            return self.serve(service);
        }
        let mut state = self.state();
        let slot = state.slots.get_mut(lane as usize).filter(|slot| !slot.frame.0.is_null());
        let slot = slot.ok_or("it rings for a lane that has no call")?;
        let place = self.lane(lane);
        if !place.is_turn_of(Side::Host) {
            return Err("it rings for a lane that it has not passed");
        }
        let frame = slot.frame;
        let mut call = slot.call.take().ok_or("it rings for a lane that has no call")?;
        let said = place.message();
        match said.what {
            to_host::RETURNED => {
                // Nobody cancels it any more.
                *slot = super::Slot::default();
                drop(state);
                self.returned(lane, frame, call, Status(said.with[0] as u32 as i32))
            }
            to_host::GROW => {
                drop(state);
                // SAFETY: the frame is the engine's until it is completed, and only this thread uses it meanwhile.
                let answer = unsafe { call.grow(frame, said.with[0]) };
                self.state().slots[lane as usize].call = Some(call);
                place.leave(answer?);
                place.give(Side::Guest);
                Ok(())
            }
            _ => {
                slot.call = Some(call);
                Err("it says what no guest says")
            }
        }
    }

    /// One of the guest's threads asks for a service.
    fn serve(&self, room: &mut Room) -> Result<(), Broken> {
        let place = self.lane(SERVICE);
        if !place.is_turn_of(Side::Host) {
            return Err("it rings for a lane that it has not passed");
        }
        let asked: Message = place.message();
        // What was found before has been copied.
        room.reset();
        let services = self.services();
        // SAFETY: those of OPEN, which stay until they are taken away under this lock; a handler that answers later may ask on
        // any thread.
        let answer = unsafe { answer_service(&services, room, asked) };
        drop(services);
        place.leave(answer.ok_or("it says what no guest says")?);
        place.give(Side::Guest);
        Ok(())
    }
}
