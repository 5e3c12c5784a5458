//! From a VERTEX frame to a program's methods and back.

use super::cursor::{Moment, Values};
use super::{Gather, Graph, Interval, Iteration, Neighbours, Program, Vertex, VertexValue};
use crate::body::{Body, Failed, after_close};
use crate::driver::{answer, caught};
use crate::{Context, Describe, Failure};
use std::slice::{from_raw_parts, from_raw_parts_mut};
use upcall_abi::{
    BatchFrame, Edges, FrameHead, OpenFrame, Rel, Status, VertexFrame, VertexOpen, VertexTally, ahead, base,
    dense, phase,
};

pub(super) struct VertexBody<P> {
    /// `None` after CLOSE.
    program: Option<P>,
    /// There from OPEN on.
    graph: Option<Graph>,
    /// What a vertex wakes.
    wakes: Vec<u64>,
    /// Whether the program was told of the iteration.
    begun: bool,
    /// The first vertex and the pass of the interval that it was told of in this iteration.
    interval: Option<(u64, u64)>,
}

impl<P: Program> VertexBody<P> {
    pub(super) fn new(program: P) -> VertexBody<P> {
        VertexBody { program: Some(program), graph: None, wakes: Vec::new(), begun: false, interval: None }
    }
}

impl<P: Program> Body for VertexBody<P> {
    fn batch(&self) -> BatchFrame {
        BatchFrame::VERTEX
    }

    fn describe(&mut self, describe: &mut Describe<'_>) -> Result<(), Failure> {
        let writer = &mut describe.writer;
        writer.form(if P::GATHER.is_some() { "gather" } else { "vertex" });
        for (which, name) in [("own", P::Own::NAME), ("shown", P::Shown::NAME), ("edge", P::Edge::NAME)] {
            name.into_iter().for_each(|name| writer.value(which, name));
        }
        for (what, needed) in [("outgoing", P::OUTGOING), ("writes", P::WRITES), ("selective", P::SELECTIVE)]
        {
            if needed {
                writer.needs(what);
            }
        }
        if let Some(by) = P::GATHER {
            writer.gather(by.name());
        }
        if let Some(program) = &self.program {
            program.describe(describe);
        }
        Ok(())
    }

    fn open(&mut self, context: &Context<'_>, frame: &OpenFrame) -> Result<(), Failure> {
        // SAFETY: for handlers of this kind the engine adds this struct, which is there during OPEN.
        let Some(added) = (unsafe { VertexOpen::of(frame) }) else {
            return Err(Failure::new("OPEN has no graph: build engine and handler with the same version"));
        };
        let graph = Graph { vertices: added.vertices, edges: added.edges, directed: added.directed != 0 };
        match &mut self.program {
            Some(program) => program.open(context, &graph)?,
            None => return Err(after_close()),
        }
        self.graph = Some(graph);
        Ok(())
    }

    unsafe fn run(&mut self, head: *mut FrameHead) -> Status {
        let mut at = None;
        // SAFETY: the caller's promise, here and below.
        let size = unsafe { (*head).size } as usize;
        let outcome = if size < size_of::<VertexFrame>() {
            // Of an older engine: what its frames lack is as in an empty one.
            let mut whole = VertexFrame::new(phase::AFTER);
            // SAFETY: so many bytes are there, and here.
            unsafe { (&raw mut whole).cast::<u8>().copy_from_nonoverlapping(head.cast(), size) };
            // SAFETY: it says what the frame does.
            let outcome = caught(|| unsafe { self.call(&mut whole, &mut at) });
            // SAFETY: as above.
            unsafe { (&raw const whole).cast::<u8>().copy_to_nonoverlapping(head.cast(), size) };
            outcome
        } else {
            // SAFETY: as above.
            caught(|| unsafe { self.call(&mut *head.cast::<VertexFrame>(), &mut at) })
        };
        let outcome = outcome.map_err(|failure| match at {
            Some(index) => Failed::item(failure, index),
            None => Failed::whole(failure),
        });
        // SAFETY: the caller's promise.
        unsafe { answer(head, outcome) }
    }

    unsafe fn flush(&mut self, _: *mut FrameHead) -> Status {
        // It holds nothing back.
        Status::OK
    }

    fn close(&mut self) {
        self.program = None;
    }
}

