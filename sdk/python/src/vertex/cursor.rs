//! `upcall.graph.Vertex`: the vertex that is started or updated. It ends with the call, and moves on to the next vertex unless
//! somebody has kept it.

use super::edges::{self, INCOMING, OUTGOING};
use super::frame::Frame;
use super::state::{State, undeclared};
use super::{Natives, context};
use crate::arguments;
use crate::ffi;
use crate::flow::moment::Moment;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Ref, returned};
use crate::types::{self, TypeOf};
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::ptr;
use std::rc::Rc;

/// The Python object.
#[repr(C)]
struct Vertex {
    head: PyObject,
    /// Its edges, in the two fields that Python reads without a call.
    incoming: *mut PyObject,
    outgoing: *mut PyObject,
    /// Of the instance that made it, which is counted.
    state: *const State,
    /// The call that it is of; none before the first.
    moment: Option<Moment>,
    /// Where in the frame it is.
    place: usize,
    id: u64,
}

/// The type.
pub fn vertex_type() -> Outcome<Ref> {
    TypeOf::new::<Vertex>(c"upcall.graph.Vertex")
        .flag(ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .slot(ffi::Py_tp_repr, repr as *const ())
        .member(c"incoming", ffi::Py_T_OBJECT_EX, offset_of!(Vertex, incoming))
        .member(c"outgoing", ffi::Py_T_OBJECT_EX, offset_of!(Vertex, outgoing))
        .attribute(c"id", id, c"Its number, from 0 on.")
        .property(c"own", own, set_own, c"What it keeps to itself.")
        .attribute(c"shown", shown, c"What it showed in the last iteration; 0 before the first.")
        .attribute(c"in_degree", in_degree, c"How many edges come in.")
        .attribute(c"out_degree", out_degree, c"How many edges go out.")
        .one(c"show", show, c"Shows a value to its neighbours, from the next iteration on.")
        .method(c"schedule", schedule, c"Has it, or the vertex that is named, updated in the next iteration.")
        .make(None)
}

/// The vertex and the context that a program is given: used again from vertex to vertex.
pub struct Cursors {
    pub vertex: Ref,
    pub context: Ref,
}

impl Cursors {
    /// New ones.
    pub fn new(state: &Rc<State>) -> Outcome<Cursors> {
        let vertex = types::new(&Natives::get().vertex)?;
        let place = vertex.as_ptr().cast::<Vertex>();
        let (incoming, outgoing) = (edges::new(state, INCOMING)?, edges::new(state, OUTGOING)?);
        // SAFETY: a new object of this type, zeroed; every field behind the head that zeros are not right for is written.
        unsafe {
            (&raw mut (*place).moment).write(None);
            (*place).incoming = incoming.into_ptr();
            (*place).outgoing = outgoing.into_ptr();
            (&raw mut (*place).state).write(Rc::into_raw(state.clone()));
        }
        Ok(Cursors { vertex, context: context::new(state)? })
    }

    /// Points them at a vertex of the frame, for one moment; the vertices before it have `behind` outgoing edges. How many it has
    /// itself, where they are there.
    #[inline]
    pub fn point(&self, frame: &Frame, moment: Moment, place: usize, behind: usize) -> Option<usize> {
        let (id, tally) = frame.vertex(place)?;
        let vertex = self.vertex.as_ptr().cast::<Vertex>();
        let ranges = [INCOMING, OUTGOING].map(|side| frame.sides[side].range(place));
        // SAFETY: a vertex of `new`, whose edges are alive as long as it is.
        unsafe {
            (*vertex).moment = Some(moment);
            ((*vertex).place, (*vertex).id) = (place, id);
            edges::point((*vertex).incoming, moment, id, ranges[INCOMING], 0);
            edges::point((*vertex).outgoing, moment, id, ranges[OUTGOING], behind);
        }
        context::point(&self.context, moment, Some(tally));
        Some(ranges[OUTGOING].1 - ranges[OUTGOING].0)
    }

    /// Makes new ones in place of those that somebody has kept.
    #[inline]
    pub fn renew(&mut self, state: &Rc<State>) -> Outcome<()> {
        let vertex = self.vertex.as_ptr().cast::<Vertex>();
        // SAFETY: all are alive.
        let counts = unsafe {
            [self.vertex.as_ptr(), self.context.as_ptr(), (*vertex).incoming, (*vertex).outgoing]
                .map(|object| ffi::refcount(object))
        };
        if counts != [1; 4] {
            *self = Cursors::new(state)?;
        }
        Ok(())
    }
}

/// # Safety
/// `vertex` must be a [`Vertex`] that is alive for `'a`.
unsafe fn parts<'a>(vertex: *mut PyObject) -> (&'a State, &'a Vertex) {
    // SAFETY: the caller's promise; a vertex holds its state.
    unsafe {
        let vertex = &*vertex.cast::<Vertex>();
        (&*vertex.state, vertex)
    }
}

fn own_number(state: &State) -> Outcome<Number> {
    state.says.own.ok_or_else(|| undeclared("own", "own = \"f64\" (or f32, i32, i64, u32, u64)"))
}

