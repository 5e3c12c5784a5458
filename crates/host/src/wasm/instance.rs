//! The entry that an engine calls: an instance of a module, and another one after a trap.

use super::limits::{Refused, no_room};
use super::live::{Ended, Live};
use super::module::Handler;
use super::retold::Retold;
use super::trap::Trapped;
use crate::{Error, Instance};
use std::ffi::c_void;
use std::sync::Arc;
use upcall_abi::{
    CallFailed, Entry, ErrorSlot, FlowFrame, FrameHead, OpenFrame, Progress, Status, about, base, kind,
};
use upcall_crossing::{Services, Unable, tell};

struct Driven {
    handler: Arc<Handler>,
    /// `None` after a trap, until the next call.
    live: Option<Live>,
    /// Whether it takes objects one by one, as it has said itself: then the first that is not done is the culprit.
    one_by_one: bool,
    /// From OPEN on.
    opened: Option<Opened>,
    services: Services,
}

struct Opened {
    /// The kind of batch.
    batch: u16,
    frame: Retold,
}

/// An instance on this thread.
pub(super) fn of(handler: Arc<Handler>) -> Result<Instance, Error> {
    let live = Some(make(&handler)?);
    let driven = Driven { handler, live, one_by_one: false, opened: None, services: Services::NONE };
    let state = Box::into_raw(Box::new(driven)).cast();
    // SAFETY: `call` answers every frame, and the entry is given away here, not `Send` as the instance is not.
    Ok(unsafe { Instance::new(Entry { call, state, release: Some(release) }) })
}

fn make(handler: &Handler) -> Result<Live, Error> {
    Live::make(&handler.machine, &handler.module, &handler.loaded)
}

impl Driven {
    /// # Safety
    /// `frame` must be a whole frame of its kind, as an engine passes it.
    unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise, here and below.
        let of = unsafe { (*frame).kind };
        match of {
            // SAFETY: as above.
            kind::OPEN => self.services = unsafe { Services::of(&*frame.cast::<OpenFrame>()) },
            // It holds nothing that could be closed.
            kind::CLOSE if self.live.is_none() => return self.closed(Status::OK),
            // No call of a module is answered later.
            kind::CANCEL => return Status::OK,
            _ => {}
        }
        // SAFETY: as above.
        unsafe {
            if self.live.is_none()
                && let Err(why) = self.revive(of)
            {
                tell(frame, "trap", &why);
                return Status::FAILED;
            }
            let status = self.exchange(frame, of);
            match of {
                kind::CLOSE => self.closed(status),
                kind::OPEN if status == Status::OK => self.keep(frame.cast()),
                kind::DESCRIBE if status == Status::OK => {
                    self.one_by_one =
                        self.live.as_ref().is_some_and(|live| live.says(about::FORM, b"object"));
                    status
                }
                _ => status,
            }
        }
    }

    /// CLOSE: nothing is asked of the engine any more, and the memory is given back.
    fn closed(&mut self, status: Status) -> Status {
        (self.live, self.opened, self.services) = (None, None, Services::NONE);
        status
    }

    /// Keeps what OPEN said, to say it to another instance.
    ///
    /// # Safety
    /// As [`Driven::call`].
    unsafe fn keep(&mut self, frame: *mut OpenFrame) -> Status {
        // SAFETY: the caller's promise.
        match unsafe { Retold::of(frame) } {
            Ok(kept) => {
                // SAFETY: as above.
                self.opened = Some(Opened { batch: unsafe { (*frame).batch }, frame: kept });
                Status::OK
            }
            // SAFETY: as above.
            Err(unable) => unsafe { refuse(frame.cast(), &unable, None) },
        }
    }

    /// Makes another instance, with the handler open where it was.
    #[cold]
    fn revive(&mut self, of: u16) -> Result<(), String> {
        let mut live = make(&self.handler).map_err(|error| error.to_string())?;
        live.services(self.services);
        if let Some(opened) = self.opened.as_mut().filter(|_| of != kind::OPEN) {
            // SAFETY: a whole frame, kept for this.
            let outcome = unsafe { opened.frame.say(|frame| live.exchange(frame, opened.batch)) };
            match outcome {
                (Ended::Answered(Status::OK), _) => {}
                (Ended::Answered(_), said) => return Err(format!("it did not open again: {said}")),
                (Ended::Trapped(Trapped { message, .. }), _) => {
                    return Err(format!("it did not open again: {message}"));
                }
                (Ended::Broken(why), _) => return Err(format!("it did not open again: {why}")),
                (Ended::Unable(unable), _) => {
                    return Err(format!("it did not open again: {}", unable_to_cross(&unable, live.full())));
                }
            }
        }
        self.live = Some(live);
        Ok(())
    }

    /// Calls the handler.
    ///
    /// # Safety
    /// As [`Driven::call`].
    #[inline]
    unsafe fn exchange(&mut self, frame: *mut FrameHead, of: u16) -> Status {
        let Some(live) = &mut self.live else { return Status::FAILED };
        let batch = match of {
            kind::OPEN => {
                live.services(self.services);
                // SAFETY: the caller's promise, here and below.
                unsafe { (*frame.cast::<OpenFrame>()).batch }
            }
            _ => self.opened.as_ref().map_or(0, |opened| opened.batch),
        };
        // SAFETY: as above.
        match unsafe { live.exchange(frame, batch) } {
            Ended::Answered(status) => {
                if status == Status::FAILED
                    && let Some(full) = live.full()
                {
                    // SAFETY: as above.
                    unsafe { explain(frame, full) };
                }
                status
            }
            // SAFETY: as above.
            Ended::Unable(unable) => unsafe { refuse(frame, &unable, live.full()) },
            // SAFETY: as above.
            Ended::Trapped(trapped) => unsafe { self.trapped(&trapped, frame, of) },
            Ended::Broken(why) => {
                self.gone(why);
                // SAFETY: as above.
                unsafe { tell(frame, "trap", &format!("it broke the rules of the boundary: {why}")) };
                Status::FAILED
            }
        }
    }

    /// # Safety
    /// As [`Driven::call`].
    #[cold]
    unsafe fn trapped(&mut self, trapped: &Trapped, frame: *mut FrameHead, of: u16) -> Status {
        self.gone(&trapped.message);
        // SAFETY: the caller's promise.
        unsafe { trapped.tell(frame, of, self.one_by_one) }
    }

    /// The instance is of no more use.
    #[cold]
    fn gone(&mut self, why: &str) {
        let handler = &self.handler.loaded.name;
        tracing::warn!(target: "upcall::handler", handler, "its instance is gone, with what it held: {why}");
        self.live = None;
    }
}