impl<P: Program> VertexBody<P> {
    /// Does what a frame asks for; `at` is which of its vertices a failure is about.
    ///
    /// # Safety
    /// What the frame says is there.
    unsafe fn call(&mut self, frame: &mut VertexFrame, at: &mut Option<u32>) -> Result<(), Failure> {
        let Some(program) = &mut self.program else { return Err(after_close()) };
        let Some(graph) = self.graph else {
            return Err(Failure::new("the handler was called before OPEN, which says what the graph is"));
        };
        match frame.phase {
            phase::AFTER => {
                self.begun = false;
                let VertexFrame { iteration: number, updated, scheduled, residual, total, .. } = *frame;
                let done = Iteration { number, updated, scheduled, residual, total };
                frame.ended = program.after_iteration(&done)?.into();
                Ok(())
            }
            phase::INTERVAL => {
                let about = interval(frame);
                program.after_interval(&about)?;
                frame.ended = program.repeat_updates(&about)?.into();
                Ok(())
            }
            phase::START => {
                self.begun = false;
                // SAFETY: the caller's promise.
                unsafe { each(program, graph, frame, &mut self.wakes, at) }
            }
            phase::UPDATE => {
                if !std::mem::replace(&mut self.begun, true) {
                    self.interval = None;
                    program.before_iteration(frame.iteration, frame.total)?;
                }
                let about = interval(frame);
                // An older engine says of no interval.
                let this = (about.end > 0).then_some((about.first, about.pass));
                if std::mem::replace(&mut self.interval, this) != this {
                    program.before_interval(&about)?;
                }
                // SAFETY: the caller's promise.
                unsafe { each(program, graph, frame, &mut self.wakes, at) }
            }
            other => Err(Failure::new(format!("a frame's phase is {other}, which it does not know"))),
        }
    }
}

/// What a frame says of the interval at work.
fn interval(frame: &VertexFrame) -> Interval {
    let told = frame.phase == phase::INTERVAL;
    Interval {
        iteration: frame.iteration,
        first: frame.interval_first,
        end: frame.interval_end,
        pass: frame.pass,
        updated: if told { frame.updated } else { 0 },
        residual: if told { frame.residual } else { 0.0 },
        total: if told { frame.total } else { 0.0 },
    }
}

/// # Safety
/// There must be such elements, aligned, which nobody else looks at for `'a`; or none.
unsafe fn part<'a, T>(of: Rel<u8>, base: u64) -> &'a mut [T] {
    let count = (of.len as usize).checked_div(size_of::<T>()).unwrap_or(0);
    if count == 0 {
        return &mut [];
    }
    // SAFETY: the caller's promise.
    unsafe { from_raw_parts_mut(base.wrapping_add(of.offset) as *mut T, count) }
}

/// # Safety
/// As [`part`], which nobody writes meanwhile.
unsafe fn seen<'a, T>(of: Rel<u8>, base: u64) -> &'a [T] {
    let count = (of.len as usize).checked_div(size_of::<T>()).unwrap_or(0);
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { from_raw_parts(base.wrapping_add(of.offset) as *const T, count) }
}

/// A frame's edges in one direction.
struct Side<'a, S, E> {
    begins: &'a [u64],
    ends: &'a [u64],
    ids: &'a [u32],
    at: &'a [u32],
    shown: &'a [S],
    values: &'a [E],
    places: &'a [u64],
    /// Up to where it is asked ahead for what is looked up of edges; no further than the vertex's own where this is 0.
    end: usize,
}

impl<'a, S: VertexValue, E: VertexValue> Side<'a, S, E> {
    /// # Safety
    /// The frame is whole, and what its edges show is `shown`.
    unsafe fn new(frame: &VertexFrame, edges: &Edges, shown: &'a [S]) -> Side<'a, S, E> {
        let (files, columns) = (frame.head.base[base::FILES], frame.head.base[base::COLUMNS]);
        // SAFETY: the caller's promise.
        unsafe {
            Side {
                begins: edges.begins.get(files),
                ends: edges.ends.get(files),
                ids: edges.ids.get(files),
                at: edges.at.get(columns),
                shown,
                values: seen(edges.values, files),
                places: edges.places.get(files),
                end: 0,
            }
        }
    }

    /// How many edges the vertex at this place of the frame has, whether or not they are there.
    fn degree(&self, index: usize) -> u64 {
        match (self.begins.get(index), self.ends.get(index)) {
            (Some(begin), Some(end)) => end - begin,
            _ => 0,
        }
    }

    #[inline(always)]
    fn of(&self, index: usize, writes: bool) -> Neighbours<'a, S, E> {
        if self.ids.is_empty() || index >= self.begins.len() {
            return Neighbours::NONE;
        }
        let range = self.begins[index] as usize..self.ends[index] as usize;
        let end = self.end.max(range.end);
        let values = match self.places {
            _ if E::NAME.is_none() => Values::Here(&[][..]),
            [] => Values::Here(&self.values[range.clone()]),
            places => {
                let ahead = ahead(range.clone(), end.min(places.len()));
                Values::At(self.values, &places[range.clone()], &places[ahead])
            }
        };
        // Who sets values of edges looks at these, and not at what others show.
        let to = if writes { range.start } else { end };
        let ahead = &self.at[ahead(range.clone(), to)];
        Neighbours { ids: &self.ids[range.clone()], at: &self.at[range], ahead, shown: self.shown, values }
    }
}

