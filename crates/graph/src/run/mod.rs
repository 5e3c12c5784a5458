//! Runs a program over a graph: blocks of vertices, which threads take one after the other, in iterations.

mod active;
mod block;
mod checkpoint;
mod parallel;
mod shared;
mod side;

pub(crate) use active::Schedule;
pub(crate) use block::Tally;
pub use checkpoint::Checkpoint;

use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, Ids, Wide};
use crate::program::{Control, EdgeValue, Iteration, Program};
use crate::vertex::{Context, Start};
use active::Active;
use block::State;
pub(crate) use parallel::parallel;
use shared::Shared;
use side::{Side, sides};
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use upcall_abi::Blit;

/// Vertices of a block. Sums over vertices are made block by block, so that they are the same bits on any number of threads.
const BLOCK: usize = 1024;

/// Edges that a thread takes at once, unless a block has more: more than the taking costs, and few enough that all threads end
/// together.
const EDGES: u64 = 1 << 16;

/// How a program is run.
pub struct Options<'a> {
    /// On how many threads; 0 for one per core.
    pub threads: usize,
    /// How many iterations there are at most.
    pub iterations: u64,
    /// Set by somebody who wants it to stop.
    pub stop: Option<&'a AtomicBool>,
    /// Called after each iteration, on the thread that has called [`run`].
    pub report: Option<&'a mut dyn FnMut(&Iteration)>,
    /// Keeps the run in a file, from which it goes on after a crash.
    pub checkpoint: Option<Checkpoint<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { threads: 0, iterations: u64::MAX, stop: None, report: None, checkpoint: None }
    }
}

/// What a program has come to.
#[derive(Debug)]
pub struct Outcome<P: Program> {
    /// The program, as its last iteration has left it.
    pub program: P,
    /// What each vertex has kept to itself.
    pub own: Vec<P::Own>,
    /// What each vertex showed at the end.
    pub shown: Vec<P::Shown>,
    /// How many iterations there were.
    pub iterations: u64,
}

/// Runs a program until it says that it has ended, none of its vertices are scheduled, or there were as many iterations as it may
/// have.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the graph lacks what the program needs; [`TooLarge`](ErrorKind::TooLarge): there is no memory for
/// its values; [`Format`](ErrorKind::Format): an edge leads to no vertex; [`Program`](ErrorKind::Program): an update panicked;
/// [`Interrupted`](ErrorKind::Interrupted): it was told to stop.
pub fn run<P: Program>(graph: &Graph, program: P, options: Options<'_>) -> Result<Outcome<P>, Error> {
    match graph.incoming().neighbours {
        Ids::Narrow(_) => Running::<P, u32>::new(graph, program, &options)?.run(options),
        Ids::Wide(_) => Running::<P, Wide>::new(graph, program, &options)?.run(options),
    }
}

/// A program with its graph and all values.
struct Running<'g, P: Program, I> {
    program: P,
    graph: &'g Graph,
    threads: usize,
    incoming: Side<'g, I, <P::Edge as EdgeValue>::Stored>,
    outgoing: Option<Side<'g, I, <P::Edge as EdgeValue>::Stored>>,
    own: Shared<P::Own>,
    /// What vertices show: that of the last iteration, which is read, and that of this one, which is written.
    shown: [Shared<P::Shown>; 2],
    /// The vertices that are scheduled: for this iteration, and for the next.
    active: [Active; 2],
    tallies: Shared<Tally>,
    states: Shared<State>,
    /// The blocks that a thread takes at once.
    chunks: Vec<Range<usize>>,
}

impl<'g, P: Program, I: Id> Running<'g, P, I> {
    fn new(graph: &'g Graph, program: P, options: &Options<'_>) -> Result<Self, Error> {
        let (incoming, outgoing) = sides::<P, I>(graph)?;
        let vertices = graph.vertices();
        let blocks = vertices.div_ceil(BLOCK);
        Ok(Running {
            program,
            graph,
            threads: options.threads,
            own: Shared::new(zeroed(vertices)?),
            shown: [Shared::new(zeroed(vertices)?), Shared::new(zeroed(vertices)?)],
            active: [Active::none(vertices), Active::none(vertices)],
            tallies: Shared::new(vec![Tally::default(); blocks]),
            states: Shared::new(vec![State::default(); blocks]),
            chunks: chunks(incoming.offsets, blocks),
            incoming,
            outgoing,
        })
    }

