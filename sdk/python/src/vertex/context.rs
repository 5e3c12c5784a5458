//! `upcall.graph.VertexContext`: what is the same for all vertices of an iteration, and the sums that they add to.

use super::Natives;
use super::frame::Sum;
use super::state::State;
use crate::ffi;
use crate::flow::moment::Moment;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref, returned};
use crate::types::{self, TypeOf};
use std::ffi::c_void;
use std::ptr;
use std::rc::Rc;

/// The Python object.
#[repr(C)]
struct Context {
    head: PyObject,
    /// Of the instance that made it, which is counted.
    state: *const State,
    /// The call that it is of; none before the first.
    moment: Option<Moment>,
    /// Which of the frame's sums the vertex adds to; none where it is no single vertex.
    tally: Option<usize>,
}

/// The type.
pub fn context_type() -> Outcome<Ref> {
    TypeOf::new::<Context>(c"upcall.graph.VertexContext")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"iteration", iteration, c"The number of the iteration, from 0 on.")
        .attribute(c"total", total, c"What vertices have added to the total in the iteration before.")
        .attribute(c"vertices", vertices, c"How many vertices the graph has.")
        .attribute(c"edges", edges, c"How many edges; each direction counts where they have none.")
        .attribute(c"directed", directed, c"Whether edges have a direction.")
        .attribute(c"log", log, c"The handler's log.")
        .one(c"add_residual", add_residual, c"Adds to the residual: how far the program is from its end.")
        .one(c"add_total", add_total, c"Adds to the total, which all vertices see in the next iteration.")
        .make(None)
}

/// A new context for an instance.
pub fn new(state: &Rc<State>) -> Outcome<Ref> {
    let context = types::new(&Natives::get().context)?;
    let place = context.as_ptr().cast::<Context>();
    // SAFETY: a new object of this type, zeroed; every field behind the head is written.
    unsafe {
        (&raw mut (*place).moment).write(None);
        (&raw mut (*place).tally).write(None);
        (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
    }
    Ok(context)
}

/// Points a context of [`new`] at a moment, and at the sums that its vertex adds to.
#[inline]
pub fn point(context: &Ref, moment: Moment, tally: Option<usize>) {
    let place = context.as_ptr().cast::<Context>();
    // SAFETY: a context, by the function's contract.
    unsafe { ((*place).moment, (*place).tally) = (Some(moment), tally) };
}

/// # Safety
/// `context` must be a [`Context`] that is alive for `'a`.
unsafe fn parts<'a>(context: *mut PyObject) -> (&'a State, &'a Context) {
    // SAFETY: the caller's promise; a context holds its state.
    unsafe {
        let context = &*context.cast::<Context>();
        (&*context.state, context)
    }
}

unsafe extern "C" fn iteration(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: CPython calls it with a Context, alive until this returns.
    let (state, context) = unsafe { parts(context) };
    returned(state.look(context.moment, |frame| frame.iteration).and_then(py::int))
}

unsafe extern "C" fn total(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `iteration`.
    let (state, context) = unsafe { parts(context) };
    returned(state.look(context.moment, |frame| frame.total).and_then(py::float))
}

unsafe extern "C" fn vertices(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `iteration`.
    returned(py::int(unsafe { parts(context) }.0.graph.get().vertices))
}

unsafe extern "C" fn edges(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `iteration`.
    returned(py::int(unsafe { parts(context) }.0.graph.get().edges))
}

unsafe extern "C" fn directed(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `iteration`.
    returned(Ok(py::bool(unsafe { parts(context) }.0.graph.get().directed)))
}

unsafe extern "C" fn log(context: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `iteration`.
    let log = unsafe { parts(context) }.0.log.borrow().clone();
    returned(log.ok_or_else(|| py::raise(Kind::Runtime, "the program has been closed")))
}

unsafe extern "C" fn add_residual(context: *mut PyObject, amount: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `iteration`; the amount is alive.
    returned(unsafe { add(context, Sum::Residual, amount) })
}

unsafe extern "C" fn add_total(context: *mut PyObject, amount: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `iteration`; the amount is alive.
    returned(unsafe { add(context, Sum::Total, amount) })
}

/// # Safety
/// As [`parts`], and the amount must be alive.
unsafe fn add(context: *mut PyObject, which: Sum, amount: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: the caller's promise.
    unsafe {
        let (state, context) = parts(context);
        let amount = ffi::PyFloat_AsDouble(amount);
        if amount == -1.0 && !ffi::PyErr_Occurred().is_null() {
            return Err(Raised);
        }
        let Some(tally) = context.tally else {
            let word = if which == Sum::Residual { "residual" } else { "total" };
            let message =
                format!("each vertex adds for itself: call vertices.add_{word} with a number for each");
            return Err(py::raise(Kind::Type, message));
        };
        state.look(context.moment, |frame| frame.add(tally, which, amount))?;
        Ok(py::none())
    }
}

unsafe extern "C" fn dealloc(context: *mut PyObject) {
    // SAFETY: CPython calls it with a Context that nobody refers to; `new` counted its state.
    unsafe {
        let state = ptr::replace(&raw mut (*context.cast::<Context>()).state, ptr::null());
        if !state.is_null() {
            Rc::decrement_strong_count(state);
        }
        types::free(context);
    }
}
