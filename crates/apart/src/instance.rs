//! An instance whose handler is in another process: the entry that an engine calls.

use crate::ending::Killed;
use crate::frames::{self, Chunks, Crossing, Services, Unable};
use crate::process::Process;
use crate::processes::Apart;
use crate::protocol::{to_guest, to_host};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::{Duration, Instant};
use upcall_abi::{Entry, ErrorSlot, FrameHead, Instance, OpenFrame, Status, base, kind};
use upcall_segment::{Message, Patience, Waited};

/// How often it is looked at whether the process has ended while it has the turn.
const LOOK: Duration = Duration::from_secs(1);
/// How long it waits before it starts a process for the third time: the second follows at once.
const FIRST: Duration = Duration::from_millis(10);
/// Longest wait before a process is started again.
const LONGEST: Duration = Duration::from_secs(5);

pub(crate) struct Isolated {
    apart: Arc<Apart>,
    /// `None` when it has died, until the next call.
    process: Option<Process>,
    /// From OPEN on.
    opened: Option<Opened>,
    /// The sample of `warm`, from when it was handled on.
    warmed: Option<Opened>,
    services: Services,
    chunks: Chunks,
    /// Since a call has got anywhere.
    deaths: u32,
}

/// What a frame said, to say it to another process.
#[derive(Clone)]
struct Opened {
    /// The kind of batch.
    batch: u16,
    crossing: Crossing,
    /// All that was put into the segment.
    bytes: Vec<u8>,
}

/// Where what a call emits goes.
enum Output<'e> {
    None,
    /// Nobody wants it.
    Thrown,
    Engine(&'e frames::Emitted),
}

/// How a call has ended.
enum Ended {
    Returned(Status),
    /// The process is gone, for this reason.
    Died(String),
}

impl Isolated {
    pub(crate) fn instance(apart: Arc<Apart>, process: Process) -> Instance {
        let isolated = Isolated {
            apart,
            process: Some(process),
            opened: None,
            warmed: None,
            services: Services::NONE,
            chunks: Chunks::default(),
            deaths: 0,
        };
        let state = Box::into_raw(Box::new(isolated)).cast();
        // SAFETY: `call` answers every frame, and the entry is given away here, not `Send` as the instance is not.
        unsafe { Instance::new(Entry { call, state, release: Some(release) }) }
    }

