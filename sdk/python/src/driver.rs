//! The driver: from the C entry to a handler's methods and back, once per item, in native code.

use crate::attach::Attached;
use crate::batch;
use crate::emit;
use crate::failure::{self, Failure};
use crate::ffi;
use crate::form::Forms;
use crate::log;
use crate::object;
use crate::py::{Outcome, Raised, Ref};
use crate::state::State;
use crate::support::{self, Natives};
use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use upcall_abi::{ErrorSlot, FlowFrame, FrameHead, OpenFrame, Record, Status, base, kind};

/// One instance of a handler: what an entry's state points to.
pub struct Instance {
    handler: Ref,
    method: Method,
    flush: Option<Ref>,
    emit: Ref,
    /// The object that the next item is shown through, by kind.
    objects: [Option<Ref>; 4],
    state: Rc<State>,
}

/// How the handler takes its items.
enum Method {
    /// `on_object`: what to call, and the handler itself where that is a plain function of its class, which
    /// saves the bound method.
    Object(Ref, bool),
    /// `on_batch`.
    Batch(Ref),
}

/// A failure and the item that it is of.
type Failed = (Failure, u32);

impl Instance {
    /// An instance around a handler object.
    pub fn new(handler: Ref) -> Outcome<Instance> {
        let natives = Natives::get();
        let batched = support::call(c"takes_batches", &[&handler])?;
        // SAFETY: `True` is always alive.
        let method = if batched.as_ptr() == unsafe { ffi::Py_True() } {
            Method::Batch(handler.get(c"on_batch")?)
        } else {
            let bound = handler.get(c"on_object")?;
            match optional(&bound, c"__func__")? {
                Some(function) if bound.get(c"__self__")?.as_ptr() == handler.as_ptr() => {
                    Method::Object(function, true)
                }
                _ => Method::Object(bound, false),
            }
        };
        let flush = optional(&handler, c"flush")?;
        let state = Rc::new(State::new(natives.exporter.clone(), Forms::of(&handler)?));
        let emit = emit::new(&state)?;
        Ok(Instance { handler, method, flush, emit, objects: [const { None }; 4], state })
    }

