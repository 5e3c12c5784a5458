//! The open calls of a handler that answers later: each has a lane of the segment, with memory of its own there.
//!
//! The handler's worker opens them, and a watcher, a thread of each such process, ends them when the guest has answered or
//! has died. What both know is [`Shared`], whose state nobody locks while the engine is told; its services stay locked while they
//! are used, so that they are not taken away meanwhile.

mod answered;
mod watcher;

use crate::ending::Killed;
use crate::keeper::Fate;
use crate::protocol::{self, SERVICE, to_guest};
use crate::room::{Room, SharedBlocks};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use upcall_abi::FrameHead;
use upcall_crossing::{self as crossing, Broken, Chunks, Crossing, Room as _, Services, Unable};
use upcall_segment::{Lane, Message, Segment, Side};

/// How long a call waits for a lane, or for memory that others have.
const WAIT: Duration = Duration::from_secs(1);

pub(crate) struct Lanes {
    shared: Arc<Shared>,
    watcher: Option<JoinHandle<()>>,
}

/// Why a call was not opened.
pub(crate) enum Unopened {
    /// Its frame does not cross.
    Unable(Unable),
    /// The process has ended.
    Ended,
    /// The others that are open, so many, leave no room for it.
    Crowded(usize),
}

struct Shared {
    handler: String,
    segment: Arc<Segment>,
    fate: Arc<Fate>,
    blocks: SharedBlocks,
    services: Mutex<Services>,
    state: Mutex<State>,
    changed: Condvar,
    /// Whether a call has got anywhere, and whether one was lost.
    got_on: AtomicBool,
    lost: AtomicBool,
}

struct State {
    /// By lane; the first and the last of them have none.
    slots: Vec<Slot>,
    free: Vec<u64>,
    phase: Phase,
    /// Calls that the guest was told to cancel, and until when it has to have completed them.
    cancelled: VecDeque<Cancelled>,
    /// Threads that wait for [`Shared::changed`].
    waiting: usize,
}

struct Cancelled {
    frame: Frame,
    lane: u64,
    within: Duration,
    until: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Calls are opened and answered.
    Open,
    /// The guest has answered CLOSE, and with it all that it answers.
    Closing,
    /// No call is open, and none will be.
    Over,
}

#[derive(Default)]
struct Slot {
    /// The engine's frame; null where none is open.
    frame: Frame,
    /// That of the guest.
    at: u64,
    /// `None` while somebody works on it.
    call: Option<Box<Call>>,
}

/// The address of an engine's frame.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Frame(*mut FrameHead);

impl Default for Frame {
    fn default() -> Frame {
        Frame(std::ptr::null_mut())
    }
}

// SAFETY: an open call's frame belongs to whoever has the call, on whatever thread.
unsafe impl Send for Frame {}

/// What it takes to end a call. It is kept for the next one on its lane.
struct Call {
    room: Room,
    chunks: Chunks,
    crossing: Option<Crossing>,
}

impl Lanes {
    /// Those of a process, whose room for lane 0 leaves the rest of the segment to them.
    pub(crate) fn new(
        handler: &str,
        room: &mut Room,
        fate: &Arc<Fate>,
        services: Services,
    ) -> io::Result<Lanes> {
        let mut slots = Vec::new();
        slots.resize_with(SERVICE as usize, Slot::default);
        // Low ones first: their memory is warm.
        let free = (1..SERVICE).rev().collect();
        let shared = Arc::new(Shared {
            handler: handler.to_owned(),
            segment: room.segment.clone(),
            fate: fate.clone(),
            blocks: room.share(),
            services: Mutex::new(services),
            state: Mutex::new(State {
                slots,
                free,
                phase: Phase::Open,
                cancelled: VecDeque::new(),
                waiting: 0,
            }),
            changed: Condvar::new(),
            got_on: AtomicBool::new(false),
            lost: AtomicBool::new(false),
        });
        let watched = shared.clone();
        let watcher =
            std::thread::Builder::new().name("upcall-watcher".to_owned()).spawn(move || watched.watch())?;
        Ok(Lanes { shared, watcher: Some(watcher) })
    }

