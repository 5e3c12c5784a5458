//! The driver: from the C entry to a handler and back. The one place where a handler's panic is caught.

use crate::open::{Names, first_emit, pools};
use crate::{Batch, Drive, Emit, Failure, Open};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use upcall_abi::{Entry, ErrorSlot, FlowFrame, FrameHead, OpenFrame, Record, Services, Status, base, kind};

/// The entry of an instance. It owns `handler` and drops it on release; it must be used and released on
/// the thread that uses the handler.
pub fn entry(handler: impl Drive) -> Entry {
    silence_caught_panics();
    let instance: Box<Instance> = Box::new(Instance {
        handler: Box::new(handler),
        names: Names::default(),
        services: std::ptr::null(),
    });
    Entry { call, state: Box::into_raw(instance).cast(), release: Some(release) }
}

struct Instance {
    handler: Box<dyn Drive>,
    names: Names,
    services: *const Services,
}

unsafe extern "C" fn release(state: *mut c_void) {
    let drop_it = AssertUnwindSafe(|| {
        // SAFETY: `entry` made it, and release is called once.
        drop(unsafe { Box::from_raw(state.cast::<Instance>()) });
    });
    // A panic in a destructor has nobody left to be told.
    let _ = panic::catch_unwind(drop_it);
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `entry` made the state; one call at a time.
    let instance = unsafe { &mut *state.cast::<Instance>() };
    // SAFETY: the engine passes a valid frame.
    if let Err(refused) = unsafe { FrameHead::check(frame) } {
        return refused;
    }
    // SAFETY: the frame has the type that its kind tells, and is long enough for it.
    let outcome = unsafe {
        match (*frame).kind {
            kind::FLOW => instance.run(frame.cast()),
            kind::FLUSH => instance.flush(frame.cast()),
            kind::OPEN => instance.open(&*frame.cast()),
            // CLOSE and PING; no other was let through.
            _ => Ok(()),
        }
    };
    match outcome {
        Ok(()) => Status::OK,
        Err(Failed { failure, item }) => {
            // SAFETY: the frame is valid and its error slot ours until we return.
            unsafe {
                let output = (*frame).base[base::OUTPUT];
                (*frame).error.write(output, item, &failure.type_name, &failure.message, &failure.stack);
            }
            Status::FAILED
        }
    }
}

/// A failure, and the item that it concerns.
struct Failed {
    failure: Failure,
    item: u32,
}

impl Failed {
    fn whole(failure: Failure) -> Failed {
        Failed { failure, item: ErrorSlot::NO_ITEM }
    }
}

impl Instance {
    fn open(&mut self, frame: &OpenFrame) -> Result<(), Failed> {
        self.services = frame.services;
        let opened = caught(|| {
            // SAFETY: the engine's pool entries are valid during OPEN.
            let pools = unsafe { pools(frame.pools, frame.head.base[base::BATCH]) };
            let senders = Open::new(frame, &pools).senders();
            self.names = Names { default: first_emit(&pools), pools, senders };
            self.handler.open(&Open::new(frame, &self.names.pools))
        });
        opened.map_err(Failed::whole)
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn run(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise; emitter and batch use different fields of the frame.
        let mut emit = unsafe { Emit::new(frame, &self.names, self.services) };
        // SAFETY: as above.
        let mut batch = unsafe { Batch::new(frame, &self.names, emit.mark()) };
        match caught(|| self.handler.run(&mut batch, &mut emit)) {
            Ok(()) => Ok(()),
            Err(failure) => {
                emit.truncate(batch.mark);
                let item = if emit.item() == Record::NO_ITEM { ErrorSlot::NO_ITEM } else { emit.item() };
                Err(Failed { failure, item })
            }
        }
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn flush(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        let mut emit = unsafe { Emit::new(frame, &self.names, self.services) };
        let start = emit.mark();
        let outcome = caught(|| {
            self.handler.flush(&mut emit)?;
            emit.check()
        });
        outcome.map_err(|failure| {
            emit.truncate(start);
            Failed::whole(failure)
        })
    }
}

/// The panic barrier: nothing unwinds out of an entry. The handler may be left half-way through a change
/// of its own state; it is called again all the same, as after any failure.
#[inline]
fn caught(body: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    let outer = CATCHING.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(body));
    CATCHING.set(outer);
    outcome.unwrap_or_else(|payload| Err(from_panic(payload)))
}

#[cold]
fn from_panic(payload: Box<dyn Any + Send>) -> Failure {
    let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (_, Some(text)) => text.clone(),
        _ => "a payload that is not text".to_owned(),
    };
    Failure { type_name: "panic".into(), message, stack: PLACE.take() }
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A panic that will be caught is not printed: it goes to the error slot, with its place and backtrace.
fn silence_caught_panics() {
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
