//! What the cursors of one instance share: the frame that they look into, and which call they are of.

use super::beside::Beside;
use super::frame::Frame;
use super::says::Says;
use crate::flow::moment::{Moment, Moments};
use crate::number::Number;
use crate::py::{self, Kind, Outcome, Raised, Ref};
use crate::support;
use crate::view::{Memory, Views};
use std::cell::{Cell, RefCell};

/// The graph, as OPEN tells it.
#[derive(Clone, Copy, Default, Debug)]
pub struct Graph {
    pub vertices: u64,
    pub edges: u64,
    pub directed: bool,
}

/// Of one instance. Python's objects hold it by a count of its `Rc`; the interpreter's lock guards the count and all cells.
pub struct State {
    pub says: Says,
    pub graph: Cell<Graph>,
    /// The calls of the program's methods.
    pub moments: Moments,
    /// What an interval was given in the current call.
    pub views: Views,
    /// What the neighbours of an interval show, where it asks for that.
    pub beside: Beside,
    /// The log that the handler has.
    pub log: RefCell<Option<Ref>>,
    /// Room for numbers that are read together.
    pub words: Cell<Vec<u64>>,
    /// Makes numpy arrays of views, where numpy is there: of each type that was asked for.
    arrays: RefCell<Vec<(Number, Option<Ref>)>>,
    frame: RefCell<Option<Frame>>,
}

impl State {
    pub fn new(says: Says) -> State {
        State {
            says,
            graph: Cell::default(),
            moments: Moments::new(),
            views: Views::default(),
            beside: Beside::default(),
            log: RefCell::default(),
            words: Cell::default(),
            arrays: RefCell::default(),
            frame: RefCell::new(None),
        }
    }

    /// The frame that is looked into from now on.
    pub fn enter(&self, frame: Frame) {
        self.beside.end();
        self.frame.replace(Some(frame));
    }

    /// The end of that.
    pub fn leave(&self) -> Option<Frame> {
        self.moments.close();
        self.frame.take()
    }

    /// Looks into the frame, if the moment is the current one. What it does must not call Python.
    #[inline]
    pub fn look<R>(&self, moment: Option<Moment>, look: impl FnOnce(&Frame) -> R) -> Outcome<R> {
        match (moment, &*self.frame.borrow()) {
            (Some(moment), Some(frame)) if self.moments.is(moment) => Ok(look(frame)),
            _ => Err(ended()),
        }
    }

    /// Has a vertex updated in the next iteration.
    pub fn wake(&self, moment: Option<Moment>, vertex: u64) -> Outcome<()> {
        if !self.says.selective {
            let message = "schedule: all vertices are updated in every iteration: write selective = True in the program's \
                           class to have only those updated that see a change or are scheduled";
            return Err(py::raise(Kind::Type, message));
        }
        self.look(moment, |_| ())?;
        let vertices = self.graph.get().vertices;
        let Some(vertex) = u32::try_from(vertex).ok().filter(|vertex| u64::from(*vertex) < vertices) else {
            return Err(no_vertex(vertex, vertices));
        };
        let woken = self.frame.borrow_mut().as_mut().map(|frame| frame.wake(vertex));
        woken.flatten().ok_or_else(|| no_room(vertex))
    }

    /// A view of numbers: numpy's where it is there.
    ///
    /// # Safety
    /// As [`Views::of`].
    pub unsafe fn array(&self, memory: Memory, number: Number) -> Outcome<Ref> {
        let made = self.arrays.borrow().iter().find(|(of, _)| *of == number).map(|(_, array)| array.clone());
        let array = match made {
            Some(array) => array,
            None => {
                let array = support::call(c"array_of_elements", &[&py::text(number.name().as_bytes())?])?;
                let array = (!array.is_none()).then_some(array);
                self.arrays.borrow_mut().push((number, array.clone()));
                array
            }
        };
        // SAFETY: the caller's promise.
        let view = unsafe { self.views.of(memory)? };
        match array {
            Some(array) => py::call_one(&array, &view),
            None => Ok(view),
        }
    }
}

#[cold]
fn ended() -> Raised {
    let message =
        "what was given of a vertex has ended with its call: keep its id and the numbers that you have read";
    py::raise(Kind::Runtime, message)
}

#[cold]
fn no_vertex(vertex: u64, vertices: u64) -> Raised {
    let message = format!("schedule {vertex}: there is no such vertex: the graph has {vertices}, from 0 on");
    py::raise(Kind::Index, message)
}

#[cold]
fn no_room(vertex: u32) -> Raised {
    let message = format!("schedule {vertex}: the engine has no room for more vertices in this call");
    py::raise(Kind::Memory, message)
}

/// What has to be declared before it can be used: how, in the program's class.
#[cold]
pub fn undeclared(what: &str, declare: &str) -> Raised {
    py::raise(Kind::Type, format!("{what}: the program does not declare it: write {declare} in its class"))
}

/// What an engine does that gives a frame whose edges lead out of it.
#[cold]
pub fn outside() -> Raised {
    py::raise(Kind::Runtime, "an edge leads out of the frame: the engine breaks the rules")
}
