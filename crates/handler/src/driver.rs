//! The driver's lifecycle: from the C entry to a handler's body and back. The one place where a handler's panic is caught.

use crate::body::{Body, Failed, IntoBody};
use crate::context::{Lent, unlent};
use crate::failure::Told;
use crate::{Context, Describe, Ended, Failure};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic;
use std::ptr;
use std::sync::Once;
use upcall_abi::caught::{self, quietly};
use upcall_abi::{
    BatchFrame, CancelFrame, DescribeFrame, DescribeWriter, Entry, FrameHead, Instance, OpenFrame, Services,
    Status, Writer, base, kind,
};

/// An instance around a handler, for this thread. CLOSE drops the handler; where there was none, the end of
/// the instance does.
pub fn instance(handler: impl IntoBody) -> Instance {
    drive(handler.into_body())
}

/// As [`instance`], around a body.
pub(crate) fn drive(body: Box<dyn Body>) -> Instance {
    silence_caught_panics();
    let driven = Box::new(Driven { batch: body.batch(), body, services: unlent() });
    // SAFETY: `call` answers every frame, and the entry is given away here, not `Send` as the instance is not.
    unsafe { Instance::new(Entry { call, state: Box::into_raw(driven).cast(), release: Some(release) }) }
}

/// What the entry's state points to.
struct Driven {
    batch: BatchFrame,
    body: Box<dyn Body>,
    services: Lent<Services>,
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `instance` made it, and release is called once.
    let mut driven = unsafe { Box::from_raw(state.cast::<Driven>()) };
    // Without a CLOSE the services may have ended before.
    driven.services.set(ptr::null());
    quietly(|| driven.body.closed());
    quietly(|| drop(driven));
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `instance` made the state; one call at a time.
    let driven = unsafe { &mut *state.cast::<Driven>() };
    // SAFETY: the engine passes a valid frame.
    if let Err(refused) = unsafe { FrameHead::check(frame, driven.batch) } {
        return refused;
    }
    // SAFETY: the frame has the type that its kind tells, and is long enough for it.
    unsafe {
        // A batch goes straight to the body, as there are many of them; no other than of its kind was let through.
        if (*frame).kind == driven.batch.kind() { driven.body.run(frame) } else { step(driven, frame) }
    }
}

/// A frame without a batch: a step of the handler's life.
///
/// # Safety
/// `frame` must be a frame that was checked.
#[inline(never)]
unsafe fn step(driven: &mut Driven, frame: *mut FrameHead) -> Status {
    // SAFETY: the frame has the type that its kind tells, and is long enough for it.
    unsafe {
        match (*frame).kind {
            kind::FLUSH => driven.body.flush(frame),
            kind::OPEN => answer(frame, driven.open(&*frame.cast())),
            kind::CLOSE => answer(frame, driven.close()),
            kind::DESCRIBE => answer(frame, driven.describe(frame.cast())),
            kind::PING => Status::OK,
            // CANCEL; no other was let through.
            _ => driven.cancel(&*frame.cast()),
        }
    }
}

/// The answer to a frame; a failure goes into its error slot.
///
/// # Safety
/// `frame` must be valid, and its error slot the caller's alone.
#[inline]
pub(crate) unsafe fn answer(frame: *mut FrameHead, outcome: Result<(), Failed>) -> Status {
    match outcome {
        Ok(()) => Status::OK,
        // SAFETY: the caller's promise.
        Err(failed) => unsafe { tell(frame, &failed) },
    }
}

/// # Safety
/// As [`answer`].
#[cold]
unsafe fn tell(frame: *mut FrameHead, Failed { failure, item }: &Failed) -> Status {
    let Told { type_name, message, stack } = failure.parts();
    // SAFETY: the caller's promise.
    unsafe {
        let output = (*frame).base[base::OUTPUT];
        (*frame).error.write(output, *item, type_name, message, stack);
    }
    Status::FAILED
}

impl Driven {
    fn open(&mut self, frame: &OpenFrame) -> Result<(), Failed> {
        // What the engine adds is of its own kind: another body would misread it.
        if frame.batch != self.batch.kind() {
            let name = |kind| kind::name(kind).unwrap_or("other");
            return Err(Failed::whole(Failure::new(format!(
                "it takes {} frames, and the engine calls with {} frames: give it another handler",
                name(self.batch.kind()),
                name(frame.batch)
            ))));
        }
        self.services.set(frame.services);
        caught(|| self.body.open(&Context::new(frame, &self.services), frame)).map_err(Failed::whole)
    }

    fn cancel(&mut self, frame: &CancelFrame) -> Status {
        let cancelled = caught(|| {
            self.body.cancel(frame.call, Ended::from_why(frame.why));
            Ok(())
        });
        // What it panics with has nobody to be told to; its frame is completed all the same.
        drop(cancelled);
        Status::OK
    }

    fn close(&mut self) -> Result<(), Failed> {
        let closed = caught(|| {
            self.body.close();
            Ok(())
        });
        self.services.set(ptr::null());
        self.body.closed();
        closed.map_err(Failed::whole)
    }

    /// # Safety
    /// `frame` must be a valid frame.
    unsafe fn describe(&mut self, frame: *mut DescribeFrame) -> Result<(), Failed> {
        let described = caught(|| {
            // SAFETY: the caller's promise; nobody else uses the output.
            let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
            let mut describe = Describe { writer: DescribeWriter::new(&mut writer) };
            describe.writer.kind(self.batch.kind());
            self.body.describe(&mut describe)?;
            let no_room = || Failure::new("the engine gives no room for the description");
            if describe.writer.is_whole() { Ok(()) } else { Err(no_room()) }
        });
        described.map_err(Failed::whole)
    }
}

/// The panic barrier: nothing unwinds out of an entry. The handler may be left half-way through a change
/// of its own state; it is called again all the same, as after any failure.
#[inline]
pub(crate) fn caught(body: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let outer = CATCHING.replace(true);
    let outcome = caught::caught(body);
    CATCHING.set(outer);
    outcome.unwrap_or_else(|message| Err(from_panic(message)))
}

#[cold]
fn from_panic(message: String) -> Failure {
    Failure::told("panic", message, PLACE.take())
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic that will be caught is not printed: it goes to the error slot, with its place and backtrace.
fn silence_caught_panics() {
    // Nothing is caught there, and the host has been told: `crate::wasm`.
    if cfg!(target_arch = "wasm32") {
        return;
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                return previous(info);
            }
            let place = info.location().map_or_else(String::new, |place| format!("at {place}\n"));
            let trace = std::backtrace::Backtrace::capture().to_string();
            let trace = if trace.starts_with("disabled") { String::new() } else { trace };
            PLACE.set(place + &trace);
        }));
    });
}
