//! What a program sees of one vertex.

use super::{Graph, Program, VertexValue};
use upcall_abi::{VertexTally, prefetch};

/// A vertex that begins, or is updated.
pub struct Vertex<'a, P: Program> {
    pub(super) id: u64,
    pub(super) own: &'a mut P::Own,
    pub(super) shown: P::Shown,
    pub(super) next: &'a mut P::Shown,
    pub(super) in_degree: u64,
    pub(super) out_degree: u32,
    pub(super) incoming: Neighbours<'a, P::Shown, P::Edge>,
    pub(super) outgoing: Neighbours<'a, P::Shown, P::Edge>,
    /// What its outgoing edges' values are next; none at the start.
    pub(super) next_values: &'a mut [P::Edge],
    pub(super) gathered: u64,
    pub(super) gathered_shown: P::Shown,
    pub(super) tally: &'a mut VertexTally,
    pub(super) wakes: &'a mut Vec<u64>,
    pub(super) context: &'a Moment,
}

/// What is the same for all vertices of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) graph: Graph,
    pub(super) iteration: u64,
    pub(super) total: f64,
}

impl<'a, P: Program> Vertex<'a, P> {
    /// Its number.
    #[inline]
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What it keeps to itself.
    #[inline]
    #[must_use]
    pub fn own(&self) -> P::Own {
        *self.own
    }

    /// Keeps a value to itself.
    #[inline]
    pub fn keep(&mut self, value: P::Own) {
        *self.own = value;
    }

    /// What it showed in the last iteration; at the start zero.
    #[inline]
    #[must_use]
    pub fn shown(&self) -> P::Shown {
        self.shown
    }

    /// Shows a value to its neighbours, from the next iteration on. Otherwise it goes on showing what it did.
    #[inline]
    pub fn show(&mut self, value: P::Shown) {
        *self.next = value;
    }

    /// How many edges come in.
    #[inline]
    #[must_use]
    pub fn in_degree(&self) -> u64 {
        self.in_degree
    }

    /// How many edges go out.
    #[inline]
    #[must_use]
    pub fn out_degree(&self) -> u32 {
        self.out_degree
    }

    /// The vertices that it has edges from; none at the start, and none where neighbours are [gathered](Program::GATHER).
    #[inline]
    #[must_use]
    pub fn incoming(&self) -> Neighbours<'a, P::Shown, P::Edge> {
        self.incoming
    }

    /// The vertices that it has edges to; none unless the program [looks at them](Program::OUTGOING) or [sets](Program::WRITES) their
    /// values, and none at the start.
    #[inline]
    #[must_use]
    pub fn outgoing(&self) -> Neighbours<'a, P::Shown, P::Edge> {
        self.outgoing
    }

    /// Sets the value of an outgoing edge, of those of [`outgoing`](Vertex::outgoing) the one of this index: the vertex at its other end
    /// sees it in the next iteration, as does this one. Of an undirected graph each edge has a value in each direction. In a
    /// [selective](Program::SELECTIVE) program the other end is scheduled if it is another value.
    ///
    /// # Panics
    /// There is no such edge; at the start there is none.
    #[inline]
    pub fn set_value(&mut self, index: usize, value: P::Edge) {
        const { assert!(P::WRITES, "a program that sets values of edges says WRITES") };
        let count = self.next_values.len();
        let Some(place) = self.next_values.get_mut(index) else {
            panic!("vertex {} has {count} outgoing edges, and {index} was set", self.id)
        };
        *place = value;
    }

    /// What its incoming neighbours come to, of a program that has them [gathered](Program::GATHER) by sum or count.
    #[inline]
    #[must_use]
    pub fn gathered(&self) -> f64 {
        f64::from_bits(self.gathered)
    }

    /// What they come to by the least or the largest.
    #[inline]
    #[must_use]
    pub fn gathered_shown(&self) -> P::Shown {
        self.gathered_shown
    }

    /// The graph.
    #[inline]
    #[must_use]
    pub fn graph(&self) -> Graph {
        self.context.graph
    }

    /// The number of the iteration, from 0 on.
    #[inline]
    #[must_use]
    pub fn iteration(&self) -> u64 {
        self.context.iteration
    }

    /// The [total](Vertex::add_total) of the last iteration, or of the start.
    #[inline]
    #[must_use]
    pub fn total(&self) -> f64 {
        self.context.total
    }

    /// Adds to the iteration's residual: how far the program is from its end.
    #[inline]
    pub fn add_residual(&mut self, amount: f64) {
        self.tally.residual += amount;
    }

    /// Adds to the iteration's total, which all vertices see in the next one.
    #[inline]
    pub fn add_total(&mut self, amount: f64) {
        self.tally.total += amount;
    }

    /// Has a vertex updated in the next iteration of a [selective](Program::SELECTIVE) program (at the start, in the first), whether or
    /// not it sees a change. A number that no vertex has is an error of the run.
    #[inline]
    pub fn schedule(&mut self, vertex: u64) {
        self.wakes.push(vertex);
    }
}

