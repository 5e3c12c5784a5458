//! Programs in guests: a worker's chunk of vertices is one frame, over the graph's own columns.

mod dump;
mod rows;
mod sets;

pub use dump::Dump;

use super::active::Wakes;
use super::budget::Most;
use super::checkpoint::bytes;
use super::edges::are_within;
use super::kernel::{Kernel, Needs};
use super::room::{Part, Parts, Room};
use super::rounds::{All, Runnable, rounds};
use super::{BLOCK, EDGES, Ended, Options, Running, Schedule};
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, columns};
use crate::guest::{Bits, EdgeBits, Guest, GuestOutcome, KeptNumbers, Shape};
use crate::program::{Control, Interval, Iteration};
use crate::value::ValueType;
use crate::vertex::Context;
use rows::Rows;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::PoisonError;
use upcall_abi::{CallFailed, Edges, Rel, Status, VertexFrame, VertexLent, VertexOpen, kind, phase};
use upcall_host::{Lent, Opened, Opening, Threads};

/// How often a frame is handed to a process that has died of it, the first time included.
const TRIES: u32 = 3;

/// Runs a program in a guest over a graph: [`Guest::run`].
pub(crate) fn run_guest(guest: &Guest, graph: &Graph, options: Options<'_>) -> Result<GuestOutcome, Error> {
    let size = |of: Option<ValueType>| of.map_or(0, ValueType::size);
    match (size(guest.shape.own), size(Some(guest.shape.shown))) {
        (0, 4) => run_of::<[u8; 0], u32>(guest, graph, options),
        (0, _) => run_of::<[u8; 0], u64>(guest, graph, options),
        (4, 4) => run_of::<u32, u32>(guest, graph, options),
        (4, _) => run_of::<u32, u64>(guest, graph, options),
        (_, 4) => run_of::<u64, u32>(guest, graph, options),
        (_, _) => run_of::<u64, u64>(guest, graph, options),
    }
}

/// By what edges have, too, where it is written.
fn run_of<O: Bits, S: Bits>(
    guest: &Guest,
    graph: &Graph,
    options: Options<'_>,
) -> Result<GuestOutcome, Error> {
    match guest.shape.edge.filter(|_| guest.shape.writes).map(ValueType::size) {
        None => run::<O, S, u8>(guest, graph, options),
        Some(4) => run::<O, S, u32>(guest, graph, options),
        Some(_) => run::<O, S, u64>(guest, graph, options),
    }
}

fn run<O: Bits, S: Bits, E: Bits>(
    guest: &Guest,
    graph: &Graph,
    options: Options<'_>,
) -> Result<GuestOutcome, Error> {
    dump::check(options.dump.as_ref(), graph.vertices())?;
    if guest.shape.writes && options.gauss_seidel.is_some() {
        let why = "it sets values of edges: it is not run in Gauss-Seidel's way, but in Jacobi's";
        return Err(refused(guest, why));
    }
    let program = GuestProgram::<O, S, E> { guest, dump: options.dump.clone(), of: PhantomData };
    let All { ended, threads, changes, changed, graph, .. } = rounds(graph, program, options)?;
    let Ended { own, shown, edges, iterations } = ended;
    let Shape { own: kept, shown: of, edge, writes, .. } = guest.shape;
    let (own, shown) = (KeptNumbers::new(kept, own), KeptNumbers::new(Some(of), shown));
    let edges = KeptNumbers::new(edge.filter(|_| writes), edges);
    Ok(GuestOutcome { own, shown, edges, iterations, threads, changes, changed, graph })
}

#[cold]
fn refused(guest: &Guest, why: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("run program {}: {why}", guest.name))
}

/// A program in a guest, not bound to a graph.
struct GuestProgram<'p, O, S, E> {
    guest: &'p Guest,
    dump: Option<Dump>,
    of: PhantomData<(O, S, E)>,
}

impl<'p, O: Bits, S: Bits, E: Bits> Runnable<u32> for GuestProgram<'p, O, S, E> {
    type Own = O;
    type Shown = S;
    type Edge = EdgeBits<E>;
    type Over<'g> = Frames<'p, 'g, O, S, E>;

    fn over(self, graph: &Graph) -> Result<Frames<'p, '_, O, S, E>, Error> {
        Frames::new(self.guest, graph, self.dump)
    }

    fn back(Frames { guest, dump, of, .. }: Frames<'p, '_, O, S, E>) -> Self {
        GuestProgram { guest, dump, of }
    }
}