    /// Hands a frame over that will be completed later, by the watcher.
    ///
    /// # Safety
    /// It must be a whole frame of its kind, as an engine passes it, that stays until it is completed.
    pub(crate) unsafe fn open(&self, frame: *mut FrameHead, batch: u16) -> Result<(), Unopened> {
        let shared = &*self.shared;
        let until = Instant::now() + WAIT;
        loop {
            let (lane, mut call) = shared.take_lane(until)?;
            // SAFETY: the caller's promise.
            let crossing = match unsafe { crossing::cross(&mut call.room, &mut call.chunks, frame, batch) } {
                Ok(crossing) => crossing,
                Err(unable) => {
                    call.room.reset();
                    let mut state = shared.state();
                    state.free(lane, call);
                    let others = state.opened();
                    if matches!(unable, Unable::Full) && others > 0 {
                        drop(shared.wait(state, until)?);
                        continue;
                    }
                    return Err(Unopened::Unable(unable));
                }
            };
            let (at, out, [from, to]) = (crossing.at, crossing.output(), crossing.input);
            call.crossing = Some(crossing);
            let mut state = shared.state();
            if state.phase != Phase::Open {
                call.room.reset();
                state.free(lane, call);
                return Err(Unopened::Ended);
            }
            let place = shared.lane(lane);
            place.leave(Message { what: to_guest::CALL, with: [at, out, from, to, 0] });
            place.give(Side::Guest);
            state.slots[lane as usize] = Slot { frame: Frame(frame), at, call: Some(call) };
            drop(state);
            shared.segment.ring(Side::Guest, lane);
            return Ok(());
        }
    }

    /// Where the call of this frame is, which the guest is told to cancel and has to complete within this time: its lane, and
    /// the offset of the guest's frame. `None` where it is open no longer.
    pub(crate) fn cancel(&self, frame: *mut FrameHead, within: Duration) -> Option<(u64, u64)> {
        let mut state = self.shared.state();
        let lane = state.slots.iter().position(|slot| slot.frame.0 == frame)?;
        let (frame, until) = (Frame(frame), Instant::now() + within);
        state.cancelled.push_back(Cancelled { frame, lane: lane as u64, within, until });
        Some((lane as u64, state.slots[lane].at))
    }

    /// After CLOSE: waits until what the guest has answered is passed on, and what it has not as well.
    pub(crate) fn close(&self) {
        let shared = &*self.shared;
        let mut state = shared.state();
        if state.phase == Phase::Open {
            state.phase = Phase::Closing;
        }
        drop(state);
        shared.segment.stir(Side::Host);
        let mut state = shared.state();
        state.waiting += 1;
        let over = shared.changed.wait_while(state, |state| state.phase != Phase::Over);
        over.unwrap_or_else(PoisonError::into_inner).waiting -= 1;
        *shared.services() = Services::NONE;
    }

    /// When the process has ended, and all calls are completed: whether one was lost, and whether one had got anywhere.
    pub(crate) fn ended(self) -> (bool, bool) {
        let shared = self.shared.clone();
        drop(self);
        (shared.lost.load(Relaxed), shared.got_on.load(Relaxed))
    }
}

/// Waits until the process has ended, and all calls with it.
impl Drop for Lanes {
    fn drop(&mut self) {
        if let Some(watcher) = self.watcher.take() {
            // It panics only where an engine does.
            let _ = watcher.join();
        }
    }
}

impl State {
    /// Calls that are open.
    fn opened(&self) -> usize {
        SERVICE as usize - 1 - self.free.len()
    }

    /// A lane is free again; what its call needed is kept for the next.
    fn free(&mut self, lane: u64, call: Box<Call>) {
        self.slots[lane as usize] = Slot { call: Some(call), ..Slot::default() };
        self.free.push(lane);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn services(&self) -> MutexGuard<'_, Services> {
        self.services.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lane(&self, number: u64) -> Lane<'_> {
        // All lanes lie before what any segment is large enough for.
        self.segment.lane(protocol::lane(number)).unwrap_or_else(|| self.segment.first())
    }

    /// A free lane, and what its next call needs.
    fn take_lane(&self, until: Instant) -> Result<(u64, Box<Call>), Unopened> {
        let mut state = self.state();
        loop {
            if state.phase != Phase::Open {
                return Err(Unopened::Ended);
            }
            let Some(lane) = state.free.pop() else {
                state = self.wait(state, until)?;
                continue;
            };
            let call = state.slots[lane as usize].call.take();
            drop(state);
            let new = || {
                let room = Room::of_lane(self.segment.clone(), self.blocks.clone());
                Box::new(Call { room, chunks: Chunks::default(), crossing: None })
            };
            return Ok((lane, call.unwrap_or_else(new)));
        }
    }

    /// Waits until a call has ended.
    fn wait<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        until: Instant,
    ) -> Result<MutexGuard<'s, State>, Unopened> {
        let Some(left) = until.checked_duration_since(Instant::now()) else {
            return Err(Unopened::Crowded(state.opened()));
        };
        state.waiting += 1;
        let (mut state, _) = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        Ok(state)
    }

    /// For how long it has not completed a call that it was to cancel, where that is too long; and when to look again.
    fn deaf(&self) -> (Option<Duration>, Option<Instant>) {
        let mut state = self.state();
        let State { cancelled, slots, .. } = &mut *state;
        cancelled.retain(|one| slots[one.lane as usize].frame == one.frame);
        let next = cancelled.front();
        let late = next.filter(|one| one.until <= Instant::now()).map(|one| one.within);
        (late, next.map(|one| one.until))
    }

    fn kill(&self, broken: Broken) {
        self.fate.kill(Killed::Broken(broken));
    }
}
