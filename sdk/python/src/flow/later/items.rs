//! The items that an event loop is at: how each begins, and how it is over.

use super::done;
use super::mailbox::{Cancellation, Letter, Mailbox, Post};
use crate::body::Failed;
use crate::failure::{self, Failure};
use crate::flow::call::{Call, Place};
use crate::flow::over::Over;
use crate::flow::state::{Shared, State};
use crate::flow::{emit, object};
use crate::forked::{self, Process};
use crate::log::{self, Lasting};
use crate::py::{self, Outcome, Ref};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::rc::Rc;
use std::sync::Arc;
use upcall_abi::{ErrorSlot, FlowFrame, Mark, Record, Status, base, kind};

/// Those of one instance. Everything needs the interpreter's lock.
pub struct Items {
    pub shared: Rc<Shared>,
    pub mailbox: Arc<Mailbox>,
    /// Where the loop is.
    process: Process,
    /// Where the loop's thread logs.
    pub log: Lasting,
    on_object: Ref,
    flush: Option<Ref>,
    /// By the addresses of their frames, which are answered from here only.
    open: RefCell<HashMap<usize, Open>>,
    /// From OPEN to CLOSE.
    event_loop: RefCell<Option<Rc<EventLoop>>>,
}

/// An `upcall._later.Loop`.
pub struct EventLoop {
    object: Ref,
    begin: Ref,
    ended: Ref,
}

impl EventLoop {
    pub fn new(object: Ref) -> Outcome<EventLoop> {
        Ok(EventLoop { begin: object.get(c"begin")?, ended: object.get(c"ended")?, object })
    }

    /// Calls one of its methods.
    pub fn call(&self, method: &CStr, arguments: &[&Ref]) -> Outcome<Ref> {
        self.object.get(method)?.call(arguments)
    }
}

/// An item that the loop has taken.
struct Open {
    state: Rc<State>,
    letter: Letter,
    /// Where the output stood.
    mark: Mark,
    /// None until the handler's method has been called.
    task: Option<Ref>,
}

impl Items {
    pub fn new(shared: Rc<Shared>, mailbox: Mailbox, on_object: Ref, flush: Option<Ref>) -> Items {
        Items {
            shared,
            mailbox: Arc::new(mailbox),
            process: Process::this(),
            log: Lasting::default(),
            on_object,
            flush,
            open: RefCell::default(),
            event_loop: RefCell::default(),
        }
    }

    /// The loop, which is there from OPEN to CLOSE.
    pub fn event_loop(&self) -> Option<Rc<EventLoop>> {
        self.event_loop.borrow().clone()
    }

    /// The loop there is from now on.
    pub fn set_loop(&self, new: Option<EventLoop>) {
        // What is dropped may run Python code.
        drop(self.event_loop.replace(new.map(Rc::new)));
    }

    /// Begins all that waits and gives up what was cancelled, on the loop's thread.
    pub fn take(self: &Rc<Items>) {
        log::deliver();
        self.mailbox.looked();
        while let Some(post) = self.mailbox.take() {
            match post {
                Post::Letter(letter) => self.begin(letter),
                Post::Cancellation(Cancellation { frame, why }) => self.give_up(frame, why),
            }
        }
    }

    fn begin(self: &Rc<Items>, letter: Letter) {
        let state = Rc::new(State::new(self.shared.clone(), Call::later()));
        let (frame, cancelled) = (letter.frame, letter.cancelled);
        // SAFETY: the frame is ours until it is answered, and has one item unless it is a FLUSH. No Python code runs before
        // it is known as open.
        let (place, mark, flush) = unsafe {
            let flush = (*frame).head.kind == kind::FLUSH;
            let place = state.call.begin(frame, if flush { Record::NO_ITEM } else { 0 });
            (place, state.call.mark(), flush)
        };
        let open = Open { state: state.clone(), letter, mark, task: None };
        self.open.borrow_mut().insert(frame.addr(), open);
        if let Some(why) = cancelled {
            return self.give_up(frame.addr(), why);
        }
        match self.start(&state, place, flush) {
            Ok(Some(task)) => self.started(frame, &state, task),
            Ok(None) => self.end(&state, None),
            Err(raised) => self.end(&state, Some(failure::take(raised))),
        }
    }

    /// Calls the handler's method. None when it has done its work in the call.
    fn start(self: &Rc<Items>, state: &Rc<State>, place: Place, flush: bool) -> Outcome<Option<Ref>> {
        let emit = emit::new(state)?;
        let awaited = match &self.flush {
            Some(function) if flush => function.call(&[&emit])?,
            _ => {
                let object = object::new(0, state)?;
                let filled = if self.shared.forms.takes.is_some() { object::VALUE } else { 0 };
                // SAFETY: new, and nobody else's.
                unsafe { object::begin(object.as_ptr().cast(), filled, place)? };
                py::call_two(&self.on_object, &object, &emit)?
            }
        };
        let Some(event_loop) = self.event_loop() else { return Ok(None) };
        let task = py::call_two(&event_loop.begin, &awaited, &done::new(self, state)?)?;
        Ok((!task.is_none()).then_some(task))
    }

