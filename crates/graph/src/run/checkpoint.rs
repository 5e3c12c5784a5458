//! What a run has come to so far, in a file: after a crash it goes on from there.

use super::kernel::Kernel;
use super::rounds::Rounds;
use super::shared::Shared;
use super::{BLOCK, Running, blocks_of_interval};
use crate::change::{ChangeLog, Changed};
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id, columns};
use crate::program::Iteration;
use crate::vertex::Context;
use crate::write_back::{Front, WriteBack as _, pieces};
use memmap2::Mmap;
use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;
use upcall_abi::Blit;
use upcall_soa::file::{Named, save, settle};

/// Where a run is kept, and how often.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint<'a> {
    /// The file. If it is there when the run begins, the run goes on from it.
    pub file: &'a Path,
    /// How long the run goes on until its next iteration's end is kept.
    pub every: Duration,
    /// Whether the file stays when the run has ended, for whoever has to write what it has come to, and then removes it; otherwise it is
    /// removed.
    pub stays: bool,
}

const IDENTITY: &str = "identity";
const STATE: &str = "state";
const OWN: &str = "own";
const SHOWN: &str = "shown";
const ACTIVE: &str = "active";
const ENDED: &str = "ended";
/// In the order of outgoing edges.
const EDGES: &str = "edges.outgoing";
/// Three numbers for each change, and the bytes of its value.
const CHANGES: &str = "changes";
const CHANGE_VALUES: &str = "changes.value";
/// How many edges they have added and removed.
const CHANGED: &str = "changed";

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Writes what has come of all iterations so far. The file that was there stays until this one is whole.
    pub(super) fn keep(&self, context: Context, file: &Path, rounds: &Rounds) -> Result<(), Error> {
        if K::Own::PADDED || K::Shown::PADDED {
            let why = "keep the run: its values have padding, whose bytes are not defined: give them fields without gaps";
            return Err(Error::new(ErrorKind::Usage, why));
        }
        let identity = identity(&self.kernel, self.base, self.gauss_seidel);
        let (read, _) = self.now(context);
        // SAFETY: no worker is at work.
        let (own, shown) = unsafe { (bytes(self.own.whole()), bytes(self.shown[read].whole())) };
        // SAFETY: as above; no value of an edge has padding.
        let edges = self.edges.as_ref().map(|edges| unsafe { bytes(edges.values[read].whole()) });
        let failed = |error: upcall_soa::Error| {
            let error = Error::from(error);
            Error::new(error.kind(), format!("keep the run: {error}"))
        };
        let ended = self
            .ended
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .flat_map(numbers_of)
            .collect::<Vec<u64>>();
        // A run whose graph is as it was is kept as it always was.
        let log = &rounds.log;
        let changes = (!log.is_empty()).then(|| log.numbers());
        save(file, 6 + usize::from(edges.is_some()) + 3 * usize::from(changes.is_some()), |file| {
            file.column(IDENTITY, identity.as_bytes())?;
            file.column(STATE, &[context.iteration, context.total.to_bits()])?;
            file.column(OWN, own)?;
            file.column(SHOWN, shown)?;
            file.column(ACTIVE, &self.active[read].words())?;
            file.column(ENDED, &ended)?;
            edges.map_or(Ok(()), |edges| file.column(EDGES, edges))?;
            let Some(changes) = changes else { return Ok(()) };
            file.column(CHANGES, &changes)?;
            file.column(CHANGE_VALUES, log.values())?;
            file.column(CHANGED, &[rounds.changed.added, rounds.changed.removed])
        })
        .map_err(failed)
    }

    /// Takes what has come of all iterations that were kept; its changes have been made.
    pub(super) fn resume(&self, kept: &Kept<'_>) -> Result<Context, Error> {
        let column = |name: &str| kept.column(name);
        let (state, active) = (numbers(column(STATE)?), numbers(column(ACTIVE)?));
        let other = || kept.refused("it is not as long as this run is");
        let [iteration, total] = &*state else { return Err(other()) };
        let total = f64::from_bits(*total);
        let context = Context { iteration: *iteration, vertices: self.graph.vertices(), total };
        let (read, _) = self.now(context);
        if !self.active[read].set(&active) {
            return Err(other());
        }
        // SAFETY: no thread is at work.
        let mut are_as_long =
            unsafe { filled(&self.own, column(OWN)?)? && filled(&self.shown[read], column(SHOWN)?)? };
        if let Some(edges) = &self.edges {
            // SAFETY: as above.
            are_as_long &= unsafe { filled(&edges.values[read], column(EDGES)?)? };
        }
        if !are_as_long {
            return Err(other());
        }
        let ended = numbers(column(ENDED)?);
        let ended: Vec<Iteration> = ended.as_chunks().0.iter().map(iteration_of).collect();
        if K::ALL_ARE_TOLD && ended.len() as u64 != context.iteration {
            return Err(other());
        }
        *self.ended.write().unwrap_or_else(PoisonError::into_inner) = ended;
        Ok(context)
    }
}

/// Has an array begin with these bytes; false where it has more or fewer.
///
/// # Safety
/// Nobody else looks at the array.
unsafe fn filled<T: Blit>(array: &Shared<T>, from: &[u8]) -> Result<bool, Error> {
    let (count, size) = (array.count(), size_of::<T>());
    if from.len() != count * size {
        return Ok(false);
    }
    let mut front = Front::default();
    for piece in pieces::<T>(0..count) {
        // SAFETY: the caller's promise.
        let to = unsafe { array.part(piece.clone()) };
        bytes_mut(to).copy_from_slice(&from[piece.start * size..piece.end * size]);
        front.reaches(array, piece.end)?;
    }
    front.ends(array)?;
    Ok(true)
}

