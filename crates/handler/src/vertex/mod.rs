//! Vertex programs: handlers that the graph engine calls with vertices, their edges and what their neighbours show.

mod body;
mod cursor;

pub use cursor::{Neighbours, Vertex};

use crate::body::{Body, IntoBody};
use crate::{Context, Describe, Failure};

/// A program that runs for each vertex of a graph, in iterations: whatever a vertex [shows](Vertex::show), its neighbours see in
/// the next one.
///
/// It is exported as `upcall::vertices(program)`:
///
/// ```
/// use upcall::{Failure, vertex::{Iteration, Program, Vertex}};
///
/// /// The least number of any vertex that is connected with this one.
/// struct Least;
///
/// impl Program for Least {
///     type Own = ();
///     type Shown = u32;
///     type Edge = ();
///
///     fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
///         vertex.show(vertex.id() as u32);
///         Ok(())
///     }
///
///     fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
///         vertex.show(vertex.incoming().fold(vertex.shown(), |least, shown, ()| least.min(shown)));
///         Ok(())
///     }
/// }
///
/// upcall::handlers! { "least" => upcall::vertices(Least) }
/// ```
///
/// Each worker has an instance of its own. What it changes in [`after_iteration`](Program::after_iteration) is the same in all, as all are
/// told the same.
pub trait Program: Sized + 'static {
    /// What a vertex keeps to itself; `()` for nothing.
    type Own: VertexValue;
    /// What a vertex shows to its neighbours.
    type Shown: VertexValue;
    /// The value of an edge; `()` if the program does not look at it.
    type Edge: VertexValue;

    /// Whether it looks at outgoing edges.
    const OUTGOING: bool = false;
    /// Whether it sets values of outgoing edges ([`Vertex::set_value`]), which it looks at then, too. Where the graph has none, they
    /// begin with 0.
    const WRITES: bool = false;
    /// Whether only those vertices are updated that see a change, or are [scheduled](Vertex::schedule).
    const SELECTIVE: bool = false;
    /// By what the engine puts together what incoming neighbours show, before an update: [`Vertex::gathered`].
    const GATHER: Option<Gather> = None;

    /// As [`crate::Handler::describe`].
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }

    /// Called once, before anything else.
    ///
    /// # Errors
    /// It fails the run's start.
    fn open(&mut self, context: &Context<'_>, graph: &Graph) -> Result<(), Failure> {
        let _ = (context, graph);
        Ok(())
    }

    /// What a vertex begins with; zeroes otherwise.
    ///
    /// # Errors
    /// They end the run, here and below.
    fn start(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure> {
        let _ = vertex;
        Ok(())
    }

    /// Called before an instance updates its first vertex of an iteration, for what is the same for all of them: the iteration's
    /// number, from 0 on, and what vertices have added to the [total](Vertex::add_total) in the last one, or at the start.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn before_iteration(&mut self, iteration: u64, total: f64) -> Result<(), Failure> {
        let _ = (iteration, total);
        Ok(())
    }

    /// Updates one vertex.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn update(&mut self, vertex: &mut Vertex<'_, Self>) -> Result<(), Failure>;

    /// The vertices of an interval are updated next, as far as this instance updates any: all in Jacobi's way, those of one interval
    /// after the other in Gauss-Seidel's.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn before_interval(&mut self, interval: &Interval) -> Result<(), Failure> {
        let _ = interval;
        Ok(())
    }

    /// All vertices of the interval have been updated. Called on one instance.
    ///
    /// What an instance keeps of this is its own: `update` must not depend on it, as other instances are not told, nor is one that takes
    /// the place of one that has died.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn after_interval(&mut self, interval: &Interval) -> Result<(), Failure> {
        let _ = interval;
        Ok(())
    }

    /// Whether they are to be updated once more before others are: they then see what all of the interval show now. Called on one
    /// instance, behind [`after_interval`](Program::after_interval), for which the same holds: decide by what `interval` says. Those of a [selective](Program::SELECTIVE) program are updated that have seen a change or were scheduled; where there are
    /// none, the interval is done. A program that [writes](Program::WRITES) edges cannot.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn repeat_updates(&mut self, interval: &Interval) -> Result<bool, Failure> {
        let _ = interval;
        Ok(false)
    }

    /// An iteration has ended: whether it was the last one.
    ///
    /// # Errors
    /// As [`start`](Program::start).
    fn after_iteration(&mut self, done: &Iteration) -> Result<bool, Failure> {
        let _ = done;
        Ok(false)
    }
}

/// By what neighbours are put together, in ascending order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gather {
    /// The sum of what they show, as `f64`.
    Sum,
    /// The least of it; of no neighbours the largest number there is.
    Min,
    /// The largest; of no neighbours the least number there is.
    Max,
    /// How many there are, as `f64`.
    Count,
}

impl Gather {
    fn name(self) -> &'static str {
        match self {
            Gather::Sum => "sum",
            Gather::Min => "min",
            Gather::Max => "max",
            Gather::Count => "count",
        }
    }
}

/// The graph that a program is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Graph {
    /// How many vertices it has.
    pub vertices: u64,
    /// How many edges.
    pub edges: u64,
    /// Whether they have a direction; if they have none, incoming and outgoing edges are the same.
    pub directed: bool,
}

/// An iteration that has ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Iteration {
    /// Its number, from 0 on.
    pub number: u64,
    /// How many vertices were updated.
    pub updated: u64,
    /// How many are scheduled for the next one.
    pub scheduled: u64,
    /// The sum of what vertices have [added](Vertex::add_residual) to the residual.
    pub residual: f64,
    /// The sum of what they have [added](Vertex::add_total) to the total, which the next iteration sees.
    pub total: f64,
}

/// Vertices that are updated together, and what that has come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The number of the iteration.
    pub iteration: u64,
    /// Its first vertex.
    pub first: u64,
    /// The vertex behind its last.
    pub end: u64,
    /// How often it was updated in this iteration before.
    pub pass: u64,
    /// How many of its vertices were updated. This and the sums below are 0 before the update.
    pub updated: u64,
    /// The sum of what they have [added](Vertex::add_residual) to the residual.
    pub residual: f64,
    /// The sum of what they have [added](Vertex::add_total) to the total.
    pub total: f64,
}

/// What a value may be: a number of these types, or `()` for none.
pub trait VertexValue: private::Sealed + Copy + Default + 'static {
    /// The type's name; nothing where there is no value.
    const NAME: Option<&'static str>;
}

mod private {
    pub trait Sealed {}
}

impl private::Sealed for () {}

impl VertexValue for () {
    const NAME: Option<&'static str> = None;
}

macro_rules! values {
    ($($number:ident)*) => {$(
        impl private::Sealed for $number {}

        impl VertexValue for $number {
            const NAME: Option<&'static str> = Some(stringify!($number));
        }
    )*};
}
values!(f32 f64 i32 i64 u32 u64);

/// Wraps a [`Program`] for [`crate::handlers!`] and [`crate::instance`].
pub fn vertices(program: impl Program) -> impl IntoBody {
    Vertices(program)
}

/// Behind `impl IntoBody`.
struct Vertices<P>(P);

impl<P: Program> IntoBody for Vertices<P> {
    fn into_body(self) -> Box<dyn Body> {
        Box::new(body::VertexBody::new(self.0))
    }
}
