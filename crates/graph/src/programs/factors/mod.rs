//! A matrix of few known entries as the product of two narrow ones.

mod als;
mod sgd;
mod solve;

pub use als::Als;
pub use sgd::Sgd;

use super::Real;
use super::random::random;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, places};
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Neighbours, Start, Vertex};

/// How a matrix is taken apart, by [`Als`] or [`Sgd`].
///
/// An edge is an entry of the matrix, its value is what is known there: it leads from a row to a column. Each row and each column
/// has a vector of length `K`, which is what its vertex shows; the product of two is what the matrix has in their place. Even
/// iterations update rows, odd ones columns, with the other side as it is.
///
/// The graph must not [change](crate::Options::change) while the program runs: which vertices are rows, and how many entries there are, is
/// looked at once, before it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Factorisation {
    /// How much large vectors cost, so that few entries are not followed too closely; 0.05 by default.
    pub lambda: f64,
    /// What vectors are at first depends on this and on vertices' numbers; 0 by default. Where `m(x)` is what `SplitMix64` makes of
    /// the state `x`, the number at place `k` of vertex `v` is the 53 highest bits of `m(m(m(seed) + v) + k)`, as a share of
    /// 2^53, divided by √K.
    pub seed: u64,
    /// It has ended when an update of the columns changes the error by no more than this; 1e-6 by default, less than 0 for never.
    pub tolerance: f64,
    edges: usize,
}

impl Factorisation {
    /// Of a graph whose edges lead from rows to columns.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): its edges have no direction, or are not there as outgoing ones, or there are none, or a vertex is a
    /// row and a column.
    pub fn of(graph: &Graph) -> Result<Factorisation, Error> {
        let wrong = |why: String| Err(Error::new(ErrorKind::Usage, format!("factorise a matrix: {why}")));
        if !graph.is_directed() {
            return wrong(
                "edges have no direction: make the graph again with those that lead from rows to columns"
                    .into(),
            );
        }
        if !graph.has_outgoing() {
            return wrong("the graph's file was made without outgoing edges: make it again with them".into());
        }
        if graph.edges() == 0 {
            return wrong("the graph has no edges".into());
        }
        let (offsets, degrees) = (graph.in_offsets(), graph.out_degrees());
        let both =
            |vertex: &usize| degrees[*vertex] > 0 && !places(offsets, *vertex, graph.edges()).is_empty();
        match (0..graph.vertices()).find(both) {
            None => Ok(Factorisation { lambda: 0.05, seed: 0, tolerance: 1e-6, edges: graph.edges() }),
            Some(vertex) => wrong(format!(
                "vertex {} is a row and a column, as edges come from it and lead to it: give rows and columns names of their own",
                graph.name(vertex)
            )),
        }
    }

    fn settings(&self) -> String {
        format!("lambda {}, seed {}, tolerance {}", self.lambda, self.seed, self.tolerance)
    }

    fn checked(&self, name: &str, value: f64) -> Result<(), Error> {
        match value.is_finite() && value > 0.0 {
            true => Ok(()),
            false => {
                let why = format!("factorise a matrix: {name} is {value}, and it must be more than 0");
                Err(Error::new(ErrorKind::Usage, why))
            }
        }
    }

    /// A vertex's vector at first: numbers from 0 to 1 / √K, and zeroes where there are no edges.
    fn start<F: Real, const K: usize>(&self, vertex: &Start<'_>) -> [F; K] {
        if vertex.in_degree() == 0 && vertex.out_degree() == 0 {
            return [F::of(0.0); K];
        }
        let most = 1.0 / (K as f64).sqrt();
        std::array::from_fn(|at| {
            // The 53 bits that f64 has.
            let share = (random(self.seed, vertex.id() as u64, at as u64) >> 11) as f64 / (1u64 << 53) as f64;
            F::of(share * most)
        })
    }

    /// The edges of a vertex whose turn it is.
    fn turn<'a, P, I>(vertex: &Vertex<'a, P, I>) -> Option<Neighbours<'a, P::Shown, P::Edge, I>>
    where
        P: Program,
        I: Id,
    {
        let rows = vertex.context().iteration.is_multiple_of(2);
        let edges = if rows { vertex.outgoing() } else { vertex.incoming() };
        Some(edges).filter(|edges| !edges.is_empty())
    }

    /// Adds up what a vertex's error was and is, as shares of the mean squared error.
    fn add<P: Program, I: Id>(&self, vertex: &mut Vertex<'_, P, I>, before: f64, after: f64) {
        let edges = self.edges as f64;
        vertex.add_residual(after / edges);
        vertex.add_total((before - after) / edges);
    }

    /// The root of the mean squared error, and whether it goes on.
    fn after(&self, done: &Iteration) -> (f64, Control) {
        let (now, before) = (done.residual.sqrt(), (done.residual + done.total).max(0.0).sqrt());
        let columns = !done.number.is_multiple_of(2);
        let ended = columns && (before - now).abs() <= self.tolerance;
        (now, if ended || !now.is_finite() { Control::Stop } else { Control::Continue })
    }
}

/// What the matrix has by two vectors.
#[inline(always)]
fn product<F: Real, const K: usize>(one: &[f64; K], other: &[F; K]) -> f64 {
    one.iter().zip(other).fold(0.0, |sum, (one, other)| sum + one * other.number())
}