    /// # Safety
    /// `frame` must be a whole frame of its kind, as an engine passes it.
    unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise, here and below.
        let of = unsafe { (*frame).kind };
        if of == kind::OPEN {
            // SAFETY: as above.
            self.services = unsafe { Services::of(&*frame.cast::<OpenFrame>()) };
        }
        if of == kind::CLOSE && self.process.as_ref().is_none_or(Process::has_ended) {
            self.services = Services::NONE;
            return Status::OK;
        }
        let status = match self.revive() {
            // SAFETY: as above.
            Ok(()) => unsafe { self.exchange(frame) },
            Err(why) => {
                self.deaths += 1;
                // SAFETY: as above.
                unsafe { self.lost(frame, &why) }
            }
        };
        if of == kind::CLOSE {
            self.services = Services::NONE;
            self.process = None;
        }
        status
    }

    /// Sees to it that there is a process with the handler open.
    fn revive(&mut self) -> Result<(), String> {
        if self.process.as_ref().is_some_and(|process| !process.has_ended()) {
            return Ok(());
        }
        if let Some(process) = self.process.take() {
            // While nobody called it.
            tracing::warn!(target: "upcall::handler", handler = self.apart.spec.name, "its process ended: {}", process.ending());
            self.deaths += 1;
        }
        if let Some(again) = self.deaths.checked_sub(2) {
            std::thread::sleep((FIRST * 2u32.saturating_pow(again.min(16))).min(LONGEST));
        }
        self.process = Some(self.apart.start().map_err(|error| error.to_string())?);
        let again = [self.opened.clone(), self.warmed.clone()];
        let outcome = again.into_iter().flatten().try_for_each(|frame| self.say_again(&frame));
        if outcome.is_err() {
            self.process = None;
        }
        outcome
    }

    /// Says to a new process what another one was told before.
    fn say_again(&mut self, Opened { crossing, bytes, .. }: &Opened) -> Result<(), String> {
        let process = self.process.as_mut().ok_or("it is gone")?;
        process.link.reset();
        process.link.put(bytes).map_err(|_| "its segment is too small")?;
        match self.converse(crossing, Output::Thrown, self.to_start()) {
            Ended::Returned(Status::OK) => Ok(()),
            // A sample that emits more than a chunk finds no room for it.
            Ended::Returned(_) if crossing.output() > 0 => Ok(()),
            Ended::Returned(_) => {
                let said = self.process.as_ref().and_then(|process| crossing.said(&process.link));
                Err(format!("it did not open again: {}", said.map_or_else(String::new, |said| said.told())))
            }
            Ended::Died(why) => Err(format!("it did not open again: {why}")),
        }
    }

    /// Calls the handler with a frame: there, waits, and back.
    ///
    /// # Safety
    /// As [`Isolated::call`].
    unsafe fn exchange(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise, here and below.
        let of = unsafe { (*frame).kind };
        let batch = match of {
            // SAFETY: as above.
            kind::OPEN => unsafe { (*frame.cast::<OpenFrame>()).batch },
            _ => self.opened.as_ref().map_or(0, |opened| opened.batch),
        };
        let Some(Process { link, .. }) = &mut self.process else { return Status::FAILED };
        // SAFETY: as above.
        let crossing = match unsafe { frames::cross(link, &mut self.chunks, frame, batch) } {
            Ok(crossing) => crossing,
            // SAFETY: as above.
            Err(unable) => return unsafe { refuse(frame, &unable) },
        };
        // SAFETY: as above.
        let sample = unsafe { crossing.is_sample(frame) };
        if of == kind::OPEN || sample {
            let again = link.snapshot().ok().map(|bytes| Opened { batch, crossing: crossing.clone(), bytes });
            *if sample { &mut self.warmed } else { &mut self.opened } = again;
        }
        // SAFETY: as above.
        let emitted = unsafe { crossing.emitted(frame) };
        let within = match of {
            kind::OPEN | kind::DESCRIBE => self.to_start(),
            _ if sample => self.to_start(),
            // It ends anyway.
            kind::CLOSE => self.apart.isolation.deadline.map(Killed::Deadline).or(self.to_start()),
            _ => self.apart.isolation.deadline.map(Killed::Deadline),
        };
        let output = emitted.as_ref().map_or(Output::None, Output::Engine);
        let ended = self.converse(&crossing, output, within);
        let (status, why) = match ended {
            Ended::Returned(Status::PENDING | Status::LOST) => {
                (Status::LOST, self.killed(Killed::Broken("it answers a call as no guest does")))
            }
            Ended::Returned(status) => (status, String::new()),
            Ended::Died(why) => (Status::LOST, why),
        };
        let Some(Process { link, .. }) = &self.process else { return Status::FAILED };
        // SAFETY: as above; the frame is as it was, and the guest has answered or is dead.
        let back = unsafe { crossing.back(link, &mut self.chunks, frame, status) };
        match (back, status) {
            (Ok(()), Status::LOST) => {
                // SAFETY: as above.
                let got_on = unsafe { crossing.progress(frame) };
                self.deaths = if got_on { 1 } else { self.deaths + 1 };
                self.process = None;
                // SAFETY: as above.
                unsafe { self.lost(frame, &why) }
            }
            (Ok(()), status) => {
                self.deaths = 0;
                status
            }
            (Err(broken), _) => {
                let why = self.killed(Killed::Broken(broken));
                self.deaths += 1;
                self.process = None;
                // SAFETY: as above.
                unsafe {
                    crossing.nothing(frame);
                    self.lost(frame, &why)
                }
            }
        }
    }

    /// How long it may take to open.
    fn to_start(&self) -> Option<Killed> {
        Some(Killed::Start(self.apart.isolation.start_deadline))
    }

    /// Passes the turn, and answers what the guest asks for until it has returned or is dead: killed where it takes longer
    /// than `within`.
    fn converse(&mut self, crossing: &Crossing, output: Output<'_>, within: Option<Killed>) -> Ended {
        let Isolated { process, chunks, services, .. } = self;
        let Some(process) = process else { return Ended::Died("there is no process".to_owned()) };
        let end = match within {
            Some(Killed::Deadline(after) | Killed::Start(after)) => Instant::now().checked_add(after),
            _ => None,
        };
        let late = || end.is_some_and(|end| Instant::now() >= end);
        let (at, out, [from, to]) = (crossing.at, crossing.output(), crossing.input);
        let mut next = Message { what: to_guest::CALL, with: [at, out, from, to, 0] };
        loop {
            let link = &mut process.link;
            link.segment.leave(next);
            link.turn.pass(&link.segment);
            // Whether it has ended is looked at from time to time, whatever its memory says of that.
            let waited = loop {
                let look = Instant::now() + LOOK;
                let until = end.map_or(look, |end| end.min(look));
                match link.turn.wait(&link.segment, Patience::Until(until)) {
                    Waited::TooLong if late() => break Waited::TooLong,
                    Waited::TooLong if process.fate.state().ending.is_some() => break Waited::Never,
                    Waited::TooLong => {}
                    waited => break waited,
                }
            };
            let said = link.segment.message();
            match waited {
                Waited::Mine if said.what == to_host::RETURNED => {
                    return Ended::Returned(Status(said.with[0] as u32 as i32));
                }
                // One that asks and asks has no more time than one that does not.
                Waited::Mine if !late() => {}
                Waited::Mine | Waited::TooLong => {
                    within.iter().for_each(|why| process.kill(why.clone()));
                    return Ended::Died(process.ending().to_string());
                }
                Waited::Never => return Ended::Died(process.ending().to_string()),
            }
            // SAFETY: the services are those of OPEN, and this is its worker's thread, in a call.
            let answer = match (unsafe { services.answer(link, said) }, &output) {
                (Some(answer), _) => Ok(answer),
                (None, Output::Engine(emitted)) if said.what == to_host::GROW => {
                    // SAFETY: the engine's frame is valid during its call, and nobody else uses it.
                    unsafe { chunks.grow(link, emitted, said.with[0]) }
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

    /// Kills the process; how it has ended.
    fn killed(&self, why: Killed) -> String {
        let Some(process) = &self.process else { return String::new() };
        process.kill(why);
        process.ending().to_string()
    }

    /// Says in the frame why the guest was lost.
    ///
    /// # Safety
    /// As [`Isolated::call`].
    unsafe fn lost(&self, frame: *mut FrameHead, why: &str) -> Status {
        tracing::warn!(target: "upcall::handler", handler = self.apart.spec.name, "its process was lost: {why}");
        // SAFETY: the caller's promise.
        unsafe { tell(frame, "process", why) };
        Status::LOST
    }
}

/// Why a frame does not cross.
///
/// # Safety
/// As [`Isolated::call`].
unsafe fn refuse(frame: *mut FrameHead, unable: &Unable) -> Status {
    let why = match unable {
        Unable::Full => {
            "the batch is larger than the segment that is shared with the handler's process; hand over less"
                .to_owned()
        }
        Unable::Short => "OPEN is cut short: build engine and handler with the same version".to_owned(),
        Unable::Kind(of) => {
            let of = kind::name(*of).map_or_else(|| of.to_string(), str::to_owned);
            format!("{of} frames do not cross into another process: run the handler without isolation")
        }
    };
    // SAFETY: the caller's promise.
    unsafe { tell(frame, "frame", &why) };
    Status::FAILED
}

/// Writes into a frame's error slot, for the whole frame.
///
/// # Safety
/// As [`Isolated::call`].
unsafe fn tell(frame: *mut FrameHead, type_name: &str, why: &str) {
    // SAFETY: the caller's promise: the slot has room of its own.
    unsafe {
        let output = (*frame).base[base::OUTPUT];
        (*frame).error.write(output, ErrorSlot::NO_ITEM, type_name, why, "");
    }
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `instance` made the state, one call at a time; the engine passes a whole frame.
    unsafe { (*state.cast::<Isolated>()).call(frame) }
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `instance` made it, and release is called once.
    drop(unsafe { Box::from_raw(state.cast::<Isolated>()) });
}
