//! A call on lane 0: the turn is passed, and what the guest asks for is answered until it has returned or is dead.

use crate::ending::Killed;
use crate::instance::Isolated;
use crate::protocol::{to_guest, to_host};
use crate::services::{answer_service, grown};
use std::time::{Duration, Instant};
use upcall_abi::Status;
use upcall_crossing::{Crossing, Emitted};
use upcall_segment::{Message, Patience, Waited};

/// How often it is looked at whether the process has ended while it has the turn.
const LOOK: Duration = Duration::from_secs(1);

/// A call.
pub(crate) struct Asked<'e> {
    pub(crate) crossing: &'e Crossing,
    pub(crate) output: Output<'e>,
    /// Why it is killed where it takes longer than that says.
    pub(crate) within: Option<Killed>,
    /// What [`to_guest::CALL`] says of it beside the frame.
    pub(crate) fifth: u64,
}

/// Where what a call emits goes.
pub(crate) enum Output<'e> {
    None,
    /// Nobody wants it.
    Thrown,
    Engine(&'e Emitted),
}

/// How a call has ended.
pub(crate) enum Ended {
    Returned(Status),
    /// The process is gone, for this reason.
    Died(String),
}

impl Isolated {
    /// Passes the turn, and answers what the guest asks for until it has returned or is dead: killed where it takes longer
    /// than `within`.
    pub(crate) fn converse(&mut self, Asked { crossing, output, within, fifth }: Asked<'_>) -> Ended {
        let Isolated { process, chunks, services, .. } = self;
        let Some(process) = process else { return Ended::Died("there is no process".to_owned()) };
        let end = match within {
            Some(Killed::Deadline(after) | Killed::Start(after) | Killed::Deaf(after)) => {
                Instant::now().checked_add(after)
            }
            _ => None,
        };
        let late = || end.is_some_and(|end| Instant::now() >= end);
        let (at, out, [from, to]) = (crossing.at, crossing.output(), crossing.input);
        let mut next = Message { what: to_guest::CALL, with: [at, out, from, to, fifth] };
        loop {
            let link = &mut process.link;
            link.say(next);
            // From the call after OPEN on.
            link.rings = process.lanes.is_some();
            // Whether it has ended is looked at from time to time, whatever its memory says of that.
            let waited = loop {
                let look = Instant::now() + LOOK;
                let until = end.map_or(look, |end| end.min(look));
                match link.wait(Patience::Until(until)) {
                    Waited::TooLong if late() => break Waited::TooLong,
                    Waited::TooLong if process.fate.has_ended() => break Waited::Never,
                    Waited::TooLong => {}
                    waited => break waited,
                }
            };
            let said = link.segment().message();
            match waited {
                Waited::Mine if said.what == to_host::RETURNED => {
                    return Ended::Returned(Status(said.with[0] as u32 as i32));
                }
                // One that asks and asks has no more time than one that does not; what a dead one has started asks for nothing.
                Waited::Mine if !late() && !process.fate.has_ended() => {}
                Waited::Mine | Waited::TooLong => {
                    within.iter().for_each(|why| process.kill(why.clone()));
                    return Ended::Died(process.ending().to_string());
                }
                Waited::Never => return Ended::Died(process.ending().to_string()),
            }
            // SAFETY: the services are those of OPEN, and this is its worker's thread, in a call.
            let answer = match (unsafe { answer_service(services, &mut link.room, said) }, &output) {
                (Some(answer), _) => Ok(answer),
                (None, Output::Engine(emitted)) if said.what == to_host::GROW => {
                    // SAFETY: the engine's frame is valid during its call, and nobody else uses it.
                    unsafe { chunks.grow(&mut link.room, emitted, said.with[0]).map(grown) }
                }
                (None, Output::Thrown) if said.what == to_host::GROW => {
                    Ok(to_guest::answer(Status::FAILED, [0; 2]))
                }
                (None, Output::None) if said.what == to_host::GROW => {
                    Err("it asks for output where there is none")
                }
                (None, _) => Err("it says what no guest says"),
            };
            match answer {
                Ok(answer) => next = answer,
                Err(broken) => {
                    process.kill(Killed::Broken(broken));
                    return Ended::Died(process.ending().to_string());
                }
            }
        }
    }
}
