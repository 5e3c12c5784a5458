//! `upcall.graph.Edges`: a vertex's edges in one direction. They end with the vertex's call.

use super::Natives;
use super::frame::Frame;
use super::says::Form;
use super::state::{State, outside, undeclared};
use crate::arguments;
use crate::ffi;
use crate::flow::moment::Moment;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::types::{self, TypeOf};
use std::ptr;
use std::rc::Rc;

/// The edges that come in, by their place in [`Frame::sides`].
pub const INCOMING: usize = 0;
/// Those that go out.
pub const OUTGOING: usize = 1;

/// The Python object.
#[repr(C)]
struct Edges {
    head: PyObject,
    /// Of the instance that made it, which is counted.
    state: *const State,
    /// The call that it is of; none before the first.
    moment: Option<Moment>,
    side: usize,
    /// The vertex.
    id: u64,
    begin: usize,
    end: usize,
    /// Where the values that they have next begin, of those that go out.
    next: usize,
}

/// What is read of an edge.
#[derive(Clone, Copy)]
enum What {
    Id,
    Shown,
    Value,
}

/// The type.
pub fn edges_type() -> Outcome<Ref> {
    TypeOf::new::<Edges>(c"upcall.graph.Edges")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .slot(ffi::Py_mp_length, length as *const ())
        .one(c"id", id, c"The vertex at the other end of an edge.")
        .one(c"shown", shown, c"What that showed in the last iteration.")
        .one(c"value", value, c"The value of an edge.")
        .method(c"set_value", set_value, c"Sets the value of an outgoing edge, from the next iteration on.")
        .action(c"ids", ids, c"The vertices at the other ends, in ascending order: a list, which is yours.")
        .action(c"shown_list", shown_list, c"What they showed in the last iteration: a list, which is yours.")
        .action(c"value_list", value_list, c"The values of the edges: a list, which is yours.")
        .make(None)
}

/// New edges for an instance.
pub fn new(state: &Rc<State>, side: usize) -> Outcome<Ref> {
    let edges = types::new(&Natives::get().edges)?;
    let place = edges.as_ptr().cast::<Edges>();
    // SAFETY: a new object of this type, zeroed; every field behind the head that zeros are not right for is written.
    unsafe {
        (&raw mut (*place).moment).write(None);
        (*place).side = side;
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
    }
    Ok(edges)
}

/// Points edges at those of a vertex, for one moment; the values that they have next are from `next` on.
///
/// # Safety
/// `edges` must be edges of [`new`], alive.
#[inline]
pub unsafe fn point(
    edges: *mut PyObject,
    moment: Moment,
    id: u64,
    (begin, end): (usize, usize),
    next: usize,
) {
    let edges = edges.cast::<Edges>();
    // SAFETY: the caller's promise.
    unsafe {
        (*edges).moment = Some(moment);
        ((*edges).id, (*edges).begin, (*edges).end, (*edges).next) = (id, begin, end, next);
    }
}

impl Edges {
    fn state(&self) -> &State {
        // SAFETY: edges hold their state.
        unsafe { &*self.state }
    }