    fn run(mut self, mut options: Options<'_>) -> Result<Outcome<P>, Error> {
        let vertices = self.graph.vertices();
        let kept = options.checkpoint.map_or(Ok(None), |checkpoint| self.resume(checkpoint.file))?;
        let mut context = match kept {
            Some(context) => context,
            None => Context { iteration: 0, vertices, total: self.start(options.stop)?.total },
        };
        let mut saved = Instant::now();
        while context.iteration < options.iterations && (!P::SELECTIVE || self.active[0].count() > 0) {
            let began = Instant::now();
            let tally = self.iterate(context, options.stop)?;
            self.shown.swap(0, 1);
            self.active.swap(0, 1);
            let done = Iteration {
                number: context.iteration,
                updated: tally.updated,
                edges: tally.edges,
                scheduled: if P::SELECTIVE { self.active[0].count() } else { vertices as u64 },
                residual: tally.residual,
                total: tally.total,
                took: began.elapsed(),
            };
            context.iteration += 1;
            context.total = tally.total;
            if let Some(report) = &mut options.report {
                report(&done);
            }
            if self.program.after_iteration(&done) == Control::Stop {
                break;
            }
            if let Some(checkpoint) =
                options.checkpoint.filter(|checkpoint| saved.elapsed() >= checkpoint.every)
            {
                self.keep(context, checkpoint.file)?;
                saved = Instant::now();
            }
        }
        if let Some(checkpoint) = options.checkpoint {
            // Where it cannot be removed, it is not gone on from: nothing is left to be done.
            let _ = std::fs::remove_file(checkpoint.file);
        }
        let [shown, _] = self.shown;
        Ok(Outcome {
            program: self.program,
            own: self.own.into_inner(),
            shown: shown.into_inner(),
            iterations: context.iteration,
        })
    }

    /// Asks the program what vertices begin with.
    fn start(&self, stop: Option<&AtomicBool>) -> Result<Tally, Error> {
        let degrees = self.graph.out_degrees();
        let one = |(): &mut (), chunk: usize| {
            for block in self.chunks[chunk].clone() {
                let range = self.vertices_of(block);
                // SAFETY: each block is in one chunk, and each chunk is taken once.
                let (own, shown, tally) = unsafe {
                    let tally = &mut self.tallies.part(block..block + 1)[0];
                    (self.own.part(range.clone()), self.shown[0].part(range.clone()), tally)
                };
                for (at, id) in range.enumerate() {
                    let in_degree = self.incoming.of(id).len() as u64;
                    let (out_degree, vertices) = (degrees[id], degrees.len());
                    let mut vertex = Start { id, vertices, out_degree, in_degree, tally, scheduled: false };
                    let begins = self.program.start(&mut vertex);
                    if vertex.scheduled {
                        self.active[0].add(id);
                    }
                    (own[at], shown[at]) = begins;
                }
            }
            Ok(())
        };
        parallel(self.threads, self.chunks.len(), stop, one)?;
        self.tally()
    }

    /// One iteration, from `shown[0]` to `shown[1]`.
    fn iterate(&self, context: Context, stop: Option<&AtomicBool>) -> Result<Tally, Error> {
        let one = |scratch: &mut P::Scratch, chunk: usize| {
            self.chunks[chunk].clone().try_for_each(|block| self.update(block, context, scratch))
        };
        // Few vertices are updated sooner than threads are started.
        let few = P::SELECTIVE && self.active[0].count() < BLOCK as u64;
        parallel(if few { 1 } else { self.threads }, self.chunks.len(), stop, one)?;
        self.tally()
    }

    /// What all blocks have added up, in order.
    fn tally(&self) -> Result<Tally, Error> {
        // SAFETY: no thread is at work.
        Ok(unsafe { self.tallies.whole() }.iter().fold(Tally::default(), |all, block| all.and(block)))
    }

    fn vertices_of(&self, block: usize) -> Range<usize> {
        let begin = block * BLOCK;
        begin..self.graph.vertices().min(begin + BLOCK)
    }
}

/// Elements of which all bytes are 0.
fn zeroed<T: Blit>(count: usize) -> Result<Vec<T>, Error> {
    let mut elements = Vec::<T>::new();
    elements.try_reserve_exact(count).map_err(|error| {
        let message =
            format!("run the program: make room for {count} values of {} bytes: {error}", size_of::<T>());
        Error::new(ErrorKind::TooLarge, message)
    })?;
    // SAFETY: there is room, and any bytes are elements.
    unsafe {
        elements.as_mut_ptr().write_bytes(0, count);
        elements.set_len(count);
    }
    Ok(elements)
}

/// Divides blocks among threads: as many as have so many edges.
fn chunks(offsets: &[u64], blocks: usize) -> Vec<Range<usize>> {
    let edge = |block: usize| offsets[(block * BLOCK).min(offsets.len() - 1)];
    let (mut chunks, mut begin) = (Vec::new(), 0);
    for block in 1..=blocks {
        let (edges, vertices) = (edge(block).saturating_sub(edge(begin)), (block - begin) * BLOCK);
        if edges >= EDGES || vertices as u64 >= EDGES || block == blocks {
            chunks.push(begin..block);
            begin = block;
        }
    }
    chunks
}
