//! From a FLOW frame to a handler's methods and back, once per item, in native code.

use super::call::Call;
use super::form::Forms;
use super::state::{Pool, Shared, State};
use super::{batch, emit, object};
use crate::body::{Body, Failed};
use crate::context;
use crate::failure::{self, Failure};
use crate::ffi;
use crate::forked::Process;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::support;
use std::rc::Rc;
use upcall_abi::{BatchFrame, DescribeWriter, FlowFrame, FlowOpen, FrameHead, OpenFrame, Record, base};

/// The body for a handler with `on_object`, or `on_batch` if `batched`.
pub fn body(handler: &Ref, batched: bool) -> Outcome<Box<dyn Body>> {
    let method = if batched {
        Method::Batch(handler.get(c"on_batch")?)
    } else {
        let bound = handler.get(c"on_object")?;
        match bound.find(c"__func__")? {
            Some(function) if bound.get(c"__self__")?.as_ptr() == handler.as_ptr() => {
                Method::Object(function, true)
            }
            _ => Method::Object(bound, false),
        }
    };
    let flush = handler.find(c"flush")?;
    let shared = Rc::new(Shared::new(Forms::of(handler)?));
    let state = Rc::new(State::new(shared, Call::new()));
    let emit = emit::new(&state)?;
    let handler = handler.clone();
    Ok(Box::new(FlowBody { handler, method, flush, emit, objects: [const { None }; 4], state, never: None }))
}

/// OPEN: takes over what the flow adds. Returns the context of the handler's `open`.
pub fn opened(shared: &Shared, frame: &OpenFrame) -> Outcome<Ref> {
    // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
    let Some(added) = (unsafe { FlowOpen::of(frame) }) else {
        let message = "OPEN has no pools: build engine and handler with the same version";
        return Err(py::raise(Kind::Runtime, message));
    };
    // SAFETY: as above, for what it points to.
    unsafe { shared.open(added, frame.head.base[base::BATCH])? };
    let pool = |pool: &Pool| {
        let value_type = py::text(pool.value_type.as_bytes())?;
        py::tuple(&[&pool.path, &value_type, &py::int(u64::from(pool.access))?])
    };
    let pools = py::list(shared.pools().len(), |index| pool(&shared.pools()[index]))?;
    let senders = py::list(shared.senders().len(), |index| Ok(shared.senders()[index].clone()))?;
    context::of(frame, &[&pools, &senders])
}

struct FlowBody {
    handler: Ref,
    method: Method,
    flush: Option<Ref>,
    emit: Ref,
    /// The object that the next item is shown through, by kind.
    objects: [Option<Ref>; 4],
    state: Rc<State>,
    /// What emitters that were kept emit into: a state that is never in a call.
    never: Option<Rc<State>>,
}

/// How the handler takes its items.
enum Method {
    /// `on_object`: what to call, and whether with the handler itself: a plain function of its class, which saves the
    /// bound method.
    Object(Ref, bool),
    /// `on_batch`.
    Batch(Ref),
}

impl Body for FlowBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::FLOW
    }

    fn describe(&self, describe: &mut DescribeWriter<'_>) {
        describe.form(match self.method {
            Method::Object(..) => "object",
            Method::Batch(_) => "batch",
        });
        self.state.forms.describe(describe);
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref> {
        opened(&self.state, frame)
    }

    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let (frame, state) = (frame.cast(), self.state.clone());
        // SAFETY: the caller's promise.
        unsafe {
            state.call.during(frame, || match self.method {
                Method::Batch(_) => self.run_batch(frame),
                Method::Object(..) => self.run_objects(frame),
            })
        }
    }

    unsafe fn flush(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let Some(flush) = &self.flush else { return Ok(()) };
        let call = &self.state.call;
        let body = || {
            let start = call.mark();
            call.open(Record::NO_ITEM);
            let outcome = flush.call(&[&self.emit]);
            call.close();
            let outcome =
                outcome.map_err(failure::take).and(end(&mut self.emit, &mut self.never, &self.state));
            if outcome.is_err() {
                // SAFETY: made above, in this call, which ends here.
                unsafe { call.truncate(start) };
            }
            outcome.map_err(Failed::whole)
        };
        // SAFETY: the caller's promise.
        unsafe { call.during(frame.cast(), body) }
    }

    fn interrupted(&mut self) {
        self.objects = [const { None }; 4];
        // What was kept fails as what was interrupted does.
        let _ = self.state.end().map_err(failure::forget);
    }

    fn closed(&mut self) {
        self.state.services.set(std::ptr::null());
    }
}