    fn started(&self, frame: *mut FlowFrame, state: &Rc<State>, task: Ref) {
        if let Some(over) = state.call.why_over() {
            // Closed, or done, before anybody knew of the task.
            if over != Over::Answered {
                self.cancel_task(&task, over);
            }
            return;
        }
        if let Some(open) = self.open.borrow_mut().get_mut(&frame.addr()) {
            open.task = Some(task);
        }
    }

    /// What has become of a task: none, or the exception that it has ended with.
    pub fn ended(&self, task: &Ref) -> Outcome<Option<Ref>> {
        // Once it has been closed, nobody asks any more what its tasks have come to.
        let Some(event_loop) = self.event_loop() else { return Ok(None) };
        let ended = py::call_one(&event_loop.ended, task)?;
        Ok((!ended.is_none()).then_some(ended))
    }

    /// The handler's method has ended: answers for it, unless somebody has done so before.
    pub fn end(&self, state: &State, failed: Option<Failure>) {
        if self.process.is_over() {
            forked::end(failed.map_or(Ok(()), |failed| Err(Failed::whole(failed))));
        }
        self.answer(state, Over::Answered, failed);
    }

    /// Whether it was open until now.
    fn answer(&self, state: &State, why: Over, failed: Option<Failure>) -> bool {
        let mark = state.call.frame().and_then(|frame| Some(self.open.borrow().get(&frame.addr())?.mark));
        if let (Some(mark), Some(_)) = (mark, &failed) {
            // SAFETY: of this call, which forgets once, as it is over next.
            unsafe { state.call.truncate(mark) };
        }
        let Some(frame) = state.call.over(why) else { return false };
        let Some(Open { letter, task, .. }) = self.open.borrow_mut().remove(&frame.addr()) else {
            return false;
        };
        // SAFETY: over, so nothing of ours looks at the frame any more, but for its answer.
        unsafe { answer(letter, failed) };
        // Only now, as it may run Python code.
        drop(task);
        true
    }

    /// Gives up the item of this frame, if it is open: on the loop's thread, or in CLOSE.
    fn give_up(&self, frame: usize, why: Over) {
        let found = self.open.borrow_mut().get_mut(&frame).map(|open| {
            // Kept, as CLOSE may come while Python code runs below.
            let why = *open.letter.cancelled.get_or_insert(why);
            (open.state.clone(), open.task.clone(), why)
        });
        let Some((state, task, why)) = found else { return };
        let failed = self.given_up(task.as_ref(), why).unwrap_or_else(failure::take);
        if self.answer(&state, why, Some(failed))
            && let Some(task) = task
        {
            self.cancel_task(&task, why);
        }
    }

    /// What the error slot of an item that is given up says: its exception, and where the handler is waiting.
    fn given_up(&self, task: Option<&Ref>, why: Over) -> Outcome<Failure> {
        let mut failed = failure::of(&why.exception()?);
        if let (Some(event_loop), Some(task)) = (self.event_loop(), task) {
            failed.stack = event_loop.call(c"where", &[task])?.text()?.to_owned();
        }
        Ok(failed)
    }

    /// Has the loop cancel a task.
    fn cancel_task(&self, task: &Ref, why: Over) {
        let Some(event_loop) = self.event_loop() else { return };
        let cancelled =
            why.exception().and_then(|reason| event_loop.call(c"cancel", &[task, &reason])).map(drop);
        // The loop is being closed, which cancels all that is left.
        cancelled.unwrap_or_else(failure::forget);
    }

    /// CLOSE: no more are taken, and those that are open are given up, on this thread, as the loop may be blocked. Returns their
    /// tasks.
    pub fn close(&self) -> Vec<Ref> {
        let mut tasks = Vec::new();
        let (letters, cancellations) = self.mailbox.close();
        for Cancellation { frame, why } in cancellations {
            if let Some(open) = self.open.borrow_mut().get_mut(&frame) {
                open.letter.cancelled.get_or_insert(why);
            }
        }
        for letter in letters {
            let why = letter.cancelled.unwrap_or(Over::Closed);
            let failed = why.exception().map_or_else(failure::take, |exception| failure::of(&exception));
            // SAFETY: nobody has looked at it.
            unsafe { answer(letter, Some(failed)) };
        }
        loop {
            let next = self.open.borrow().values().next().map(|open| (open.letter.frame, open.task.clone()));
            let Some((frame, task)) = next else { return tasks };
            tasks.extend(task);
            self.give_up(frame.addr(), Over::Closed);
        }
    }
}

/// # Safety
/// Nobody may look at the letter's frame any more.
unsafe fn answer(letter: Letter, failed: Option<Failure>) {
    let frame = letter.frame;
    // SAFETY: the caller's promise; the frame is ours until it is answered.
    unsafe {
        let flush = (*frame).head.kind == kind::FLUSH;
        let status = match failed {
            None => {
                FlowFrame::finish(frame, u32::from(!flush));
                Status::OK
            }
            Some(Failure { type_name, message, stack }) => {
                let item = if flush { ErrorSlot::NO_ITEM } else { 0 };
                let output = (*frame).head.base[base::OUTPUT];
                (*frame).head.error.write(output, item, &type_name, &message, &stack);
                Status::FAILED
            }
        };
        letter.answer(status);
    }
}
