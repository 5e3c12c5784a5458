//! The memory that a run may take: what it needs is added up before anything is made, and what has no room goes to files.

use super::block::State;
use super::chunks::{AtOnce, chunks};
use super::kernel::Kernel;
use super::side::Side;
use super::{BLOCK, Options, Tally, blocks_of_interval};
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id};
use crate::program::EdgeValue;
use crate::values::Place;
use crate::write_back::{self, WINDOW};
use std::ops::Range;

/// What a worker takes that is not counted one by one: the pages of its stack, and what the allocator keeps for a thread.
const THREAD: u64 = 256 << 10;

/// A worker's share of what may be kept for frames and neighbours before it takes fewer edges at once: a quarter of all memory is for
/// all workers.
const SHARE: u64 = 4;

/// Where a run's arrays are, and the blocks that a worker takes at once.
pub(super) struct Plan<'a> {
    /// What vertices keep, and what they show.
    pub(super) own: Place<'a>,
    pub(super) shown: Place<'a>,
    /// The values of edges that a program sets, and where each incoming edge has its own.
    pub(super) edges: Place<'a>,
    pub(super) places: Place<'a>,
    pub(super) chunks: Vec<Range<usize>>,
}

/// The most that any of a run's chunks has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Most {
    pub(super) vertices: u64,
    /// Edges that come in, and those that go out, where the run looks at these.
    pub(super) incoming: u64,
    pub(super) outgoing: u64,
    /// The most edges of a vertex that a program looks at, in both directions.
    pub(super) vertex: u64,
}

type SideOf<'g, I, K> = Side<'g, I, <<K as Kernel<I>>::Edge as EdgeValue>::Stored>;

/// What is added up.
struct Sum<'s, 'g, K: Kernel<I>, I: Id> {
    graph: &'g Graph,
    kernel: &'s K,
    incoming: &'s SideOf<'g, I, K>,
    outgoing: Option<&'s SideOf<'g, I, K>>,
    /// How many workers are asked for.
    workers: usize,
    /// The most edges of a vertex.
    hub: u64,
    /// The bytes of the arrays that may be in files, in the order in which they go there: those that are read in order, and are larger,
    /// before what is looked up at random.
    arrays: [u64; ARRAYS],
}

/// Where incoming edges have their values, these values, what vertices keep, and what they show.
const ARRAYS: usize = 4;

/// What a run takes where some of its arrays are in files.
#[derive(Clone, Copy, Debug)]
struct Taken {
    all: u64,
    /// What each worker takes of that, and how many there are.
    worker: u64,
    workers: u64,
    most: Most,
}

