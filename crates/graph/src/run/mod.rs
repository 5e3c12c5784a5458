//! Runs a program over a graph: blocks of vertices, which threads take one after the other, in iterations.

mod active;
mod ahead;
mod block;
mod budget;
mod checkpoint;
mod chunks;
mod edges;
mod frames;
mod intervals;
mod iterate;
mod jobs;
mod kernel;
mod native;
mod options;
mod parallel;
mod room;
mod rounds;
mod shared;
mod side;
mod written;

pub(crate) use active::Schedule;
pub(crate) use block::Tally;
pub use checkpoint::Checkpoint;
pub use frames::Dump;
pub(crate) use frames::run_guest;
pub use options::{Change, Options, Outcome, Resume};

use crate::compressed::BLOCK;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, Wide};
use crate::program::{Control, EdgeValue, Iteration, Program};
use crate::values::{Place, Values};
use crate::vertex::Context;
use active::Active;
use ahead::{Ahead, EndAhead};
use block::State;
use budget::Plan;
use chunks::EDGES;
use edges::{Edges, Set};
use intervals::Intervals;
use jobs::{End, Jobs};
use kernel::{Kernel, Needs};
use native::Native;
use parallel::unpanicked;
pub(crate) use parallel::{heard, parallel};
use room::Room;
use rounds::{All, HandOverOf, LoopEnd, RoundEndOf, Rounds, rounds};
use shared::Shared;
use side::{Side, sides};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Instant;
use upcall_host::Lent;
use written::{Alone, OnItsWay};

/// Runs a program until it says that it has ended, none of its vertices are scheduled, or there were as many iterations as it may
/// have.
///
/// # Errors
/// [`Usage`](ErrorKind::Usage): the graph lacks what the program needs, or the program is not for Gauss-Seidel's way;
/// [`TooLarge`](ErrorKind::TooLarge): there is no memory for its values; [`Format`](ErrorKind::Format): an edge leads to no vertex;
/// [`Program`](ErrorKind::Program): an update panicked; [`Interrupted`](ErrorKind::Interrupted): it was told to stop.
pub fn run<P: Program>(graph: &Graph, program: P, options: Options<'_>) -> Result<Outcome<P>, Error> {
    if options.gauss_seidel.is_some() && (!P::ANY_ORDER || P::WRITES) {
        let why = match P::WRITES {
            true => "it sets values of edges: it is not run in Gauss-Seidel's way, but in Jacobi's",
            false => {
                "vertices have to see what all others showed in the last iteration: it is not run in Gauss-Seidel's way"
            }
        };
        return Err(Error::new(ErrorKind::Usage, format!("run program {}: {why}", P::NAME)));
    }
    match graph.is_wide() {
        false => native::<P, u32>(graph, program, options),
        true => native::<P, Wide>(graph, program, options),
    }
}

fn native<P: Program, I: Id>(graph: &Graph, program: P, options: Options<'_>) -> Result<Outcome<P>, Error> {
    let All { program, ended, threads, changes, changed, graph } =
        rounds::<_, I>(graph, Native::new(program), options)?;
    let (Ended { own, shown, edges, iterations }, program) = (ended, program.into_inner());
    Ok(Outcome { program, own, shown, edges, iterations, threads, changes, changed, graph })
}

/// What a run has come to.
struct Ended<O, S, V> {
    own: Values<O>,
    shown: Values<S>,
    edges: Values<V>,
    iterations: u64,
}

/// Of two arrays, the one that the last iteration has written.
fn last<T>(both: [Shared<T>; 2], iterations: u64) -> Values<T> {
    last_and_other(both, iterations).0
}

fn last_and_other<T>(both: [Shared<T>; 2], iterations: u64) -> (Values<T>, Values<T>) {
    let [even, odd] = both.map(Shared::into_inner);
    if iterations.is_multiple_of(2) { (even, odd) } else { (odd, even) }
}

/// How many blocks an interval of so many vertices has.
fn blocks_of_interval(gauss_seidel: Option<usize>) -> Option<usize> {
    gauss_seidel.map(|size| size.div_ceil(BLOCK).max(1))
}

/// Of two arrays, which is read in an iteration, and which is written.
#[inline(always)]
fn now(context: Context) -> (usize, usize) {
    let read = (context.iteration % 2) as usize;
    (read, 1 - read)
}

