//! Edges that are added and removed between iterations: what is to be changed, and the graph that comes of it.

mod cuts;
mod log;
mod merge;

pub(crate) use cuts::{Cut, Cuts};
pub(crate) use log::Log;
pub(crate) use merge::merge;

use crate::error::{Error, ErrorKind};
use crate::file::{Graph, columns};
use crate::program::EdgeValue;
use upcall_abi::Blit as _;

/// What is to be changed in a graph between two iterations: [`Options::change`](crate::Options::change) is handed one, empty.
///
/// Changes count in the order in which they are asked for, as if each were made before the next: what is removed are the edges that
/// are there by then, those that were added before included. Vertices are called by their places, as in all of the engine, and stay as
/// many as they are. In an undirected graph an edge is added and removed in both directions, whichever is named.
///
/// Until the next iteration they take 24 bytes of memory each, and the size of a value where edges have one; as many again for as long as
/// the run is kept in a file.
#[derive(Debug)]
pub struct Changes<'g> {
    graph: &'g Graph,
    made: u64,
    log: Log,
}

/// What changes come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// How many edges the graph has that it did not have; each of an undirected graph counts once per direction, here and below.
    pub added: u64,
    /// How many it has no longer.
    pub removed: u64,
}

impl<'g> Changes<'g> {
    pub(crate) fn new(graph: &'g Graph, made: u64) -> Changes<'g> {
        let size = graph.file().entry(columns::VALUES).map_or(0, |entry| entry.size());
        Changes { graph, made, log: Log::new(size) }
    }

    /// The graph as the last iteration has seen it: without these changes.
    #[must_use]
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// How many changes were made before in this run, and in what it has gone on from. Who makes them from a list knows by it where to
    /// go on.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.made
    }

    /// How many changes there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What they come to: an edge that is added and removed again is neither, nor is one removed that is not there. It takes a sort
    /// of the changes.
    ///
    /// # Errors
    /// [`Format`](ErrorKind::Format): the edges of the graph are not in order, as its file is damaged.
    pub fn count(&self) -> Result<Changed, Error> {
        Ok(self.cuts()?.changed())
    }

    /// Adds an edge to a graph whose edges have no values. There may be one already: then there are two.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): there is no such vertex, or edges have values. The change is not made then, here and below.
    pub fn add(&mut self, from: usize, to: usize) -> Result<(), Error> {
        self.are_there(from, to)?;
        if let Some(entry) = self.graph.file().entry(columns::VALUES) {
            let why =
                format!("the graph's edges have values of {}: give it one (`add_valued`)", entry.element());
            return Err(refused("add", from, to, &why));
        }
        self.log.push(from, to, Some(&[]));
        Ok(())
    }

    /// Adds an edge with a value to a graph whose edges have values of this type. There may be one already: then there are two, and this
    /// one comes behind it.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): there is no such vertex, or edges have no values, or those of another type.
    pub fn add_valued<V: EdgeValue>(&mut self, from: usize, to: usize, value: V) -> Result<(), Error> {
        self.are_there(from, to)?;
        let given = V::ELEMENT.unwrap_or("no type");
        let Some(entry) = self.graph.file().entry(columns::VALUES) else {
            let why = format!("it has a value of {given}, and the graph's edges have none (`add`)");
            return Err(refused("add", from, to, &why));
        };
        let is_same = V::ELEMENT == Some(entry.element()) && size_of::<V::Stored>() == entry.size();
        if !is_same || V::Stored::PADDED {
            let why = format!(
                "it has a value of {given}, and the graph's edges have values of {}",
                entry.element()
            );
            return Err(refused("add", from, to, &why));
        }
        let stored = [value.stored()];
        // SAFETY: it has no padding.
        let bytes = unsafe { std::slice::from_raw_parts(stored.as_ptr().cast::<u8>(), size_of_val(&stored)) };
        self.log.push(from, to, Some(bytes));
        Ok(())
    }

    /// Removes all edges from one vertex to another; there may be none.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): there is no such vertex.
    pub fn remove(&mut self, from: usize, to: usize) -> Result<(), Error> {
        self.are_there(from, to)?;
        self.log.push(from, to, None);
        Ok(())
    }

    fn are_there(&self, from: usize, to: usize) -> Result<(), Error> {
        let vertices = self.graph.vertices();
        match [from, to].into_iter().find(|vertex| *vertex >= vertices) {
            None => Ok(()),
            Some(vertex) => {
                let why = format!(
                    "there is no vertex {vertex}: the graph has {vertices}, which are called from 0 on"
                );
                Err(refused("change", from, to, &why))
            }
        }
    }

    pub(crate) fn cuts(&self) -> Result<Cuts, Error> {
        Cuts::of(self.graph, &self.log)
    }

    pub(crate) fn into_log(self) -> Log {
        self.log
    }
}

#[cold]
fn refused(what: &str, from: usize, to: usize, why: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("{what} an edge from vertex {from} to vertex {to}: {why}"))
}
