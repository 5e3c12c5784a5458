//! From a FLOW frame to a handler's methods and back.

use super::handler::Drive;
use super::open::{Names, Open};
use super::{Batch, Emit};
use crate::body::{Body, Failed, IntoBody, after_close};
use crate::driver::caught;
use crate::{Context, Describe, Failure};
use std::ptr;
use upcall_abi::{BatchFrame, FlowFrame, FlowOpen, FrameHead, OpenFrame, Record, about, base};

impl<D: Drive> IntoBody for D {
    fn into_body(self) -> Box<dyn Body> {
        Box::new(FlowBody { handler: Box::new(self), names: Names::default() })
    }
}

struct FlowBody {
    handler: Box<dyn Drive>,
    names: Names,
}

impl Body for FlowBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn describe(&self, describe: &mut Describe<'_>) {
        describe.say(about::FORM, self.handler.form(), "");
        self.handler.describe(describe);
    }

    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure> {
        let origin = frame.head.base[base::BATCH];
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { FlowOpen::of(frame) }) else {
            return Err(Failure::new("OPEN has no pools: build engine and handler with the same version"));
        };
        // SAFETY: as above, for what it points to.
        unsafe { self.names.open(added, context, origin) };
        self.handler.open(&Open::new(context, &self.names))
    }

    #[inline]
    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let frame = frame.cast::<FlowFrame>();
        // SAFETY: the caller's promise; emitter and batch use different fields of the frame.
        let mut emit = unsafe { Emit::new(frame, &self.names) };
        // SAFETY: as above.
        let mut batch = unsafe { Batch::new(frame, &self.names, emit.mark()) };
        match caught(|| self.handler.run(&mut batch, &mut emit)) {
            Ok(()) => Ok(()),
            Err(failure) => {
                // SAFETY: the mark is of this call, and nothing was forgotten in it.
                unsafe { emit.truncate(batch.mark) };
                let whole = emit.item() == Record::NO_ITEM;
                Err(if whole { Failed::whole(failure) } else { Failed::item(failure, emit.item()) })
            }
        }
    }

    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        let mut emit = unsafe { Emit::new(frame.cast(), &self.names) };
        let start = emit.mark();
        let outcome = caught(|| {
            self.handler.flush(&mut emit)?;
            emit.check()
        });
        outcome.map_err(|failure| {
            // SAFETY: the mark is of this call, and nothing was forgotten in it.
            unsafe { emit.truncate(start) };
            Failed::whole(failure)
        })
    }

    fn close(&mut self) {
        drop(std::mem::replace(&mut self.handler, Box::new(Closed)));
    }

    fn closed(&mut self) {
        self.names.services.set(ptr::null());
    }
}

/// What stands in for a handler that CLOSE has dropped.
struct Closed;

impl Drive for Closed {
    fn open(&mut self, _: &Open<'_>) -> Result<(), Failure> {
        Err(after_close())
    }

    fn run(&mut self, _: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        Err(after_close())
    }

    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        Err(after_close())
    }
}
