//! What a run has come to so far, in a file: after a crash it goes on from there.

use super::Running;
use super::kernel::Kernel;
use crate::error::{Error, ErrorKind};
use crate::file::{Graph, Id};
use crate::program::Iteration;
use crate::vertex::Context;
use std::fmt::Write as _;
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
const EDGES: &str = "edges";

impl<K: Kernel<I>, I: Id> Running<'_, K, I> {
    /// Writes what has come of all iterations so far. The file that was there stays until this one is whole.
    pub(super) fn keep(&self, context: Context, file: &Path) -> Result<(), Error> {
        if K::Own::PADDED || K::Shown::PADDED {
            let why = "keep the run: its values have padding, whose bytes are not defined: give them fields without gaps";
            return Err(Error::new(ErrorKind::Usage, why));
        }
        let identity = self.identity();
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
        save(file, 6 + usize::from(edges.is_some()), |file| {
            file.column(IDENTITY, identity.as_bytes())?;
            file.column(STATE, &[context.iteration, context.total.to_bits()])?;
            file.column(OWN, own)?;
            file.column(SHOWN, shown)?;
            file.column(ACTIVE, &self.active[read].words())?;
            file.column(ENDED, &ended)?;
            edges.map_or(Ok(()), |edges| file.column(EDGES, edges))
        })
        .map_err(failed)
    }

    /// Goes on from a file, if it is there.
    pub(super) fn resume(&self, file: &Path) -> Result<Option<Context>, Error> {
        settle(file).map_err(|error| Error::io("go on from", file, &error))?;
        let read = match std::fs::read(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(|error| Error::io("go on from", file, &error))?,
        };
        let refused = |why: String| {
            let place = file.display();
            Error::new(ErrorKind::Usage, format!("go on from {place}: {why}; remove it to begin anew"))
        };
        // Its columns are read as bytes, wherever they lie.
        let kept = Named::new(read).and_then(|kept| kept.verify(|_| ()).map(|()| kept));
        let kept = kept.map_err(|error| refused(error.to_string()))?;
        let column = |name: &str| kept.bytes(name).map_err(|error| refused(error.to_string()));
        let (identity, wanted) = (column(IDENTITY)?, self.identity());
        if identity != wanted.as_bytes() {
            let found = String::from_utf8_lossy(identity);
            let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
            let (found, wanted) = differs.unwrap_or((&found, &wanted));
            return Err(refused(format!("it is of another run: it has `{found}`, and this is `{wanted}`")));
        }
        let (state, active) = (numbers(column(STATE)?), numbers(column(ACTIVE)?));
        let other = || refused("it is not as long as this run is".to_owned());
        let [iteration, total] = &*state else { return Err(other()) };
        let total = f64::from_bits(*total);
        let context = Context { iteration: *iteration, vertices: self.graph.vertices(), total };
        let (read, _) = self.now(context);
        // SAFETY: no thread is at work.
        let (own, shown) = unsafe {
            let all = 0..self.graph.vertices();
            (bytes_mut(self.own.part(all.clone())), bytes_mut(self.shown[read].part(all)))
        };
        if !self.active[read].set(&active) {
            return Err(other());
        }
        let edges = self.edges.as_ref().map(|edges| {
            let values = &edges.values[read];
            // SAFETY: as above.
            (EDGES, bytes_mut(unsafe { values.part(0..self.incoming.count) }))
        });
        for (name, to) in [(OWN, own), (SHOWN, shown)].into_iter().chain(edges) {
            let from = column(name)?;
            if from.len() != to.len() {
                return Err(other());
            }
            to.copy_from_slice(from);
        }
        let ended = numbers(column(ENDED)?);
        let ended: Vec<Iteration> = ended.as_chunks().0.iter().map(iteration_of).collect();
        if K::ALL_ARE_TOLD && ended.len() as u64 != context.iteration {
            return Err(other());
        }
        *self.ended.write().unwrap_or_else(PoisonError::into_inner) = ended;
        Ok(Some(context))
    }

    /// What must be the same to go on: the program, its settings, and the graph.
    fn identity(&self) -> String {
        let (name, settings) = self.kernel.identity();
        let mut text = format!("program {name}\nsettings {settings}\n");
        if self.intervals.count() > 1 {
            let _ = writeln!(text, "Gauss-Seidel, {} intervals", self.intervals.count());
        }
        text.push_str(&graph(self.graph));
        text
    }
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
