//! PageRank (Page, Brin, Motwani, Winograd 1999), by power iteration.

use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::vertex::{Context, Start, Vertex};
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

/// A vertex's rank is the share of time that somebody spends there who follows edges at random, and now and then jumps: to any
/// vertex, or, with [`personal`](PageRank::personal) ranks, to one of a few. From a vertex without outgoing edges there are only
/// jumps. Ranks add up to 1.
///
/// Kept as `own`; what a vertex shows is its rank divided by its outgoing edges.
#[derive(Clone, Debug)]
pub struct PageRank<R> {
    /// How likely an edge is followed; 0.85 by default.
    pub damping: f64,
    /// It has converged when all ranks together have changed by no more than this in one iteration; 1e-6 by default.
    pub tolerance: f64,
    /// Where jumps lead, in ascending order; nothing for any vertex.
    to: Vec<usize>,
    /// How much all jumps of an iteration carry.
    jumping: f64,
    of: PhantomData<fn(R)>,
}

impl<R> Default for PageRank<R> {
    fn default() -> Self {
        PageRank { damping: 0.85, tolerance: 1e-6, to: Vec::new(), jumping: 0.0, of: PhantomData }
    }
}

impl<R: Real> PageRank<R> {
    /// Ranks of which jumps lead to these vertices only, each as likely as another. A vertex that is not in the graph takes its jumps
    /// out of it: ranks then add up to less than 1.
    #[must_use]
    pub fn personal(mut to: Vec<usize>) -> PageRank<R> {
        to.sort_unstable();
        to.dedup();
        PageRank { to, ..PageRank::default() }
    }

    /// How likely a jump leads to a vertex of so many.
    fn jump(&self, vertex: usize, vertices: usize) -> f64 {
        match &*self.to {
            [] => 1.0 / vertices as f64,
            to if to.binary_search(&vertex).is_ok() => 1.0 / to.len() as f64,
            _ => 0.0,
        }
    }

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

    const NAME: &'static str = "pagerank";
    const ANY_ORDER: bool = true;

    fn settings(&self) -> String {
        format!("damping {}, tolerance {}, to {:?}, in {}", self.damping, self.tolerance, self.to, R::NAME)
    }

    fn start(&self, vertex: &mut Start<'_>) -> (R, R) {
        let rank = self.jump(vertex.id(), vertex.vertices());
        if vertex.out_degree() == 0 {
            vertex.add_total(rank);
        }
        (R::of(rank), Self::share(rank, vertex.out_degree()))
    }

    fn before_iteration(&mut self, context: Context) {
        self.jumping = 1.0 - self.damping + self.damping * context.total;
    }

    #[inline]
    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let sum = vertex.incoming().fold(0.0, |sum, share, ()| sum + share.number());
        let jumps = self.jumping * self.jump(vertex.id(), vertex.context().vertices);
        let (before, rank) = (vertex.own.number(), R::of(jumps + self.damping * sum));
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
