//! The edges of a level without direction: of a file, or of communities.

use super::{goes_on, wrong};
use crate::error::{Error, ErrorKind};
use crate::file::{Adjacency, Graph, columns};
use crate::program::EdgeValue;
use crate::programs::Weight;
use std::sync::atomic::AtomicBool;

/// A symmetric matrix of weights. What a vertex has with itself counts twice, as each edge is in two rows.
pub(super) trait Edges {
    fn vertices(&self) -> usize;

    /// Calls `one` with each vertex that this one has an edge with, and its weight: more than once where there are several edges.
    fn each(&self, vertex: usize, one: impl FnMut(usize, f64));
}

/// Those of a graph's file.
pub(super) struct Stored<'g, W: EdgeValue> {
    vertices: usize,
    incoming: Adjacency<'g>,
    /// Where edges have a direction, and the places of their values.
    outgoing: Option<(Adjacency<'g>, &'g [u64])>,
    /// None where each weighs the same.
    values: Option<&'g [W::Stored]>,
}

impl<'g, W: Weight> Stored<'g, W> {
    /// Looks at all edges: what is here leads to vertices and has weights.
    pub(super) fn of(graph: &'g Graph, stop: Option<&AtomicBool>) -> Result<Self, Error> {
        graph.decode()?;
        let (vertices, incoming) = (graph.vertices(), graph.incoming());
        if u32::try_from(vertices).is_err() {
            return Err(wrong(ErrorKind::TooLarge, "there are more vertices than 2^32"));
        }
        let values = W::ELEMENT.map(|element| values(graph, element)).transpose()?;
        let mut outgoing = None;
        if graph.is_directed() {
            let edges = graph.outgoing().ok_or_else(|| {
                let why = "the graph's file was made without outgoing edges: make it again with them";
                wrong(ErrorKind::Usage, why)
            })?;
            let places = if values.is_some() { graph.file().column(columns::OUT_PLACES)? } else { &[] };
            outgoing = Some((edges, places));
        }
        let stored = Stored { vertices, incoming, outgoing, values };
        for vertex in 0..vertices {
            goes_on(vertex, stop)?;
            stored.look(vertex)?;
        }
        Ok(stored)
    }

    /// Whether a vertex's edges are what they ought to be.
    fn look(&self, vertex: usize) -> Result<(), Error> {
        let nowhere = |to: usize| {
            let why =
                format!("an edge of vertex {vertex} leads to {to}, and there is none: the file is damaged");
            wrong(ErrorKind::Format, &why)
        };
        for place in self.incoming.of(vertex) {
            let from = self.incoming.neighbours.get(place);
            if from >= self.vertices {
                return Err(nowhere(from));
            }
            let weight = self.weight(place);
            if !(weight.is_finite() && weight >= 0.0) {
                let why =
                    format!("the edge from vertex {from} to {vertex} weighs {weight}, and 0 is the least");
                return Err(wrong(ErrorKind::Usage, &why));
            }
        }
        let Some((outgoing, places)) = self.outgoing else { return Ok(()) };
        for edge in outgoing.of(vertex) {
            let to = outgoing.neighbours.get(edge);
            if to >= self.vertices {
                return Err(nowhere(to));
            }
            if self.values.is_some_and(|values| places[edge] >= values.len() as u64) {
                let why = format!("an edge of vertex {vertex} has its value nowhere: the file is damaged");
                return Err(wrong(ErrorKind::Format, &why));
            }
        }
        Ok(())
    }

    fn weight(&self, place: usize) -> f64 {
        self.values.map_or(1.0, |values| W::of(Some(values[place])).weight())
    }
}

fn values<'g, V: upcall_abi::Blit>(graph: &'g Graph, element: &str) -> Result<&'g [V], Error> {
    let found = graph.file().entry(columns::VALUES).map(|entry| entry.element().to_owned());
    if found.as_deref() == Some(element) {
        return Ok(graph.file().column(columns::VALUES)?);
    }
    let has = found.map_or("no values".to_owned(), |found| format!("values of {found}"));
    let why = format!(
        "it needs edges with values of {element}, and the graph's have {has}: make it again with these"
    );
    Err(wrong(ErrorKind::Usage, &why))
}

impl<W: Weight> Edges for Stored<'_, W> {
    fn vertices(&self) -> usize {
        self.vertices
    }

    #[inline]
    fn each(&self, vertex: usize, mut one: impl FnMut(usize, f64)) {
        for place in self.incoming.of(vertex) {
            let from = self.incoming.neighbours.get(place);
            // One without direction is there once if it is a loop, and twice if it is none.
            let times = if from == vertex && self.outgoing.is_none() { 2.0 } else { 1.0 };
            one(from, times * self.weight(place));
        }
        let Some((outgoing, places)) = self.outgoing else { return };
        for edge in outgoing.of(vertex) {
            let weight = if self.values.is_some() { self.weight(places[edge] as usize) } else { 1.0 };
            one(outgoing.neighbours.get(edge), weight);
        }
    }
}
