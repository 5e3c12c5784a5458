//! PageRank (Page, Brin, Motwani, Winograd 1999), by power iteration.

use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Start, Vertex};
use std::marker::PhantomData;
use upcall_abi::Blit;

/// A number that ranks are kept in. Sums are made in f64.
pub trait Real: Blit + PartialEq + Send + Sync {
    /// The nearest one.
    fn of(number: f64) -> Self;
    /// The same number.
    fn number(self) -> f64;
}

impl Real for f32 {
    fn of(number: f64) -> f32 {
        number as f32
    }

    fn number(self) -> f64 {
        f64::from(self)
    }
}

impl Real for f64 {
    fn of(number: f64) -> f64 {
        number
    }

    fn number(self) -> f64 {
        self
    }
}

/// What a vertex's rank is: the share of time that somebody spends at it who follows edges at random, and now and then jumps to
/// any vertex. Ranks add up to 1; from a vertex without outgoing edges every jump goes anywhere.
///
/// Kept as `own`; what a vertex shows is its rank divided by its outgoing edges.
#[derive(Clone, Debug)]
pub struct PageRank<R> {
    /// How likely an edge is followed; 0.85 by default.
    pub damping: f64,
    /// It has converged when all ranks together have changed by no more than this in one iteration; 1e-6 by default.
    pub tolerance: f64,
    of: PhantomData<fn(R)>,
}

impl<R> Default for PageRank<R> {
    fn default() -> Self {
        PageRank { damping: 0.85, tolerance: 1e-6, of: PhantomData }
    }
}

impl<R: Real> PageRank<R> {
    /// What a vertex gives to each neighbour.
    fn share(rank: f64, out_degree: u32) -> R {
        R::of(if out_degree == 0 { 0.0 } else { rank / f64::from(out_degree) })
    }
}

impl<R: Real> Program for PageRank<R> {
    type Own = R;
    type Shown = R;
    type Edge = ();
    type Scratch = ();

    fn start(&self, vertex: &mut Start<'_>) -> (R, R) {
        let rank = 1.0 / vertex.vertices() as f64;
        if vertex.out_degree() == 0 {
            vertex.add_total(rank);
        }
        (R::of(rank), Self::share(rank, vertex.out_degree()))
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let context = vertex.context();
        let sum = vertex.incoming().fold(0.0, |sum, share, ()| sum + share.number());
        let everywhere = (1.0 - self.damping + self.damping * context.total) / context.vertices as f64;
        let (before, rank) = (vertex.own.number(), R::of(everywhere + self.damping * sum));
        *vertex.own = rank;
        let rank = rank.number();
        vertex.add_residual((rank - before).abs());
        if vertex.out_degree() == 0 {
            vertex.add_total(rank);
        }
        vertex.show(Self::share(rank, vertex.out_degree()));
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        if done.residual <= self.tolerance { Control::Stop } else { Control::Continue }
    }
}
