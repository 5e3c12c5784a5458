//! Stochastic gradient descent (Funk 2006; Koren, Bell, Volinsky 2009).

use super::{Factorisation, product};
use crate::error::Error;
use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::programs::{Real, Weight};
use crate::vertex::{Start, Vertex};
use std::marker::PhantomData;

/// A matrix as the product of two narrow ones, by small steps: for each entry of a row or column in turn, its vector moves against the
/// entry's error, by the rate, and becomes shorter by λ. Vectors are kept in `F` and computed in f64; `W` is the type of edges'
/// values.
///
/// The residual is the mean squared error of all entries. Only the vectors of one side move in an iteration, so that results are the
/// same bits on any number of threads. With too large a rate they grow without end: [`rmse`](Sgd::rmse) is then infinite or no
/// number, and the run has ended.
#[derive(Clone, Copy, Debug)]
pub struct Sgd<F, W, const K: usize> {
    factors: Factorisation,
    rate: f64,
    /// The root of the mean squared error after the last iteration; nothing before the first.
    pub rmse: Option<f64>,
    of: PhantomData<fn(F, W)>,
}

impl<F: Real, W: Weight, const K: usize> Sgd<F, W, K> {
    /// With these settings, and steps of this length.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage): λ is less than 0, or the rate is not more than 0.
    pub fn new(factors: Factorisation, rate: f64) -> Result<Self, Error> {
        factors.checked("the rate", rate)?;
        if factors.lambda != 0.0 {
            factors.checked("lambda", factors.lambda)?;
        }
        Ok(Sgd { factors, rate, rmse: None, of: PhantomData })
    }
}

impl<F: Real, W: Weight, const K: usize> Program for Sgd<F, W, K> {
    type Own = [u8; 0];
    type Shown = [F; K];
    type Edge = W;
    type Scratch = ();

    const NAME: &'static str = "sgd";
    const OUTGOING: bool = true;

    fn settings(&self) -> String {
        format!("rank {K} of {}, rate {}, {}", F::NAME, self.rate, self.factors.settings())
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], [F; K]) {
        ([], self.factors.start(vertex))
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let Some(edges) = Factorisation::turn(vertex) else { return };
        let squared = |own: &[f64; K]| {
            edges.fold(0.0, |sum, other, entry| sum + (entry.weight() - product(own, &other)).powi(2))
        };
        let own = vertex.shown().map(F::number);
        let before = squared(&own);
        let moved = edges.fold(own, |own, other, entry| {
            let error = entry.weight() - product(&own, &other);
            let step = |at: usize| error * other[at].number() - self.factors.lambda * own[at];
            std::array::from_fn(|at| own[at] + self.rate * step(at))
        });
        let found = moved.map(F::of);
        let after = squared(&found.map(F::number));
        self.factors.add(vertex, before, after);
        vertex.show(found);
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        let (rmse, control) = self.factors.after(done);
        self.rmse = Some(rmse);
        control
    }
}
