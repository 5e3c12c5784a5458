//! Sorts more records than memory holds: what fills a buffer is sorted and written as runs, while the next one is filled.

use super::buffer::Buffer;
use super::merge::{Edges, Merge, Runs};
use super::radix;
use super::record::{Edge, Eight, Four, Plain, Record, WideEight, WidePlain, bytes};
use super::temporary::Temporary;
use super::watch::Watch;
use crate::error::{Error, ErrorKind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// How many buffers there are: one is filled, one is sorted, and the third is what that takes.
const BUFFERS: usize = 3;

/// How records are sorted.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Bytes of all buffers.
    pub(crate) memory: usize,
    /// Where runs are written.
    pub(crate) folder: PathBuf,
    /// Whether neighbours come in order already, so that only the vertices they belong to are looked at.
    pub(crate) neighbours_sorted: bool,
    /// How many threads sort.
    pub(crate) threads: usize,
}

impl Plan {
    fn first_digit<R: Record>(&self) -> usize {
        if self.neighbours_sorted { R::WIDTH } else { 0 }
    }
}

/// Edges that are put into order: by vertex, then by neighbour, and else as they came.
pub(crate) trait Sort {
    fn push(&mut self, edge: Edge) -> Result<(), Error>;

    /// Writes what is in memory, and takes none from then on; nothing more is pushed.
    fn retire(&mut self) -> Result<(), Error>;

    /// All of them, with so many bytes of memory for runs, and how many bytes of memory it takes.
    fn sorted(self: Box<Self>, memory: usize, watch: &mut Watch<'_>) -> Result<Sorted, Error>;
}

/// Edges in order.
pub(crate) struct Sorted {
    pub(crate) edges: Box<dyn Edges>,
    /// How much memory it has.
    pub(crate) memory: usize,
}

/// What sorts edges whose vertices are of so many bits, and whose payloads of so many bytes.
pub(crate) fn sorter(plan: Plan, wide: bool, payload: usize) -> Box<dyn Sort> {
    match (wide, payload) {
        (false, 0) => Box::new(Sorter::<Plain>::new(plan)),
        (false, 4) => Box::new(Sorter::<Four>::new(plan)),
        (false, _) => Box::new(Sorter::<Eight>::new(plan)),
        (true, 0) => Box::new(Sorter::<WidePlain>::new(plan)),
        (true, _) => Box::new(Sorter::<WideEight>::new(plan)),
    }
}

struct Sorter<R: Record> {
    plan: Plan,
    /// None before the first record.
    filling: Option<Buffer<R>>,
    capacity: usize,
    writer: Option<Writer<R>>,
    retired: Option<Runs>,
}

/// The thread that sorts and writes.
struct Writer<R> {
    full: SyncSender<Buffer<R>>,
    empty: Receiver<Buffer<R>>,
    thread: JoinHandle<Result<Runs, Error>>,
}

impl<R: Record> Sorter<R> {
    fn new(plan: Plan) -> Sorter<R> {
        let capacity = (plan.memory / BUFFERS / size_of::<R>()).max(1);
        Sorter { plan, filling: None, capacity, writer: None, retired: None }
    }

    /// Gives what is full to the writer, if there is anything, and takes what is empty.
    #[cold]
    fn full(&mut self) -> Result<(), Error> {
        let Some(filled) = self.filling.take() else {
            self.filling = Some(Buffer::new(self.capacity)?);
            return Ok(());
        };
        let writer = match &self.writer {
            Some(writer) => writer,
            None => self.writer.insert(Writer::start(self.plan.clone(), self.capacity)?),
        };
        if let (Ok(()), Ok(empty)) = (writer.full.send(filled), writer.empty.recv()) {
            self.filling = Some(empty);
            return Ok(());
        }
        // It has ended, which it only does before its time where it failed.
        let Some(writer) = self.writer.take() else { return Ok(()) };
        writer.end().map(drop)
    }
}

impl<R: Record> Writer<R> {
    fn start(plan: Plan, capacity: usize) -> Result<Writer<R>, Error> {
        let (full, to_sort) = sync_channel::<Buffer<R>>(1);
        let (sorted, empty) = sync_channel(BUFFERS);
        let mut runs = Runs { file: Temporary::new(&plan.folder)?, runs: Vec::new() };
        let work = move || {
            let mut scratch = Buffer::<R>::new(capacity)?;
            // It is filled while the first is sorted. A receiver that is gone wants nothing more.
            let _ = sorted.send(Buffer::new(capacity)?);
            for mut records in to_sort {
                let begin = runs.file.length() / size_of::<R>() as u64;
                let first = plan.first_digit::<R>();
                let parts = radix::sort(records.records(), scratch.room(), first, plan.threads);
                runs.file.append(bytes(records.records()))?;
                runs.runs.extend(parts.iter().map(|part| begin + part.start as u64..begin + part.end as u64));
                records.clear();
                let _ = sorted.send(records);
            }
            Ok(runs)
        };
        let thread = std::thread::Builder::new().name("upcall-sort".into()).spawn(work);
        let thread = thread.map_err(|error| {
            Error::new(ErrorKind::Io, format!("start a thread that sorts edges: {error}"))
        })?;
        Ok(Writer { full, empty, thread })
    }

    fn end(self) -> Result<Runs, Error> {
        drop((self.full, self.empty));
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl<R: Record> Sort for Sorter<R> {
    #[inline]
    fn push(&mut self, edge: Edge) -> Result<(), Error> {
        if self.filling.as_ref().is_none_or(Buffer::is_full) {
            self.full()?;
        }
        if let Some(filling) = &mut self.filling {
            filling.push(R::new(edge));
        }
        Ok(())
    }

    fn retire(&mut self) -> Result<(), Error> {
        if self.filling.is_some() {
            self.full()?;
        }
        self.filling = None;
        if let Some(writer) = self.writer.take() {
            self.retired = Some(writer.end()?);
        }
        Ok(())
    }

    fn sorted(mut self: Box<Self>, memory: usize, watch: &mut Watch<'_>) -> Result<Sorted, Error> {
        if self.writer.is_some() {
            self.retire()?;
        }
        let Sorter { plan, filling, retired, .. } = *self;
        if let Some(runs) = retired {
            let edges = runs.merged::<R>(&plan.folder, memory, watch)?;
            return Ok(Sorted { edges: Box::new(edges), memory });
        }
        let mut records = filling.map_or_else(|| Buffer::new(0), Ok)?;
        let (first, count) = (plan.first_digit::<R>(), records.records().len());
        let runs = radix::sort(records.records(), Buffer::new(count)?.room(), first, plan.threads);
        let memory = count * size_of::<R>();
        Ok(Sorted { edges: Box::new(Merge::of_memory(records, runs)?), memory })
    }
}

/// Edges of two orders in one, those of the first before those of the second where they are the same.
pub(crate) struct Both {
    edges: [Box<dyn Edges>; 2],
    ahead: [Option<Edge>; 2],
}

impl Both {
    pub(crate) fn new(mut first: Box<dyn Edges>, mut second: Box<dyn Edges>) -> Result<Both, Error> {
        let ahead = [first.next()?, second.next()?];
        Ok(Both { edges: [first, second], ahead })
    }
}

impl Edges for Both {
    fn next(&mut self) -> Result<Option<Edge>, Error> {
        let key = |edge: &Edge| (edge.major, edge.minor);
        let second = match &self.ahead {
            [Some(first), Some(second)] => key(second) < key(first),
            [first, _] => first.is_none(),
        };
        let next = self.edges[usize::from(second)].next()?;
        Ok(std::mem::replace(&mut self.ahead[usize::from(second)], next))
    }
}
