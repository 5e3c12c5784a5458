//! `upcall.graph.Vertices`: all vertices of a frame at once, as arrays of the engine's own memory that end with the call.

use super::edges::{INCOMING, OUTGOING, written};
use super::frame::{Frame, Sum};
use super::state::{State, outside, undeclared};
use super::{Natives, cursor};
use crate::ffi;
use crate::flow::data::Data;
use crate::flow::moment::Moment;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::support;
use crate::types::{self, TypeOf};
use crate::view::Memory;
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;

const INDEX: Number = Number::Unsigned(4);
const PLACE: Number = Number::Unsigned(8);

/// The Python object: of an interval, and of its edges in one direction.
#[repr(C)]
struct Vertices {
    head: PyObject,
    /// Its edges, in the two fields that Python reads without a call.
    incoming: *mut PyObject,
    outgoing: *mut PyObject,
    /// Of the instance that made it, which is counted.
    state: *const State,
    /// The call that it is of.
    moment: Option<Moment>,
    side: usize,
}

/// The type of intervals.
pub fn interval_type() -> Outcome<Ref> {
    TypeOf::new::<Vertices>(c"upcall.graph.Vertices")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .slot(ffi::Py_mp_length, length as *const ())
        .member(c"incoming", ffi::Py_T_OBJECT_EX, offset_of!(Vertices, incoming))
        .member(c"outgoing", ffi::Py_T_OBJECT_EX, offset_of!(Vertices, outgoing))
        .attribute(c"ids", ids, c"The numbers of the vertices, in ascending order.")
        .attribute(c"own", own, c"What each keeps to itself, to be read and written.")
        .attribute(c"before", before, c"What each showed in the last iteration.")
        .attribute(
            c"next",
            next,
            c"What each shows from the next iteration on: as before, until it is written.",
        )
        .attribute(c"out_degrees", out_degrees, c"How many edges go out of each.")
        .attribute(c"shown", shown, c"What neighbours show, at the places that their edges say.")
        .one(c"add_residual", add_residual, c"Adds a number for each vertex to the residual.")
        .one(c"add_total", add_total, c"Adds a number for each vertex to the total.")
        .one(c"schedule", schedule, c"Has the vertices of these numbers updated in the next iteration.")
        .make(None)
}

/// The type of their edges.
pub fn edges_type() -> Outcome<Ref> {
    TypeOf::new::<Vertices>(c"upcall.graph.IntervalEdges")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"begins", begins, c"Where the edges of each vertex begin, in the arrays of edges.")
        .attribute(c"ends", ends, c"Where they end.")
        .attribute(c"ids", other_ends, c"The vertex at the other end of each edge.")
        .attribute(c"at", at, c"Where in the interval's shown is what that shows.")
        .attribute(
            c"shown",
            beside,
            c"What the other ends of these vertices' edges show, one vertex's behind those of the one before.",
        )
        .attribute(c"values", values, c"The values of edges.")
        .attribute(
            c"places",
            places,
            c"Where in values that of each edge is; None where it is at the edge's own place.",
        )
        .attribute(
            c"next_values",
            next_values,
            c"The values that outgoing edges have next, one vertex's behind those of the one before.",
        )
        .make(None)
}

/// An interval for one moment.
pub fn new(state: &Rc<State>, moment: Moment) -> Outcome<Ref> {
    let natives = Natives::get();
    let interval = one(&natives.interval, state, moment, 0)?;
    for (side, field) in
        [(INCOMING, offset_of!(Vertices, incoming)), (OUTGOING, offset_of!(Vertices, outgoing))]
    {
        let edges = one(&natives.interval_edges, state, moment, side)?;
        // SAFETY: a field of the new object, which is null.
        unsafe { interval.as_ptr().byte_add(field).cast::<*mut PyObject>().write(edges.into_ptr()) };
    }
    Ok(interval)
}

