//! Objects whose handler answers later: several at a time, and how they end before.

use super::call::OwnedCall;
use super::{Failed, Harness};
use crate::Ended;
use std::time::{Duration, Instant};
use upcall_abi::{CancelFrame, FrameHead, Status, cancelled, kind};

/// An object that a handler was given, and may not have answered yet: [`Harness::start`].
#[must_use = "`Harness::wait` says what it came to"]
#[derive(Debug)]
pub struct Started(pub(super) u64);

impl Harness {
    /// Cancels what is not answered within this time of its start, as a flow's `deadline` does. Without it the harness
    /// waits.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Harness {
        self.deadline = Some(deadline);
        self
    }

    /// Gives the handler one object, and does not wait for the answer.
    ///
    /// # Errors
    /// The handler fails to open.
    pub fn start(&mut self, key: &[u8], value: &[u8]) -> Result<Started, Failed> {
        self.begin(kind::FLOW, &[(key, value)], true)
    }

    /// Waits for the answer. What the object has emitted is behind what was waited for before.
    ///
    /// # Errors
    /// The object has failed; [`Failed::ended`] says whether it was by the handler's own doing.
    pub fn wait(&mut self, started: Started) -> Result<(), Failed> {
        let Started(id) = started;
        let status = loop {
            let due = self.open.values().filter(|call| call.ended.is_none()).filter_map(|call| call.due);
            if let Some(status) = self.answers.take(id, due.min()) {
                break status;
            }
            let now = Instant::now();
            let late = |call: &OwnedCall| call.ended.is_none() && call.due.is_some_and(|due| due <= now);
            let late: Vec<u64> = self.open.iter().filter(|(_, call)| late(call)).map(|(id, _)| *id).collect();
            late.into_iter().for_each(|id| self.end(id, cancelled::TIMED_OUT, Ended::TimedOut));
        };
        self.answered(id, status)
    }

    /// Gives the handler each of these objects in a frame of its own, all at once, and waits for the answers: one that
    /// answers later is at all of them at the same time.
    ///
    /// ```
    /// # #[cfg(feature = "async")] {
    /// use std::time::Duration;
    /// use upcall::{Emit, Failure, Harness, Object, later};
    ///
    /// let handler = async |object: Object<'_>, _: &mut Emit<'_>| -> Result<(), Failure> {
    ///     tokio::time::sleep(Duration::from_millis(1)).await;
    ///     if object.key() == b"bad" { Err(Failure::new("it is bad")) } else { Ok(()) }
    /// };
    /// let outcomes = Harness::new(later(handler)).each(&[(b"good", b""), (b"bad", b""), (b"fine", b"")]);
    /// assert_eq!(outcomes.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true]);
    /// # }
    /// ```
    pub fn each(&mut self, objects: &[(&[u8], &[u8])]) -> Vec<Result<(), Failed>> {
        let started: Vec<_> = objects.iter().map(|(key, value)| self.start(key, value)).collect();
        started.into_iter().map(|started| self.wait(started?)).collect()
    }

    /// Cancels one from outside, as a flow does that is stopped. One that was answered meanwhile is passed over.
    pub fn cancel(&mut self, started: &Started) {
        self.end(started.0, cancelled::FROM_OUTSIDE, Ended::Cancelled);
    }

    /// Closes the handler, which ends what it has not answered yet.
    ///
    /// # Panics
    /// When its driver leaves a frame unanswered.
    pub fn close(&mut self) {
        if std::mem::replace(&mut self.closed, true) {
            return;
        }
        let unanswered = self.open.iter_mut().filter(|(id, _)| !self.answers.has(**id));
        unanswered.for_each(|(_, call)| call.ended = call.ended.or(Some(Ended::Closed)));
        let mut close = FrameHead::new::<FrameHead>(kind::CLOSE);
        // SAFETY: a whole frame of its kind. What it answers has nobody left to be told.
        let _ = unsafe { self.instance.call(&mut close) };
        self.logged.extend(self.lent[0].logged());
        for (_, call) in self.open.extract_if(|id, _| !self.answers.has(*id)) {
            call.leak();
            assert!(std::thread::panicking(), "CLOSE has returned, and left a frame unanswered");
        }
    }

    /// Tells the handler that an object is no longer waited for.
    fn end(&mut self, id: u64, why: u32, ended: Ended) {
        if let Some(call) = self.open.get_mut(&id)
            && call.ended.is_none()
            && !self.answers.has(id)
        {
            call.ended = Some(ended);
            let mut cancel = CancelFrame::new(call.frame(), why);
            // SAFETY: a whole frame of its kind; the call that it names is there until it has been waited for.
            let status = unsafe { self.instance.call((&raw mut cancel).cast()) };
            debug_assert_eq!(status, Status::OK, "CANCEL");
        }
    }
}