/// Calls the program for each vertex of a frame; `at` is which of them it is about.
///
/// # Safety
/// The frame is whole.
unsafe fn each<P: Program>(
    program: &mut P,
    graph: Graph,
    frame: &mut VertexFrame,
    wakes: &mut Vec<u64>,
    at: &mut Option<u32>,
) -> Result<(), Failure> {
    let bases = frame.head.base;
    let (batch, output) = (bases[base::BATCH], bases[base::OUTPUT]);
    // SAFETY: the caller's promise: what is to be written is this call's, and nothing lies in two of these.
    let (ids, own, before, next, degrees, shown, gathered, least, tallies, woken) = unsafe {
        (
            frame.ids.get(batch),
            part::<P::Own>(frame.own, output),
            seen::<P::Shown>(frame.before, batch),
            part::<P::Shown>(frame.next, output),
            frame.out_degrees.get(batch),
            seen::<P::Shown>(frame.shown, bases[base::COLUMNS]),
            seen::<u64>(frame.gathered, batch),
            seen::<P::Shown>(frame.gathered, batch),
            part::<VertexTally>(Rel::new(frame.tallies.offset, frame.tallies.len * 16), output),
            part::<u32>(Rel::new(frame.woken.offset, frame.woken.len * 4), output),
        )
    };
    // SAFETY: as above.
    let [mut incoming, outgoing] = unsafe {
        [
            Side::<P::Shown, P::Edge>::new(frame, &frame.incoming, shown),
            Side::<P::Shown, P::Edge>::new(frame, &frame.outgoing, shown),
        ]
    };
    let count = frame.count as usize;
    let span = ids.last().map_or(count, |last| last.saturating_sub(ids[0]) as usize + 1);
    if dense(count, span) {
        incoming.end = incoming.ends.last().map_or(0, |end| *end as usize).min(incoming.at.len());
    }
    let (none, mut nothing) = (P::Own::NAME.is_none(), P::Own::default());
    let sizes = (if none { count } else { own.len() }, next.len(), degrees.len());
    let (first, block) = (frame.first, u64::from(frame.block.max(1)));
    if sizes != (count, count, count) {
        return Err(Failure::new(format!(
            "the frame's arrays have not {count} elements each: the engine breaks the rules"
        )));
    }
    let context = Moment { graph, iteration: frame.iteration, total: frame.total };
    let by_shown = matches!(P::GATHER, Some(Gather::Min | Gather::Max));
    let starts = frame.phase == phase::START;
    let next_values = if P::WRITES { frame.next_values } else { Rel::EMPTY };
    // SAFETY: as above.
    let mut next_values = unsafe { part::<P::Edge>(next_values, output) };
    frame.wakes = 0;
    // The sums of the block at work, which ends before the vertex `until`: where they lie in the frame, each would be waited for.
    let (mut sums, mut tallied, mut until) = (VertexTally::default(), usize::MAX, 0);
    for index in 0..count {
        *at = Some(index as u32);
        let id = ids.get(index).map_or(first + index as u64, |id| u64::from(*id));
        if id >= until {
            if let Some(tally) = tallies.get_mut(tallied) {
                *tally = sums;
            }
            tallied = ((id - first) / block) as usize;
            let Some(tally) = tallies.get(tallied) else {
                return Err(Failure::new(format!(
                    "the frame has no tally for vertex {id}: the engine breaks the rules"
                )));
            };
            (sums, until) = (*tally, first + (tallied as u64 + 1) * block);
        }
        let degree = if P::WRITES && !starts { outgoing.degree(index) as usize } else { 0 };
        let Some((values, behind)) = std::mem::take(&mut next_values).split_at_mut_checked(degree) else {
            return Err(Failure::new(format!(
                "the frame has too few values for the edges of vertex {id}: the engine breaks the rules"
            )));
        };
        next_values = behind;
        let mut vertex = Vertex::<P> {
            next_values: values,
            id,
            own: if none { &mut nothing } else { &mut own[index] },
            shown: before.get(index).copied().unwrap_or_default(),
            next: &mut next[index],
            in_degree: incoming.degree(index),
            out_degree: degrees[index],
            incoming: if P::GATHER.is_some() { Neighbours::NONE } else { incoming.of(index, P::WRITES) },
            outgoing: outgoing.of(index, P::WRITES),
            gathered: if by_shown { 0 } else { gathered.get(index).copied().unwrap_or(0) },
            gathered_shown: if by_shown {
                least.get(index).copied().unwrap_or_default()
            } else {
                P::Shown::default()
            },
            tally: &mut sums,
            wakes,
            context: &context,
        };
        if starts {
            program.start(&mut vertex)?
        } else {
            program.update(&mut vertex)?
        }
        if !wakes.is_empty() {
            wake(wakes, woken, &mut frame.wakes, graph)?;
        }
    }
    if let Some(tally) = tallies.get_mut(tallied) {
        *tally = sums;
    }
    *at = None;
    Ok(())
}