struct Frames<'p, 'g, O, S, E> {
    guest: &'p Guest,
    graph: &'g Graph,
    /// The bytes of edges' values, and the places in them of outgoing edges'.
    values: &'g [u8],
    places: &'g [u64],
    dump: Option<Dump>,
    of: PhantomData<(O, S, E)>,
}

/// A worker's instance, and room for its frames.
struct Worker<O, S, E> {
    opened: Opened,
    rows: Rows<O, S, E>,
}

impl<'p, 'g, O: Bits, S: Bits, E: Bits> Frames<'p, 'g, O, S, E> {
    fn new(guest: &'p Guest, graph: &'g Graph, dump: Option<Dump>) -> Result<Self, Error> {
        let mut frames = Frames { guest, graph, values: &[], places: &[], dump, of: PhantomData };
        if graph.is_wide() {
            let why = "the graph's vertices have numbers of 40 bits, which programs in guests do not take";
            return Err(frames.refused(why));
        }
        if let Some(of) = guest.shape.edge {
            let file = graph.file();
            let found = file.entry(columns::VALUES).map(|entry| entry.element().to_owned());
            if found.is_none() && guest.shape.writes {
                return Ok(frames);
            }
            if found.as_deref() != Some(of.name()) {
                let has = found.unwrap_or_else(|| "none".to_owned());
                return Err(frames.refused(&format!(
                    "it looks at edges' values of {of}, and the graph's have {has}: make it again with `--values {of}`"
                )));
            }
            frames.values = file.bytes(columns::VALUES)?;
            if !guest.shape.writes && guest.shape.outgoing && file.entry(columns::OUT_PLACES).is_some() {
                frames.places = file.column(columns::OUT_PLACES)?;
                are_within(frames.places, graph.edges())?;
            }
        }
        Ok(frames)
    }

    #[cold]
    fn refused(&self, why: &str) -> Error {
        refused(self.guest, why)
    }

    /// The bytes of edges' values in an iteration, and the places in them of incoming edges' and of outgoing ones'; no places where values
    /// are in the order of those edges.
    fn values<'r>(&'r self, run: &'r Running<'_, Self, u32>, context: Context) -> (&'r [u8], [&'r [u64]; 2]) {
        match &run.edges {
            None => (self.values, [&[], self.places]),
            Some(edges) => {
                // SAFETY: those of the last iteration are only read for as long as vertices are updated.
                let values = unsafe { edges.values[run.now(context).0].whole() };
                // SAFETY: numbers, which have no padding.
                (unsafe { bytes(values) }, [edges.places(), &[]])
            }
        }
    }

    /// Hands a frame to an instance; once more if its process dies, whose successor is told first of as many iterations as had ended.
    fn call(
        &self,
        run: &Running<'_, Self, u32>,
        opened: &mut Opened,
        frame: &mut VertexFrame,
        ended: usize,
    ) -> Result<(), Error> {
        // How many it still has to be told of, where it is new; and how often one has died of this frame, or on the way to it.
        let (mut told, mut deaths) = (ended, 0);
        loop {
            let before = run.ended.read().unwrap_or_else(PoisonError::into_inner);
            let mut again = before[..ended].get(told).map(after);
            drop(before);
            let asked = again.as_mut().unwrap_or(frame);
            // SAFETY: all that the frame says is there until it returns, and what is to be written is this worker's.
            match (unsafe { opened.call(asked) }, told < ended) {
                (Ok(()), true) => told += 1,
                (Ok(()), false) => return Ok(()),
                (Err((Status::LOST, _)), _) if deaths + 1 < TRIES => (told, deaths) = (0, deaths + 1),
                (Err((_, failed)), _) => return Err(self.failed(asked, &failed)),
            }
        }
    }

    #[cold]
    fn failed(&self, frame: &VertexFrame, failed: &CallFailed) -> Error {
        let vertex = failed.item.filter(|item| u64::from(*item) < frame.count).map(|item| {
            // SAFETY: the frame's own numbers, which are there as long as it is.
            let ids = unsafe { frame.ids.get(0) };
            ids.get(item as usize).map_or(frame.first + u64::from(item), |id| u64::from(*id))
        });
        let place = match (vertex, frame.phase) {
            (Some(vertex), phase::START) => {
                format!("at the start, vertex {}", self.graph.name(vertex as usize))
            }
            (Some(vertex), _) => {
                format!("iteration {}, vertex {}", frame.iteration, self.graph.name(vertex as usize))
            }
            (None, phase::START) => "at the start".to_owned(),
            (None, phase::INTERVAL) => {
                let (first, end) = (frame.interval_first, frame.interval_end);
                format!("iteration {}, after vertices {first}..{end} were updated", frame.iteration)
            }
            (None, _) => format!("iteration {}", frame.iteration),
        };
        Error::new(ErrorKind::Program, format!("run program {}: {place}: {}", self.guest.name, failed.told()))
    }
}

