//! From a FLOW frame to a handler's methods and back.

use super::handler::Drive;
use super::open::{Names, Open};
use super::{Batch, Emit};
use crate::body::{Body, Failed, IntoBody, after_close};
use crate::driver::{answer, caught};
use crate::{Context, Describe, Failure};
use std::ptr;
use upcall_abi::{BatchFrame, FlowFrame, FlowOpen, FrameHead, OpenFrame, Record, Status, base};

impl<D: Drive> IntoBody for D {
    fn into_body(self) -> Box<dyn Body> {
        Box::new(FlowBody { handler: Some(self), names: Names::default() })
    }
}

struct FlowBody<D> {
    /// `None` after CLOSE.
    handler: Option<D>,
    names: Names,
}

impl<D: Drive> Body for FlowBody<D> {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn describe(&mut self, describe: &mut Describe<'_>) -> Result<(), Failure> {
        if let Some(handler) = &self.handler {
            describe.writer.form(handler.form());
            handler.describe(describe);
        }
        Ok(())
    }

    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure> {
        let origin = frame.head.base[base::BATCH];
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { FlowOpen::of(frame) }) else {
            return Err(Failure::new("OPEN has no pools: build engine and handler with the same version"));
        };
        // SAFETY: as above, for what it points to.
        unsafe { self.names.open(added, context, origin) };
        match &mut self.handler {
            Some(handler) => handler.open(&Open::new(context, &self.names)),
            None => Err(after_close()),
        }
    }

    #[inline]
    unsafe fn run(&mut self, head: *mut FrameHead) -> Status {
        let frame = head.cast::<FlowFrame>();
        // SAFETY: the caller's promise; emitter and batch use different fields of the frame.
        let mut emit = unsafe { Emit::new(frame, &self.names) };
        // SAFETY: as above.
        let mut batch = unsafe { Batch::new(frame, &self.names, emit.mark()) };
        let handle = || match &mut self.handler {
            Some(handler) => handler.run(&mut batch, &mut emit),
            None => Err(after_close()),
        };
        let outcome = caught(handle).map_err(|failure| {
            // SAFETY: the mark is of this call, and nothing was forgotten in it.
            unsafe { emit.truncate(batch.mark) };
            let whole = emit.item() == Record::NO_ITEM;
            if whole { Failed::whole(failure) } else { Failed::item(failure, emit.item()) }
        });
        // SAFETY: the caller's promise.
        unsafe { answer(head, outcome) }
    }

    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        let mut emit = unsafe { Emit::new(frame.cast(), &self.names) };
        let start = emit.mark();
        let outcome = caught(|| match &mut self.handler {
            Some(handler) => handler.flush(&mut emit).and_then(|()| emit.check()),
            None => Err(after_close()),
        });
        let outcome = outcome.map_err(|failure| {
            // SAFETY: the mark is of this call, and nothing was forgotten in it.
            unsafe { emit.truncate(start) };
            Failed::whole(failure)
        });
        // SAFETY: the caller's promise.
        unsafe { answer(frame, outcome) }
    }

    fn close(&mut self) {
        self.handler = None;
    }

    fn closed(&mut self) {
        self.names.services.set(ptr::null());
    }
}
