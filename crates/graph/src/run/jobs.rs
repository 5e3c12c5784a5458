//! Threads that stay for a whole run, and what they are told to do.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What is to be done, by all workers but the one that says so.
pub(super) struct Jobs<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    job: Option<J>,
    /// How many jobs there were.
    number: u64,
    /// How many workers there are.
    workers: usize,
    /// How many of them have not done the last one.
    at_work: usize,
    ended: bool,
}

impl<J: Copy> Jobs<J> {
    pub(super) fn new(workers: usize) -> Jobs<J> {
        let state = State { job: None, number: 0, workers, at_work: 0, ended: false };
        Jobs { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives all workers a job.
    pub(super) fn post(&self, job: J) {
        let mut state = self.state();
        (state.job, state.at_work) = (Some(job), state.workers);
        state.number += 1;
        self.changed.notify_all();
    }

    /// Waits until all have done it.
    pub(super) fn wait(&self) {
        let state = self.state();
        drop(self.changed.wait_while(state, |state| state.at_work > 0));
    }

    /// Nothing more is to be done.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// A worker waits for a job: nothing if there is none any more. `seen` is how many it had.
    pub(super) fn next(&self, seen: &mut u64) -> Option<J> {
        let state = self.state();
        let waited = self.changed.wait_while(state, |state| state.number == *seen && !state.ended);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.number == *seen {
            return None;
        }
        *seen = state.number;
        state.job
    }

    /// A worker has done its job.
    pub(super) fn done(&self) {
        self.state().at_work -= 1;
        self.changed.notify_all();
    }

    /// A worker that had so many jobs takes no other.
    pub(super) fn leave(&self, seen: u64) {
        let mut state = self.state();
        state.workers -= 1;
        if state.number != seen {
            state.at_work -= 1;
        }
        self.changed.notify_all();
    }
}

/// Ends all workers, however the run ends.
pub(super) struct End<'a, J: Copy>(pub(super) &'a Jobs<J>);

impl<J: Copy> Drop for End<'_, J> {
    fn drop(&mut self) {
        self.0.end();
    }
}