/// A program with its graph and all values.
struct Running<'g, K: Kernel<I>, I: Id> {
    kernel: K,
    needs: Needs,
    graph: &'g Graph,
    /// The graph that the run has begun with.
    base: &'g Graph,
    gauss_seidel: Option<usize>,
    incoming: Side<'g, I, <K::Edge as EdgeValue>::Stored>,
    outgoing: Option<Side<'g, I, <K::Edge as EdgeValue>::Stored>>,
    /// Where the program writes them.
    edges: Option<Edges<<K::Edge as EdgeValue>::Stored>>,
    own: Shared<K::Own>,
    /// What vertices show: that of the last iteration, which is read, and that of this one, which is written ([`Running::now`]).
    shown: [Shared<K::Shown>; 2],
    /// The vertices that are scheduled: for this iteration, and for the next.
    active: [Active; 2],
    tallies: Shared<Tally>,
    states: Shared<State>,
    /// The blocks that a worker takes at once.
    chunks: Vec<Range<usize>>,
    intervals: Intervals,
    /// How much memory it may take: then what is written to files goes to the disk.
    memory: Option<u64>,
    /// The chunk that is taken next.
    next: AtomicUsize,
    /// The first chunk that has failed, by number.
    failed: Mutex<Option<(usize, Error)>>,
    ahead: Ahead,
    /// The iterations that have ended, where all workers are told of them.
    ended: RwLock<Vec<Iteration>>,
}

/// What all workers do together.
#[derive(Clone, Copy)]
enum Job {
    Start,
    Update(Context),
    /// What vertices of an interval show is what those of later ones see.
    Publish(Context),
}

/// A worker of a run.
struct Worker<'a, W, I> {
    own: &'a mut W,
    room: &'a mut Room<I>,
    /// How many iterations it was told of.
    told: usize,
    on_its_way: Option<OnItsWay>,
}

impl<'g, K: Kernel<I>, I: Id> Running<'g, K, I> {
    /// A run over `graph`. `base` is the graph that the whole run began with: the same one until edges change. `before` is what the run
    /// over the previous graph hands over; where there is none, all values are 0 until vertices are started or a kept run is read.
    fn new(
        (base, graph): (&'g Graph, &'g Graph),
        kernel: K,
        options: &Options<'_>,
        before: Option<HandOverOf<K, I>>,
    ) -> Result<Self, Error> {
        let needs = kernel.needs();
        let (incoming, outgoing) = sides::<K::Edge, I>(graph, needs)?;
        let vertices = graph.vertices();
        let blocks = vertices.div_ceil(BLOCK);
        let held = before.as_ref().map(|before| [before.own.is_in_memory(), before.shown[0].is_in_memory()]);
        let Plan { own, shown, edges, places, chunks } =
            Plan::of(graph, &kernel, options, (&incoming, outgoing.as_ref()), held)?;
        let active = [Active::none(vertices), Active::none(vertices)];
        let shown = || Values::zeroed(vertices, shown).map(Shared::new);
        let (mut set, mut ended) = (None, Vec::new());
        let (own, shown) = match before {
            None => (Shared::new(Values::zeroed(vertices, own)?), [shown()?, shown()?]),
            Some(before) => {
                let (read, _) = now(before.context);
                active[read].set(&before.active);
                if needs.selective {
                    let ends = before.cuts.incoming.iter().flat_map(|cut| [cut.major, cut.minor]);
                    ends.for_each(|vertex| active[read].add(vertex));
                }
                ended = before.ended;
                // Of an undirected graph both are the same.
                let cuts = before.cuts.outgoing.unwrap_or(before.cuts.incoming);
                set = before.edges.map(|values| Set { values, read, cuts });
                (before.own, before.shown)
            }
        };
        let edges = match outgoing.as_ref().filter(|_| needs.writes) {
            Some(outgoing) => {
                let first = kernel.first_values(graph)?;
                Some(Edges::new(graph, first, set, (&incoming, outgoing), (edges, places))?)
            }
            None => None,
        };
        Ok(Running {
            kernel,
            needs,
            graph,
            base,
            gauss_seidel: options.gauss_seidel,
            own,
            shown,
            active,
            tallies: Shared::new(vec![Tally::default(); blocks].into()),
            states: Shared::new(vec![State::default(); blocks].into()),
            intervals: Intervals::of(&chunks, blocks_of_interval(options.gauss_seidel)),
            memory: options.memory,
            chunks,
            incoming,
            outgoing,
            edges,
            next: AtomicUsize::new(0),
            failed: Mutex::new(None),
            ahead: Ahead::default(),
            ended: RwLock::new(ended),
        })
    }

    /// Which of the two arrays is read in an iteration, and which is written.
    #[inline(always)]
    fn now(&self, context: Context) -> (usize, usize) {
        now(context)
    }