/// A file that a run was kept in.
pub(super) struct Kept<'a> {
    path: &'a Path,
    columns: Named<Bytes>,
}

/// What is in it: in memory, or mapped where it might have no room there.
enum Bytes {
    Read(Vec<u8>),
    Mapped(Mmap),
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}

impl Bytes {
    fn of(path: &Path, memory: Option<u64>) -> std::io::Result<Bytes> {
        if memory.is_none() {
            return std::fs::read(path).map(Bytes::Read);
        }
        let file = File::open(path)?;
        // SAFETY: a run that is kept again makes another file and gives it the name; nobody writes this one.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Bytes::Mapped(map))
    }
}

impl<'a> Kept<'a> {
    /// The file, if it is there.
    pub(super) fn of(path: &'a Path, memory: Option<u64>) -> Result<Option<Kept<'a>>, Error> {
        // A pipe would be waited for, and some devices have no end.
        if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
            let why = "it is no regular file: name one, or one that is not there yet";
            return Err(Error::new(ErrorKind::Usage, format!("keep the run in {}: {why}", path.display())));
        }
        settle(path).map_err(|error| Error::io("go on from", path, &error))?;
        let read = match Bytes::of(path, memory) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| Error::io("go on from", path, &error))?,
        };
        // Its columns are read as bytes, wherever they lie.
        let columns = Named::new(read).and_then(|kept| kept.verify(|_| ()).map(|()| kept));
        let columns = columns.map_err(|error| refused(path, &error.to_string()))?;
        Ok(Some(Kept { path, columns }))
    }

    /// Refuses another run than that of this [`identity`].
    pub(super) fn is_of(&self, wanted: &str) -> Result<(), Error> {
        let identity = self.column(IDENTITY)?;
        if identity == wanted.as_bytes() {
            return Ok(());
        }
        let found = String::from_utf8_lossy(identity);
        let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
        let (found, wanted) = differs.unwrap_or((&found, wanted));
        Err(self.refused(&format!("it is of another run: it has `{found}`, and this is `{wanted}`")))
    }

    /// The changes that were made in the graph, if any were, and what they have come to.
    pub(super) fn changes(&self, graph: &Graph) -> Result<(ChangeLog, Changed), Error> {
        let size = graph.file().entry(columns::VALUES).map_or(0, |entry| entry.size());
        if self.columns.entry(CHANGES).is_none() {
            return Ok((ChangeLog::new(size), Changed::default()));
        }
        let (all, counts) = (numbers(self.column(CHANGES)?), numbers(self.column(CHANGED)?));
        let log = ChangeLog::kept(&all, self.column(CHANGE_VALUES)?, size, graph.vertices());
        match (log, &*counts) {
            (Some(log), [added, removed]) => Ok((log, Changed { added: *added, removed: *removed })),
            _ => Err(self.refused("its changes are none of this graph")),
        }
    }

    fn column(&self, name: &str) -> Result<&[u8], Error> {
        self.columns.bytes(name).map_err(|error| self.refused(&error.to_string()))
    }

    fn refused(&self, why: &str) -> Error {
        refused(self.path, why)
    }
}

#[cold]
fn refused(path: &Path, why: &str) -> Error {
    Error::new(ErrorKind::Usage, format!("go on from {}: {why}; remove it to begin anew", path.display()))
}

/// What must be the same to go on: the program, its settings, and the graph before any changes.
pub(super) fn identity<K: Kernel<I>, I: Id>(kernel: &K, base: &Graph, gauss_seidel: Option<usize>) -> String {
    let (name, settings) = kernel.identity();
    let mut text = format!("program {name}\nsettings {settings}\n");
    let blocks = base.vertices().div_ceil(BLOCK);
    let intervals = blocks_of_interval(gauss_seidel).map_or(1, |each| blocks.div_ceil(each));
    if intervals > 1 {
        let _ = writeln!(text, "Gauss-Seidel, {intervals} intervals");
    }
    text.push_str(&graph(base));
    text
}

fn graph(graph: &Graph) -> String {
    graph.file().entries().iter().fold(String::new(), |mut text, entry| {
        let _ = writeln!(text, "graph's column {entry:?}, checksum {:08x}", entry.checksum());
        text
    })
}

/// # Safety
/// Its elements have no padding.
pub(super) unsafe fn bytes<T: Blit>(elements: &[T]) -> &[u8] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

pub(super) fn bytes_mut<T: Blit>(elements: &mut [T]) -> &mut [u8] {
    let size = size_of_val(elements);
    // SAFETY: any bytes are elements; `write_bytes` or a program has initialised those of types without padding, and others are not
    // kept.
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size) }
}

fn numbers_of(done: &Iteration) -> [u64; 7] {
    let Iteration { number, updated, edges, scheduled, residual, total, took } = done;
    let took = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
    [*number, *updated, *edges, *scheduled, residual.to_bits(), total.to_bits(), took]
}

fn iteration_of(numbers: &[u64; 7]) -> Iteration {
    let [number, updated, edges, scheduled, residual, total, took] = *numbers;
    let (residual, total) = (f64::from_bits(residual), f64::from_bits(total));
    Iteration { number, updated, edges, scheduled, residual, total, took: Duration::from_nanos(took) }
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|eight| u64::from_le_bytes(*eight)).collect()
}
