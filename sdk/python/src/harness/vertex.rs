//! Frames with vertices around the instance.

use super::combine::Array;
use super::{Inner, failed, number};
use crate::flow::data::Data;
use crate::py::{self, Outcome, Ref};
use upcall_abi::{Edges, Rel, VertexFrame, VertexOpen, VertexTally, kind, phase};

/// `open_vertex(vertices, edges, directed)`
pub fn open_vertex(inner: &mut Inner, [vertices, edges, directed]: [Ref; 3]) -> Outcome<Ref> {
    let size = size_of::<VertexOpen>() as u32;
    let (vertices, edges, directed) = (number(&vertices)?, number(&edges)?, number(&directed)? as u32);
    inner.open(kind::VERTEX, &VertexOpen { size, directed, vertices, edges, lent: Rel::EMPTY })
}

/// Buffers that are held while a frame points into them.
struct Held(Vec<(Ref, Data)>);

impl Held {
    /// The elements of a buffer, by its place in a tuple.
    fn part<T>(&mut self, of: &Ref, index: usize) -> Outcome<Rel<T>> {
        let buffer = py::item(of, index)?;
        // SAFETY: it is held for as long as its bytes are used.
        let data = unsafe { Data::key(buffer.as_ptr())? };
        let bytes = data.bytes();
        let part = Rel::new(bytes.as_ptr() as u64, (bytes.len() / size_of::<T>()) as u64);
        self.0.push((buffer, data));
        Ok(part)
    }

    /// (begins, ends, ids, at, values, places)
    fn edges(&mut self, of: &Ref) -> Outcome<Edges> {
        Ok(Edges {
            begins: self.part(of, 0)?,
            ends: self.part(of, 1)?,
            ids: self.part(of, 2)?,
            at: self.part(of, 3)?,
            values: self.part(of, 4)?,
            places: self.part(of, 5)?,
        })
    }
}

/// `vertices(numbers, total, lent, written, incoming, outgoing, room)`: calls the driver with the vertices of a frame and answers
/// (own, next, next values, tallies, woken, failure).
///
/// `numbers` are (phase, block, iteration, first, count, first vertex of the interval, vertex behind its last, pass, bytes that the
/// frame says it has: 0 for all of them), `lent` the buffers (ids, before, out degrees, shown, gathered),
/// `written` (own, next, next values), `room` (tallies, woken): how many of each.
pub fn vertices(
    inner: &mut Inner,
    [numbers, total, lent, written, incoming, outgoing, room]: [Ref; 7],
) -> Outcome<Ref> {
    let whole = |of: &Ref, index| number(&py::item(of, index)?);
    let mut held = Held(Vec::new());
    let mut frame = VertexFrame::new(whole(&numbers, 0)? as u32);
    frame.block = whole(&numbers, 1)? as u32;
    (frame.iteration, frame.first, frame.count) =
        (whole(&numbers, 2)?, whole(&numbers, 3)?, whole(&numbers, 4)?);
    (frame.interval_first, frame.interval_end, frame.pass) =
        (whole(&numbers, 5)?, whole(&numbers, 6)?, whole(&numbers, 7)?);
    if let size @ 1.. = whole(&numbers, 8)? as u32 {
        frame.head.size = size.min(frame.head.size);
    }
    frame.total = real(&total)?;
    (frame.ids, frame.before) = (held.part(&lent, 0)?, held.part(&lent, 1)?);
    (frame.out_degrees, frame.shown) = (held.part(&lent, 2)?, held.part(&lent, 3)?);
    frame.gathered = held.part(&lent, 4)?;
    (frame.incoming, frame.outgoing) = (held.edges(&incoming)?, held.edges(&outgoing)?);
    // What is written is memory of this call's own, as an engine's arrays are: what dangles afterwards really does.
    let copy = |index| {
        let buffer = py::item(&written, index)?;
        // SAFETY: it is alive while its bytes are copied.
        Ok(Array::of(unsafe { Data::key(buffer.as_ptr())? }.bytes()))
    };
    let (mut own, mut next, mut values) = (copy(0)?, copy(1)?, copy(2)?);
    let (tallies, woken) = (whole(&room, 0)?, whole(&room, 1)?);
    let mut sums = Array::of(&vec![0; tallies as usize * size_of::<VertexTally>()]);
    let mut wakes = Array::of(&vec![0; woken as usize * size_of::<u32>()]);
    (frame.own, frame.next, frame.next_values) = (own.place(), next.place(), values.place());
    frame.tallies = Rel::new(sums.place().offset, tallies);
    frame.woken = Rel::new(wakes.place().offset, woken);
    frame.head.error.text = inner.room();
    // SAFETY: the frame and what it points to live until it returns.
    let status = unsafe { inner.instance.handle((&raw mut frame).cast()) };
    let woken = &wakes.bytes()[..frame.wakes as usize * size_of::<u32>()];
    let failure = failed(status, &frame.head, 0)?;
    let [own, next, values, sums] = [own.bytes(), next.bytes(), values.bytes(), sums.bytes()].map(py::bytes);
    py::tuple(&[&own?, &next?, &values?, &sums?, &py::bytes(woken)?, &failure])
}

/// `after(number, updated, scheduled, residual, total)`: tells the driver that an iteration has ended and answers (whether it was
/// the last one, failure).
pub fn after(inner: &mut Inner, [iteration, updated, scheduled, residual, total]: [Ref; 5]) -> Outcome<Ref> {
    let mut frame = VertexFrame::new(phase::AFTER);
    frame.iteration = number(&iteration)?;
    (frame.updated, frame.scheduled) = (number(&updated)?, number(&scheduled)?);
    (frame.residual, frame.total) = (real(&residual)?, real(&total)?);
    ended(inner, frame)
}

/// `interval(iteration, first, end, pass, updated, residual, total)`: tells the driver that an interval was updated and answers
/// (whether it is to be once more, failure).
pub fn interval(
    inner: &mut Inner,
    [iteration, first, end, pass, updated, residual, total]: [Ref; 7],
) -> Outcome<Ref> {
    let mut frame = VertexFrame::new(phase::INTERVAL);
    (frame.iteration, frame.pass, frame.updated) = (number(&iteration)?, number(&pass)?, number(&updated)?);
    (frame.interval_first, frame.interval_end) = (number(&first)?, number(&end)?);
    (frame.residual, frame.total) = (real(&residual)?, real(&total)?);
    ended(inner, frame)
}

/// Calls the driver with a frame without vertices, and answers (what it has written to `ended`, failure).
fn ended(inner: &mut Inner, mut frame: VertexFrame) -> Outcome<Ref> {
    frame.head.error.text = inner.room();
    // SAFETY: the frame lives until it returns.
    let status = unsafe { inner.instance.handle((&raw mut frame).cast()) };
    py::tuple(&[&py::bool(frame.ended != 0), &failed(status, &frame.head, 0)?])
}

/// The number that a `float` is.
fn real(of: &Ref) -> Outcome<f64> {
    // SAFETY: it is alive; CPython checks that it is a number.
    let number = unsafe { crate::ffi::PyFloat_AsDouble(of.as_ptr()) };
    // SAFETY: this thread is attached.
    let raised = number == -1.0 && !unsafe { crate::ffi::PyErr_Occurred() }.is_null();
    if raised { Err(py::Raised) } else { Ok(number) }
}
