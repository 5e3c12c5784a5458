//! Edges that are added and removed between iterations: what is to be changed, and the graph that comes of it.

mod cuts;
mod log;
mod merge;

pub(crate) use cuts::{Cut, Cuts};
pub use log::{ChangeLog, Edit};
pub(crate) use merge::{Made, merge};

use crate::error::{Error, ErrorKind};
use crate::file::{Graph, columns};
use crate::program::EdgeValue;
use crate::value::ValueType;
use upcall_abi::Blit as _;

/// What is to be changed in a graph between two iterations: [`Options::change`](crate::Options::change) is handed one, empty.
///
/// Changes count in the order in which they are asked for, as if each were made before the next: what is removed are the edges that
/// are there by then, those that were added before included. Vertices are called by their places, as in all of the engine, and stay as
/// many as they are. In an undirected graph an edge is added and removed in both directions, whichever is named.
///
/// A change takes 24 bytes of memory, and the size of a value where edges have one; while they are counted and the next graph is made, about
/// 150 bytes, or 200 in an undirected graph. Where the run is kept in a file, 24 bytes and the value stay until it ends, and are there
/// twice whenever the file is written.
#[derive(Debug)]
pub struct Changes<'g> {
    graph: &'g Graph,
    made: u64,
    log: ChangeLog,
    /// How many of them, from the first on, have come to nothing.
    idle: usize,
    /// What the others come to, once it was asked for, until there is another one.
    cuts: Option<Cuts>,
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
        Changes { graph, made, log: ChangeLog::new(size), idle: 0, cuts: None }
    }

    /// The graph as the last iteration has seen it: without these changes.
    #[must_use]
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// How many changes were made before in this run, and in what it has gone on from: a caller that replays a list continues at this
    /// index.
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

    /// What they come to: an edge that is added and removed again is neither, nor is one removed that is not there. It takes a sort of the
    /// changes, without those before the last count if that was 0.
    ///
    /// # Errors
    /// [`Format`](ErrorKind::Format): the edges of the graph are not in order, as its file is damaged.
    pub fn count(&mut self) -> Result<Changed, Error> {
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
        self.push(from, to, Some(&[]));
        Ok(())
    }

    /// Adds an edge with a value to a graph whose edges have values of this type. There may be one already: then there are two, and this
    /// one comes behind it.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): there is no such vertex, or edges have no values, or those of another type.
    pub fn add_valued<V: EdgeValue>(&mut self, from: usize, to: usize, value: V) -> Result<(), Error> {
        let stored = [value.stored()];
        // A value with padding is refused, as its bytes are not defined.
        let element = V::ELEMENT.filter(|_| !V::Stored::PADDED);
        // SAFETY: it has no padding.
        let bytes = element.map_or(&[][..], |_| unsafe {
            std::slice::from_raw_parts(stored.as_ptr().cast::<u8>(), size_of_val(&stored))
        });
        self.add_bytes(from, to, V::ELEMENT, bytes)
    }

    /// As [`add_valued`](Changes::add_valued), for a value whose type is known at run time only: its bits, as
    /// [`parse`](ValueType::parse) makes them.
    ///
    /// # Errors
    /// As of [`add_valued`](Changes::add_valued).
    pub fn add_bits(&mut self, from: usize, to: usize, of: ValueType, bits: u64) -> Result<(), Error> {
        self.add_bytes(from, to, Some(of.name()), &bits.to_le_bytes()[..of.size()])
    }

    fn add_bytes(
        &mut self,
        from: usize,
        to: usize,
        element: Option<&str>,
        bytes: &[u8],
    ) -> Result<(), Error> {
        self.are_there(from, to)?;
        let given = element.unwrap_or("no type");
        let Some(entry) = self.graph.file().entry(columns::VALUES) else {
            let why = format!("it has a value of {given}, and the graph's edges have none (`add`)");
            return Err(refused("add", from, to, &why));
        };
        if element != Some(entry.element()) || bytes.len() != entry.size() {
            let why = format!(
                "it has a value of {given}, and the graph's edges have values of {}",
                entry.element()
            );
            return Err(refused("add", from, to, &why));
        }
        self.push(from, to, Some(bytes));
        Ok(())
    }

    /// Removes all edges from one vertex to another; there may be none.
    ///
    /// # Errors
    /// [`Usage`](ErrorKind::Usage): there is no such vertex.
    pub fn remove(&mut self, from: usize, to: usize) -> Result<(), Error> {
        self.are_there(from, to)?;
        self.push(from, to, None);
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

    fn push(&mut self, from: usize, to: usize, adds: Option<&[u8]>) {
        self.cuts = None;
        self.log.push(from, to, adds);
    }

    fn cuts(&mut self) -> Result<&Cuts, Error> {
        let cuts = match self.cuts.take() {
            Some(cuts) => cuts,
            None => Cuts::of(self.graph, &self.log, self.idle)?,
        };
        if cuts.is_empty() {
            self.idle = self.log.len();
        }
        Ok(self.cuts.insert(cuts))
    }

    /// All changes, and what they come to.
    pub(crate) fn into_cuts(mut self) -> Result<(ChangeLog, Cuts), Error> {
        self.cuts()?;
        Ok((self.log, self.cuts.unwrap_or_default()))
    }
}

#[cold]
fn refused(what: &str, from: usize, to: usize, why: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("{what} an edge from vertex {from} to vertex {to}: {why}"))
}
