//! The driver's side of a handler that answers later: OPEN, FLUSH and CLOSE, on the engine's worker.

use super::given::given;
use super::items::{EventLoop, Items};
use super::mailbox::Mailbox;
use crate::body::{Body, Failed};
use crate::failure;
use crate::ffi;
use crate::flow::body::opened;
use crate::flow::call::Call;
use crate::flow::emit;
use crate::flow::form::Forms;
use crate::flow::over::Over;
use crate::flow::state::{Shared, State};
use crate::py::{self, Kind, Outcome, Ref};
use crate::support;
use std::rc::Rc;
use std::sync::Arc;
use upcall_abi::{BatchFrame, DescribeWriter, FrameHead, OpenFrame, Record};

/// The body for a handler whose `on_object` is a coroutine function.
pub fn body(handler: &Ref) -> Outcome<Box<dyn Body>> {
    // SAFETY: it is alive.
    let flushes = unsafe { ffi::PyObject_IsTrue(support::call(c"flushes_later", &[handler])?.as_ptr()) } == 1;
    let mailbox = Mailbox::new(flushes)
        .map_err(|error| py::raise(Kind::Runtime, format!("make a pair of sockets: {error}")))?;
    let shared = Rc::new(Shared::new(Forms::of(handler)?));
    let flush = handler.find(c"flush")?;
    let items = Items::new(shared, mailbox, handler.get(c"on_object")?, flush.clone());
    Ok(Box::new(LaterBody { items: Rc::new(items), flush }))
}

struct LaterBody {
    items: Rc<Items>,
    flush: Option<Ref>,
}

impl Body for LaterBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn describe(&self, describe: &mut DescribeWriter<'_>) {
        describe.form("object");
        describe.answers_later();
        self.items.shared.forms.describe(describe);
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref> {
        let context = opened(&self.items.shared, frame)?;
        self.items.log.set(frame.services);
        let event_loop = py::import(c"upcall._later")?.get(c"Loop")?;
        let event_loop = event_loop.call(&[&given(&self.items)?, &context.get(c"name")?])?;
        self.items.set_loop(Some(EventLoop::new(event_loop)?));
        self.items.mailbox.open();
        Ok(context)
    }

    fn mailbox(&self) -> Option<Arc<Mailbox>> {
        Some(self.items.mailbox.clone())
    }

    unsafe fn run(&mut self, _: *mut FrameHead) -> Result<(), Failed> {
        Err(py::raise(Kind::Runtime, "a handler that answers later was called before OPEN").into())
    }

    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let Some(flush) = &self.flush else { return Ok(()) };
        let state = Rc::new(State::new(self.items.shared.clone(), Call::later()));
        // SAFETY: the caller's promise; it is over before this returns.
        unsafe { state.call.begin(frame.cast(), Record::NO_ITEM) };
        let start = state.call.mark();
        let flushed =
            emit::new(&state).and_then(|emit| flush.call(&[&emit])).map(drop).map_err(failure::take);
        if flushed.is_err() {
            // SAFETY: made above, in this call, which ends here.
            unsafe { state.call.truncate(start) };
        }
        state.call.over(Over::Answered);
        flushed.map_err(Failed::whole)
    }

    fn hook(&mut self, returned: Ref) -> Outcome<()> {
        match self.items.event_loop() {
            Some(event_loop) => event_loop.call(c"wait", &[&returned]).map(drop),
            None => Ok(()),
        }
    }

    fn closing(&mut self) -> Outcome<()> {
        let tasks = self.items.close();
        let tasks = py::list(tasks.len(), |index| Ok(tasks[index].clone()))?;
        match self.items.event_loop() {
            Some(event_loop) => event_loop.call(c"settle", &[&tasks]).map(drop),
            None => Ok(()),
        }
    }

    fn interrupted(&mut self) {}

    fn closed(&mut self) {
        self.items.close();
        if let Some(event_loop) = self.items.event_loop() {
            let _ = event_loop.call(c"stop", &[]).map_err(failure::forget);
            // Only now: tasks that end meanwhile are asked what they have ended with.
            self.items.set_loop(None);
        }
        self.items.shared.services.set(std::ptr::null());
        self.items.log.set(std::ptr::null());
    }
}

impl Drop for LaterBody {
    fn drop(&mut self) {
        // Where there was no CLOSE.
        self.closed();
    }
}
