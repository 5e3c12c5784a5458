//! The side of the worker's thread: hands each frame to the handler's own.

use super::call::Call;
use super::executor::{Executor, Loan, Message};
use crate::body::{Body, Failed, after_close};
use crate::driver::answer;
use crate::{Context, Describe, Ended, Failure};
use std::sync::mpsc::{self, Sender};
use upcall_abi::{BatchFrame, FrameHead, OpenFrame, Status};

pub(super) struct LaterBody {
    /// `None` after CLOSE.
    executor: Option<Executor>,
}

impl LaterBody {
    pub(super) fn new(executor: Executor) -> LaterBody {
        LaterBody { executor: Some(executor) }
    }

    /// Sends what is answered while the worker waits.
    fn ask<T>(&self, message: impl FnOnce(Sender<Result<(), T>>) -> Message) -> Result<(), T>
    where
        T: From<Failure>,
    {
        let Some(executor) = &self.executor else { return Err(after_close().into()) };
        let (reply, answer) = mpsc::channel();
        executor.send(message(reply));
        answer.recv().unwrap_or_else(|_| Err(Failure::new("the handler's thread has ended").into()))
    }

    /// # Safety
    /// As [`Body::run`].
    unsafe fn hand_over(&self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        if unsafe { (*frame).complete }.is_none() {
            // SAFETY: the caller's promise; the frame is the executor's until it has replied.
            let outcome = self.ask(|reply| Message::Call(unsafe { Call::at_once(frame, reply) }));
            // SAFETY: the caller's promise.
            return unsafe { answer(frame, outcome) };
        }
        let Some(executor) = &self.executor else {
            // SAFETY: the caller's promise.
            return unsafe { answer(frame, Err(Failed::whole(after_close()))) };
        };
        // SAFETY: the caller's promise; the frame is the executor's until it is completed.
        executor.send(Message::Call(unsafe { Call::later(frame.cast()) }));
        Status::PENDING
    }
}

impl From<Failure> for Failed {
    fn from(failure: Failure) -> Failed {
        Failed::whole(failure)
    }
}

impl Body for LaterBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn answers_later(&self) -> bool {
        true
    }

    fn describe(&mut self, describe: &mut Describe<'_>) -> Result<(), Failure> {
        describe.writer.form("object");
        describe.writer.answers_later();
        let describe = Loan::of((&raw mut *describe).cast());
        self.ask(|reply| Message::Describe(describe, reply))
    }

    fn open(&mut self, _: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure> {
        let frame = Loan::of((&raw const *frame).cast_mut());
        self.ask(|reply| Message::Open(frame, reply))
    }

    unsafe fn run(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        unsafe { self.hand_over(frame) }
    }

    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        unsafe { self.hand_over(frame) }
    }

    fn cancel(&mut self, frame: *mut FrameHead, why: Ended) {
        if let Some(executor) = &self.executor {
            executor.send(Message::Cancel(frame.addr(), why));
        }
    }

    fn close(&mut self) {
        if let Some(Err(panic)) = self.executor.take().map(Executor::end) {
            std::panic::resume_unwind(Box::new(panic));
        }
    }

    fn closed(&mut self) {
        // Without a CLOSE the services may have ended before.
        if let Some(executor) = self.executor.take() {
            executor.send(Message::Forsaken);
            drop(executor.end());
        }
    }
}