fn one(of: &Ref, state: &Rc<State>, moment: Moment, side: usize) -> Outcome<Ref> {
    let made = types::new(of)?;
    let place = made.as_ptr().cast::<Vertices>();
    // SAFETY: a new object of this type, zeroed; every field behind the head that zeros are not right for is written.
    unsafe {
        (&raw mut (*place).moment).write(Some(moment));
        (*place).side = side;
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
    }
    Ok(made)
}

/// # Safety
/// `interval` must be [`Vertices`] that is alive for `'a`.
unsafe fn parts<'a>(interval: *mut PyObject) -> (&'a State, &'a Vertices) {
    // SAFETY: the caller's promise; it holds its state.
    unsafe {
        let interval = &*interval.cast::<Vertices>();
        (&*interval.state, interval)
    }
}

/// An array of what is found in the frame.
fn array(
    state: &State,
    moment: Option<Moment>,
    number: Number,
    find: impl FnOnce(&Frame) -> Memory,
) -> Outcome<Ref> {
    let memory = state.look(moment, find)?;
    // SAFETY: the frame's memory is there until its views have been ended.
    unsafe { state.array(memory, number) }
}

fn edge_number(state: &State) -> Outcome<Number> {
    state.says.edge.ok_or_else(|| undeclared("values", "edge = \"f64\" (or f32, i32, i64, u32, u64)"))
}

fn shown_beside(state: &State, edges: &Vertices) -> Outcome<Ref> {
    let number = state.says.shown;
    let found = state.look(edges.moment, |frame| state.beside.of(frame, edges.side, number))?;
    // SAFETY: it is there until the next frame is entered, and views have been ended by then.
    unsafe { state.array(found.ok_or_else(outside)?, number) }
}

/// An attribute: what it is, of a state and an interval.
macro_rules! attribute {
    ($name:ident, |$state:ident, $interval:ident| $found:expr) => {
        unsafe extern "C" fn $name(interval: *mut PyObject, _: *mut c_void) -> *mut PyObject {
            // SAFETY: CPython calls it with Vertices, alive until this returns.
            let ($state, $interval) = unsafe { parts(interval) };
            returned($found)
        }
    };
}

/// An attribute of edges, which have to be declared where they go out.
macro_rules! side {
    ($name:ident, |$state:ident, $edges:ident| $found:expr) => {
        attribute!($name, |$state, $edges| {
            match $edges.side == OUTGOING && !$state.says.sees_outgoing() {
                true => Err(undeclared("outgoing", "outgoing = True")),
                false => $found,
            }
        });
    };
}

attribute!(ids, |state, interval| {
    state.look(interval.moment, |frame| (frame.ids.len(), frame.first, frame.count)).and_then(|found| {
        match found {
            (0, first, count) => support::call(c"consecutive", &[&py::int(first)?, &py::int(count as u64)?]),
            _ => array(state, interval.moment, INDEX, |frame| frame.ids.all()),
        }
    })
});

attribute!(own, |state, interval| {
    let declare = "own = \"f64\" (or f32, i32, i64, u32, u64)";
    state
        .says
        .own
        .ok_or_else(|| undeclared("own", declare))
        .and_then(|number| array(state, interval.moment, number, |frame| frame.own.numbers_mut(number)))
});

attribute!(before, |state, interval| {
    let number = state.says.shown;
    array(state, interval.moment, number, |frame| frame.before.numbers(number))
});

attribute!(next, |state, interval| {
    let number = state.says.shown;
    array(state, interval.moment, number, |frame| frame.next.numbers_mut(number))
});

attribute!(out_degrees, |state, interval| {
    array(state, interval.moment, INDEX, |frame| frame.out_degrees.all())
});

attribute!(shown, |state, interval| {
    let number = state.says.shown;
    array(state, interval.moment, number, |frame| frame.shown.numbers(number))
});

side!(begins, |state, edges| array(state, edges.moment, PLACE, |frame| frame.sides[edges.side].begins.all()));
side!(ends, |state, edges| array(state, edges.moment, PLACE, |frame| frame.sides[edges.side].ends.all()));
side!(other_ends, |state, edges| array(state, edges.moment, INDEX, |frame| frame.sides[edges.side]
    .ids
    .all()));