impl<'a> Plan<'a> {
    /// `held` is where what vertices keep and show is already, in a run whose graph has changed: whether it is in memory.
    pub(super) fn of<'g, K: Kernel<I>, I: Id>(
        graph: &'g Graph,
        kernel: &K,
        options: &Options<'a>,
        (incoming, outgoing): (&SideOf<'g, I, K>, Option<&SideOf<'g, I, K>>),
        held: Option<[bool; 2]>,
    ) -> Result<Plan<'a>, Error> {
        let (needs, vertices) = (kernel.needs(), graph.vertices());
        // Of an undirected graph both are the same.
        let both = outgoing.filter(|_| needs.sees_outgoing() && graph.is_directed());
        let sides = [Some(incoming.offsets), both.map(|side| side.offsets)];
        let sides = sides.into_iter().flatten();
        let interval = blocks_of_interval(options.gauss_seidel);
        let workers = kernel.workers(options.asked());
        let chosen = || AtOnce::chosen(sides.clone(), workers, K::EDGES);
        let at_once = options.edges_at_once.map_or_else(chosen, AtOnce::asked);
        let chunks_of = |at_once| chunks(sides.clone(), vertices.div_ceil(BLOCK), interval, at_once);
        let Some(memory) = options.memory else {
            let own = options.folder.map_or(Place::Here, Place::Folder);
            let shared =
                |lends: bool| if lends { options.folder.map_or(Place::Shared, Place::Folder) } else { own };
            let (edges, shown) = (shared(kernel.lends()), shared(kernel.lends_shown()));
            return Ok(Plan { own, shown, edges, places: edges, chunks: chunks_of(at_once) });
        };
        let edges = |size: usize| if needs.writes { graph.edges() as u64 * size as u64 } else { 0 };
        let each = |size: usize| vertices as u64 * size as u64;
        let arrays = [
            edges(size_of::<u64>()),
            edges(2 * size_of::<<K::Edge as EdgeValue>::Stored>()),
            each(size_of::<K::Own>()),
            each(2 * size_of::<K::Shown>()),
        ];
        let degree = |vertex: usize| {
            let out = outgoing.filter(|_| needs.sees_outgoing() && graph.is_directed());
            (incoming.of(vertex).len() + out.map_or(0, |side| side.of(vertex).len())) as u64
        };
        let hub = (0..vertices).map(degree).max().unwrap_or(0);
        let sum = Sum { graph, kernel, incoming, outgoing, workers, hub, arrays };
        // Edges may become more.
        let grows = options.change.is_some();
        if grows {
            let folder = options.folder.ok_or_else(|| no_folder(memory, "graphs that have changed"))?;
            write_back::is_folder_on_disk(folder)?;
        }
        // What has grown has to have room, too, when values of vertices stay where they are.
        let room = if grows && held.is_none() { memory - memory / 8 } else { memory };
        let mut in_files = [grows && arrays[0] > 0, grows && arrays[1] > 0, false, false];
        if let Some([own, shown]) = held {
            (in_files[2], in_files[3]) = (!own, !shown);
        }
        let mut chunks = chunks_of(at_once);
        let mut less = Some(at_once).filter(|_| options.edges_at_once.is_none());
        let mut taken = sum.taken(&chunks, in_files);
        let mut array = 0;
        while taken.all > room {
            // Workers with much room take less of it, then arrays go to files, one after the other, then they take less still.
            let has_less = less.and_then(AtOnce::half);
            let next = (array..ARRAYS).find(|array| !in_files[*array] && arrays[*array] > 0);
            match (has_less, next.filter(|next| held.is_none() || *next < 2)) {
                (Some(half), next)
                    if next.is_none() || taken.worker.saturating_mul(taken.workers) > memory / SHARE =>
                {
                    (less, chunks) = (Some(half), chunks_of(half));
                }
                (_, Some(next)) => (in_files[next], array) = (true, next + 1),
                _ if taken.all <= memory => break,
                _ => return Err(too_little(memory, taken, graph, options)),
            }
            taken = sum.taken(&chunks, in_files);
        }
        // One that went before others may have room beside them.
        for array in (0..ARRAYS).rev().filter(|array| held.is_none() && !(grows && *array < 2)) {
            let back = std::mem::replace(&mut in_files[array], false);
            in_files[array] = back && sum.taken(&chunks, in_files).all > room;
        }
        let place = |array: usize, lends: bool| match (in_files[array], options.folder) {
            (true, Some(folder)) => Ok(Place::Bounded(folder)),
            (true, None) => Err(no_folder(memory, "values of vertices and edges")),
            (false, _) => Ok(if lends { Place::Shared } else { Place::Here }),
        };
        let (lends, lends_shown) = (kernel.lends(), kernel.lends_shown());
        Ok(Plan {
            places: place(0, lends)?,
            edges: place(1, lends)?,
            own: place(2, false)?,
            shown: place(3, lends_shown)?,
            chunks,
        })
    }
}

