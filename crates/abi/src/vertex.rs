use crate::{FrameHead, OpenFrame, Rel};

/// What a [`VertexFrame`] is about, in [`VertexFrame::phase`].
pub mod phase {
    /// What vertices begin with: `own` and `next` are to be written. Of the edges only begins and ends are there. Who schedules
    /// a vertex schedules it for the first iteration.
    pub const START: u32 = 0;
    /// Each vertex is to be updated.
    pub const UPDATE: u32 = 1;
    /// An iteration has ended; there are no vertices. Every instance is told, with the same numbers.
    pub const AFTER: u32 = 2;
    /// The vertices of an interval were updated; there are none. One instance is told, and asked whether they are to be updated again.
    pub const INTERVAL: u32 = 3;
}

/// Vertices of a graph that are updated together, and what they see: `count` elements in each array of vertices.
///
/// Values are numbers of the types that the handler has said in DESCRIBE ([`crate::about::VALUE`]); of what it has not said there
/// are no bytes. What other vertices show is that of the last iteration, whatever is written now.
#[repr(C)]
#[derive(Debug)]
pub struct VertexFrame {
    /// The head; its kind is [`crate::kind::VERTEX`].
    pub head: FrameHead,
    /// One of [`phase`].
    pub phase: u32,
    /// Consecutive vertices that add to one of `tallies`: a power of two.
    pub block: u32,
    /// The number of the iteration, from 0 on; of the one that has ended where that is what the frame is about.
    pub iteration: u64,
    /// The total of the iteration before (of the start, for the first); what the iteration, or the interval, has come to that has ended.
    pub total: f64,
    /// The first vertex of a block: the one that adds to the first of `tallies`.
    pub first: u64,
    /// How many vertices there are.
    pub count: u64,
    /// Their numbers in ascending order, relative to `base::BATCH`, none of which is below `first`. Empty where they are
    /// `first`, `first + 1` and so on.
    pub ids: Rel<u32>,
    /// What each keeps to itself, relative to `base::OUTPUT`: read and written.
    pub own: Rel<u8>,
    /// What each showed, relative to `base::BATCH`. Empty at the start.
    pub before: Rel<u8>,
    /// What each shows from the next iteration on, relative to `base::OUTPUT`: as `before`, until it is written.
    pub next: Rel<u8>,
    /// How many edges go out of each, relative to `base::BATCH`.
    pub out_degrees: Rel<u32>,
    /// What neighbours show, relative to `base::COLUMNS`: at the places that [`Edges::at`] names, which are within.
    pub shown: Rel<u8>,
    /// The edges that come in. At the start, and where neighbours are gathered, only where they begin and end is there.
    pub incoming: Edges,
    /// The edges that go out; empty unless the handler has said that it looks at them, or writes their values.
    pub outgoing: Edges,
    /// What each one's incoming neighbours come to, relative to `base::BATCH`, of a handler that has said by what they are to be
    /// gathered ([`crate::about::GATHER`]): numbers as that says.
    pub gathered: Rel<u8>,
    /// What vertices add up, relative to `base::OUTPUT`, one for each block from `first` on: each vertex adds to that at
    /// `(id - first) / block`.
    pub tallies: Rel<VertexTally>,
    /// Room for vertices that are to be updated in the next iteration besides those that see a change, relative to `base::OUTPUT`.
    pub woken: Rel<u32>,
    /// How many of them were written.
    pub wakes: u64,
    /// How many vertices were updated in the iteration, or the interval, that has ended.
    pub updated: u64,
    /// How many are scheduled for the next.
    pub scheduled: u64,
    /// Its residual.
    pub residual: f64,
    /// Whether it was the last iteration, or the interval is to be updated again: anything but 0, written by the handler.
    pub ended: u32,
    /// Bytes of an edge's value; 0 where there is none.
    pub value_size: u32,
    /// Values that outgoing edges have from the next iteration on, relative to `base::OUTPUT`: one for each edge of the frame's
    /// vertices, in the order of [`outgoing`](VertexFrame::outgoing), those of one vertex behind those of the one before. Each is as it
    /// was until it is written. Empty at the start, and for handlers that have not said that they write them.
    pub next_values: Rel<u8>,
    /// The first vertex of the interval whose vertices are updated, or were: all of the graph's in Jacobi's way.
    pub interval_first: u64,
    /// The vertex behind its last.
    pub interval_end: u64,
    /// How often it was updated in this iteration before.
    pub pass: u64,
}