side!(at, |state, edges| array(state, edges.moment, INDEX, |frame| frame.sides[edges.side].at.all()));
side!(beside, |state, edges| shown_beside(state, edges));
side!(values, |state, edges| {
    edge_number(state).and_then(|number| {
        array(state, edges.moment, number, |frame| frame.sides[edges.side].values.numbers(number))
    })
});
side!(places, |state, edges| {
    edge_number(state).and_then(|_| {
        match state.look(edges.moment, |frame| frame.sides[edges.side].places.len())? {
            0 => Ok(py::none()),
            _ => array(state, edges.moment, PLACE, |frame| frame.sides[edges.side].places.all()),
        }
    })
});

attribute!(next_values, |state, edges| {
    written("next_values", edges.side, state)
        .and_then(|number| array(state, edges.moment, number, |frame| frame.next_values.numbers_mut(number)))
});

unsafe extern "C" fn length(interval: *mut PyObject) -> isize {
    // SAFETY: CPython calls it with Vertices, alive until this returns.
    let (state, interval) = unsafe { parts(interval) };
    state.look(interval.moment, |frame| frame.count).map_or(-1, |count| count as isize)
}

unsafe extern "C" fn add_residual(interval: *mut PyObject, amounts: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython calls it with Vertices and an argument, alive until this returns.
    returned(unsafe { add(interval, Sum::Residual, amounts) })
}

unsafe extern "C" fn add_total(interval: *mut PyObject, amounts: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `add_residual`.
    returned(unsafe { add(interval, Sum::Total, amounts) })
}

/// # Safety
/// As [`parts`], and the amounts must be alive.
unsafe fn add(interval: *mut PyObject, which: Sum, amounts: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    let ((state, interval), amounts) = unsafe { (parts(interval), Ref::share(amounts)) };
    let packed = support::call(c"doubles", &[&amounts])?;
    // SAFETY: it is alive for as long as its bytes are used.
    let data = unsafe { Data::key(packed.as_ptr())? };
    let (amounts, rest) = data.bytes().as_chunks::<8>();
    state
        .look(interval.moment, |frame| {
            if amounts.len() != frame.count || !rest.is_empty() {
                return Err((amounts.len(), frame.count));
            }
            for (place, amount) in amounts.iter().enumerate() {
                if let Some((_, tally)) = frame.vertex(place) {
                    frame.add(tally, which, f64::from_le_bytes(*amount));
                }
            }
            Ok(())
        })?
        .map_err(|(given, count)| {
            let message = format!("{given} numbers for {count} vertices: give one for each");
            py::raise(Kind::Value, message)
        })?;
    Ok(py::none())
}

unsafe extern "C" fn schedule(interval: *mut PyObject, ids: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `add_residual`.
    returned(unsafe { wake(interval, ids) })
}

/// # Safety
/// As [`parts`], and the numbers must be alive.
unsafe fn wake(interval: *mut PyObject, ids: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: the caller's promise; what an iterator returns is new.
    unsafe {
        let (state, interval) = parts(interval);
        let ids = Ref::steal(ffi::PyObject_GetIter(ids))?;
        loop {
            let next = ffi::PyIter_Next(ids.as_ptr());
            if next.is_null() {
                break;
            }
            let next = Ref::steal(next)?;
            let id = cursor::vertex_number(next.as_ptr(), state)?;
            state.wake(interval.moment, id)?;
        }
        if ffi::PyErr_Occurred().is_null() { Ok(py::none()) } else { Err(Raised) }
    }
}

unsafe extern "C" fn dealloc(interval: *mut PyObject) {
    // SAFETY: CPython calls it with Vertices that nobody refers to; `one` and `new` counted what it holds.
    unsafe {
        let place = interval.cast::<Vertices>();
        for edges in [(*place).incoming, (*place).outgoing] {
            if !edges.is_null() {
                ffi::decref(edges);
            }
        }
        let state = ptr::replace(&raw mut (*place).state, ptr::null());
        if !state.is_null() {
            Rc::decrement_strong_count(state);
        }
        types::free(interval);
    }
}
