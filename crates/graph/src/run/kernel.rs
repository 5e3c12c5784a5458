//! What a run does with its blocks: a program in Rust goes from vertex to vertex, one in a guest is called with frames.

use super::Running;
use super::budget::Most;
use super::room::Room;
use super::side;
use crate::error::Error;
use crate::file::{Graph, Id, columns};
use crate::program::{Control, EdgeValue, Interval, Iteration};
use crate::vertex::Context;
use std::ops::Range;
use upcall_abi::Blit;
use upcall_host::Lent;

pub(super) trait Kernel<I: Id>: Sync + Sized {
    type Own: Blit + Send + Sync;
    type Shown: Blit + PartialEq + Send + Sync;
    type Edge: EdgeValue;
    /// What a worker has to itself.
    type Worker;

    /// The most edges that a worker takes at once.
    const EDGES: u64;

    /// Whether all workers are told of iterations that have ended; only the first is otherwise.
    const ALL_ARE_TOLD: bool;

    /// The program's name and settings: a run goes on only from one that has the same.
    fn identity(&self) -> (String, String);

    fn needs(&self) -> Needs;

    /// The bytes of what edges begin with, of a program that writes their values: as many as all have, or none where they are 0.
    fn first_values<'a>(&'a self, graph: &'a Graph) -> Result<&'a [u8], Error> {
        let file = graph.file();
        if Self::Edge::ELEMENT.is_none() || file.entry(columns::VALUES).is_none() {
            return Ok(&[]);
        }
        side::values::<Self::Edge>(graph)?;
        Ok(file.bytes(columns::VALUES)?)
    }

    /// Whether other processes map the graph, and what is made of it.
    fn lends(&self) -> bool {
        false
    }

    /// Whether they map what vertices show as well: they do not where nobody there looks at what others show, since memory of one process
    /// alone has larger pages.
    fn lends_shown(&self) -> bool {
        self.lends()
    }

    /// How many workers there are, where so many are asked for.
    fn workers(&self, asked: usize) -> usize;

    /// How many bytes a worker takes for what it does with a chunk, beside neighbours that are decoded, in this process.
    fn room(&self, graph: &Graph, most: &Most) -> u64;

    /// What the worker of this index does, on its thread, from the first of its calls to the last. What is `lent` stays as long.
    fn work(
        &self,
        index: usize,
        workers: usize,
        lent: &[Lent],
        body: &mut dyn FnMut(&mut Self::Worker),
    ) -> Result<(), Error>;

    /// What the vertices of these blocks begin with.
    fn start(
        &self,
        run: &Running<'_, Self, I>,
        worker: &mut Self::Worker,
        blocks: Range<usize>,
    ) -> Result<(), Error>;

    /// The graph is another one than at the start, or than it was until now; told once, before the first iteration over it.
    fn changed(&self, context: Context) {
        let _ = context;
    }

    /// An iteration begins; told once, before any worker updates a vertex. Guests know it by the first
    /// UPDATE behind START or AFTER.
    fn before(&self, context: Context) {
        let _ = context;
    }

    /// An interval begins; told once, as above.
    fn before_interval(&self, interval: &Interval) {
        let _ = interval;
    }

    /// An interval was updated: whether it is to be once more.
    fn after_interval(
        &self,
        run: &Running<'_, Self, I>,
        worker: &mut Self::Worker,
        interval: &Interval,
    ) -> Result<bool, Error>;

    /// Updates the vertices of these blocks that are scheduled. Their neighbours are decoded into the worker's room, if they have to be.
    fn update(
        &self,
        run: &Running<'_, Self, I>,
        worker: &mut Self::Worker,
        room: &mut Room<I>,
        blocks: Range<usize>,
        context: Context,
    ) -> Result<(), Error>;

    /// An iteration has ended.
    fn after(
        &self,
        run: &Running<'_, Self, I>,
        worker: &mut Self::Worker,
        done: &Iteration,
    ) -> Result<Control, Error>;
}

/// What a program needs of the graph and of the engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) outgoing: bool,
    pub(super) selective: bool,
    /// Values of outgoing edges.
    pub(super) writes: bool,
}

impl Needs {
    /// Whether the program sees outgoing edges.
    pub(super) fn sees_outgoing(self) -> bool {
        self.outgoing || self.writes
    }
}
