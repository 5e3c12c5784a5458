//! The graph engine: graphs' files, and vertex programs of the program that has loaded us.

use crate::flow::{
    FlowFailure, Outcome, UPCALL_GRAPH_FILE, UPCALL_INVALID, UPCALL_NOT_NOW, UPCALL_OUT_OF_MEMORY,
    UPCALL_PROGRAM, UPCALL_STOPPED, UpcallTask, threads_of,
};
use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use upcall_graph::{ErrorKind, Graph, Guest, GuestOutcome, Options};
use upcall_host::Module;
use upcall_host::embedded::Embedded;

impl From<upcall_graph::Error> for FlowFailure {
    fn from(error: upcall_graph::Error) -> FlowFailure {
        let code = match error.kind() {
            ErrorKind::TooLarge => UPCALL_OUT_OF_MEMORY,
            ErrorKind::Usage => UPCALL_INVALID,
            ErrorKind::Program => UPCALL_PROGRAM,
            ErrorKind::Interrupted => UPCALL_STOPPED,
            _ => UPCALL_GRAPH_FILE,
        };
        FlowFailure::new(code, error)
    }
}

/// A graph's file, mapped.
pub struct UpcallGraph {
    graph: Arc<Graph>,
}

#[upcall::export]
impl UpcallGraph {
    /// Maps a file that `upcall graph build` has made. Nobody may write or shorten it as long as it is mapped.
    pub fn new(path: &str) -> Result<Self, FlowFailure> {
        // SAFETY: the caller's duty, as the docs say.
        let graph = unsafe { Graph::map(path) }?;
        Ok(UpcallGraph { graph: Arc::new(graph) })
    }

    /// How many vertices it has.
    pub fn vertices(&self) -> u64 {
        self.graph.vertices() as u64
    }

    /// How many edges; each counts once per direction where they have none.
    pub fn edges(&self) -> u64 {
        self.graph.edges() as u64
    }

    /// Whether edges have a direction.
    pub fn is_directed(&self) -> bool {
        self.graph.is_directed()
    }

    /// What the lists of edges have called a vertex.
    pub fn vertex_name(&self, vertex: u64) -> Result<String, FlowFailure> {
        let place = usize::try_from(vertex).ok().filter(|vertex| *vertex < self.graph.vertices());
        let place = place.ok_or_else(|| {
            let count = self.graph.vertices();
            FlowFailure::new(
                UPCALL_INVALID,
                format!("name of vertex {vertex}: the graph has {count} vertices"),
            )
        })?;
        Ok(self.graph.name(place).into_owned())
    }
}

/// A run of a vertex program of the program that has loaded us. It is described, started once, and asked for what it has come to.
pub struct UpcallGraphRun {
    described: Option<Described>,
    stop: Arc<AtomicBool>,
    found: Arc<Mutex<Option<GuestOutcome>>>,
}

struct Described {
    graph: Arc<Graph>,
    name: String,
    program: Option<(Embedded, Box<dyn Module>)>,
    settings: Vec<(String, String)>,
    threads: usize,
    iterations: u64,
    gauss_seidel: Option<usize>,
    folder: Option<PathBuf>,
}

impl UpcallGraphRun {
    fn described(&mut self) -> Result<&mut Described, FlowFailure> {
        self.described.as_mut().ok_or_else(|| {
            FlowFailure::new(UPCALL_NOT_NOW, "describe a run: it has been started; describe another")
        })
    }

    fn found<T>(&self, read: impl FnOnce(&GuestOutcome) -> T) -> Result<T, FlowFailure> {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let found = found.as_ref().ok_or_else(|| {
            FlowFailure::new(UPCALL_NOT_NOW, "read what a run has come to: it has not ended, or has failed")
        })?;
        Ok(read(found))
    }

    fn copy(&self, of: impl FnOnce(&GuestOutcome) -> &[u8], room: &mut [u8]) -> Result<(), FlowFailure> {
        self.found(|found| {
            let (bytes, has) = (of(found), room.len());
            if bytes.len() != has {
                let message = format!("read values of {} bytes into {has}", bytes.len());
                return Err(FlowFailure::new(UPCALL_INVALID, message));
            }
            room.copy_from_slice(bytes);
            Ok(())
        })?
    }
}

#[upcall::export]
impl UpcallGraphRun {
    /// Describes a run over a graph, of a program that messages call by this name.
    pub fn new(graph: &UpcallGraph, name: &str) -> Self {
        let described = Described {
            graph: graph.graph.clone(),
            name: name.to_owned(),
            program: None,
            settings: Vec::new(),
            threads: 0,
            iterations: u64::MAX,
            gauss_seidel: None,
            folder: None,
        };
        UpcallGraphRun { described: Some(described), stop: Arc::default(), found: Arc::default() }
    }