    /// Iterations until the program has ended or the graph changes: from the start, or from where a run has got to.
    fn run(
        self,
        from: Option<Context>,
        rounds: &mut Rounds,
        options: &mut Options<'_>,
    ) -> Result<RoundEndOf<K, I>, Error> {
        let workers = self.kernel.workers(options.asked()).min(self.chunks.len()).max(1);
        rounds.threads = rounds.threads.max(workers);
        let jobs = Jobs::new(workers - 1);
        let place = if self.kernel.lends() { Place::Shared } else { Place::Here };
        let mut room = self.room(place)?;
        let others = (1..workers).map(|_| self.room(place)).collect::<Result<Vec<_>, _>>()?;
        let lent = &self.lent(std::iter::once(&room).chain(&others));
        let stop = options.stop;
        let mut outcome = None;
        let _alone = self.memory.map(|_| Alone::new(self.graph));
        std::thread::scope(|scope| {
            let _end = (End(&jobs), EndAhead(&self.ahead));
            if self.reads_ahead() {
                scope.spawn(|| self.read_ahead(&self.ahead));
            }
            for (index, room) in (1..workers).zip(others) {
                let (running, jobs) = (&self, &jobs);
                scope.spawn(move || running.beside((index, workers), room, lent, jobs, stop));
            }
            self.kernel.work(0, workers, lent, &mut |own| {
                let worker = &mut Worker { own, room: &mut room, told: 0, on_its_way: None };
                outcome = Some(self.iterations(worker, &jobs, from, rounds, options));
            })
        })?;
        let left =
            outcome.ok_or_else(|| Error::new(ErrorKind::Program, "run the program: nobody has run it"))??;
        self.into_end(left)
    }