    /// Handles one frame, on an attached thread.
    ///
    /// # Safety
    /// `frame` must be valid for the bytes that its `size` says.
    pub unsafe fn handle(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise.
        if let Err(refused) = unsafe { FrameHead::check(frame) } {
            return refused;
        }
        // SAFETY: checked above: the frame is of the type that its kind tells.
        let outcome = unsafe {
            let kind = (*frame).kind;
            let services = if kind == kind::OPEN {
                (*frame.cast::<OpenFrame>()).services
            } else {
                self.state.services.get()
            };
            // SAFETY: services are valid until CLOSE has returned.
            let _log = log::to(services);
            match kind {
                kind::FLOW => self.run(frame.cast()),
                kind::FLUSH => self.flush(frame.cast()).map_err(whole),
                kind::OPEN => self.open(&*frame.cast()).map_err(whole),
                kind::CLOSE => self.close().map_err(whole),
                _ => Ok(()),
            }
        };
        match outcome {
            Ok(()) => Status::OK,
            Err((failure, item)) => {
                // SAFETY: the frame is valid and its error slot ours until we return.
                unsafe { report(frame, &failure, item) };
                Status::FAILED
            }
        }
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<()> {
        self.state.open(frame)?;
        let context = crate::context::of(frame, &self.state)?;
        match optional(&self.handler, c"open")? {
            Some(open) => open.call(&[&context]).map(drop),
            None => Ok(()),
        }
    }

    fn close(&mut self) -> Outcome<()> {
        let closed = match optional(&self.handler, c"close") {
            Ok(Some(close)) => close.call(&[]).map(drop),
            Ok(None) => Ok(()),
            Err(raised) => Err(raised),
        };
        let flushed = match closed {
            Ok(()) => support::call(c"flush_output", &[]).map(drop),
            raised => raised,
        };
        self.state.services.set(std::ptr::null());
        flushed
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn flush(&mut self, frame: *mut FlowFrame) -> Outcome<()> {
        let Some(flush) = &self.flush else { return Ok(()) };
        let call = &self.state.call;
        // SAFETY: the caller's promise; the call is ended before the frame is.
        unsafe { call.begin(frame) };
        let start = call.mark();
        call.open(Record::NO_ITEM);
        let outcome = flush.call(&[&self.emit]);
        call.close();
        if outcome.is_err() {
            // SAFETY: made above, in this call, which ends here.
            unsafe { call.truncate(start) };
        }
        call.end();
        outcome.map(drop)
    }

    /// # Safety
    /// `frame` must be a valid flow frame.
    unsafe fn run(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        // SAFETY: the caller's promise; the call is ended before the frame is.
        unsafe {
            self.state.call.begin(frame);
            let outcome = match &self.method {
                Method::Batch(on_batch) => {
                    let on_batch = on_batch.clone();
                    self.run_batch(&on_batch, frame)
                }
                Method::Object(..) => self.run_objects(frame),
            };
            self.state.call.end();
            outcome
        }
    }

    /// # Safety
    /// `frame` must be the one of the state's call.
    unsafe fn run_batch(&mut self, on_batch: &Ref, frame: *mut FlowFrame) -> Result<(), Failed> {
        let state = &self.state;
        let moment = state.call.open(Record::NO_ITEM);
        let batch = batch::new(moment, state, state.call.mark()).map_err(whole)?;
        // The exception is described at once: its frames hold what is ended next.
        let called = on_batch.call(&[&batch, &self.emit]).map(drop).map_err(failure::take);
        state.call.close();
        let mark = batch::mark(&batch);
        drop(batch);
        let ended = state.end().map_err(failure::take);
        match called.and(ended) {
            Ok(()) => {
                // SAFETY: the caller's promise.
                unsafe { (*frame).done = (*frame).items.len as u32 };
                Ok(())
            }
            Err(failure) => {
                // SAFETY: made in this call, which ends here.
                unsafe { state.call.truncate(mark) };
                Err((failure, ErrorSlot::NO_ITEM))
            }
        }
    }

    /// # Safety
    /// As [`Instance::run_batch`].
    unsafe fn run_objects(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        let Method::Object(function, with_self) = &self.method else { return Ok(()) };
        let vectorcall = ffi::vectorcall();
        let state = &self.state;
        // SAFETY: the caller's promise.
        let count = unsafe { (*frame).items.len as usize };
        let mut arguments =
            [std::ptr::null_mut(), self.handler.as_ptr(), std::ptr::null_mut(), self.emit.as_ptr()];
        let (from, given) = if *with_self { (1, 3) } else { (2, 2) };
        for index in 0..count {
            // SAFETY: `index` is less than their count.
            let place = unsafe { state.call.open_item(index as u32) };
            let mark = state.call.mark();
            let kind = state.reads.kind();
            let object = match &self.objects[kind] {
                Some(object) => object.as_ptr(),
                None => {
                    let new = object::new(kind, state).map_err(|raised| at(raised, index))?;
                    self.objects[kind].insert(new).as_ptr()
                }
            };
            // SAFETY: arguments are alive during the call, and the place before the first is ours to lend, as the
            // flag says; the object is empty, as `end` left it, and nobody else has it.
            let (outcome, reusable) = unsafe {
                let mut outcome = object::begin(object.cast(), kind, place);
                if outcome.is_ok() {
                    arguments[2] = object;
                    let flags = given | (1usize << (usize::BITS - 1));
                    let returned = vectorcall(
                        function.as_ptr(),
                        arguments.as_ptr().add(from),
                        flags,
                        std::ptr::null_mut(),
                    );
                    outcome = Ref::steal(returned).map(drop);
                }
                let outcome = outcome.map_err(failure::take);
                state.call.close();
                (outcome, object::end(object.cast()))
            };
            if !reusable {
                self.objects[kind] = None;
            }
            let outcome = if state.views.is_empty() {
                outcome
            } else {
                outcome.and(state.end().map_err(failure::take))
            };
            if let Err(failure) = outcome {
                // SAFETY: made for this item, and the call ends here.
                unsafe { state.call.truncate(mark) };
                return Err((failure, index as u32));
            }
            // SAFETY: the caller's promise.
            unsafe { (*frame).done = index as u32 + 1 };
        }
        Ok(())
    }
}

/// The attribute, if it is there. One that raises anything but `AttributeError` is.
fn optional(object: &Ref, name: &CStr) -> Outcome<Option<Ref>> {
    match object.get(name) {
        Ok(found) => Ok(Some(found)),
        // SAFETY: this thread is attached, and an exception is set.
        Err(raised) if unsafe { ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) } != 0 => {
            failure::forget(raised);
            Ok(None)
        }
        Err(raised) => Err(raised),
    }
}

fn whole(raised: Raised) -> Failed {
    (failure::take(raised), ErrorSlot::NO_ITEM)
}

fn at(raised: Raised, index: usize) -> Failed {
    (failure::take(raised), index as u32)
}

/// # Safety
/// The frame must be valid and its error slot ours.
unsafe fn report(frame: *mut FrameHead, failure: &Failure, item: u32) {
    // SAFETY: the caller's promise.
    unsafe {
        let output = (*frame).base[base::OUTPUT];
        (*frame).error.write(output, item, &failure.type_name, &failure.message, &failure.stack);
    }
}

/// The entry's `call`: attaches, and lets nothing unwind into the engine.
///
/// # Safety
/// `state` must be an [`Instance`], `frame` valid and of the type that its kind tells.
pub unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    let body = AssertUnwindSafe(|| {
        let _attached = Attached::now();
        // SAFETY: the caller's promise; one call at a time.
        unsafe { (*state.cast::<Instance>()).handle(frame) }
    });
    catch_unwind(body).unwrap_or_else(|_| {
        let failure = Failure::new("panic", "the Python driver panicked: this is a bug of Upcall");
        // SAFETY: the frame is valid.
        unsafe { report(frame, &failure, ErrorSlot::NO_ITEM) };
        Status::FAILED
    })
}

/// The entry's `release`.
///
/// # Safety
/// `state` must be an [`Instance`] that nobody uses any more.
pub unsafe extern "C" fn release(state: *mut c_void) {
    let _attached = Attached::now();
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(state.cast::<Instance>()) });
}