impl<K: Kernel<I>, I: Id> Sum<'_, '_, K, I> {
    fn taken(&self, chunks: &[Range<usize>], in_files: [bool; ARRAYS]) -> Taken {
        let (graph, needs) = (self.graph, self.kernel.needs());
        let (vertices, most) = (graph.vertices() as u64, self.most(chunks));
        let workers = self.workers.min(chunks.len()).max(1) as u64;
        let decoded = match graph.is_compressed() {
            true => [most.incoming, if graph.is_directed() { most.outgoing } else { 0 }].map(|ids| 4 * ids),
            false => [0, 0],
        };
        let decoded = decoded.iter().sum::<u64>();
        // What a chunk has written is on its way to the disk while the next is written, unless it is large.
        let some_in_files = in_files.iter().zip(self.arrays).any(|(in_file, bytes)| *in_file && bytes > 0);
        let written = if some_in_files { self.written(most, in_files) } else { 0 };
        let window = if some_in_files { written + written.min(WINDOW as u64) + WINDOW as u64 } else { 0 };
        let worker = (THREAD + decoded + window).saturating_add(self.kernel.room(graph, &most));
        // Before the first iteration edges' places are found, with a number for each vertex.
        let begin = if needs.writes { 8 * vertices + decoded + 4 * WINDOW as u64 } else { 0 };
        // Bits of vertices that are scheduled, twice and once more where they are kept.
        let blocks = vertices.div_ceil(BLOCK as u64);
        let states = blocks * (size_of::<Tally>() + size_of::<State>()) as u64 + 3 * vertices.div_ceil(8);
        let tables = 3 * size_of_val(chunks) as u64;
        let arrays = self.arrays.iter().zip(in_files).filter(|(_, in_file)| !in_file);
        let arrays = arrays.map(|(bytes, _)| *bytes).fold(0, u64::saturating_add);
        // One more thread reads ahead.
        let all = workers.saturating_mul(worker).saturating_add(THREAD).max(begin);
        let all = [states, tables, arrays].into_iter().fold(all, u64::saturating_add);
        Taken { all, worker, workers, most }
    }

    /// The bytes that are written of a chunk to those arrays that are in files.
    fn written(&self, most: Most, [_, edges, own, shown]: [bool; ARRAYS]) -> u64 {
        let of = |in_file: bool, size: usize| if in_file { size as u64 } else { 0 };
        let vertex = of(own, size_of::<K::Own>()) + of(shown, size_of::<K::Shown>());
        let sets = edges && self.kernel.needs().writes;
        most.vertices * vertex + most.outgoing * of(sets, size_of::<<K::Edge as EdgeValue>::Stored>())
    }

    fn most(&self, chunks: &[Range<usize>]) -> Most {
        let count = self.graph.vertices();
        chunks.iter().fold(Most { vertex: self.hub, ..Most::default() }, |most, blocks| {
            let vertices = count.min(blocks.start * BLOCK)..count.min(blocks.end * BLOCK);
            let edges = |side: &SideOf<'_, I, K>| side.of_all(vertices.clone()).len() as u64;
            Most {
                vertices: most.vertices.max(vertices.len() as u64),
                incoming: most.incoming.max(edges(self.incoming)),
                outgoing: most.outgoing.max(self.outgoing.map_or(0, edges)),
                ..most
            }
        })
    }
}

fn shown(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cold]
fn no_folder(memory: u64, what: &str) -> Error {
    let why = format!(
        "run the program: {what} have no room in {} of memory: name a folder for them",
        shown(memory)
    );
    Error::new(ErrorKind::Usage, why)
}

#[cold]
fn too_little(memory: u64, taken: Taken, graph: &Graph, options: &Options<'_>) -> Error {
    let Taken { all, worker, workers, most } = taken;
    let decoded = if graph.is_compressed() { ", whose neighbours are decoded at once" } else { "" };
    let why = format!(
        "run the program: {} of memory are too little: it takes {} with values of vertices and edges in files, of which {} for each of \
         {workers} threads, which are at blocks of 1,024 vertices with up to {} edges{decoded}: take more memory{}{}",
        shown(memory),
        shown(all),
        shown(worker),
        most.incoming + if graph.is_directed() { most.outgoing } else { 0 },
        if workers > 1 { ", or fewer threads" } else { "" },
        if options.edges_at_once.is_some() {
            ", or leave it to the run how many edges are taken at once"
        } else {
            ""
        }
    );
    Error::new(ErrorKind::TooLarge, why)
}