/// What an instance is told of lent memory.
fn told(lent: &Lent) -> VertexLent {
    #[cfg(unix)]
    let file = std::os::fd::AsRawFd::as_raw_fd(&*lent.file).cast_unsigned().into();
    #[cfg(not(unix))]
    let file = u64::MAX;
    VertexLent { address: lent.addresses.start, bytes: lent.bytes(), file }
}

/// What an instance is told of an iteration that has ended.
fn after(done: &Iteration) -> VertexFrame {
    VertexFrame {
        iteration: done.number,
        total: done.total,
        updated: done.updated,
        scheduled: done.scheduled,
        residual: done.residual,
        ..VertexFrame::new(phase::AFTER)
    }
}

impl<O: Bits, S: Bits, E: Bits> Kernel<u32> for Frames<'_, '_, O, S, E> {
    type Own = O;
    type Shown = S;
    type Edge = EdgeBits<E>;
    type Worker = Worker<O, S, E>;

    // A frame costs what leads into another language, or another process.
    const EDGES: u64 = 4 * EDGES;
    const ALL_ARE_TOLD: bool = true;

    fn identity(&self) -> (String, String) {
        let settings = self.guest.settings.iter().map(|(name, value)| format!("{name}={value:?}"));
        (self.guest.file.clone(), settings.collect::<Vec<_>>().join(", "))
    }

    fn needs(&self) -> Needs {
        let Shape { outgoing, selective, writes, .. } = self.guest.shape;
        Needs { outgoing, selective, writes }
    }

    fn first_values<'a>(&'a self, _: &'a Graph) -> Result<&'a [u8], Error> {
        Ok(self.values)
    }

    fn lends(&self) -> bool {
        self.guest.host.capabilities().maps_lent
    }

    fn lends_shown(&self) -> bool {
        let Shape { gather, outgoing, writes, .. } = self.guest.shape;
        self.lends() && (gather.is_none() || outgoing || writes)
    }

    fn workers(&self, asked: usize) -> usize {
        if self.guest.host.capabilities().threads == Threads::One { 1 } else { asked }
    }

    fn room(&self, graph: &Graph, most: &Most) -> u64 {
        rows::room::<O, S, E>(self.guest, graph, most)
    }

    fn work(
        &self,
        index: usize,
        workers: usize,
        lent: &[Lent],
        body: &mut dyn FnMut(&mut Worker<O, S, E>),
    ) -> Result<(), Error> {
        let Guest { host, module, name, settings, .. } = self.guest;
        let mut outcome = Err("its host has run nothing".to_owned());
        host.worker(&mut || {
            outcome = module.instantiate_with(lent).map_err(|error| error.to_string()).and_then(|instance| {
                let opening = Opening {
                    name,
                    batch: kind::VERTEX,
                    settings,
                    worker: index as u32,
                    workers: workers as u32,
                };
                let lent: Vec<VertexLent> = lent.iter().map(told).collect();
                let added = VertexOpen {
                    size: size_of::<VertexOpen>() as u32,
                    directed: self.graph.is_directed().into(),
                    vertices: self.graph.vertices() as u64,
                    edges: self.graph.edges() as u64,
                    lent: Rel::of(&lent),
                };
                let opened = Opened::new(instance, &opening, &added).map_err(|failed| failed.told())?;
                body(&mut Worker { opened, rows: Rows::default() });
                Ok(())
            });
        });
        outcome.map_err(|why| Error::new(ErrorKind::Program, format!("open program {name}: {why}")))
    }

    fn start(
        &self,
        run: &Running<'_, Self, u32>,
        Worker { opened, rows }: &mut Worker<O, S, E>,
        blocks: Range<usize>,
    ) -> Result<(), Error> {
        let chunk = run.vertices_in(&blocks);
        // SAFETY: each block is in one chunk, and each chunk is taken once.
        let (own, next) = unsafe { (run.own.part(chunk.clone()), run.shown[0].part(chunk.clone())) };
        let mut frame = VertexFrame { block: BLOCK as u32, ..VertexFrame::new(phase::START) };
        rows.all(chunk);
        rows.show(run, &mut frame, (own, next, &[]), [0; 2]);
        rows.lend(run, &mut frame, run.needs.selective);
        self.call(run, opened, &mut frame, 0)?;
        let wakes = Wakes { next: &run.active[0], now: &run.active[0], behind: usize::MAX };
        rows.take(run, &frame, blocks, Schedule(Some(&wakes)));
        Ok(())
    }