/// Ends what a call left, and its emitter if the handler has kept that: the next call has another.
fn end(emit: &mut Ref, never: &mut Option<Rc<State>>, state: &Rc<State>) -> Result<(), Failure> {
    let ended = state.end().map_err(failure::take);
    if emit::is_ours(emit) {
        return ended;
    }
    emit::end(emit, never.get_or_insert_with(|| Rc::new(state.never())));
    match emit::new(state) {
        Ok(new) => *emit = new,
        Err(raised) => return ended.and(Err(failure::take(raised))),
    }
    ended
}

/// Whether what a handler has returned says that it is done: anything but what is to be awaited, which nobody would do.
fn done(returned: &Ref) -> Outcome<()> {
    if returned.is_none() || !returned.is_awaitable() {
        return Ok(());
    }
    Err(support::call(c"not_awaited", &[returned]).err().unwrap_or(Raised))
}

impl FlowBody {
    /// # Safety
    /// `frame` must be the one of the state's call.
    unsafe fn run_batch(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        let Method::Batch(on_batch) = &self.method else { return Ok(()) };
        let state = &self.state;
        let moment = state.call.open(Record::NO_ITEM);
        let batch = batch::new(moment, state, state.call.mark())?;
        // The exception is described at once: its frames hold what is ended next.
        let called = on_batch.call(&[&batch, &self.emit]).map(drop).map_err(failure::take);
        state.call.close();
        let mark = batch::mark(&batch);
        drop(batch);
        match called.and(end(&mut self.emit, &mut self.never, state)) {
            Ok(()) => {
                // SAFETY: the caller's promise.
                unsafe { FlowFrame::report(frame, (*frame).items.len as u32) };
                Ok(())
            }
            Err(failure) => {
                // SAFETY: made in this call, which ends here.
                unsafe { state.call.truncate(mark) };
                Err(Failed::whole(failure))
            }
        }
    }

    /// # Safety
    /// As [`FlowBody::run_batch`].
    unsafe fn run_objects(&mut self, frame: *mut FlowFrame) -> Result<(), Failed> {
        let Method::Object(function, with_self) = &self.method else { return Ok(()) };
        let vectorcall = ffi::vectorcall();
        let state = &self.state;
        // SAFETY: the caller's promise.
        let count = unsafe { (*frame).items.len as usize };
        let mut arguments =
            [std::ptr::null_mut(), self.handler.as_ptr(), std::ptr::null_mut(), self.emit.as_ptr()];
        let (from, given) = if *with_self { (1, 3) } else { (2, 2) };
        let process = Process::this();
        for index in 0..count {
            // SAFETY: `index` is less than their count.
            let place = unsafe { state.call.open_item(index as u32) };
            let mark = state.call.mark();
            let kind = state.reads.kind();
            let object = match &self.objects[kind] {
                Some(object) => object.as_ptr(),
                None => {
                    let new = object::new(kind, state).map_err(|raised| Failed::at(raised, index))?;
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
                    outcome = Ref::steal(returned).and_then(|returned| done(&returned));
                }
                let outcome = outcome.map_err(failure::take);
                state.call.close();
                (outcome, object::end(object.cast()))
            };
            if !reusable {
                self.objects[kind] = None;
            }
            let outcome = if state.views.is_empty() && emit::is_ours(&self.emit) {
                outcome
            } else {
                let ended = end(&mut self.emit, &mut self.never, state);
                arguments[3] = self.emit.as_ptr();
                outcome.and(ended)
            };
            if let Err(failure) = outcome {
                // SAFETY: made for this item, and the call ends here.
                unsafe { state.call.truncate(mark) };
                return Err(Failed { failure, item: index as u32 });
            }
            if process.is_over() {
                return Ok(());
            }
            // SAFETY: the caller's promise.
            unsafe { FlowFrame::finish(frame, index as u32 + 1) };
        }
        Ok(())
    }
}
