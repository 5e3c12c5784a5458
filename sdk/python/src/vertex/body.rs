//! The body for vertex programs: the loop over the vertices of a frame.

use super::context;
use super::cursor::Cursors;
use super::frame::Frame;
use super::hooks::{self, Hooks};
use super::interval;
use super::says::{Form, Says};
use super::state::{Graph, State};
use crate::body::{Body, Failed};
use crate::context as opening;
use crate::failure;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, Ref};
use std::ptr;
use std::rc::Rc;
use upcall_abi::{BatchFrame, DescribeWriter, FrameHead, OpenFrame, VertexFrame, VertexOpen, phase};

/// The body for a handler with `update`, `apply` or `interval`.
pub fn body(handler: &Ref) -> Outcome<Box<dyn Body>> {
    let says = Says::of(handler)?;
    let method = handler.get(match says.form {
        Form::Vertex => c"update",
        Form::Gather => c"apply",
        Form::Interval => c"interval",
    })?;
    let (start, hooks) = (hooks::method(handler, c"start")?, Hooks::of(handler)?);
    let state = Rc::new(State::new(says));
    let cursors = Cursors::new(&state)?;
    Ok(Box::new(VertexBody { method, start, hooks, cursors, state, opened: false }))
}

struct VertexBody {
    method: Ref,
    start: Option<Ref>,
    hooks: Hooks,
    cursors: Cursors,
    state: Rc<State>,
    opened: bool,
}

/// Which of a program's methods is called for each vertex.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// With the vertex and the context.
    Plain(&'a Ref),
    /// With what its neighbours come to, between the two.
    Gathered(&'a Ref, Number),
}

impl Body for VertexBody {
    fn batch(&self) -> BatchFrame {
        BatchFrame::VERTEX
    }

    fn describe(&self, describe: &mut DescribeWriter<'_>) {
        self.state.says.describe(describe);
    }

    fn open(&mut self, frame: &OpenFrame) -> Outcome<Ref> {
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { VertexOpen::of(frame) }) else {
            let message = "OPEN has no graph: build engine and handler with the same version";
            return Err(py::raise(Kind::Runtime, message));
        };
        let graph = Graph { vertices: added.vertices, edges: added.edges, directed: added.directed != 0 };
        self.state.graph.set(graph);
        self.opened = true;
        let told =
            py::tuple(&[&py::int(graph.vertices)?, &py::int(graph.edges)?, &py::bool(graph.directed)])?;
        let none = py::tuple(&[])?;
        let opened = opening::of(frame, &[&none, &none, &told])?;
        self.state.log.replace(Some(opened.get(c"log")?));
        Ok(opened)
    }

    unsafe fn run(&mut self, frame: *mut FrameHead) -> Result<(), Failed> {
        let frame = frame.cast::<VertexFrame>();
        if !self.opened {
            let message = "the program was called before OPEN, which tells it of the graph";
            return Err(py::raise(Kind::Runtime, message).into());
        }
        // SAFETY: the caller's promise; what the frame lends is the handler's until the call returns, and is left below before.
        unsafe {
            let told = whole(frame);
            let starts = match told.phase {
                phase::START => true,
                phase::UPDATE => false,
                phase::AFTER => {
                    (*frame).ended = self.hooks.after_iteration(&told)?.into();
                    return Ok(());
                }
                phase::INTERVAL => {
                    (*frame).ended = self.hooks.after_interval(&told)?.into();
                    return Ok(());
                }
                other => {
                    let message =
                        format!("a frame of phase {other}: build engine and handler with the same version");
                    return Err(py::raise(Kind::Runtime, message).into());
                }
            };
            if starts {
                self.hooks.start();
            } else {
                self.hooks.before(&told)?;
            }
            let lent = Frame::of(&told, &self.state.says, self.state.graph.get().directed);
            let lent = lent.map_err(|message| py::raise(Kind::Runtime, message))?;
            let count = lent.count;
            if starts {
                lent.clear();
            }
            self.state.enter(lent);
            let done = self.vertices(starts, count);
            if let Some(left) = self.state.leave() {
                (*frame).wakes = left.wakes();
            }
            done
        }
    }

    unsafe fn flush(&mut self, _: *mut FrameHead) -> Result<(), Failed> {
        // It holds nothing back.
        Ok(())
    }

    fn interrupted(&mut self) {
        // What was kept fails as what was interrupted does.
        self.state.leave();
        let _ = self.state.views.end().map_err(failure::forget);
        let _ = self.cursors.renew(&self.state).map_err(failure::forget);
    }

    fn closed(&mut self) {
        self.state.log.take();
    }
}

