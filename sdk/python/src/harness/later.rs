//! Objects that a handler is handed one by one, and answers later.

use super::flow::{Fed, emitted};
use super::{Inner, failed, number};
use crate::attach::Attached;
use crate::failure;
use crate::ffi;
use crate::py::{self, Kind, Outcome, Ref};
use std::collections::HashMap;
use upcall_abi::{CancelFrame, Chained, FlowFrame, FrameHead, Rel, Status, kind};

/// By their numbers.
#[derive(Default)]
pub struct Calls {
    begun: HashMap<u64, *mut Begun>,
    next: u64,
}

/// An object that the handler has.
#[repr(C)]
struct Begun {
    // The first field: the frame is at its start.
    running: Chained<FlowFrame>,
    /// What its items point to.
    _fed: Fed,
    text: Box<[u8; 4096]>,
    /// Called when there is an answer.
    answered: Ref,
    status: Status,
}

impl Drop for Calls {
    fn drop(&mut self) {
        for begun in self.begun.values() {
            // SAFETY: the instance has been dropped, which has answered all frames; nobody else has it.
            drop(unsafe { Box::from_raw(*begun) });
        }
    }
}

unsafe extern "C" fn complete(frame: *mut FrameHead, status: Status) {
    let _attached = Attached::now();
    // SAFETY: the frame is the start of a Begun, which lives until somebody asks for its end: not before it is told so.
    let answered = unsafe {
        let begun = frame.cast::<Begun>();
        (*begun).status = status;
        (*begun).answered.clone()
    };
    let _ = answered.call(&[]).map_err(failure::forget);
}

/// `begin(object, answered)`: hands it over, or a FLUSH if it is `None`. Returns its number.
pub fn begin(inner: &mut Inner, [object, answered]: [Ref; 2]) -> Outcome<Ref> {
    let flush = object.is_none();
    let fed = Fed::of(&if flush { py::tuple(&[])? } else { py::tuple(&[&object])? })?;
    let mut frame = FlowFrame::new(if flush { kind::FLUSH } else { kind::FLOW });
    frame.items = Rel::of(fed.items());
    frame.head.complete = Some(complete);
    let (running, text) = (*Chained::new(frame), Box::new([0; 4096]));
    let mut new = Box::new(Begun { running, _fed: fed, text, answered, status: Status::PENDING });
    new.running.frame.head.error.text = Rel::new(new.text.as_mut_ptr() as u64, new.text.len() as u64);
    let new = Box::into_raw(new);
    inner.calls.next += 1;
    let id = inner.calls.next;
    inner.calls.begun.insert(id, new);
    // SAFETY: it lives until it has been answered, and is only freed at its end.
    let status = unsafe { inner.call(new.cast()) };
    if status != Status::PENDING {
        // SAFETY: as above.
        unsafe { complete(new.cast(), status) };
    }
    py::int(id)
}

/// `cancel(number, why)`
pub fn cancel(inner: &mut Inner, [id, why]: [Ref; 2]) -> Outcome<Ref> {
    let (call, why) = (inner.calls.of(number(&id)?)?, number(&why)?);
    let mut frame = CancelFrame::new(call.cast(), why as u32);
    frame.head.error.text = inner.room();
    // SAFETY: the frame lives until the call returns, and the call that it names until its end.
    let status = unsafe { inner.call((&raw mut frame).cast()) };
    failed(status, &frame.head, 0)
}

/// `end(number)`: what has come of it, as `run` returns it; it must have been answered.
pub fn end(inner: &mut Inner, [id]: [Ref; 1]) -> Outcome<Ref> {
    let (id, calls) = (number(&id)?, &mut inner.calls);
    let call = calls.of(id)?;
    // SAFETY: it lives until its end, which is here.
    if unsafe { (*call).status } == Status::PENDING {
        return Err(py::raise(Kind::Runtime, "it has not been answered"));
    }
    calls.begun.remove(&id);
    // SAFETY: made by `begin`; it has been answered, and nobody else has it.
    let mut begun = unsafe { Box::from_raw(call) };
    let emitted = emitted(&mut begun.running)?;
    let Begun { running, status, .. } = &*begun;
    py::tuple(&[&emitted, &failed(*status, &running.frame.head, running.frame.done)?])
}

impl Calls {
    fn of(&self, id: u64) -> Outcome<*mut Begun> {
        self.begun.get(&id).copied().ok_or_else(|| py::raise(Kind::Value, "there is no such call"))
    }
}

impl Inner {
    /// Calls the driver, as an engine does: without the interpreter's lock where it may wait for a loop, which needs it.
    ///
    /// # Safety
    /// As [`crate::driver::Instance::handle`].
    pub unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        let handed = self.instance.answers_later().then(|| {
            // SAFETY: this thread is attached, and is so again afterwards.
            unsafe {
                let detached = ffi::PyEval_SaveThread();
                let status = self.instance.detached(frame);
                ffi::PyEval_RestoreThread(detached);
                status
            }
        });
        // SAFETY: the caller's promise.
        handed.flatten().unwrap_or_else(|| unsafe { self.instance.handle(frame) })
    }
}
