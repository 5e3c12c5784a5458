//! A call that the worker waits for. What its handler asks for meanwhile, the worker answers: an engine's services are for its
//! own thread.

use super::program::lock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use upcall_abi::Status;
use upcall_segment::Spin;

/// What a handler asks for.
pub(super) enum Asked {
    /// A line for the log.
    Log { level: u32, text: Vec<u8> },
    /// A key of a pool.
    Read { pool: u32, key: Vec<u8>, as_of: u32, at: u64 },
    /// Keys of a pool.
    List { pool: u32, prefix: Vec<u8> },
    /// Another chunk of output, for the frame at an offset.
    Grow { at: u64, need: u64 },
}

/// What it is told.
#[derive(Clone, Copy)]
pub(super) struct Told {
    pub(super) yes: bool,
    /// Where that is.
    pub(super) with: [u64; 2],
}

impl Told {
    pub(super) const YES: Told = Told { yes: true, with: [0; 2] };
    pub(super) const NO: Told = Told { yes: false, with: [0; 2] };
}

#[derive(Default)]
pub(super) struct Talk {
    state: Mutex<State>,
    /// How often the state has changed, for who waits without the lock.
    changes: AtomicU32,
    changed: Condvar,
    /// How the worker waits for an answer, and the event loop for one of the worker's.
    spins: [Mutex<Spin>; 2],
    /// What was logged while there was no call to say it in.
    unsaid: Mutex<Vec<Asked>>,
}

#[derive(Default)]
struct State {
    now: Now,
    /// Whether somebody sleeps until it changes.
    sleeps: bool,
}

#[derive(Default)]
enum Now {
    #[default]
    Idle,
    /// The handler has the frame.
    Called,
    Asked(Asked),
    Told(Told),
    Answered(Status),
    /// The event loop has ended.
    Ended,
}

/// Whose spin it is.
const WORKER: usize = 0;
const LOOP: usize = 1;

impl Talk {
    /// Begins a call, which the handler hears of next. What it has logged before is said first.
    pub(super) fn begin(&self) -> Vec<Asked> {
        let mut state = lock(&self.state);
        if !matches!(state.now, Now::Ended) {
            state.now = Now::Called;
        }
        drop(state);
        std::mem::take(&mut *lock(&self.unsaid))
    }

    /// Waits until the handler has answered, and answers what it asks for. `None` where it never will.
    pub(super) fn wait(&self, mut answer: impl FnMut(Asked) -> Told) -> Option<Status> {
        let mut state = lock(&self.state);
        loop {
            match std::mem::take(&mut state.now) {
                Now::Answered(status) => return Some(status),
                Now::Ended => {
                    state.now = Now::Ended;
                    return None;
                }
                Now::Asked(asked) => {
                    state.now = Now::Called;
                    drop(state);
                    let told = answer(asked);
                    state = lock(&self.state);
                    if matches!(state.now, Now::Called) {
                        state = self.change(state, Now::Told(told));
                    }
                }
                other => {
                    state.now = other;
                    state = self.until_changed(WORKER, state);
                }
            }
        }
    }

    /// Asks the worker, on the event loop's thread. `None` where it waits for no call.
    pub(super) fn ask(&self, asked: Asked) -> Option<Told> {
        let mut state = lock(&self.state);
        if !matches!(state.now, Now::Called) {
            if let Asked::Log { .. } = asked {
                lock(&self.unsaid).push(asked);
            }
            return None;
        }
        state = self.change(state, Now::Asked(asked));
        // The worker waits in `wait`, and takes no time for an answer.
        loop {
            match state.now {
                Now::Told(told) => {
                    state.now = Now::Called;
                    return Some(told);
                }
                Now::Ended => return None,
                _ => state = self.until_changed(LOOP, state),
            }
        }
    }

    /// The handler has answered.
    pub(super) fn answer(&self, status: Status) {
        let state = lock(&self.state);
        if matches!(state.now, Now::Called) {
            drop(self.change(state, Now::Answered(status)));
        }
    }

    pub(super) fn end(&self) {
        drop(self.change(lock(&self.state), Now::Ended));
    }

    fn change<'a>(&'a self, mut state: MutexGuard<'a, State>, now: Now) -> MutexGuard<'a, State> {
        state.now = now;
        self.changes.fetch_add(1, Release);
        if !std::mem::take(&mut state.sleeps) {
            return state;
        }
        // Who wakes up takes the lock first.
        drop(state);
        self.changed.notify_all();
        lock(&self.state)
    }

    /// Waits for the other side: it spins where that has paid off, as a wake-up takes longer than most answers.
    fn until_changed<'a>(&'a self, whose: usize, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let before = self.changes.load(Acquire);
        drop(state);
        let mut spin = lock(&self.spins[whose]);
        if spin.wait(|| (self.changes.load(Acquire) != before).then_some(())).is_some() {
            return lock(&self.state);
        }
        let mut state = lock(&self.state);
        while self.changes.load(Acquire) == before {
            state.sleeps = true;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        spin.slept();
        state
    }
}
