//! An instance whose handler is in another process: the entry that an engine calls.

use crate::converse::{Asked, Ended, Output};
use crate::ending::Killed;
use crate::lanes::{Lanes, Unopened};
use crate::lending::Lending;
use crate::process::Process;
use crate::processes::Apart;
use crate::protocol::to_guest;
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;
use upcall_abi::{CancelFrame, Entry, FlowFrame, FrameHead, Instance, OpenFrame, Status, about, kind};
use upcall_crossing::{Chunks, Crossing, Room as _, Services, Unable, tell};

/// How long a process may take at least to hear that it is to cancel a call.
const HEED: Duration = Duration::from_secs(1);
/// How long it may where it has no deadline.
const UNHURRIED: Duration = Duration::from_secs(10);
/// How long it waits before it starts a process for the third time: the second follows at once.
const FIRST: Duration = Duration::from_millis(10);
/// Longest wait before a process is started again.
const LONGEST: Duration = Duration::from_secs(5);

pub(crate) struct Isolated {
    apart: Arc<Apart>,
    lending: Lending,
    /// `None` when it has died, until the next call.
    pub(crate) process: Option<Process>,
    /// From OPEN on.
    opened: Option<Opened>,
    /// The sample of `warm`, from when it was handled on.
    warmed: Option<Opened>,
    pub(crate) services: Services,
    pub(crate) chunks: Chunks,
    /// Whether it says that it answers later.
    later: bool,
    /// Since a call has got anywhere.
    deaths: u32,
}

/// What a frame said, to say it to another process.
#[derive(Clone)]
struct Opened {
    /// The kind of frame.
    of: u16,
    /// The kind of batch.
    batch: u16,
    crossing: Crossing,
    /// All that was put into the segment.
    bytes: Vec<u8>,
}

