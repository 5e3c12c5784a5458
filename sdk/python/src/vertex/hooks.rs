//! What a program is told of iterations and intervals, in the methods that it may have beside.

use crate::ffi;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::support;
use std::ffi::CStr;
use std::mem::offset_of;
use upcall_abi::{VertexFrame, phase};

pub struct Hooks {
    before_iteration: Option<Ref>,
    after_iteration: Option<Ref>,
    before_interval: Option<Ref>,
    after_interval: Option<Ref>,
    repeat_updates: Option<Ref>,
    /// Whether the program was told of the iteration.
    begun: bool,
    /// The first vertex and the pass of the interval that it was told of in this iteration.
    interval: Option<(u64, u64)>,
}

impl Hooks {
    /// Those that this handler has.
    pub fn of(handler: &Ref) -> Outcome<Hooks> {
        Ok(Hooks {
            before_iteration: method(handler, c"before_iteration")?,
            after_iteration: method(handler, c"after_iteration")?,
            before_interval: method(handler, c"before_interval")?,
            after_interval: method(handler, c"after_interval")?,
            repeat_updates: method(handler, c"repeat_updates")?,
            begun: false,
            interval: None,
        })
    }

    /// Vertices begin with what they do.
    pub fn start(&mut self) {
        (self.begun, self.interval) = (false, None);
    }

    /// Vertices of this frame are updated next.
    pub fn before(&mut self, frame: &VertexFrame) -> Outcome<()> {
        if !self.begun {
            if let Some(before) = &self.before_iteration {
                py::call_two(before, &py::int(frame.iteration)?, &py::float(frame.total)?)?;
            }
            (self.begun, self.interval) = (true, None);
        }
        let Some(before) = &self.before_interval else { return Ok(()) };
        let this = Some((frame.interval_first, frame.pass));
        if self.interval == this || !says_interval(frame) {
            return Ok(());
        }
        self.interval = this;
        py::call_one(before, &interval(frame)?).map(drop)
    }

    /// An interval was updated: whether it is to be once more.
    pub fn after_interval(&self, frame: &VertexFrame) -> Outcome<bool> {
        if !says_interval(frame) {
            let message = "a frame about an interval does not say which: the engine breaks the rules";
            return Err(py::raise(Kind::Runtime, message));
        }
        if self.after_interval.is_none() && self.repeat_updates.is_none() {
            return Ok(false);
        }
        let told = interval(frame)?;
        if let Some(after) = &self.after_interval {
            py::call_one(after, &told)?;
        }
        match &self.repeat_updates {
            Some(repeat) => is_true(&py::call_one(repeat, &told)?),
            None => Ok(false),
        }
    }

    /// An iteration has ended: whether it was the last one.
    pub fn after_iteration(&mut self, frame: &VertexFrame) -> Outcome<bool> {
        self.begun = false;
        let Some(after) = &self.after_iteration else { return Ok(false) };
        let [number, updated, scheduled] = [frame.iteration, frame.updated, frame.scheduled].map(py::int);
        let (residual, total) = (py::float(frame.residual)?, py::float(frame.total)?);
        let told = [&number?, &updated?, &scheduled?, &residual, &total];
        is_true(&py::call_one(after, &support::call(c"iteration", &told)?)?)
    }
}

/// A method that the handler may have; `None` in its class stands for none.
pub fn method(handler: &Ref, name: &CStr) -> Outcome<Option<Ref>> {
    Ok(handler.find(name)?.filter(|found| !found.is_none()))
}

/// Whether a frame is long enough to say which interval is at work: an older engine's is not.
#[inline]
fn says_interval(frame: &VertexFrame) -> bool {
    frame.head.size as usize >= offset_of!(VertexFrame, pass) + size_of::<u64>()
}

/// What a frame says of the interval: what it has come to only where it was updated.
fn interval(frame: &VertexFrame) -> Outcome<Ref> {
    let (updated, residual, total) = match frame.phase {
        phase::INTERVAL => (frame.updated, frame.residual, frame.total),
        _ => (0, 0.0, 0.0),
    };
    let [iteration, first, end, pass, updated] =
        [frame.iteration, frame.interval_first, frame.interval_end, frame.pass, updated].map(py::int);
    let (residual, total) = (py::float(residual)?, py::float(total)?);
    support::call(c"interval", &[&iteration?, &first?, &end?, &pass?, &updated?, &residual, &total])
}

fn is_true(answer: &Ref) -> Outcome<bool> {
    // SAFETY: alive.
    match unsafe { ffi::PyObject_IsTrue(answer.as_ptr()) } {
        -1 => Err(Raised),
        said => Ok(said == 1),
    }
}