crate::layout::layout!(VertexFrame: 536, 8 {
    head: 0, phase: 80, block: 84, iteration: 88, total: 96, first: 104, count: 112, ids: 120, own: 136, before: 152, next: 168,
    out_degrees: 184, shown: 200, incoming: 216, outgoing: 312, gathered: 408, tallies: 424, woken: 440, wakes: 456, updated: 464,
    scheduled: 472, residual: 480, ended: 488, value_size: 492, next_values: 496, interval_first: 512, interval_end: 520,
    pass: 528,
});

impl VertexFrame {
    /// A frame of this [`phase`] without vertices.
    #[must_use]
    pub const fn new(phase: u32) -> VertexFrame {
        VertexFrame {
            head: FrameHead::new::<VertexFrame>(crate::kind::VERTEX),
            phase,
            block: 1,
            iteration: 0,
            total: 0.0,
            first: 0,
            count: 0,
            ids: Rel::EMPTY,
            own: Rel::EMPTY,
            before: Rel::EMPTY,
            next: Rel::EMPTY,
            out_degrees: Rel::EMPTY,
            shown: Rel::EMPTY,
            incoming: Edges::NONE,
            outgoing: Edges::NONE,
            gathered: Rel::EMPTY,
            tallies: Rel::EMPTY,
            woken: Rel::EMPTY,
            wakes: 0,
            updated: 0,
            scheduled: 0,
            residual: 0.0,
            ended: 0,
            value_size: 0,
            next_values: Rel::EMPTY,
            interval_first: 0,
            interval_end: 0,
            pass: 0,
        }
    }
}

/// The edges of a frame's vertices in one direction, relative to `base::FILES` but for `at`. The edges of the vertex at `i` are
/// those at `begins[i]..ends[i]` of the arrays of edges, in ascending order of their other ends.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edges {
    /// Where the edges of each vertex begin.
    pub begins: Rel<u64>,
    /// Where they end. The two may be one array, of which the second begins an element later.
    pub ends: Rel<u64>,
    /// The numbers of the vertices at the other ends.
    pub ids: Rel<u32>,
    /// Where in [`VertexFrame::shown`] is what these show, relative to `base::COLUMNS`.
    pub at: Rel<u32>,
    /// The values of edges; empty unless the handler has said that it looks at them.
    pub values: Rel<u8>,
    /// Where in `values` that of an edge is; empty where it is at the edge's own place.
    pub places: Rel<u64>,
}

impl Edges {
    /// No edges.
    pub const NONE: Edges = Edges {
        begins: Rel::EMPTY,
        ends: Rel::EMPTY,
        ids: Rel::EMPTY,
        at: Rel::EMPTY,
        values: Rel::EMPTY,
        places: Rel::EMPTY,
    };
}

crate::layout::layout!(Edges: 96, 8 { begins: 0, ends: 16, ids: 32, at: 48, values: 64, places: 80 });

/// What the vertices of a block have added up.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct VertexTally {
    /// How far the program is from its end.
    pub residual: f64,
    /// What all vertices see in the next iteration.
    pub total: f64,
}

crate::layout::layout!(VertexTally: 16, 8 { residual: 0, total: 8 });

/// What the engine adds to OPEN for a vertex program: the graph.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VertexOpen {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Whether edges have a direction: 0 or 1. If they have none, those that come in and those that go out are the same.
    pub directed: u32,
    /// How many vertices it has.
    pub vertices: u64,
    /// How many edges, each direction counted where they have none.
    pub edges: u64,
    /// What frames point into, for a guest in this process that sees no memory but its own and can map files: relative to
    /// `base::BATCH`. It stays until CLOSE.
    pub lent: Rel<VertexLent>,
}

crate::layout::layout!(VertexOpen: 40, 8 { size: 0, directed: 4, vertices: 8, edges: 16, lent: 24 });

/// Memory of the engine's to which it has mapped all of a file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct VertexLent {
    /// Where it begins.
    pub address: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The number of the file's descriptor.
    pub file: u64,
}

crate::layout::layout!(VertexLent: 24, 8 { address: 0, bytes: 8, file: 16 });

impl VertexOpen {
    /// What the engine adds to this frame; `None` where it is shorter than what ABI 2 began with.
    ///
    /// # Safety
    /// What the frame adds must be a [`VertexOpen`] as long as it says, and stay unchanged for `'a`.
    #[must_use]
    pub unsafe fn of<'a>(frame: &OpenFrame) -> Option<&'a VertexOpen> {
        // SAFETY: the caller's promise.
        unsafe { frame.added(core::mem::offset_of!(VertexOpen, edges) + size_of::<u64>()) }
    }
}