    /// Gives the program: a module of the table of this guest, which the run owns from now on, also where this fails later. `threads`
    /// is one of `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and `UPCALL_THREADS_ONE`.
    pub fn program(
        &mut self,
        guest: &str,
        table: *const c_void,
        threads: u32,
        module: *mut c_void,
    ) -> Result<(), FlowFailure> {
        let described = self.described()?;
        let refused =
            |why: &str| FlowFailure::new(UPCALL_INVALID, format!("take a program of guest {guest}: {why}"));
        let threads = threads_of(threads).ok_or_else(|| refused("its threads are none that there are"))?;
        if table.is_null() || module.is_null() {
            return Err(refused("its table or its module is null"));
        }
        // SAFETY: the caller's duty, as of every address: it is the table of an SDK that runs in this process.
        let program = unsafe { Embedded::new(guest, table.cast(), threads)? };
        // SAFETY: the caller's duty: it is one of the table's, and nobody else's.
        let module = unsafe { program.module(module, &described.name) };
        described.program = Some((program, module));
        Ok(())
    }

    /// What the program is told when it is opened.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), FlowFailure> {
        self.described()?.settings.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// How many iterations there are at most, and on how many threads, 0 for one per core.
    pub fn limit(&mut self, iterations: u64, threads: u32) -> Result<(), FlowFailure> {
        let described = self.described()?;
        (described.iterations, described.threads) = (iterations, threads as usize);
        Ok(())
    }

    /// Has vertices updated in intervals of so many, one interval after the other, and see what those of earlier ones show in the same
    /// iteration.
    pub fn gauss_seidel(&mut self, vertices: u64) -> Result<(), FlowFailure> {
        self.described()?.gauss_seidel = Some(usize::try_from(vertices).unwrap_or(usize::MAX));
        Ok(())
    }

    /// Has vertices' values kept in nameless, mapped files in a folder, and not in memory.
    pub fn values_in(&mut self, folder: &str) -> Result<(), FlowFailure> {
        self.described()?.folder = Some(folder.into());
        Ok(())
    }

    /// Starts it, once: on a thread of its own, which calls the program as its guest's threads allow, so an event loop must go on.
    pub fn start(&mut self) -> Result<UpcallTask, FlowFailure> {
        self.described()?;
        let Some(described) = self.described.take() else {
            return Err(FlowFailure::new(UPCALL_NOT_NOW, "start a run: it has been started"));
        };
        let (stop, found) = (self.stop.clone(), self.found.clone());
        let run = move || {
            let outcome = run(described, &stop)?;
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            Ok(Outcome::Done)
        };
        Ok(UpcallTask::on_its_own("upcall-graph", run, Box::new(|| Ok(()))))
    }

    /// Has it end with `UPCALL_STOPPED` when its workers have done what they are at.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// How many iterations there were.
    pub fn iterations(&self) -> Result<u64, FlowFailure> {
        self.found(|found| found.iterations)
    }

    /// Copies what vertices have kept to themselves, as numbers of the program's type `own`, side by side.
    pub fn own(&self, room: &mut [u8]) -> Result<(), FlowFailure> {
        self.copy(|found| found.own.bytes(), room)
    }

    /// The same of the values of edges, of the type `edge`, in the order of incoming ones: by their destinations, then by their sources.
    /// None where the program does not write them.
    pub fn edges(&self, room: &mut [u8]) -> Result<(), FlowFailure> {
        self.copy(|found| found.edges.bytes(), room)
    }

    /// The same of what they showed at the end, of the type `shown`.
    pub fn shown(&self, room: &mut [u8]) -> Result<(), FlowFailure> {
        self.copy(|found| found.shown.bytes(), room)
    }
}

impl Drop for UpcallGraphRun {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(described: Described, stop: &AtomicBool) -> Result<GuestOutcome, FlowFailure> {
    let Described { graph, name, program, settings, threads, iterations, gauss_seidel, folder } = described;
    let Some((host, module)) = program else {
        return Err(FlowFailure::new(UPCALL_NOT_NOW, "start a run: it has no program; give it one"));
    };
    let guest = Guest::of(Arc::new(host), module, name.clone(), name, settings)?;
    let options = Options {
        threads,
        iterations,
        gauss_seidel,
        stop: Some(stop),
        folder: folder.as_deref(),
        ..Options::default()
    };
    Ok(guest.run(&graph, options)?)
}
