//! Triangles, and local clustering coefficients (Watts, Strogatz 1998; of directed graphs as Graphalytics has them).

use crate::error::{Error, ErrorKind};
use crate::file::{Adjacency, Graph};
use crate::run::parallel;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Vertices that a thread takes at once.
const PART: usize = 1024;

/// How connected neighbours are among themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// How many triangles there are: three vertices with an edge, in either direction, between each two.
    pub triangles: u64,
    /// For each vertex, the share of possible edges among its neighbours that are there; 0 if it has less than two. A neighbour
    /// has an edge to or from it. Of directed graphs each direction counts.
    pub coefficients: Vec<f64>,
}

/// Counts triangles, and so edges among neighbours.
///
/// Each triangle is found once, from its vertex with the fewest neighbours (Latapy 2008). All edges are in memory meanwhile, with 5
/// bytes for each two vertices that have one. Self-loops do not count, and of edges that are there several times one does.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the file of a directed graph has no outgoing edges; [`TooLarge`](ErrorKind::TooLarge): there are
/// more than 2^32 vertices; [`Format`](ErrorKind::Format): an edge leads to no vertex; [`Interrupted`](ErrorKind::Interrupted).
pub fn clustering(graph: &Graph, threads: usize, stop: Option<&AtomicBool>) -> Result<Clustering, Error> {
    let vertices = graph.vertices();
    if u32::try_from(vertices).is_err() {
        return Err(Error::new(ErrorKind::TooLarge, "count triangles: there are more vertices than 2^32"));
    }
    graph.decode()?;
    let incoming = graph.incoming();
    let outgoing = graph.outgoing().ok_or_else(|| {
        let why =
            "count triangles: the graph's file was made without outgoing edges: make it again with them";
        Error::new(ErrorKind::Usage, why)
    })?;
    let around = Around { incoming, outgoing: graph.is_directed().then_some(outgoing), vertices };
    let degrees: Vec<AtomicU32> = (0..vertices).map(|_| AtomicU32::new(0)).collect();
    let parts = vertices.div_ceil(PART);
    let part = |index: usize| index * PART..vertices.min((index + 1) * PART);
    parallel(threads, parts, stop, |list: &mut Vec<Neighbour>, index| {
        part(index).try_for_each(|vertex| {
            around.of(vertex, list)?;
            degrees[vertex].store(list.len() as u32, Ordering::Relaxed);
            Ok(())
        })
    })?;
    let degrees: Vec<u32> = degrees.into_iter().map(AtomicU32::into_inner).collect();
    let higher = Higher::of(&around, &degrees, stop)?;

    let among: Vec<AtomicU64> = (0..vertices).map(|_| AtomicU64::new(0)).collect();
    let triangles = AtomicU64::new(0);
    parallel(threads, parts, stop, |(): &mut (), index| {
        let found = part(index).map(|vertex| higher.triangles(vertex, &among)).sum();
        triangles.fetch_add(found, Ordering::Relaxed);
        Ok(())
    })?;
    let coefficient = |(among, degree): (AtomicU64, &u32)| {
        let possible = f64::from(*degree) * (f64::from(*degree) - 1.0);
        if *degree < 2 { 0.0 } else { among.into_inner() as f64 / possible }
    };
    let coefficients = among.into_iter().zip(&degrees).map(coefficient).collect();
    Ok(Clustering { triangles: triangles.into_inner(), coefficients })
}

/// A vertex with an edge to another, and in how many directions there is one.
#[derive(Clone, Copy)]
struct Neighbour {
    id: u32,
    edges: u8,
}

/// Neighbours, whatever the direction.
struct Around<'g> {
    incoming: Adjacency<'g>,
    /// Where edges have a direction.
    outgoing: Option<Adjacency<'g>>,
    vertices: usize,
}

impl Around<'_> {
    /// Those of a vertex in ascending order, each once, without itself.
    fn of(&self, vertex: usize, list: &mut Vec<Neighbour>) -> Result<(), Error> {
        list.clear();
        let sides = [Some(self.incoming), self.outgoing];
        for side in sides.into_iter().flatten() {
            let mut last = None;
            for index in side.of(vertex) {
                let id = side.neighbours.get(index);
                if id >= self.vertices {
                    let why = format!(
                        "count triangles: an edge of vertex {vertex} leads to {id}, and there is none: the file is damaged"
                    );
                    return Err(Error::new(ErrorKind::Format, why));
                }
                if id != vertex && last != Some(id) {
                    list.push(Neighbour { id: id as u32, edges: 1 });
                }
                last = Some(id);
            }
        }
        list.sort_unstable_by_key(|neighbour| neighbour.id);
        list.dedup_by(|this, before| {
            let same = this.id == before.id;
            // There are two at most, unless the file is damaged.
            before.edges = before.edges.saturating_add(same.into());
            same
        });
        if self.outgoing.is_none() {
            list.iter_mut().for_each(|neighbour| neighbour.edges = 2);
        }
        Ok(())
    }
}

/// Of each vertex the neighbours that have more neighbours than it, or as many and a larger number.
struct Higher {
    offsets: Vec<usize>,
    ids: Vec<u32>,
    edges: Vec<u8>,
}

impl Higher {
    fn of(around: &Around<'_>, degrees: &[u32], stop: Option<&AtomicBool>) -> Result<Higher, Error> {
        let mut higher = Higher { offsets: vec![0], ids: Vec::new(), edges: Vec::new() };
        let mut list = Vec::new();
        for (vertex, degree) in degrees.iter().enumerate() {
            if vertex % PART == 0 && stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Error::new(ErrorKind::Interrupted, "count triangles: it was told to stop"));
            }
            around.of(vertex, &mut list)?;
            let above =
                |other: &&Neighbour| (degrees[other.id as usize], other.id as usize) > (*degree, vertex);
            for other in list.iter().filter(above) {
                higher.ids.push(other.id);
                higher.edges.push(other.edges);
            }
            higher.offsets.push(higher.ids.len());
        }
        Ok(higher)
    }

    fn range(&self, vertex: usize) -> Range<usize> {
        self.offsets[vertex]..self.offsets[vertex + 1]
    }

    /// How many triangles a vertex is the lowest of. To each of its vertices it adds the edges between the other two.
    fn triangles(&self, vertex: usize, among: &[AtomicU64]) -> u64 {
        let add = |vertex: u32, edges: u8| among[vertex as usize].fetch_add(edges.into(), Ordering::Relaxed);
        let (mut found, mut own) = (0, 0);
        for first in self.range(vertex) {
            let (middle, mut mine) = (self.ids[first], self.range(vertex).peekable());
            for other in self.range(middle as usize) {
                let top = self.ids[other];
                while mine.next_if(|mine| self.ids[*mine] < top).is_some() {}
                let Some(last) = mine.next_if(|mine| self.ids[*mine] == top) else { continue };
                found += 1;
                own += u64::from(self.edges[other]);
                add(middle, self.edges[last]);
                add(top, self.edges[first]);
            }
        }
        among[vertex].fetch_add(own, Ordering::Relaxed);
        found
    }
}
