//! Weakly connected components by Afforest (Sutton, Ben-Nun, Barak 2018).

use crate::error::{Error, ErrorKind};
use crate::file::{Adjacency, Graph};
use crate::run::parallel;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Vertices that a thread takes at once.
const PART: usize = 4096;

/// How many edges of each vertex are looked at before the largest component is left out.
const ROUNDS: usize = 2;

/// How many vertices are asked for their component to find the largest.
const SAMPLES: usize = 1024;

/// The least vertex of each one's component: of those that it is connected with, whatever the direction of edges.
///
/// Two edges of each vertex join most of the largest component; what is left is looked at for the vertices outside of it only.
/// Where a directed graph's file has no outgoing edges, all edges are looked at. Four bytes per vertex are in memory, or eight where there are more
/// than 2^32. The result is the same on any number of threads; [`Components`](super::Components) is the same as a vertex program.
///
/// # Errors
/// [`TooLarge`](ErrorKind::TooLarge): there is no memory; [`Format`](ErrorKind::Format): an edge leads to no vertex;
/// [`Interrupted`](ErrorKind::Interrupted).
pub fn weak_components(graph: &Graph, threads: usize, stop: Option<&AtomicBool>) -> Result<Vec<u64>, Error> {
    graph.decode()?;
    match u32::try_from(graph.vertices()) {
        Ok(_) => Forest::<AtomicU32>::new(graph, threads, stop)?.components(),
        Err(_) => Forest::<AtomicU64>::new(graph, threads, stop)?.components(),
    }
}

/// A vertex that a vertex is joined to: a lesser one, or itself.
trait Parent: Sync {
    fn new(vertex: usize) -> Self;
    fn get(&self) -> usize;
    fn set(&self, vertex: usize);
    /// Sets it if it is `from`: whether it was.
    fn change(&self, from: usize, to: usize) -> bool;
}

macro_rules! parents {
    ($($atomic:ident $number:ident),+) => {$(
        impl Parent for $atomic {
            fn new(vertex: usize) -> Self {
                $atomic::new(vertex as $number)
            }

            #[inline(always)]
            fn get(&self) -> usize {
                self.load(Ordering::Relaxed) as usize
            }

            #[inline(always)]
            fn set(&self, vertex: usize) {
                self.store(vertex as $number, Ordering::Relaxed);
            }

            #[inline(always)]
            fn change(&self, from: usize, to: usize) -> bool {
                let (from, to) = (from as $number, to as $number);
                self.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok()
            }
        }
    )+};
}
parents!(AtomicU32 u32, AtomicU64 u64);

struct Forest<'g, P> {
    parents: Vec<P>,
    incoming: Adjacency<'g>,
    /// Of a directed graph, where the file has them.
    outgoing: Option<Adjacency<'g>>,
    /// Whether each edge can be found from both of its vertices.
    both: bool,
    threads: usize,
    stop: Option<&'g AtomicBool>,
}

impl<'g, P: Parent + Send> Forest<'g, P> {
    fn new(graph: &'g Graph, threads: usize, stop: Option<&'g AtomicBool>) -> Result<Self, Error> {
        let vertices = graph.vertices();
        let mut parents = Vec::new();
        parents.try_reserve_exact(vertices).map_err(|error| {
            let why = format!("find components: make room for {vertices} vertices: {error}");
            Error::new(ErrorKind::TooLarge, why)
        })?;
        parents.extend((0..vertices).map(P::new));
        let outgoing = graph.outgoing();
        Ok(Forest {
            parents,
            incoming: graph.incoming(),
            both: outgoing.is_some(),
            outgoing: outgoing.filter(|_| graph.is_directed()),
            threads,
            stop,
        })
    }

    fn components(self) -> Result<Vec<u64>, Error> {
        let rounds = if self.both { ROUNDS } else { 0 };
        for round in 0..rounds {
            self.each(|vertex| self.join(vertex, &self.incoming, round..round + 1))?;
            self.compress()?;
        }
        let largest = self.both.then(|| self.largest());
        self.each(|vertex| {
            if Some(self.parents[vertex].get()) == largest {
                return Ok(());
            }
            self.join(vertex, &self.incoming, rounds..usize::MAX)?;
            self.outgoing.map_or(Ok(()), |outgoing| self.join(vertex, &outgoing, 0..usize::MAX))
        })?;
        self.compress()?;
        Ok(self.parents.iter().map(|parent| parent.get() as u64).collect())
    }

    fn each(&self, one: impl Fn(usize) -> Result<(), Error> + Sync) -> Result<(), Error> {
        let vertices = self.parents.len();
        parallel(self.threads, vertices.div_ceil(PART), self.stop, |(): &mut (), part| {
            (part * PART..vertices.min((part + 1) * PART)).try_for_each(&one)
        })
    }

    /// Joins a vertex with the other ends of some of its edges.
    #[inline]
    fn join(&self, vertex: usize, edges: &Adjacency<'_>, which: Range<usize>) -> Result<(), Error> {
        let all = edges.of(vertex);
        let end = all.end.min(all.start.saturating_add(which.end));
        for edge in (all.start + which.start).min(end)..end {
            let other = edges.neighbours.get(edge);
            if other >= self.parents.len() {
                let why = format!(
                    "find components: an edge of vertex {vertex} leads to none: the graph's file is damaged, `upcall graph check` \
                     says where"
                );
                return Err(Error::new(ErrorKind::Format, why));
            }
            self.link(vertex, other);
        }
        Ok(())
    }

    /// Joins two vertices' trees: the one with the larger root is put under the other.
    #[inline]
    fn link(&self, one: usize, other: usize) {
        let (mut one, mut other) = (self.parents[one].get(), self.parents[other].get());
        while one != other {
            let (high, low) = (one.max(other), one.min(other));
            let above = self.parents[high].get();
            if above == low || (above == high && self.parents[high].change(high, low)) {
                return;
            }
            one = self.parents[self.parents[high].get()].get();
            other = self.parents[low].get();
        }
    }

    /// Puts each vertex right under its root.
    fn compress(&self) -> Result<(), Error> {
        self.each(|vertex| {
            self.lift(vertex);
            Ok(())
        })
    }

    #[inline]
    fn lift(&self, vertex: usize) {
        let parent = &self.parents[vertex];
        loop {
            let (above, top) = (parent.get(), self.parents[parent.get()].get());
            if above == top {
                return;
            }
            parent.set(top);
        }
    }

    /// The root under which most of some vertices are, taken at regular distances.
    fn largest(&self) -> usize {
        let apart = self.parents.len().div_ceil(SAMPLES).max(1);
        let mut roots: Vec<usize> = self.parents.iter().step_by(apart).map(Parent::get).collect();
        roots.sort_unstable();
        let most = roots.chunk_by(|one, other| one == other).max_by_key(|same| same.len());
        most.map_or(0, |same| same[0])
    }
}
