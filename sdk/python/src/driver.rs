//! The driver's lifecycle: from the C entry to a handler's body and back. The one place where a panic of the driver is
//! caught.

use crate::attach::Attached;
use crate::body::{self, Body, Failed};
use crate::compiled::Compiled;
use crate::failure::{self, Failure};
use crate::flow::later::Mailbox;
use crate::flow::over::Over;
use crate::forked::{self, Process};
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::{describe, log, support};
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::Arc;
use upcall_abi::caught::caught;
use upcall_abi::{
    BatchFrame, CancelFrame, DescribeFrame, DescribeWriter, FrameHead, OpenFrame, Services, Status, Writer,
    base, kind,
};

/// One instance of a handler: what an entry's state points to.
pub struct Instance {
    handler: Ref,
    batch: BatchFrame,
    body: Box<dyn Body>,
    /// Of a handler that answers later.
    mailbox: Option<Arc<Mailbox>>,
    /// Of a handler that is machine code.
    compiled: Option<Rc<Compiled>>,
    life: Life,
    /// What the engine does for every handler; null before OPEN and after CLOSE.
    services: *const Services,
}

/// How far an instance's life has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    New,
    Open,
    Closed,
}

impl Instance {
    /// An instance around a handler object.
    pub fn new(handler: Ref) -> Outcome<Instance> {
        let body = body::of(&handler)?;
        let (batch, mailbox, compiled) = (body.batch(), body.mailbox(), body.compiled());
        Ok(Instance { handler, batch, body, mailbox, compiled, life: Life::New, services: std::ptr::null() })
    }

    /// Whether it is one that answers later.
    pub fn answers_later(&self) -> bool {
        self.mailbox.is_some()
    }

    /// Answers a batch that the interpreter has nothing to do with, or hands a frame or a cancellation to the handler's event
    /// loop, if it is one that goes there. Needs no attached thread, and should not be called on one: it may wait for the loop.
    /// Does not unwind.
    ///
    /// # Safety
    /// As [`Instance::handle`].
    #[inline]
    pub unsafe fn detached(&self, frame: *mut FrameHead) -> Option<Status> {
        if let Some(compiled) = self.compiled.as_ref().filter(|_| self.life == Life::Open) {
            // SAFETY: the caller's promise, and what is checked.
            return unsafe {
                match FrameHead::check(frame, self.batch) {
                    Ok(()) if (*frame).kind == kind::FLOW => Some(compiled.answer(frame.cast())),
                    Ok(()) => None,
                    Err(refused) => Some(refused),
                }
            };
        }
        let mailbox = self.mailbox.as_ref().filter(|_| self.life == Life::Open)?;
        // SAFETY: the caller's promise, and what is checked.
        unsafe {
            match FrameHead::check(frame, self.batch) {
                Ok(()) if mailbox.takes((*frame).kind) => Some(mailbox.hand_over(frame.cast())),
                Ok(()) if (*frame).kind == kind::CANCEL => {
                    let CancelFrame { call, why, .. } = *frame.cast::<CancelFrame>();
                    mailbox.cancel(call, Over::because(why));
                    Some(Status::OK)
                }
                Ok(()) => None,
                Err(refused) => Some(refused),
            }
        }
    }

    /// Handles one frame, on an attached thread. Does not unwind.
    ///
    /// # Safety
    /// `frame` must be valid for the bytes that its `size` says.
    pub unsafe fn handle(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        if let Err(refused) = unsafe { FrameHead::check(frame, self.batch) } {
            return refused;
        }
        let process = Process::this();
        // SAFETY: checked above: the frame is of the type that its kind tells.
        let outcome = caught(|| unsafe { self.answer(frame) });
        let outcome = outcome.unwrap_or_else(|panic| Err(self.panicked(&panic)));
        if process.is_over() {
            forked::end(outcome);
        }
        let Err(Failed { failure, item }) = outcome else { return Status::OK };
        // SAFETY: the frame is valid and its error slot ours until we return.
        unsafe {
            let output = (*frame).base[base::OUTPUT];
            (*frame).error.write(output, item, &failure.type_name, &failure.message, &failure.stack);
        }
        Status::FAILED
    }