/// Says which vertices are scheduled.
fn wake(wakes: &mut Vec<u64>, woken: &mut [u32], count: &mut u64, graph: Graph) -> Result<(), Failure> {
    for vertex in wakes.drain(..) {
        let id = u32::try_from(vertex).ok().filter(|_| vertex < graph.vertices).ok_or_else(|| {
            Failure::new(format!("vertex {vertex} is scheduled, and the graph has {}", graph.vertices))
        })?;
        if *count as usize == woken.len() {
            // Each is needed once.
            woken.sort_unstable();
            *count = distinct(woken) as u64;
            if woken[..*count as usize].binary_search(&id).is_ok() {
                continue;
            }
        }
        let Some(place) = woken.get_mut(*count as usize) else {
            return Err(Failure::new(format!(
                "it schedules more vertices than there is room for ({}): a vertex may schedule as many as it has neighbours, and \
                 the program must be selective",
                woken.len()
            )));
        };
        *place = id;
        *count += 1;
    }
    Ok(())
}

/// Has different elements of a sorted slice come first: how many there are.
fn distinct(sorted: &mut [u32]) -> usize {
    let mut count = 0;
    for index in 0..sorted.len() {
        if count == 0 || sorted[index] != sorted[count - 1] {
            sorted[count] = sorted[index];
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use crate::vertex::{Interval, Iteration, Program, Vertex, vertices};
    use crate::{Failure, instance};
    use std::mem::offset_of;
    use upcall_abi::{FrameHead, OpenFrame, Status, VertexFrame, VertexOpen, kind, phase};

    /// Ends after the iteration of this number; of intervals it wants to hear nothing.
    struct Ends(u64);

    impl Program for Ends {
        type Own = ();
        type Shown = u32;
        type Edge = u32;

        const WRITES: bool = true;

        fn before_interval(&mut self, interval: &Interval) -> Result<(), Failure> {
            Err(Failure::new(format!("{interval:?}")))
        }

        fn update(&mut self, _: &mut Vertex<'_, Self>) -> Result<(), Failure> {
            Ok(())
        }

        fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
            Ok(done.number == self.0)
        }
    }

    #[test]
    fn a_frame_of_an_older_engine_is_answered_as_far_as_it_goes() {
        const SIZE: usize = offset_of!(VertexFrame, next_values);
        let mut program = instance(vertices(Ends(7)));
        let graph = VertexOpen {
            size: size_of::<VertexOpen>() as u32,
            directed: 1,
            vertices: 3,
            edges: 0,
            lent: upcall_abi::Rel::EMPTY,
        };
        let mut open = OpenFrame::new(kind::VERTEX, "ends", std::ptr::null(), &graph);
        // SAFETY: a whole frame of its kind.
        unsafe { program.ask(&mut open) }.unwrap();
        for (phase, iteration, ended) in [(phase::UPDATE, 7, 0), (phase::AFTER, 6, 0), (phase::AFTER, 7, 1)] {
            let mut whole = VertexFrame { iteration, ..VertexFrame::new(phase) };
            whole.head.size = SIZE as u32;
            let mut short = vec![0u64; SIZE / size_of::<u64>()];
            // SAFETY: so many bytes are here and there.
            unsafe {
                short.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping((&raw const whole).cast(), SIZE)
            };
            let frame = short.as_mut_ptr();
            // SAFETY: a frame as long as it says.
            assert_eq!(unsafe { program.call(&mut *frame.cast::<FrameHead>()) }, Status::OK);
            // SAFETY: it is within the frame.
            let found = unsafe { frame.byte_add(offset_of!(VertexFrame, ended)).cast::<u32>().read() };
            assert_eq!(found, ended, "{phase} {iteration}");
        }
    }
}