impl Trapped {
    /// Says in the frame what has happened, and to which item.
    ///
    /// # Safety
    /// `frame` must be the one that was called with.
    unsafe fn tell(&self, frame: *mut FrameHead, of: u16, one_by_one: bool) -> Status {
        let item = match of {
            // SAFETY: the caller's promise.
            kind::FLOW => culprit(unsafe { &*frame.cast::<FlowFrame>() }, one_by_one),
            _ => ErrorSlot::NO_ITEM,
        };
        let Trapped { type_name, message, stack } = self;
        // SAFETY: as above; the slot has room of its own.
        unsafe {
            let output = (*frame).base[base::OUTPUT];
            (*frame).error.write(output, item, type_name, message, stack);
        }
        Status::FAILED
    }
}

/// The item that was being handled. A batch handler handles several at a time, so that nobody knows which: the engine hands
/// them over one by one. So it does before the first is done where a handler has not said that it takes them `one_by_one`.
fn culprit(frame: &FlowFrame, one_by_one: bool) -> u32 {
    let reports = frame.progress.iter().any(|progress| *progress != Progress::NONE);
    match (frame.items.len, frame.done) {
        (1, 0) => 0,
        (_, 0) if one_by_one => 0,
        (_, 0) => ErrorSlot::NO_ITEM,
        _ if reports => ErrorSlot::NO_ITEM,
        (_, done) => done,
    }
}

/// Why a frame does not cross.
///
/// # Safety
/// As [`Driven::call`].
#[cold]
unsafe fn refuse(frame: *mut FrameHead, unable: &Unable, full: Option<Refused>) -> Status {
    // SAFETY: the caller's promise.
    unsafe { tell(frame, "frame", &unable_to_cross(unable, full)) };
    Status::FAILED
}

fn unable_to_cross(unable: &Unable, full: Option<Refused>) -> String {
    match unable {
        Unable::Full => no_room("the batch", full),
        Unable::Short => "OPEN is cut short: build engine and handler with the same version".to_owned(),
        Unable::Kind(of) => {
            let of = kind::name(*of).map_or_else(|| of.to_string(), str::to_owned);
            format!("{of} frames do not cross into WebAssembly: give the engine another handler")
        }
    }
}

/// Adds to a failure why the host had no room for what the handler has asked for: the handler itself was told no more than that
/// it does not get it.
///
/// # Safety
/// `frame` must be a whole frame of its kind, as the handler has answered it.
#[cold]
unsafe fn explain(frame: *mut FrameHead, full: Refused) {
    // SAFETY: the caller's promise: the slot is written, and has room of its own.
    unsafe {
        let CallFailed { item, type_name, message, stack } = CallFailed::of(&*frame);
        let (item, why) = (item.unwrap_or(ErrorSlot::NO_ITEM), no_room("more", Some(full)));
        let output = (*frame).base[base::OUTPUT];
        let message = format!("{message}; {why}");
        (*frame).error.write(output, item, &type_name, message.trim_start_matches("; "), &stack);
    }
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `of` made the state, one call at a time; the engine passes a whole frame.
    unsafe { (*state.cast::<Driven>()).call(frame) }
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `of` made it, and release is called once.
    drop(unsafe { Box::from_raw(state.cast::<Driven>()) });
}
