//! A call that the worker waits for. What its handler asks for meanwhile, the worker answers: an engine's services are for its
//! own thread.

use super::program::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use upcall_abi::Status;

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
    changed: Condvar,
    /// What was logged while there was no call to say it in.
    unsaid: Mutex<Vec<Asked>>,
}

#[derive(Default)]
enum State {
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

impl Talk {
    /// Begins a call, which the handler hears of next. What it has logged before is said first.
    pub(super) fn begin(&self) -> Vec<Asked> {
        let mut state = lock(&self.state);
        if !matches!(*state, State::Ended) {
            *state = State::Called;
        }
        std::mem::take(&mut *lock(&self.unsaid))
    }

    /// Waits until the handler has answered, and answers what it asks for. `None` where it never will.
    pub(super) fn wait(&self, mut answer: impl FnMut(Asked) -> Told) -> Option<Status> {
        let mut state = lock(&self.state);
        loop {
            match std::mem::take(&mut *state) {
                State::Answered(status) => return Some(status),
                State::Ended => {
                    *state = State::Ended;
                    return None;
                }
                State::Asked(asked) => {
                    *state = State::Called;
                    drop(state);
                    let told = answer(asked);
                    state = lock(&self.state);
                    if matches!(*state, State::Called) {
                        *state = State::Told(told);
                        self.changed.notify_all();
                    }
                }
                other => {
                    *state = other;
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Asks the worker, on the event loop's thread. `None` where it waits for no call.
    pub(super) fn ask(&self, asked: Asked) -> Option<Told> {
        let mut state = lock(&self.state);
        if !matches!(*state, State::Called) {
            if let Asked::Log { .. } = asked {
                lock(&self.unsaid).push(asked);
            }
            return None;
        }
        *state = State::Asked(asked);
        self.changed.notify_all();
        // The worker waits in `wait`, and takes no time for an answer.
        loop {
            match *state {
                State::Told(told) => {
                    *state = State::Called;
                    return Some(told);
                }
                State::Ended => return None,
                _ => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// The handler has answered.
    pub(super) fn answer(&self, status: Status) {
        let mut state = lock(&self.state);
        if matches!(*state, State::Called) {
            *state = State::Answered(status);
            self.changed.notify_all();
        }
    }

    pub(super) fn end(&self) {
        *lock(&self.state) = State::Ended;
        self.changed.notify_all();
    }
}
