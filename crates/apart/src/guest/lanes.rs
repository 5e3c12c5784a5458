//! The lanes of a handler that answers later: its calls, and what its threads ask for.

use crate::protocol::{self, BEFORE, SERVICE, to_guest};
use std::cell::RefCell;
use std::process;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32};
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::{FrameHead, Status};
use upcall_segment::{Bell, Lane, Message, Patience, Rung, Segment, Side, Turn, Waited};

/// The segment of this process, from when its lanes are used. It stays as long as the process runs.
static SEGMENT: AtomicPtr<Segment> = AtomicPtr::new(std::ptr::null_mut());
/// The process whose it is. A child has no part in it.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Whose question is on [`SERVICE`].
static ASKING: Mutex<()> = Mutex::new(());

thread_local! {
    static TURN: RefCell<Turn> = RefCell::new(Turn::new(Side::Guest));
}

/// The lanes of this process.
#[derive(Clone, Copy)]
pub(super) struct Lanes(&'static Segment);

impl Lanes {
    /// Uses them from now on.
    pub(super) fn begin(segment: &'static Segment) -> Lanes {
        PROCESS.store(process::id(), Release);
        SEGMENT.store((&raw const *segment).cast_mut(), Release);
        Lanes(segment)
    }

    /// Those that are used; `None` where there are none, and in a child of the process.
    pub(super) fn used() -> Option<Lanes> {
        // SAFETY: null, or what stays.
        let segment = unsafe { SEGMENT.load(Acquire).as_ref() }?;
        (PROCESS.load(Acquire) == process::id()).then_some(Lanes(segment))
    }

    pub(super) fn segment(self) -> &'static Segment {
        self.0
    }

    pub(super) fn base(self) -> u64 {
        self.0.base()
    }

    /// The place of a lane.
    fn lane(self, number: u64) -> Lane<'static> {
        match number {
            0 => self.0.first(),
            // All lie before what any segment is large enough for.
            number => self.0.lane(protocol::lane(number)).unwrap_or_else(|| self.0.first()),
        }
    }

    /// What lane 0 says, if it is our turn there.
    pub(super) fn called(self) -> Option<Message> {
        let first = self.lane(0);
        first.is_turn_of(Side::Guest).then(|| first.message())
    }

    /// What the host has passed a lane with.
    pub(super) fn message(self, lane: u64) -> Message {
        self.lane(lane).message()
    }

    /// Passes a lane to the host, which is told.
    pub(super) fn pass(self, lane: u64, what: u64, [a, b, c]: [u64; 3]) {
        let place = self.lane(lane);
        place.leave(Message { what, with: [a, b, c, 0, 0] });
        place.give(Side::Host);
        if lane > 0 {
            self.0.ring(Side::Host, lane);
        }
    }

    /// Passes a lane, and waits on this thread until it is passed back.
    pub(super) fn ask(self, lane: u64, what: u64, with: [u64; 3]) -> Message {
        self.pass(lane, what, with);
        let place = self.lane(lane);
        let waited = TURN.try_with(|turn| turn.borrow_mut().wait_at(place, Patience::Endless));
        // A thread that is ending has no turn of its own any more.
        match waited.unwrap_or_else(|_| Turn::new(Side::Guest).wait_at(place, Patience::Endless)) {
            Waited::Mine => place.message(),
            _ => Message { what: to_guest::END, ..Message::default() },
        }
    }

    /// The lane of services, for one question and for as long as its answer is read.
    pub(super) fn service(self) -> MutexGuard<'static, ()> {
        ASKING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for a service. Whoever does has [`Lanes::service`].
    pub(super) fn ask_service(self, what: u64, with: [u64; 3]) -> Message {
        self.ask(SERVICE, what, with)
    }
}

/// Which lane is to be seen to next: those of calls, and lane 0, which comes first.
pub(super) struct Waiting {
    lanes: Lanes,
    bell: Bell,
    rung: Rung,
}

/// What is to be seen to.
pub(super) enum Next {
    First(Message),
    Call(u64),
}

impl Waiting {
    pub(super) fn new(lanes: Lanes) -> Waiting {
        Waiting { lanes, bell: Bell::new(Side::Guest), rung: Rung::default() }
    }

    /// Waits for it.
    pub(super) fn next(&mut self) -> Next {
        loop {
            self.rung.add(&self.bell.take(self.lanes.0));
            if self.rung.remove(0)
                && let Some(message) = self.lanes.called()
            {
                return Next::First(message);
            }
            if let Some(lane) = self.rung.next() {
                return Next::Call(lane);
            }
            let rung = self.bell.wait(self.lanes.0, Patience::Endless);
            self.rung.add(&rung);
        }
    }

    /// Whether this lane has a call that waits still, which is the caller's from now on.
    pub(super) fn take(&mut self, lane: u64) -> bool {
        self.rung.add(&self.bell.take(self.lanes.0));
        self.rung.remove(lane)
    }
}

/// Writes the lane of a frame before it.
///
/// # Safety
/// The frame must be one that the host has put there for a call on a lane.
pub(super) unsafe fn mark(frame: *mut FrameHead, lane: u64) {
    // SAFETY: the caller's promise; what lies before it is ours.
    unsafe { frame.byte_sub(BEFORE as usize).cast::<u64>().write(lane) };
}

/// The lane of a frame.
///
/// # Safety
/// It must be marked, and its call open.
pub(super) unsafe fn lane_of(frame: *const FrameHead) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { frame.byte_sub(BEFORE as usize).cast::<u64>().read() }
}

/// A call on a lane has ended.
pub(super) unsafe extern "C" fn complete(frame: *mut FrameHead, status: Status) {
    let Some(lanes) = Lanes::used() else { return };
    // SAFETY: a driver completes a frame of a call on a lane, once.
    let lane = unsafe { lane_of(frame) };
    lanes.pass(lane, protocol::to_host::RETURNED, [status.0.cast_unsigned().into(), 0, 0]);
}
