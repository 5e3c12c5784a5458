//! What a program sees of one vertex.

use crate::file::Id;
use crate::program::{EdgeValue, Program};
use crate::run::{Schedule, Tally};
use upcall_abi::prefetch;

/// A vertex before the first iteration.
#[derive(Debug)]
pub struct Start<'a> {
    pub(crate) id: usize,
    pub(crate) vertices: usize,
    pub(crate) out_degree: u32,
    pub(crate) in_degree: u64,
    pub(crate) tally: &'a mut Tally,
    pub(crate) scheduled: bool,
}

impl Start<'_> {
    /// Its number.
    #[must_use]
    pub fn id(&self) -> usize {
        self.id
    }

    /// How many vertices the graph has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many edges go out of it.
    #[must_use]
    pub fn out_degree(&self) -> u32 {
        self.out_degree
    }

    /// How many edges come in.
    #[must_use]
    pub fn in_degree(&self) -> u64 {
        self.in_degree
    }

    /// Adds to the total that the first iteration sees.
    pub fn add_total(&mut self, amount: f64) {
        self.tally.total += amount;
    }

    /// Has it updated in the first iteration of a [selective](Program::SELECTIVE) program.
    pub fn schedule(&mut self) {
        self.scheduled = true;
    }
}

/// A vertex that is being updated.
pub struct Vertex<'a, P: Program + ?Sized, I> {
    /// What it keeps to itself.
    pub own: &'a mut P::Own,
    pub(crate) id: usize,
    pub(crate) shown: P::Shown,
    pub(crate) next: &'a mut P::Shown,
    pub(crate) incoming: Neighbours<'a, P::Shown, P::Edge, I>,
    pub(crate) outgoing: Neighbours<'a, P::Shown, P::Edge, I>,
    pub(crate) out_degree: u32,
    pub(crate) directed: bool,
    /// What its outgoing edges' values are next, of a program that writes them.
    pub(crate) next_values: &'a mut [<P::Edge as EdgeValue>::Stored],
    pub(crate) tally: &'a mut Tally,
    pub(crate) schedule: Schedule<'a>,
    pub(crate) context: Context,
}

/// What is the same for all vertices of an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The number of the iteration, from 0 on.
    pub iteration: u64,
    /// How many vertices the graph has.
    pub vertices: usize,
    /// The [total](Vertex::add_total) of the last iteration, or of the start.
    pub total: f64,
}

impl<'a, P: Program + ?Sized, I: Id> Vertex<'a, P, I> {
    /// Its number.
    #[inline]
    #[must_use]
    pub fn id(&self) -> usize {
        self.id
    }

    /// What it showed in the last iteration.
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

    /// The vertices that it has edges from.
    #[inline]
    #[must_use]
    pub fn incoming(&self) -> Neighbours<'a, P::Shown, P::Edge, I> {
        self.incoming
    }

    /// The vertices that it has edges to; none unless the program [needs them](Program::OUTGOING).
    #[inline]
    #[must_use]
    pub fn outgoing(&self) -> Neighbours<'a, P::Shown, P::Edge, I> {
        self.outgoing
    }

    /// Sets the value of an outgoing edge, of those of [`outgoing`](Vertex::outgoing) the one of this index: the vertex at its other end
    /// sees it in the next iteration, as does this one. Of an undirected graph each edge has a value in each direction. In a
    /// [selective](Program::SELECTIVE) program the other end is scheduled if it is another value.
    ///
    /// # Panics
    /// There is no such edge.
    #[inline]
    pub fn set_value(&mut self, index: usize, value: P::Edge) {
        const { assert!(P::WRITES, "a program that sets values of edges says WRITES") };
        let count = self.next_values.len();
        let Some(next) = self.next_values.get_mut(index) else {
            panic!("the vertex has {count} outgoing edges, and {index} was set")
        };
        *next = value.stored();
        if P::SELECTIVE && self.outgoing.value(index).stored() != value.stored() {
            self.schedule.add(self.outgoing.id(index));
        }
    }

    /// How many edges go out of it.
    #[inline]
    #[must_use]
    pub fn out_degree(&self) -> u32 {
        self.out_degree
    }

    /// Whether edges have a direction; if they have none, incoming and outgoing edges are the same.
    #[inline]
    #[must_use]
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// What is the same for all vertices.
    #[inline]
    #[must_use]
    pub fn context(&self) -> Context {
        self.context
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

    /// Has a vertex updated in the next iteration of a [selective](Program::SELECTIVE) program, whether or not a neighbour of it
    /// changes. A number that no vertex has is ignored.
    #[inline]
    pub fn schedule(&mut self, vertex: usize) {
        self.schedule.add(vertex);
    }
}