    /// # Safety
    /// `frame` must be valid, and of the type that its kind tells.
    unsafe fn answer(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        unsafe {
            let kind = (*frame).kind;
            if kind == kind::OPEN && self.life == Life::New {
                self.services = (*frame.cast::<OpenFrame>()).services;
            }
            if self.life == Life::Closed {
                return match kind {
                    kind::CLOSE | kind::PING | kind::CANCEL => Ok(()),
                    kind::DESCRIBE => Ok(self.describe(frame.cast())?),
                    _ => {
                        let message = "the handler was called after CLOSE, which ends it";
                        Err(Failed::from(py::raise(Kind::Runtime, message)))
                    }
                };
            }
            // SAFETY: services are valid until CLOSE has returned.
            let _log = log::to(self.services);
            match kind {
                kind::FLUSH => self.body.flush(frame),
                kind::OPEN => Ok(self.open(&*frame.cast())?),
                kind::CLOSE => Ok(self.close()?),
                kind::DESCRIBE => Ok(self.describe(frame.cast())?),
                // What may be cancelled is handed over.
                kind::PING | kind::CANCEL => Ok(()),
                // A batch of the body's kind; no other was let through.
                _ => self.body.run(frame),
            }
        }
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<()> {
        if std::mem::replace(&mut self.life, Life::Open) != Life::New {
            return Err(py::raise(Kind::Runtime, "this handler is open already: make another instance"));
        }
        if frame.batch != self.batch.kind() {
            let name = |kind| kind::name(kind).unwrap_or("other");
            let (takes, calls) = (name(self.batch.kind()), name(frame.batch));
            let message = format!(
                "it takes {takes} frames, and the engine calls with {calls} frames: give it another handler"
            );
            return Err(py::raise(Kind::Type, message));
        }
        let context = self.body.open(frame)?;
        match self.handler.find(c"open")? {
            Some(open) => open.call(&[&context]).and_then(|returned| self.body.hook(returned)),
            None => Ok(()),
        }
    }

    fn close(&mut self) -> Outcome<()> {
        let mut close = || {
            self.body.closing()?;
            if let Some(close) = self.handler.find(c"close")? {
                self.body.hook(close.call(&[])?)?;
            }
            support::call(c"flush_output", &[]).map(drop)
        };
        let closed = close().map_err(failure::raised);
        self.services = std::ptr::null();
        self.life = Life::Closed;
        self.body.closed();
        // Ending what the handler was given may run Python code, which must not meet an exception.
        closed.map_err(|raised| raised.map_or(Raised, |error| failure::raise(&error)))
    }

    /// # Safety
    /// `frame` must be valid.
    unsafe fn describe(&self, frame: *mut DescribeFrame) -> Outcome<()> {
        // SAFETY: the caller's promise; nobody else uses the output.
        let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
        let mut describe = DescribeWriter::new(&mut writer);
        describe.kind(self.batch.kind());
        self.body.describe(&mut describe);
        describe::parameters(&self.handler, &mut describe)?;
        if describe.is_whole() {
            return Ok(());
        }
        Err(py::raise(Kind::Memory, "the engine gives no room for the description"))
    }

    #[cold]
    fn panicked(&mut self, said: &str) -> Failed {
        // What is left of the call may panic again.
        let again =
            caught(|| self.body.interrupted()).map_or_else(|panic| format!(", then {panic}"), |()| "".into());
        let message = format!("the Python driver panicked: this is a bug of Upcall: {said}{again}");
        Failed::whole(Failure::new("panic", message))
    }
}

/// The entry's `call`.
///
/// # Safety
/// `state` must be an [`Instance`], `frame` valid and of the type that its kind tells.
pub unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    let instance = state.cast::<Instance>();
    // SAFETY: the caller's promise; one call at a time.
    unsafe {
        if let Some(status) = (*instance).detached(frame) {
            return status;
        }
        let _attached = Attached::now();
        (*instance).handle(frame)
    }
}

/// The entry's `release`.
///
/// # Safety
/// `state` must be an [`Instance`] that nobody uses any more.
pub unsafe extern "C" fn release(state: *mut c_void) {
    let _attached = Attached::now();
    // SAFETY: the caller's promise.
    let mut instance = unsafe { Box::from_raw(state.cast::<Instance>()) };
    // Without a CLOSE what was lent may have ended before.
    instance.body.closed();
    drop(instance);
}
