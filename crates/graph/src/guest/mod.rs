//! Vertex programs in guests: C#, Java, JavaScript, Python, WebAssembly, and Rust that is loaded.

mod gather;
mod kept;
mod numbers;
mod shape;

pub(crate) use gather::Gather;
pub use kept::KeptNumbers;
pub use numbers::Numbers;
pub(crate) use numbers::{Bits, EdgeBits};
pub(crate) use shape::Shape;

use crate::change::Changed;
use crate::error::{Error, ErrorKind};
use crate::file::Graph;
use crate::run::{Options, run_guest};
use std::sync::Arc;
use upcall_host::{HandlerSpec, Host, Module, describe};

/// A vertex program in a guest: a handler of the kind VERTEX, run by a [`Host`], whichever it likes.
///
/// ```no_run
/// use std::sync::Arc;
/// use upcall_graph::{Error, Graph, Guest, Options};
/// use upcall_host::{HandlerSpec, Host};
///
/// fn ranks(graph: &Graph, python: Arc<dyn Host>) -> Result<(), Error> {
///     let spec = HandlerSpec::new("pagerank", python.guest(), "pagerank.py", "PageRank");
///     let program = Guest::load(python, &spec, vec![("damping".to_owned(), "0.9".to_owned())])?;
///     let found = program.run(graph, Options::default())?;
///     println!("{} after {} iterations", found.own.text(0), found.iterations);
///     Ok(())
/// }
/// ```
pub struct Guest {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) module: Box<dyn Module>,
    pub(crate) name: String,
    /// What runs that go on are of.
    pub(crate) file: String,
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) shape: Shape,
}

/// What a program in a guest has come to.
#[derive(Clone, Debug)]
pub struct GuestOutcome {
    /// What each vertex has kept to itself; none where the program has no such values.
    pub own: KeptNumbers,
    /// What each vertex showed at the end.
    pub shown: KeptNumbers,
    /// The values of edges at the end, in the order of the [incoming](Graph::incoming) ones of the graph as it was then; none where
    /// the program does not set them.
    pub edges: KeptNumbers,
    /// How many iterations there were.
    pub iterations: u64,
    /// On how many threads, as in [`Outcome`](crate::Outcome::threads); one where the guest has no more.
    pub threads: usize,
    /// How many changes its edges were asked for, in what the run has gone on from as well.
    pub changes: u64,
    /// How many edges these have added and removed.
    pub changed: Changed,
    /// The graph as it was at the end, if its edges were [changed](Options::change).
    pub graph: Option<Arc<Graph>>,
}

/// Whether both have come to the same values, after as many iterations and changes, on however many threads. Their graphs are not read
/// for it: [`Graph::has_the_columns_of`] does that.
impl PartialEq for GuestOutcome {
    fn eq(&self, other: &GuestOutcome) -> bool {
        let GuestOutcome { own, shown, edges, iterations, threads: _, changes, changed, graph: _ } = self;
        let counts = (*iterations, *changes, *changed) == (other.iterations, other.changes, other.changed);
        counts && (own, shown, edges) == (&other.own, &other.shown, &other.edges)
    }
}

impl Guest {
    /// Loads a program, and asks it what it is. Its settings are told to each of its instances when it runs.
    ///
    /// # Errors
    /// [`Program`](ErrorKind::Program): there is no such program, or it is none, or says of itself what cannot be.
    pub fn load(
        host: Arc<dyn Host>,
        spec: &HandlerSpec,
        settings: Vec<(String, String)>,
    ) -> Result<Guest, Error> {
        let name = spec.name.clone();
        let failed = |why: String| Error::new(ErrorKind::Program, format!("load program {name}: {why}"));
        let module = host.load(spec).map_err(|error| failed(error.to_string()))?;
        let file = format!("{} of {}", spec.class, spec.file.display());
        Guest::of(host, module, spec.name.clone(), file, settings)
    }

    /// One that is loaded already, as one of the program's own (`upcall_host::in_process`). `file` says whose runs are gone on with.
    ///
    /// # Errors
    /// [`Program`](ErrorKind::Program): it is no vertex program, or says of itself what cannot be.
    pub fn of(
        host: Arc<dyn Host>,
        module: Box<dyn Module>,
        name: String,
        file: String,
        settings: Vec<(String, String)>,
    ) -> Result<Guest, Error> {
        let failed = |why: String| Error::new(ErrorKind::Program, format!("load program {name}: {why}"));
        let mut shape = Err("its host has run nothing".to_owned());
        host.worker(&mut || {
            let said = module.instantiate().and_then(|mut instance| describe(&mut instance));
            shape = said.map_err(|error| error.to_string()).and_then(|said| Shape::of(&said));
        });
        let shape = shape.map_err(failed)?;
        Ok(Guest { host, module, name, file, settings, shape })
    }

    /// Whether it sets values of edges: [`GuestOutcome::edges`].
    #[must_use]
    pub fn writes_edges(&self) -> bool {
        self.shape.writes
    }

    /// Runs it over a graph, as [`run`](crate::run) runs programs in Rust. Each worker has an instance of its own, on a thread of its
    /// own; guests with one worker (Python) have this one's.
    ///
    /// # Errors
    /// As [`run`](crate::run). [`Program`](ErrorKind::Program): it throws; the message has the vertex, the error and where it
    /// was thrown.
    pub fn run(&self, graph: &Graph, options: Options<'_>) -> Result<GuestOutcome, Error> {
        run_guest(self, graph, options)
    }
}

impl std::fmt::Debug for Guest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guest").field("name", &self.name).field("shape", &self.shape).finish_non_exhaustive()
    }
}