    fn update(
        &self,
        run: &Running<'_, Self, u32>,
        Worker { opened, rows }: &mut Worker<O, S, E>,
        room: &mut Room<u32>,
        blocks: Range<usize>,
        context: Context,
    ) -> Result<(), Error> {
        if rows.scheduled(run, blocks.clone(), context, room)? == 0 {
            return Ok(());
        }
        let (chunk, (read, written)) = (run.vertices_in(&blocks), run.now(context));
        // SAFETY: each block is in one chunk, and each chunk is taken once per job; what vertices showed is only read meanwhile.
        let (own, next, shown) =
            unsafe { (run.own.part(chunk.clone()), run.shown[written].part(chunk), run.shown[read].whole()) };
        let Shape { shown: of, edge, gather, .. } = &self.guest.shape;
        let interval = run.vertices_in(&run.intervals.blocks(&run.chunks));
        let mut frame = VertexFrame {
            block: BLOCK as u32,
            interval_first: interval.start as u64,
            interval_end: interval.end as u64,
            pass: run.intervals.pass(),
            iteration: context.iteration,
            total: context.total,
            shown: rows::bytes(shown),
            value_size: edge.map_or(0, |of| of.size() as u32),
            ..VertexFrame::new(phase::UPDATE)
        };
        let parts = run.at_hand(room);
        let Parts { incoming, outgoing } = parts;
        rows.show(run, &mut frame, (own, next, shown), [incoming.places().start, outgoing.places().start]);
        let (values, [places_in, places_out]) = self.values(run, context);
        let size = frame.value_size as usize;
        // Whatever there is for each edge is there for those whose neighbours are at hand; where values have places, all values are.
        let each = |part: Part<'_, u32>, places: &[u64], edges: Edges| {
            let at = Rel::of(part.all());
            let Range { start, end } = part.places();
            let here = values.get(start * size..end * size).unwrap_or_default();
            let values = rows::bytes(if places.is_empty() { here } else { values });
            let places = Rel::of(places.get(start..end).unwrap_or_default());
            Edges { ids: at, at, values, places, ..edges }
        };
        if gather.is_none() {
            frame.incoming = each(incoming, places_in, frame.incoming);
        }
        if run.outgoing.is_some() && run.needs.sees_outgoing() {
            frame.outgoing = each(outgoing, places_out, frame.outgoing);
        }
        if let Some(by) = gather {
            rows.gather(run, &mut frame, (*by, *of), (&parts, shown));
        }
        rows.lend(run, &mut frame, run.needs.selective);
        rows.lend_values(run, &mut frame, context);
        let dumped = self.dumped(run, &parts, &blocks, context, rows.vertices());
        self.call(run, opened, &mut frame, context.iteration as usize)?;
        let wakes = run.wakes(context);
        let schedule = Schedule(Some(&wakes));
        rows.take(run, &frame, blocks, schedule);
        rows.updated(run, &parts, (own, next, shown), schedule);
        rows.take_values(run, &parts, context, schedule);
        dumped.map_or(Ok(()), |dumped| dumped.write(self, run, context))
    }

    fn after_interval(
        &self,
        run: &Running<'_, Self, u32>,
        worker: &mut Worker<O, S, E>,
        interval: &Interval,
    ) -> Result<bool, Error> {
        let mut frame = VertexFrame {
            iteration: interval.iteration,
            total: interval.total,
            updated: interval.updated,
            residual: interval.residual,
            interval_first: interval.vertices.start as u64,
            interval_end: interval.vertices.end as u64,
            pass: interval.pass,
            ..VertexFrame::new(phase::INTERVAL)
        };
        self.call(run, &mut worker.opened, &mut frame, interval.iteration as usize)?;
        Ok(frame.ended != 0)
    }

    fn after(
        &self,
        run: &Running<'_, Self, u32>,
        worker: &mut Worker<O, S, E>,
        done: &Iteration,
    ) -> Result<Control, Error> {
        let mut frame = after(done);
        self.call(run, &mut worker.opened, &mut frame, done.number as usize)?;
        Ok(if frame.ended == 0 { Control::Continue } else { Control::Stop })
    }
}
