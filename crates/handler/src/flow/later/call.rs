//! A frame that the handler has, until it is answered.

use crate::body::Failed;
use crate::driver::answer;
use crate::{Ended, Failure};
use std::sync::mpsc::Sender;
use upcall_abi::{FlowFrame, FrameHead, Mark, Writer, kind};

/// Whoever has it answers the frame, once. Dropped without an answer, the handler was closed.
pub(super) struct Call {
    /// Null once it is answered.
    frame: *mut FlowFrame,
    /// Where its output began.
    mark: Mark,
    /// Who waits for it, where it has to be answered at once.
    waits: Option<Sender<Result<(), Failed>>>,
}

// SAFETY: the frame, with all it points to, belongs to the call, on whichever thread: the boundary's rule for frames that
// are pending, and for the others, whose worker waits.
unsafe impl Send for Call {}

impl Call {
    /// # Safety
    /// The frame must be a valid one of a flow, and the call's until it is completed.
    pub(super) unsafe fn later(frame: *mut FlowFrame) -> Call {
        // SAFETY: the caller's promise.
        Call { frame, mark: unsafe { output(frame) }.mark(), waits: None }
    }

    /// # Safety
    /// The frame must be a valid one of a flow, and the call's until it has replied.
    pub(super) unsafe fn at_once(frame: *mut FrameHead, waits: Sender<Result<(), Failed>>) -> Call {
        // SAFETY: the caller's promise.
        Call { waits: Some(waits), ..unsafe { Call::later(frame.cast()) } }
    }

    pub(super) fn frame(&self) -> *mut FlowFrame {
        self.frame
    }

    /// Nothing of the handler's uses the frame any more.
    pub(super) fn answer(&mut self, outcome: Result<(), Failure>) {
        let frame = std::mem::replace(&mut self.frame, std::ptr::null_mut());
        if frame.is_null() {
            return;
        }
        // SAFETY: the promise of `later`; the mark is of this call, in which nothing was forgotten.
        let outcome = unsafe {
            let is_item = (*frame).head.kind == kind::FLOW;
            match outcome {
                Ok(()) if is_item => {
                    FlowFrame::finish(frame, 1);
                    Ok(())
                }
                Ok(()) => Ok(()),
                Err(failure) => {
                    output(frame).truncate(self.mark);
                    Err(if is_item { Failed::item(failure, 0) } else { Failed::whole(failure) })
                }
            }
        };
        if let Some(waits) = self.waits.take() {
            // Whoever waits is there: it is the worker.
            return drop(waits.send(outcome));
        }
        // SAFETY: as above; it is completed once, here, and not touched from then on.
        unsafe {
            let head: *mut FrameHead = frame.cast();
            let status = answer(head, outcome);
            if let Some(complete) = (*head).complete {
                complete(head, status);
            }
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.frame.is_null() {
            self.answer(Err(Ended::Closed.failure()));
        }
    }
}

/// # Safety
/// As [`Call::later`].
unsafe fn output(frame: *mut FlowFrame) -> Writer {
    // SAFETY: the caller's promise.
    unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) }
}