    fn word(&self) -> &'static str {
        if self.side == INCOMING { "incoming" } else { "outgoing" }
    }

    /// Which numbers those are that are read; raises where there are none.
    #[inline]
    fn number(&self, what: What) -> Outcome<Number> {
        let says = &self.state().says;
        if self.side == OUTGOING && !says.sees_outgoing() {
            return Err(undeclared("outgoing", "outgoing = True"));
        }
        match what {
            What::Id => Ok(Number::Unsigned(4)),
            What::Shown => Ok(says.shown),
            What::Value => {
                let declare = "edge = \"f64\" (or f32, i32, i64, u32, u64)";
                says.edge.ok_or_else(|| undeclared("value", declare))
            }
        }
    }

    /// The place of an edge that Python names by its number among them.
    ///
    /// # Safety
    /// The object must be alive.
    #[inline]
    unsafe fn place(&self, index: *mut PyObject) -> Outcome<usize> {
        // SAFETY: the caller's promise.
        let number = unsafe { ffi::PyNumber_AsSsize_t(index, ffi::PyExc_IndexError) };
        // SAFETY: this thread is attached.
        if number == -1 && !unsafe { ffi::PyErr_Occurred() }.is_null() {
            return Err(Raised);
        }
        if number >= 0 && (number as usize) < self.end - self.begin {
            return Ok(self.begin + number as usize);
        }
        Err(self.no_edge(number))
    }

    #[cold]
    fn no_edge(&self, index: isize) -> Raised {
        if let Err(raised) = self.state().look(self.moment, |_| ()) {
            return raised;
        }
        let (id, count, word) = (self.id, self.end - self.begin, self.word());
        let s = if count == 1 { "" } else { "s" };
        py::raise(
            Kind::Index,
            format!("vertex {id} has {count} {word} edge{s}, from 0 on, and no edge {index}"),
        )
    }

    /// What is there of an edge, in the low bytes.
    #[inline]
    fn read(&self, frame: &Frame, what: What, number: Number, place: usize) -> Option<u64> {
        match what {
            What::Id => frame.sides[self.side].id(place),
            What::Shown => frame.neighbour(self.side, number, place),
            What::Value => frame.sides[self.side].value(number, place),
        }
    }

    /// Why there is nothing of an edge that is there.
    #[cold]
    fn nothing(&self) -> Raised {
        match self.state().look(self.moment, |frame| frame.starts) {
            Err(raised) => raised,
            Ok(true) => {
                let why = "start sees no neighbours, as these may not have started: look at them in update";
                py::raise(Kind::Runtime, why)
            }
            Ok(false) if self.side == INCOMING && self.state().says.form == Form::Gather => {
                let why =
                    "this program gathers, so use what apply is given; or write update(vertex, context)";
                py::raise(Kind::Type, format!("incoming edges: {why}"))
            }
            Ok(false) => outside(),
        }
    }

    /// Sets the value of an edge.
    ///
    /// # Safety
    /// Both objects must be alive.
    unsafe fn set(&self, index: *mut PyObject, value: *mut PyObject) -> Outcome<Ref> {
        let number = written("set_value", self.side, self.state())?;
        // SAFETY: the caller's promise.
        let (place, word) = unsafe { (self.place(index)?, number.bytes_for(value, "edge's")?) };
        let word = u64::from_le_bytes(word);
        let starts = self.state().look(self.moment, |frame| {
            if !frame.starts {
                frame.next_values.put(number, self.next + (place - self.begin), word);
            }
            frame.starts
        })?;
        match starts {
            true => Err(py::raise(Kind::Runtime, "values of edges are set in update, not at the start")),
            false => Ok(py::none()),
        }
    }

    unsafe fn one(&self, what: What, index: *mut PyObject) -> Outcome<Ref> {
        let number = self.number(what)?;
        // SAFETY: the caller's promise.
        let place = unsafe { self.place(index)? };
        match self.state().look(self.moment, |frame| self.read(frame, what, number, place))? {
            Some(word) => number.object(word),
            None => Err(self.nothing()),
        }
    }

    fn all(&self, what: What) -> Outcome<Ref> {
        let number = self.number(what)?;
        // All are read before the first object is made, which may run other code.
        let mut words = self.state().words.take();
        words.clear();
        let whole = self.state().look(self.moment, |frame| {
            words.extend((self.begin..self.end).map_while(|place| self.read(frame, what, number, place)));
            words.len() == self.end - self.begin
        });
        let list = match whole {
            Ok(true) => py::list(words.len(), |index| number.object(words[index])),
            Ok(false) => Err(self.nothing()),
            Err(raised) => Err(raised),
        };
        self.state().words.set(words);
        list
    }
}

/// # Safety
/// `edges` must be an [`Edges`] that is alive for `'a`.
unsafe fn parts<'a>(edges: *mut PyObject) -> &'a Edges {
    // SAFETY: the caller's promise.
    unsafe { &*edges.cast::<Edges>() }
}

unsafe extern "C" fn length(edges: *mut PyObject) -> isize {
    // SAFETY: CPython calls it with an Edges, alive until this returns.
    let edges = unsafe { parts(edges) };
    let length =
        edges.number(What::Id).and_then(|_| edges.state().look(edges.moment, |_| edges.end - edges.begin));
    length.map_or(-1, |length| length as isize)
}

/// A method that reads one edge.
macro_rules! one {
    ($name:ident, $what:expr) => {
        unsafe extern "C" fn $name(edges: *mut PyObject, index: *mut PyObject) -> *mut PyObject {
            // SAFETY: CPython calls it with an Edges and an argument, alive until this returns.
            returned(unsafe { parts(edges).one($what, index) })
        }
    };
}
one!(id, What::Id);
one!(shown, What::Shown);
one!(value, What::Value);

/// A method that reads all.
macro_rules! all {
    ($name:ident, $what:expr) => {
        unsafe extern "C" fn $name(edges: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
            // SAFETY: CPython calls it with an Edges, alive until this returns.
            returned(unsafe { parts(edges) }.all($what))
        }
    };
}
all!(ids, What::Id);
all!(shown_list, What::Shown);
all!(value_list, What::Value);

unsafe extern "C" fn set_value(
    edges: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython calls it with an Edges, and passes arguments that live until this returns.
    returned(unsafe {
        arguments::parse("set_value", ["index", "value"], 2, given, count as usize, keywords)
            .and_then(|[index, value]| parts(edges).set(index, value))
    })
}

/// The type of values that are written on this side; raises where none are.
pub fn written(what: &str, side: usize, state: &State) -> Outcome<Number> {
    if side != OUTGOING {
        return Err(py::raise(
            Kind::Type,
            format!("{what}: values are set on outgoing edges, not on incoming ones"),
        ));
    }
    // A program that writes declares the type.
    state.says.edge.filter(|_| state.says.writes).ok_or_else(|| undeclared(what, "writes = True"))
}

unsafe extern "C" fn dealloc(edges: *mut PyObject) {
    // SAFETY: CPython calls it with an Edges that nobody refers to; `new` counted its state.
    unsafe {
        let state = ptr::replace(&raw mut (*edges.cast::<Edges>()).state, ptr::null());
        if !state.is_null() {
            Rc::decrement_strong_count(state);
        }
        types::free(edges);
    }
}