unsafe extern "C" fn id(vertex: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: CPython calls it with a Vertex, alive until this returns.
    let (state, vertex) = unsafe { parts(vertex) };
    returned(state.look(vertex.moment, |_| vertex.id).and_then(py::int))
}

unsafe extern "C" fn own(vertex: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `id`.
    let (state, vertex) = unsafe { parts(vertex) };
    returned(own_number(state).and_then(|number| {
        let word = state.look(vertex.moment, |frame| frame.own.word(number, vertex.place))?;
        number.object(word.unwrap_or(0))
    }))
}

unsafe extern "C" fn set_own(vertex: *mut PyObject, value: *mut PyObject, _: *mut c_void) -> c_int {
    // SAFETY: as `id`; the value is alive, or null where it is to be deleted.
    let written = unsafe {
        let (state, vertex) = parts(vertex);
        own_number(state).and_then(|number| {
            if value.is_null() {
                return Err(py::raise(
                    Kind::Type,
                    "what a vertex keeps to itself cannot be deleted: set it to 0",
                ));
            }
            let word = u64::from_le_bytes(number.bytes_for(value, "own's")?);
            state.look(vertex.moment, |frame| frame.own.put(number, vertex.place, word))
        })
    };
    if written.is_ok() { 0 } else { -1 }
}

unsafe extern "C" fn shown(vertex: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `id`.
    let (state, vertex) = unsafe { parts(vertex) };
    let number = state.says.shown;
    let word = state.look(vertex.moment, |frame| match frame.starts {
        true => Some(0),
        false => frame.before.word(number, vertex.place),
    });
    returned(word.and_then(|word| number.object(word.unwrap_or(0))))
}

unsafe extern "C" fn show(vertex: *mut PyObject, value: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `id`; the value is alive.
    returned(unsafe {
        let (state, vertex) = parts(vertex);
        let number = state.says.shown;
        number.bytes_for(value, "shown's").and_then(|word| {
            let word = u64::from_le_bytes(word);
            state.look(vertex.moment, |frame| frame.next.put(number, vertex.place, word))?;
            Ok(py::none())
        })
    })
}

unsafe extern "C" fn in_degree(vertex: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `id`.
    let (state, vertex) = unsafe { parts(vertex) };
    let range = state.look(vertex.moment, |frame| frame.sides[INCOMING].range(vertex.place));
    returned(range.and_then(|(begin, end)| py::int((end - begin) as u64)))
}

unsafe extern "C" fn out_degree(vertex: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as `id`.
    let (state, vertex) = unsafe { parts(vertex) };
    let degree = state.look(vertex.moment, |frame| frame.out_degree(vertex.place));
    returned(degree.and_then(|degree| match degree {
        Some(degree) => py::int(degree.into()),
        None => Err(py::raise(Kind::Runtime, "the engine does not tell how many edges go out of vertices")),
    }))
}

unsafe extern "C" fn schedule(
    vertex: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `id`; CPython passes arguments that live until this returns.
    returned(unsafe {
        arguments::parse("schedule", ["id"], 0, given, count as usize, keywords).and_then(|[id]| {
            let (state, vertex) = parts(vertex);
            let id = if id.is_null() { vertex.id } else { vertex_number(id, state)? };
            state.wake(vertex.moment, id)?;
            Ok(py::none())
        })
    })
}

/// The number of a vertex that Python names.
///
/// # Safety
/// The object must be alive.
pub unsafe fn vertex_number(id: *mut PyObject, state: &State) -> Outcome<u64> {
    // SAFETY: the caller's promise.
    let number = unsafe { ffi::PyNumber_AsSsize_t(id, ffi::PyExc_IndexError) };
    if number >= 0 {
        return Ok(number as u64);
    }
    // SAFETY: this thread is attached.
    if number == -1 && !unsafe { ffi::PyErr_Occurred() }.is_null() {
        return Err(py::Raised);
    }
    let vertices = state.graph.get().vertices;
    let message = format!("schedule {number}: there is no such vertex: the graph has {vertices}, from 0 on");
    Err(py::raise(Kind::Index, message))
}

unsafe extern "C" fn repr(vertex: *mut PyObject) -> *mut PyObject {
    // SAFETY: as `id`.
    let (state, vertex) = unsafe { parts(vertex) };
    returned(match state.moments.now() {
        now if now.is_some() && now == vertex.moment => {
            py::text(format!("<upcall.graph.Vertex {}>", vertex.id).as_bytes())
        }
        _ => py::text(b"<upcall.graph.Vertex, ended>"),
    })
}

unsafe extern "C" fn dealloc(vertex: *mut PyObject) {
    // SAFETY: CPython calls it with a Vertex that nobody refers to; `new` counted what it holds.
    unsafe {
        let place = vertex.cast::<Vertex>();
        for edges in [(*place).incoming, (*place).outgoing] {
            if !edges.is_null() {
                ffi::decref(edges);
            }
        }
        let state = ptr::replace(&raw mut (*place).state, ptr::null());
        if !state.is_null() {
            Rc::decrement_strong_count(state);
        }
        types::free(vertex);
    }
}
