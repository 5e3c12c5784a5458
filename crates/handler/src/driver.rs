//! The driver: from the C entry to a handler and back. The one place where a handler's panic is caught.

use crate::emit::Agreed;
use crate::failure::Told;
use crate::open::{Names, Open, first_emit, pools};
use crate::{Batch, Drive, Emit, Failure};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::panic;
use std::ptr;
use std::sync::Once;
use upcall_abi::caught::{self, quietly};
use upcall_abi::{Entry, ErrorSlot, FlowFrame, FrameHead, Instance, OpenFrame, Record, Status, base, kind};

/// An instance around a handler, for this thread. CLOSE drops the handler; where there was none, the end of
/// the instance does.
pub fn instance(handler: impl Drive) -> Instance {
    silence_caught_panics();
    let driven = Box::new(Driven { handler: Box::new(handler), names: Names::default() });
    // SAFETY: `call` answers every frame, and the entry is given away here, not `Send` as the instance is not.
    unsafe { Instance::new(Entry { call, state: Box::into_raw(driven).cast(), release: Some(release) }) }
}

/// What the entry's state points to.
struct Driven {
    handler: Box<dyn Drive>,
    names: Names,
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `instance` made it, and release is called once.
    let driven = unsafe { Box::from_raw(state.cast::<Driven>()) };
    // Without a CLOSE the services may have ended before.
    driven.names.services.set(ptr::null());
    quietly(|| drop(driven));
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `instance` made the state; one call at a time.
    let driven = unsafe { &mut *state.cast::<Driven>() };
    // SAFETY: the engine passes a valid frame.
    if let Err(refused) = unsafe { FrameHead::check(frame) } {
        return refused;
    }
    // SAFETY: the frame has the type that its kind tells, and is long enough for it.
    let outcome = unsafe {
        match (*frame).kind {
            kind::FLOW => driven.run(frame.cast()),
            kind::FLUSH => driven.flush(frame.cast()),
            kind::OPEN => driven.open(&*frame.cast()),
            kind::CLOSE => driven.close(),
            // PING; no other was let through.
            _ => Ok(()),
        }
    };
    match outcome {
        Ok(()) => Status::OK,
        Err(Failed { failure, item }) => {
            // SAFETY: the frame is valid and its error slot ours until we return.
            unsafe {
                let output = (*frame).base[base::OUTPUT];
                let Told { type_name, message, stack } = failure.parts();
                (*frame).error.write(output, item, type_name, message, stack);
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

impl Driven {
    fn open(&mut self, frame: &OpenFrame) -> Result<(), Failed> {
        let opened = caught(|| {
            // SAFETY: the engine's pool entries are valid during OPEN.
            self.names.pools = unsafe { pools(frame.pools, frame.head.base[base::BATCH]) };
            self.names.default = first_emit(&self.names.pools);
            self.names.agreed = Agreed::default();
            self.names.senders = Open::new(frame, &self.names).senders();
            self.names.services.set(frame.services);
            self.handler.open(&Open::new(frame, &self.names))
        });
        opened.map_err(Failed::whole)
    }

    /// Drops the handler, which may use the services until it is gone, and takes them from whoever kept them.
    fn close(&mut self) -> Result<(), Failed> {
        let handler = std::mem::replace(&mut self.handler, Box::new(Closed));
        let closed = caught(|| {
            drop(handler);
            Ok(())
        });
        self.names.services.set(ptr::null());
        closed.map_err(Failed::whole)
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn run(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise; emitter and batch use different fields of the frame.
        let mut emit = unsafe { Emit::new(frame, &self.names) };
        // SAFETY: as above.
        let mut batch = unsafe { Batch::new(frame, &self.names, emit.mark()) };
        match caught(|| self.handler.run(&mut batch, &mut emit)) {
            Ok(()) => Ok(()),
            Err(failure) => {
                // SAFETY: the mark is of this call, and nothing was forgotten in it.
                unsafe { emit.truncate(batch.mark) };
                let item = if emit.item() == Record::NO_ITEM { ErrorSlot::NO_ITEM } else { emit.item() };
                Err(Failed { failure, item })
            }
        }
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn flush(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise.
        let mut emit = unsafe { Emit::new(frame, &self.names) };
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
}

/// What stands in for a handler that CLOSE has dropped.
struct Closed;

impl Closed {
    fn refuse() -> Result<(), Failure> {
        Err(Failure::new("the handler was called after CLOSE, which ends it"))
    }
}

impl Drive for Closed {
    fn open(&mut self, _: &Open<'_>) -> Result<(), Failure> {
        Closed::refuse()
    }

    fn run(&mut self, _: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        Closed::refuse()
    }

    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        Closed::refuse()
    }
}

/// The panic barrier: nothing unwinds out of an entry. The handler may be left half-way through a change
/// of its own state; it is called again all the same, as after any failure.
#[inline]
fn caught(body: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
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