impl Isolated {
    pub(crate) fn instance(apart: Arc<Apart>, lending: Lending, process: Process) -> Instance {
        let isolated = Isolated {
            apart,
            lending,
            process: Some(process),
            opened: None,
            warmed: None,
            services: Services::NONE,
            chunks: Chunks::default(),
            later: false,
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
        let lives = self.process.as_ref().is_some_and(|process| !process.has_ended());
        if of == kind::CLOSE && !lives {
            // It completes what is open.
            self.process = None;
            self.services = Services::NONE;
            return Status::OK;
        }
        if of == kind::CANCEL && !lives {
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
        if let Some(ending) = self.process.as_ref().map(Process::ending)
            && !self.dies(false)
        {
            // While nobody called it.
            let handler = &self.apart.spec.name;
            tracing::warn!(target: "upcall::handler", handler, "its process ended: {ending}");
        }
        if let Some(again) = self.deaths.checked_sub(2) {
            std::thread::sleep((FIRST * 2u32.saturating_pow(again.min(16))).min(LONGEST));
        }
        self.process = Some(self.apart.start(&self.lending).map_err(|error| error.to_string())?);
        let again = [self.opened.clone(), self.warmed.clone()];
        let said = |frame: &Opened| self.say_again(frame);
        let outcome = again.iter().flatten().try_for_each(said);
        if outcome.is_err() {
            self.process = None;
        }
        outcome
    }

    /// The process has ended, and so do the calls that are open. Whether one of them was lost.
    fn dies(&mut self, got_on: bool) -> bool {
        let lanes = self.process.as_mut().and_then(|process| process.lanes.take());
        let (lost, others_got_on) = lanes.map_or((false, false), Lanes::ended);
        self.deaths = if got_on || others_got_on { 1 } else { self.deaths + 1 };
        self.process = None;
        lost
    }

    /// Says to a new process what another one was told before.
    fn say_again(&mut self, Opened { of, crossing, bytes, .. }: &Opened) -> Result<(), String> {
        let process = self.process.as_mut().ok_or("it is gone")?;
        process.link.room.reset();
        process.link.room.put(bytes).map_err(|_| "its segment is too small")?;
        let fifth = self.begin_lanes(*of)?;
        let within = self.to_start();
        match self.converse(Asked { crossing, output: Output::Thrown, within, fifth }) {
            Ended::Returned(Status::OK) => Ok(()),
            // A sample that emits more than a chunk finds no room for it.
            Ended::Returned(_) if crossing.output() > 0 => Ok(()),
            Ended::Returned(_) => {
                let said = self.process.as_ref().and_then(|process| crossing.said(&process.link.room));
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
        // SAFETY: as above.
        if of == kind::FLOW && self.in_lanes() && unsafe { (*frame).complete.is_some() } {
            // SAFETY: as above.
            return unsafe { self.open_call(frame, batch) };
        }
        let heed = self.heed();
        let Some(Process { link, lanes, .. }) = &mut self.process else { return Status::FAILED };
        let (mut fifth, room) = (0, &mut link.room);
        // SAFETY: as above.
        let crossed = unsafe {
            if of == kind::CANCEL {
                let cancel = &*frame.cast::<CancelFrame>();
                let found = lanes.as_ref().and_then(|lanes| lanes.cancel(cancel.call, heed));
                // It was completed meanwhile.
                let Some((lane, at)) = found else { return Status::OK };
                fifth = lane;
                upcall_crossing::cancel(room, cancel, at)
            } else {
                upcall_crossing::cross(room, &mut self.chunks, frame, batch)
            }
        };
        let crossing = match crossed {
            Ok(crossing) => crossing,
            // SAFETY: as above.
            Err(unable) => return unsafe { refuse(frame, &unable) },
        };
        // SAFETY: as above.
        let sample = unsafe { crossing.is_sample(frame) };
        if of == kind::OPEN || sample {
            let again =
                room.snapshot().ok().map(|bytes| Opened { of, batch, crossing: crossing.clone(), bytes });
            *if sample { &mut self.warmed } else { &mut self.opened } = again;
        }
        match self.begin_lanes(of) {
            Ok(begun) => fifth |= begun,
            // SAFETY: as above.
            Err(why) => return unsafe { self.lost(frame, &why) },
        }
        // SAFETY: as above.
        let emitted = unsafe { crossing.emitted(frame) };
        let within = match of {
            kind::OPEN | kind::DESCRIBE => self.to_start(),
            _ if sample => self.to_start(),
            kind::CANCEL => Some(Killed::Deaf(heed)),
            // Its deadline is that of an item.
            kind::FLUSH if self.in_lanes() => None,
            // It ends anyway.
            kind::CLOSE => self.apart.isolation.deadline.map(Killed::Deadline).or(self.to_start()),
            _ => self.apart.isolation.deadline.map(Killed::Deadline),
        };
        let output = emitted.as_ref().map_or(Output::None, Output::Engine);
        let ended = self.converse(Asked { crossing: &crossing, output, within, fifth });
        let (status, why) = match ended {
            Ended::Returned(Status::PENDING | Status::LOST) => {
                (Status::LOST, self.killed(Killed::Broken("it answers a call as no guest does")))
            }
            Ended::Returned(status) => (status, String::new()),
            Ended::Died(why) => (Status::LOST, why),
        };
        let Some(Process { link, lanes, .. }) = &self.process else { return Status::FAILED };
        // SAFETY: as above; the frame is as it was, and the guest has answered or is dead.
        let back = unsafe { crossing.back(&link.room, &mut self.chunks, frame, status) };
        if let (kind::CLOSE, Some(lanes)) = (of, lanes) {
            lanes.close();
        }
        match (back, status) {
            (Ok(()), Status::LOST) => {
                // SAFETY: as above.
                let got_on = unsafe { crossing.progress(frame) };
                self.dies(got_on);
                // SAFETY: as above.
                unsafe { self.lost(frame, &why) }
            }
            (Ok(()), status) => {
                if of == kind::DESCRIBE && status == Status::OK {
                    // SAFETY: as above; the chunks are those of the frame.
                    let later = unsafe { self.chunks.tell(about::ANSWERS_LATER) };
                    self.later = later;
                }
                if of != kind::CANCEL {
                    self.deaths = 0;
                }
                status
            }
            (Err(broken), _) => {
                let why = self.killed(Killed::Broken(broken));
                self.dies(false);
                // SAFETY: as above.
                unsafe {
                    crossing.nothing(&mut self.chunks, frame);
                    self.lost(frame, &why)
                }
            }
        }
    }

    /// Hands a frame over on a lane of its own: it is completed later.
    ///
    /// # Safety
    /// As [`Isolated::call`]; the frame stays until it is completed.
    unsafe fn open_call(&mut self, frame: *mut FrameHead, batch: u16) -> Status {
        let Some(Process { lanes: Some(lanes), fate, .. }) = &self.process else { return Status::FAILED };
        // SAFETY: the caller's promise, here and below.
        let why = match unsafe { lanes.open(frame, batch) } {
            Ok(()) => return Status::PENDING,
            // SAFETY: as above.
            Err(Unopened::Unable(unable)) => return unsafe { refuse(frame, &unable) },
            Err(Unopened::Ended) => fate.ending().to_string(),
            Err(Unopened::Crowded(others)) => {
                format!("its segment has no room for this call beside {others} others that are open")
            }
        };
        // SAFETY: as above; nobody has it.
        unsafe {
            (*frame.cast::<FlowFrame>()).done = 0;
            tell(frame, "process", &why);
        }
        Status::LOST
    }

    /// Before OPEN of a handler that answers later: its process gets lanes. What [`to_guest::CALL`] says of that.
    fn begin_lanes(&mut self, of: u16) -> Result<u64, String> {
        let Some(process) = self.process.as_mut().filter(|_| self.later && of == kind::OPEN) else {
            return Ok(0);
        };
        let (name, room) = (&self.apart.spec.name, &mut process.link.room);
        if process.lanes.is_none() {
            let made = Lanes::new(name, room, &process.fate, self.services);
            process.lanes = Some(made.map_err(|error| format!("start a thread for its calls: {error}"))?);
        }
        Ok(to_guest::LANES)
    }

    fn in_lanes(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.lanes.is_some())
    }

    /// How long it may take to complete a call that it is to cancel: longer, and it hears nothing at all.
    fn heed(&self) -> Duration {
        self.apart.isolation.deadline.map_or(UNHURRIED, |deadline| deadline.max(HEED))
    }

    /// How long it may take to open.
    fn to_start(&self) -> Option<Killed> {
        Some(Killed::Start(self.apart.isolation.start_deadline))
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

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `instance` made the state, one call at a time; the engine passes a whole frame.
    unsafe { (*state.cast::<Isolated>()).call(frame) }
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `instance` made it, and release is called once.
    drop(unsafe { Box::from_raw(state.cast::<Isolated>()) });
}
