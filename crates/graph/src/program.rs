//! What a vertex program is, in Rust.

use crate::file::Id;
use crate::vertex::{Context, Start, Vertex};
use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;
use upcall_abi::Blit;

/// A program that the engine runs for each vertex, in iterations.
///
/// Iterations are Jacobi's: whatever a vertex [shows](Vertex::show), its neighbours see in the next iteration. So it does not
/// matter in which order vertices are updated, nor on how many threads. Gauss-Seidel's are there for programs that
/// [allow it](Program::ANY_ORDER).
pub trait Program: Send + Sync {
    /// What a vertex keeps to itself. Nobody else sees it.
    type Own: Blit + Send + Sync;
    /// What a vertex shows to its neighbours.
    type Shown: Blit + PartialEq + Send + Sync;
    /// The value of an edge; `()` if the program does not look at it.
    type Edge: EdgeValue;
    /// Room that a thread keeps from vertex to vertex.
    type Scratch: Default;

    /// What it is called, in messages and in the files that runs are kept in.
    const NAME: &'static str;

    /// Whether it looks at outgoing edges, which not every file has.
    const OUTGOING: bool = false;

    /// Whether it sets values of outgoing edges ([`Vertex::set_value`]), which it looks at then, too. Values are kept twice, where those
    /// of vertices are; the graph's file stays as it is. Where it has none they begin with 0.
    const WRITES: bool = false;

    /// Whether only those vertices are updated that see a changed value: a neighbour at the other end of an incoming edge (or of an
    /// outgoing one, if the program looks at [these](Program::OUTGOING)) showed another in the last iteration. In the first
    /// iteration, the vertices that were [scheduled](Start::schedule) are updated. The file must have outgoing edges.
    const SELECTIVE: bool = false;

    /// Whether it also comes to the right result where a vertex sees of some neighbours what they show in this very iteration:
    /// [`Options::gauss_seidel`](crate::Options::gauss_seidel). One that counts iterations does not.
    const ANY_ORDER: bool = false;

    /// What a vertex begins with. Called once per vertex, in no particular order, on several threads.
    fn start(&self, vertex: &mut Start<'_>) -> (Self::Own, Self::Shown);

    /// Updates one vertex. Called on several threads, for different vertices.
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, scratch: &mut Self::Scratch);

    /// How many bytes a thread's [`Scratch`](Program::Scratch) has at most for a vertex with so many edges, of those that the program looks
    /// at: what counts against [`Options::memory`](crate::Options::memory).
    #[must_use]
    fn scratch(edges: u64) -> u64 {
        let _ = edges;
        0
    }

    /// What its results depend on besides the graph: a run is only gone on with if this is the same.
    fn settings(&self) -> String {
        String::new()
    }

    /// Called where the graph's edges were [changed](crate::Options::change), before the first iteration that sees it; and where a run
    /// goes on from a file in which they were.
    fn after_change(&mut self, context: Context) {
        let _ = context;
    }

    /// Called before each iteration, for what is the same for all of its vertices.
    fn before_iteration(&mut self, context: Context) {
        let _ = context;
    }

    /// Called before an interval's vertices are updated: all vertices in Jacobi's way, those of one interval after the other in
    /// [Gauss-Seidel's](crate::Options::gauss_seidel).
    fn before_interval(&mut self, interval: &Interval) {
        let _ = interval;
    }

    /// Called when all of them have been updated.
    fn after_interval(&mut self, interval: &Interval) {
        let _ = interval;
    }

    /// Whether an interval that was updated is to be updated once more before the next one is: its vertices then see what all of it show
    /// now. Those of a [selective](Program::SELECTIVE) program are updated that have seen a change or were scheduled; where there are
    /// none, the interval is done. What the iteration has come to is what the last update of each interval has. A program that
    /// [writes](Program::WRITES) edges cannot.
    fn repeat_updates(&mut self, interval: &Interval) -> bool {
        let _ = interval;
        false
    }

    /// Called between iterations; says whether there is to be another one.
    fn after_iteration(&mut self, done: &Iteration) -> Control {
        let _ = done;
        Control::Continue
    }
}

/// Whether a program goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Another iteration.
    Continue,
    /// This was the last one.
    Stop,
}

/// An iteration that has ended.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Iteration {
    /// Its number, from 0 on.
    pub number: u64,
    /// How many vertices were updated.
    pub updated: u64,
    /// How many edges these have, as far as the program looks at them.
    pub edges: u64,
    /// How many vertices are scheduled for the next one.
    pub scheduled: u64,
    /// The sum of what vertices have [added](Vertex::add_residual) to the residual.
    pub residual: f64,
    /// The sum of what they have [added](Vertex::add_total) to the total, which the next iteration sees.
    pub total: f64,
    /// How long it took.
    pub took: Duration,
}

/// Vertices that are updated together, and what that has come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Interval {
    /// The number of the iteration.
    pub iteration: u64,
    /// Its vertices.
    pub vertices: Range<usize>,
    /// How often they were updated in this iteration before.
    pub pass: u64,
    /// How many of them were updated. This and the sums below are 0 before the update.
    pub updated: u64,
    /// The sum of what they have [added](Vertex::add_residual) to the residual.
    pub residual: f64,
    /// The sum of what they have [added](Vertex::add_total) to the total.
    pub total: f64,
}

/// A value of an edge as a program has it.
pub trait EdgeValue: Copy + Send + Sync + 'static {
    /// What the file's column of values is of; nothing if no column is needed.
    const ELEMENT: Option<&'static str>;
    /// How a column has it.
    type Stored: Blit + PartialEq + Debug + Send + Sync;

    /// From the column: `stored` is `None` if the program needs no values.
    fn of(stored: Option<Self::Stored>) -> Self;

    /// For the column, where a program [writes](Program::WRITES) it.
    fn stored(self) -> Self::Stored;
}

impl EdgeValue for () {
    const ELEMENT: Option<&'static str> = None;
    type Stored = u8;

    #[inline(always)]
    fn of(_: Option<u8>) {}

    fn stored(self) -> u8 {
        0
    }
}

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl EdgeValue for $number {
            const ELEMENT: Option<&'static str> = Some(stringify!($number));
            type Stored = $number;

            #[inline(always)]
            fn of(stored: Option<$number>) -> $number {
                stored.unwrap_or_default()
            }

            #[inline(always)]
            fn stored(self) -> $number {
                self
            }
        }
    )*};
}
numbers!(f32 f64 i32 i64 u32 u64);