    /// What guests in other processes may map: what vertices show, what workers decode, values of edges that are written, and the graph.
    fn lent<'a>(&self, rooms: impl Iterator<Item = &'a Room<I>>) -> Vec<Lent>
    where
        I: 'a,
    {
        if !self.kernel.lends() {
            return Vec::new();
        }
        let shown = self.shown.iter().filter_map(Shared::lent);
        let edges = self.edges.iter().flat_map(Edges::lent);
        shown.chain(rooms.flat_map(Room::lent)).chain(edges).chain(self.graph.lent()).collect()
    }

    /// What another worker than the first does.
    fn beside(
        &self,
        (index, workers): (usize, usize),
        mut room: Room<I>,
        lent: &[Lent],
        jobs: &Jobs<Job>,
        stop: Option<&AtomicBool>,
    ) {
        let mut seen = 0;
        let outcome = self.kernel.work(index, workers, lent, &mut |own| {
            let worker = &mut Worker { own, room: &mut room, told: 0, on_its_way: None };
            while let Some(job) = jobs.next(&mut seen) {
                self.take(worker, job, stop);
                jobs.done();
            }
        });
        if let Err(error) = outcome {
            self.fails(0, error);
            jobs.leave(seen);
        }
    }

    /// All iterations, as the first worker has them done.
    fn iterations(
        &self,
        worker: &mut Worker<'_, K::Worker, I>,
        jobs: &Jobs<Job>,
        from: Option<Context>,
        rounds: &mut Rounds,
        options: &mut Options<'_>,
    ) -> Result<LoopEnd, Error> {
        let vertices = self.graph.vertices();
        let mut context = match from {
            Some(context) => {
                if !std::ptr::eq(self.graph, self.base) {
                    unpanicked(|| {
                        self.kernel.changed(context);
                        Ok(())
                    })?;
                }
                context
            }
            None => {
                self.intervals.all();
                self.all(worker, Job::Start, jobs, options.stop)?;
                Context { iteration: 0, vertices, total: self.tally().total }
            }
        };
        rounds.begin();
        while context.iteration < options.iterations && self.goes_on(context) {
            if let Some(checkpoint) = options.checkpoint.filter(|checkpoint| rounds.is_due(checkpoint)) {
                self.keep(context, checkpoint.file, rounds)?;
                rounds.kept();
            }
            // Where there are no vertices, nobody takes a chunk.
            heard(options.stop)?;
            let began = Instant::now();
            let repeated = self.iterate(worker, context, jobs, options.stop)?;
            let tally = self.tally();
            let number = context.iteration;
            (context.iteration, context.total) = (number + 1, tally.total);
            let done = Iteration {
                number,
                updated: tally.updated + repeated.updated,
                edges: tally.edges + repeated.edges,
                scheduled: if self.needs.selective { self.scheduled(context) } else { vertices as u64 },
                residual: tally.residual,
                total: tally.total,
                took: began.elapsed(),
            };
            if let Some(report) = &mut options.report {
                report(&done);
            }
            let control = self.after(worker, &done)?;
            if control == Control::Stop {
                break;
            }
            rounds.ended();
            if options.change.is_some()
                && context.iteration < options.iterations
                && let Some((log, cuts)) = self.changes(&done, rounds, options)?
            {
                return Ok(LoopEnd::Changed(context, log, cuts));
            }
        }
        Ok(LoopEnd::Ended(context.iteration))
    }

    fn scheduled(&self, context: Context) -> u64 {
        self.active[self.now(context).0].count()
    }

    fn goes_on(&self, context: Context) -> bool {
        !self.needs.selective || self.scheduled(context) > 0
    }

    /// Tells the first worker of an iteration that has ended; the others are told before they take the next job.
    fn after(&self, worker: &mut Worker<'_, K::Worker, I>, done: &Iteration) -> Result<Control, Error> {
        if !K::ALL_ARE_TOLD {
            return self.kernel.after(self, worker.own, done);
        }
        self.tell(worker)?;
        self.ended.write().unwrap_or_else(PoisonError::into_inner).push(*done);
        worker.told += 1;
        self.kernel.after(self, worker.own, done)
    }

    /// Tells a worker of those iterations that it was not told of.
    fn tell(&self, worker: &mut Worker<'_, K::Worker, I>) -> Result<(), Error> {
        let ended = self.ended.read().unwrap_or_else(PoisonError::into_inner);
        let behind = ended.get(worker.told..).unwrap_or_default().to_vec();
        drop(ended);
        for done in &behind {
            self.kernel.after(self, worker.own, done)?;
            worker.told += 1;
        }
        Ok(())
    }

    /// Has all workers do something together, with the chunks of this interval.
    fn all(
        &self,
        worker: &mut Worker<'_, K::Worker, I>,
        job: Job,
        jobs: &Jobs<Job>,
        stop: Option<&AtomicBool>,
    ) -> Result<(), Error> {
        // Few vertices are updated sooner than others are woken.
        let few = match job {
            Job::Start => false,
            Job::Update(context) | Job::Publish(context) => {
                self.needs.selective && self.scheduled(context) < BLOCK as u64
            }
        };
        self.next.store(self.intervals.chunks().start, Ordering::Relaxed);
        if few {
            self.take(worker, job, stop);
        } else {
            jobs.post(job);
            self.take(worker, job, stop);
            jobs.wait();
        }
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }

    /// Takes chunks until there are no more.
    fn take(&self, worker: &mut Worker<'_, K::Worker, I>, job: Job, stop: Option<&AtomicBool>) {
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            if chunk >= self.intervals.chunks().end {
                return;
            }
            let Some(blocks) = self.chunks.get(chunk) else { return };
            let outcome = heard(stop).and_then(|()| {
                unpanicked(|| {
                    self.expects(job, blocks);
                    self.tell(worker)?;
                    match job {
                        Job::Start => self.kernel.start(self, worker.own, blocks.clone()),
                        Job::Update(context) => {
                            self.kernel.update(self, worker.own, worker.room, blocks.clone(), context)
                        }
                        Job::Publish(context) => {
                            blocks.clone().for_each(|block| self.publish(block, context));
                            Ok(())
                        }
                    }?;
                    self.written(worker, job, blocks)
                })
            });
            if let Err(error) = outcome {
                return self.fails(chunk, error);
            }
        }
    }

    /// Nobody takes another chunk; those before it are under way already.
    fn fails(&self, chunk: usize, error: Error) {
        self.next.store(self.chunks.len(), Ordering::Relaxed);
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.as_ref().is_none_or(|(first, _)| chunk < *first) {
            *failed = Some((chunk, error));
        }
    }

    /// What all blocks have added up, in order.
    fn tally(&self) -> Tally {
        // SAFETY: no worker is at work.
        unsafe { self.tallies.whole() }.iter().fold(Tally::default(), |all, block| all.and(block))
    }

    fn vertices_in(&self, blocks: &Range<usize>) -> Range<usize> {
        let vertices = self.graph.vertices();
        vertices.min(blocks.start * BLOCK)..vertices.min(blocks.end * BLOCK)
    }

    fn vertices_of(&self, block: usize) -> Range<usize> {
        let begin = block * BLOCK;
        begin..self.graph.vertices().min(begin + BLOCK)
    }
}
