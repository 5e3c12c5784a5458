//! Alternating least squares with weighted-λ-regularisation (Zhou, Wilkinson, Schreiber, Pan 2008).

use super::{Factorisation, product, solve};
use crate::error::Error;
use crate::file::Id;
use crate::program::{Control, Iteration, Program};
use crate::programs::{Real, Weight};
use crate::vertex::{Start, Vertex};
use std::marker::PhantomData;

/// A matrix as the product of two narrow ones, by least squares: each vector becomes the one with the least squared error over its
/// entries, plus λ times their number times its own square. Vectors are kept in `F` and computed in f64; `W` is the type of edges'
/// values.
///
/// The residual is the mean squared error of all entries. An update takes as many steps as a vertex has edges times K², and K³ more.
#[derive(Clone, Copy, Debug)]
pub struct Als<F, W, const K: usize> {
    factors: Factorisation,
    /// The root of the mean squared error after the last iteration; nothing before the first.
    pub rmse: Option<f64>,
    of: PhantomData<fn(F, W)>,
}

impl<F: Real, W: Weight, const K: usize> Als<F, W, K> {
    /// With these settings.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage): λ is not more than 0.
    pub fn new(factors: Factorisation) -> Result<Self, Error> {
        factors.checked("lambda", factors.lambda)?;
        Ok(Als { factors, rmse: None, of: PhantomData })
    }
}

impl<F: Real, W: Weight, const K: usize> Program for Als<F, W, K> {
    type Own = [u8; 0];
    type Shown = [F; K];
    type Edge = W;
    type Scratch = ();

    const NAME: &'static str = "als";
    const OUTGOING: bool = true;

    fn settings(&self) -> String {
        format!("rank {K} of {}, {}", F::NAME, self.factors.settings())
    }

    fn start(&self, vertex: &mut Start<'_>) -> ([u8; 0], [F; K]) {
        ([], self.factors.start(vertex))
    }

    fn update<I: Id>(&self, vertex: &mut Vertex<'_, Self, I>, (): &mut ()) {
        let Some(edges) = Factorisation::turn(vertex) else { return };
        let own = vertex.shown().map(F::number);
        let (mut normal, mut right, mut before) = ([[0.0; K]; K], [0.0; K], 0.0);
        edges.fold((), |(), other, entry| {
            let entry = entry.weight();
            before += (entry - product(&own, &other)).powi(2);
            let other = other.map(F::number);
            // Of the matrix, which is symmetric, the lower half is enough, and a few numbers more at a time.
            for (at, (row, one)) in normal.iter_mut().zip(other).enumerate() {
                let lower = (at / 4 * 4 + 4).min(K);
                let sums = row[..lower].iter_mut().zip(&other[..lower]);
                sums.for_each(|(sum, other)| *sum += one * other);
            }
            right.iter_mut().zip(other).for_each(|(sum, other)| *sum += entry * other);
        });
        let cost = self.factors.lambda * edges.len() as f64;
        (0..K).for_each(|at| normal[at][at] += cost);
        solve::solve(&mut normal, &mut right);
        let found = right.map(F::of);
        let own = found.map(F::number);
        let after =
            edges.fold(0.0, |sum, other, entry| sum + (entry.weight() - product(&own, &other)).powi(2));
        self.factors.add(vertex, before, after);
        vertex.show(found);
    }

    fn after_iteration(&mut self, done: &Iteration) -> Control {
        let (rmse, control) = self.factors.after(done);
        self.rmse = Some(rmse);
        control
    }
}