/// The other ends of a vertex's edges in one direction, in ascending order, with what each of them shows and the edges' values.
#[derive(Debug)]
pub struct Neighbours<'a, S, E: EdgeValue, I> {
    /// Each is less than `shown` has elements.
    ids: &'a [I],
    /// Those that are looked at some time after each of these, or after the first few.
    ahead: &'a [I],
    shown: &'a [S],
    values: Values<'a, E::Stored>,
}

/// The values of a vertex's edges.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a, V> {
    /// The program does not look at them.
    None,
    /// As many as there are edges.
    Here(&'a [V]),
    /// All of the graph's, as many places in them as there are edges, and those that are looked up some time after each of these, or after
    /// the first few.
    At(&'a [V], &'a [u64], &'a [u64]),
}

impl<V: Copy> Values<'_, V> {
    /// That of an edge; none where the program does not look at them, and where a damaged file says that it is where there is none.
    ///
    /// # Panics
    /// There is no such edge.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Option<V> {
        match *self {
            Values::None => None,
            Values::Here(values) => Some(values[index]),
            Values::At(values, places, ahead) => {
                if let Some(ahead) = ahead.get(index) {
                    prefetch(values.as_ptr().wrapping_add(*ahead as usize));
                }
                values.get(places[index] as usize).copied()
            }
        }
    }
}

impl<S, E: EdgeValue, I> Clone for Neighbours<'_, S, E, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, E: EdgeValue, I> Copy for Neighbours<'_, S, E, I> {}

impl<'a, S: Copy, E: EdgeValue, I: Id> Neighbours<'a, S, E, I> {
    /// # Safety
    /// Each id is less than `shown` has elements.
    #[inline(always)]
    pub(crate) unsafe fn new(
        (ids, ahead): (&'a [I], &'a [I]),
        shown: &'a [S],
        values: Values<'a, E::Stored>,
    ) -> Self {
        Neighbours { ids, ahead, shown, values }
    }

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
    pub fn id(&self, index: usize) -> usize {
        self.ids[index].vertex()
    }

    /// What one of them shows.
    #[inline]
    #[must_use]
    pub fn shown(&self, index: usize) -> S {
        let id = self.ids[index].vertex();
        // SAFETY: `new` was promised that ids are within.
        unsafe { *self.shown.get_unchecked(id) }
    }

    /// The value of the edge to one of them.
    #[inline]
    #[must_use]
    pub fn value(&self, index: usize) -> E {
        assert!(
            index < self.ids.len(),
            "the vertex has {} neighbours, and {index} was asked for",
            self.ids.len()
        );
        self.value_at(index)
    }

    #[inline(always)]
    fn value_at(&self, index: usize) -> E {
        E::of(self.values.get(index))
    }

    /// What all of them come to, one after the other: `each` has what came before, what a neighbour shows and the edge's value.
    #[inline(always)]
    pub fn fold<A>(self, start: A, mut each: impl FnMut(A, S, E) -> A) -> A {
        let mut all = start;
        for (index, id) in self.ids.iter().enumerate() {
            if let Some(ahead) = self.ahead.get(index) {
                prefetch(self.shown.as_ptr().wrapping_add(ahead.vertex()));
            }
            // SAFETY: as in `shown`.
            let shown = unsafe { *self.shown.get_unchecked(id.vertex()) };
            all = each(all, shown, self.value_at(index));
        }
        all
    }
}