impl VertexBody {
    fn vertices(&mut self, starts: bool, count: usize) -> Result<(), Failed> {
        let step = match (starts, self.state.says.form) {
            (true, _) => match &self.start {
                Some(start) => Step::Plain(start),
                None => return Ok(()),
            },
            (false, Form::Vertex) => Step::Plain(&self.method),
            (false, Form::Gather) => Step::Gathered(&self.method, self.state.says.gathered()),
            (false, Form::Interval) => return self.interval(),
        };
        // How many outgoing edges the vertices before have.
        let mut behind = 0;
        for place in 0..count {
            let called = one(&self.state, &self.cursors, step, place, behind);
            self.state.moments.close();
            // The exception's frames hold the cursors, and are gone once it is described, unless the program has kept it.
            let called = called.map_err(|raised| Failed::at(raised, place));
            let renewed = self.cursors.renew(&self.state);
            behind = behind.saturating_add(called?);
            renewed?;
        }
        Ok(())
    }

    fn interval(&mut self) -> Result<(), Failed> {
        let moment = self.state.moments.open();
        let call = || {
            let vertices = interval::new(&self.state, moment)?;
            context::point(&self.cursors.context, moment, None);
            py::call_two(&self.method, &vertices, &self.cursors.context).map(drop)
        };
        // The exception is described at once: its frames hold what is ended next.
        let called = call().map_err(failure::take);
        self.state.moments.close();
        let ended = self.state.views.end().map_err(failure::take);
        let renewed = self.cursors.renew(&self.state).map_err(failure::take);
        called.and(ended).and(renewed).map_err(Failed::whole)
    }
}

/// The frame, in which what it is too short for is empty.
///
/// # Safety
/// The frame must be valid for the bytes that its `size` says, which are those of all fields that ABI 2 began with.
unsafe fn whole(frame: *const VertexFrame) -> VertexFrame {
    let mut whole = VertexFrame::new(phase::UPDATE);
    // SAFETY: so many bytes are there, and have room; any bytes of them are a frame's.
    unsafe {
        let size = ((*frame).head.size as usize).min(size_of::<VertexFrame>());
        ptr::copy_nonoverlapping(frame.cast::<u8>(), (&raw mut whole).cast::<u8>(), size);
    }
    whole
}

/// Calls a program for one vertex, of which those before have `behind` outgoing edges: how many it has itself.
#[inline]
fn one(state: &State, cursors: &Cursors, step: Step<'_>, place: usize, behind: usize) -> Outcome<usize> {
    let moment = state.moments.open();
    let pointed = state.look(Some(moment), |frame| {
        let outgoing = cursors.point(frame, moment, place, behind)?;
        let gathered = match step {
            Step::Plain(_) => 0,
            Step::Gathered(_, number) => frame.gathered.word(number, place).unwrap_or(0),
        };
        Some((outgoing, gathered))
    })?;
    let Some((outgoing, gathered)) = pointed else {
        let message = "a vertex of the frame is in none of its blocks: the engine breaks the rules";
        return Err(py::raise(Kind::Runtime, message));
    };
    match step {
        Step::Plain(method) => py::call_two(method, &cursors.vertex, &cursors.context),
        Step::Gathered(method, number) => {
            py::call_three(method, &cursors.vertex, &number.object(gathered)?, &cursors.context)
        }
    }
    .map(|_| outgoing)
}
