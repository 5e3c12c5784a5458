//! How a program is run, and what it comes to.

use super::{Checkpoint, Dump};
use crate::change::{ChangeLog, Changed, Changes, Made};
use crate::error::Error;
use crate::file::Graph;
use crate::program::{EdgeValue, Iteration, Program};
use crate::values::Values;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What may change a graph between iterations: it is told of the one that has ended, and says what is to be changed.
pub type Change<'a> = &'a mut dyn FnMut(&Iteration, &mut Changes<'_>) -> Result<(), Error>;

/// What may refuse to go on with a run: it is told of the changes that were made in its graph.
pub type Resume<'a> = &'a mut dyn FnMut(&ChangeLog) -> Result<(), Error>;

/// How a program is run.
pub struct Options<'a> {
    /// On how many threads; 0 for one per core. There are fewer where there is less to take than that: [`Outcome::threads`].
    pub threads: usize,
    /// How many edges a thread takes at once: blocks of 1,024 vertices until they have so many edges or as many vertices, one block
    /// at least. Results do not depend on it. With fewer, more threads are at work on a small graph; with more, a program in a guest is
    /// called less often, and has to have room for what each call is about. Without it the engine chooses: 65,536 edges for a program in
    /// Rust, up to 262,144 where there is enough for all threads of a guest, and fewer where [memory](Options::memory) is scarce.
    pub edges_at_once: Option<u64>,
    /// How many iterations there are at most.
    pub iterations: u64,
    /// Gauss-Seidel's way instead of Jacobi's: vertices are updated in intervals of so many (rounded up to 1,024), one interval after the
    /// other, and see what those of earlier ones show in this very iteration. Results that are only approached depend on the size of
    /// intervals, and on neither threads nor languages. Distances, components and cores are found in fewer iterations; ranks take
    /// more where they add up to 1 in Jacobi's way all along.
    pub gauss_seidel: Option<usize>,
    /// Set by somebody who wants it to stop.
    pub stop: Option<&'a AtomicBool>,
    /// Called after each iteration, on the thread that has called [`run`](crate::run).
    pub report: Option<&'a mut dyn FnMut(&Iteration)>,
    /// Changes the graph's edges between iterations. Called, on the thread that has called [`run`](crate::run), after each iteration that
    /// another one may follow: not after one that the program says is the last, nor after as many as there may be. A
    /// [selective](Program::SELECTIVE) program is asked also where no vertex is scheduled, and ends if nothing is changed then; of each
    /// edge that was added or removed, both ends are scheduled. An error ends the run.
    ///
    /// The graph's file stays as it is. After changes the run goes on over another graph, a whole copy, which is made by reading the graph
    /// once: nameless in [`folder`](Options::folder); in memory where there is none, or, on other systems than Linux, nameless in the
    /// folder for temporary files. While the next one is made there are two of them. Its neighbours are not compressed. Vertices keep
    /// what they have and show; an edge that is added begins with its value, or 0 where a program sets the values of edges that have
    /// none.
    pub change: Option<Change<'a>>,
    /// Called where the run goes on from its [checkpoint](Options::checkpoint), on the thread that has called [`run`](crate::run), before
    /// the changes that were made are made again: whoever makes changes can see whether they would have made the same. An error ends
    /// the run, and leaves the checkpoint as it is.
    pub resume: Option<Resume<'a>>,
    /// Where vertices' values are kept, those of edges that a program sets, and graphs that have come of [changes](Options::change): in
    /// nameless files in this folder, which are mapped, so that there may be more than memory has room for. Without a folder all of them
    /// are in memory; of a changed graph that is a copy of the whole file.
    pub folder: Option<&'a Path>,
    /// The most memory that the run takes beside what the process has when it begins: anonymous memory, that in nameless files which
    /// guests' processes map, and pages of mapped files that are not on the disk yet. What guests keep to themselves is theirs, and so
    /// is what callbacks do, [changes](Options::change) included.
    ///
    /// What the run needs is added up before it begins. What fits stays in memory, whether there is a [folder](Options::folder) or
    /// not; where not all fits, threads take fewer edges at once, and arrays go to files in the folder, which has to be on a disk:
    /// values of edges that a program sets, and where these are, then what vertices keep, and then what they show. What is written
    /// there goes to the disk as the run goes on. So do graphs that have changed. Results do not depend on it.
    ///
    /// Some things have to be in memory in any case: a few bits for each vertex; 8 bytes for each while the run begins, of a program
    /// that sets values of edges; for each thread the neighbours of at least 1,024 vertices where they are decoded or a frame has room for
    /// them, and, of the same vertices, the values of edges that are set. Where that is more, the run is refused
    /// ([`TooLarge`](crate::ErrorKind::TooLarge)) before it begins, with how much it would take.
    pub memory: Option<u64>,
    /// Writes what one interval of a program in a guest sees, and what becomes of it.
    pub dump: Option<Dump>,
    /// Keeps the run in a file, from which it goes on after a crash.
    pub checkpoint: Option<Checkpoint<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            threads: 0,
            edges_at_once: None,
            iterations: u64::MAX,
            gauss_seidel: None,
            stop: None,
            report: None,
            change: None,
            resume: None,
            folder: None,
            memory: None,
            dump: None,
            checkpoint: None,
        }
    }
}

impl Options<'_> {
    /// How many threads that is.
    pub(super) fn asked(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads == 0 { cores() } else { self.threads }
    }

    /// Where graphs are made that have come of changes.
    pub(super) fn made(&self) -> Made<'_> {
        Made { folder: self.folder, bounded: self.memory.is_some() }
    }
}

/// What a program has come to.
#[derive(Debug)]
pub struct Outcome<P: Program> {
    /// The program, as its last iteration has left it.
    pub program: P,
    /// What each vertex has kept to itself.
    pub own: Values<P::Own>,
    /// What each vertex showed at the end.
    pub shown: Values<P::Shown>,
    /// The values of edges, in the order of the [incoming](Graph::incoming) ones of the graph as it was at the end; none unless the
    /// program [writes](Program::WRITES) them.
    pub edges: Values<<P::Edge as EdgeValue>::Stored>,
    /// How many iterations there were.
    pub iterations: u64,
    /// On how many threads: as many as were asked for, but no more than there are times that somebody takes vertices in an iteration
    /// ([`Options::edges_at_once`]); the most of all graphs if edges were [changed](Options::change).
    pub threads: usize,
    /// How many changes its edges were asked for, in what the run has gone on from as well: [`Changes::made`].
    pub changes: u64,
    /// How many edges these have added and removed.
    pub changed: Changed,
    /// The graph as it was at the end, if its edges were [changed](Options::change).
    pub graph: Option<Arc<Graph>>,
}