/// The other ends of a vertex's edges in one direction, in ascending order, with what each of them shows and the edges' values.
#[derive(Clone, Copy, Debug)]
pub struct Neighbours<'a, S, E> {
    pub(super) ids: &'a [u32],
    /// Each is less than there are in `shown`.
    pub(super) at: &'a [u32],
    /// Those that are looked up some time after each of these, or after the first few.
    pub(super) ahead: &'a [u32],
    pub(super) shown: &'a [S],
    pub(super) values: Values<'a, E>,
}

/// Edges' values: as many as there are edges; or all of the graph's, as many places in them, and those that are looked up some time after
/// each of these, or after the first few.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values<'a, E> {
    Here(&'a [E]),
    At(&'a [E], &'a [u64], &'a [u64]),
}

impl<S: VertexValue, E: VertexValue> Neighbours<'_, S, E> {
    pub(super) const NONE: Neighbours<'static, S, E> =
        Neighbours { ids: &[], at: &[], ahead: &[], shown: &[], values: Values::Here(&[]) };

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The number of one of them.
    ///
    /// # Panics
    /// There are fewer, here and below.
    #[inline]
    #[must_use]
    pub fn id(&self, index: usize) -> u64 {
        self.ids[index].into()
    }

    /// What one of them shows.
    #[inline]
    #[must_use]
    pub fn shown(&self, index: usize) -> S {
        // SAFETY: places are within what is shown.
        unsafe { *self.shown.get_unchecked(self.at[index] as usize) }
    }

    /// The value of the edge to one of them.
    ///
    /// # Panics
    /// There are fewer.
    #[inline]
    #[must_use]
    pub fn value(&self, index: usize) -> E {
        assert!(index < self.len(), "the vertex has {} neighbours, and {index} was asked for", self.len());
        self.value_at(index)
    }

    #[inline(always)]
    fn value_at(&self, index: usize) -> E {
        if E::NAME.is_none() {
            return E::default();
        }
        match self.values {
            Values::Here(values) => values[index],
            Values::At(values, places, ahead) => {
                if let Some(ahead) = ahead.get(index) {
                    prefetch(values.as_ptr().wrapping_add(*ahead as usize));
                }
                values[places[index] as usize]
            }
        }
    }

    /// What all of them come to, one after the other: `each` has what came before, what a neighbour shows and the edge's value.
    #[inline]
    pub fn fold<A>(self, start: A, mut each: impl FnMut(A, S, E) -> A) -> A {
        let mut all = start;
        for (index, at) in self.at.iter().enumerate() {
            if let Some(ahead) = self.ahead.get(index) {
                prefetch(self.shown.as_ptr().wrapping_add(*ahead as usize));
            }
            // SAFETY: as in `shown`.
            let shown = unsafe { *self.shown.get_unchecked(*at as usize) };
            all = each(all, shown, self.value_at(index));
        }
        all
    }
}
