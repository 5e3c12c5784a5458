//! Makes graphs' files from lists of edges, in a bounded amount of memory.
//!
//! Edges are sorted by the vertex that they go to, those that do not fit into memory in runs that are merged from temporary files.
//! What goes out in order is sorted once more by the vertex that it comes from. All that is written is written in order.

mod buffer;
mod called;
mod collect;
mod labels;
mod merge;
mod policy;
mod radix;
mod record;
mod side;
mod sorter;
mod table;
mod temporary;
mod together;
mod watch;
mod write;

pub use policy::{Direction, Duplicates, Loops, Vertices};
pub use watch::{Phase, Progress};

use crate::error::{Error, ErrorKind};
use crate::read::Source;
use crate::value::ValueType;
use collect::{Collected, Collector};
use sorter::Plan;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use watch::Watch;

/// Makes a graph's file from lists of edges.
///
/// ```
/// use upcall_graph::{Builder, Format, Graph, Source};
///
/// let path = std::env::temp_dir().join(format!("three-{}.graph", std::process::id()));
/// let edges = "# three vertices in a ring\n0 1\n1 2\n2 0\n";
/// let built = Builder::new().source(Source::reader("ring", edges.as_bytes(), Format::Text)).build(&path)?;
/// assert_eq!((built.vertices, built.edges), (3, 3));
/// let graph = Graph::read(&path)?;
/// assert_eq!(graph.incoming().neighbours.get(0), 2);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), upcall_graph::Error>(())
/// ```
#[must_use]
pub struct Builder<'a> {
    sources: Vec<Source<'a>>,
    rules: Rules,
    /// Whether it was said which values edges have.
    values_said: bool,
    memory: usize,
    buffers: Option<usize>,
    folder: Option<PathBuf>,
    stop: Option<&'a AtomicBool>,
    told: Option<Box<dyn FnMut(Progress) + 'a>>,
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    loops: Loops,
    duplicates: Duplicates,
    direction: Direction,
    vertices: Vertices,
    values: Option<ValueType>,
    outgoing: bool,
    wide: bool,
    compress: bool,
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Built {
    /// How many vertices the graph has.
    pub vertices: u64,
    /// How many edges it has; each of an undirected graph counts once per direction.
    pub edges: u64,
    /// How many edges the lists have.
    pub read: u64,
    /// How many bytes the lists have, as they are in their files.
    pub bytes: u64,
    /// How many loops were left out.
    pub loops: u64,
    /// How many edges were left out as others between the same vertices are there, counted as in the file.
    pub duplicates: u64,
    /// The lists have values, and it was not said whether they are wanted: they were left out.
    pub values_ignored: bool,
}

/// Memory that is not counted otherwise: what lists are read through, and the buffers of columns.
const BESIDE: usize = 3 << 20;

/// What is enough for any graph.
const LEAST: usize = 8 << 20;

impl Default for Builder<'_> {
    fn default() -> Self {
        Builder::new()
    }
}

impl<'a> Builder<'a> {
    /// Of no lists: a directed graph, all of whose edges are kept, in 1 GiB of memory.
    pub fn new() -> Builder<'a> {
        Builder {
            sources: Vec::new(),
            rules: Rules {
                loops: Loops::default(),
                duplicates: Duplicates::default(),
                direction: Direction::default(),
                vertices: Vertices::default(),
                values: None,
                outgoing: true,
                wide: false,
                compress: false,
            },
            values_said: false,
            memory: 1 << 30,
            buffers: None,
            folder: None,
            stop: None,
            told: None,
        }
    }

    /// Adds a list of edges, behind those that are there.
    pub fn source(mut self, source: Source<'a>) -> Self {
        self.sources.push(source);
        self
    }

    /// What is done with loops.
    pub fn loops(mut self, loops: Loops) -> Self {
        self.rules.loops = loops;
        self
    }

    /// What is done with edges between the same vertices.
    pub fn duplicates(mut self, duplicates: Duplicates) -> Self {
        self.rules.duplicates = duplicates;
        self
    }

    /// What the order of an edge's vertices means.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.rules.direction = direction;
        self
    }

    /// What vertices are called.
    pub fn vertices(mut self, vertices: Vertices) -> Self {
        self.rules.vertices = vertices;
        self
    }

    /// What the values of edges are that the lists have behind their vertices; `None` leaves them out, as it is unless this is
    /// called, but [`Built::values_ignored`] does not tell of it then.
    pub fn values(mut self, values: impl Into<Option<ValueType>>) -> Self {
        self.rules.values = values.into();
        self.values_said = true;
        self
    }

    /// Whether a directed graph has the edges that go out of each vertex too, as it does unless this says otherwise. Programs that
    /// only look at what comes in need less disk without them.
    pub fn outgoing(mut self, outgoing: bool) -> Self {
        self.rules.outgoing = outgoing;
        self
    }

    /// Whether neighbours have five bytes even where four are enough: for tests of what goes through large graphs.
    pub fn wide(mut self, wide: bool) -> Self {
        self.rules.wide = wide;
        self
    }

    /// Whether neighbours are compressed: by how far each is from the one before, in blocks of 1,024 vertices. Programs come to the same; the
    /// file is smaller, and each run decodes what it looks at. Graphs of 2^32 vertices and more cannot be.
    pub fn compress(mut self, compress: bool) -> Self {
        self.rules.compress = compress;
        self
    }

    /// How many bytes of memory it may take, at least 8 MiB. What a list in zstd looks back comes beside: as much as it was
    /// compressed with, at most 8 MiB, or an eighth of the memory where that is more.
    pub fn memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// How many bytes its buffers have, whatever memory there is: for tests of what happens when they are full.
    #[doc(hidden)]
    pub fn buffers(mut self, bytes: usize) -> Self {
        self.buffers = Some(bytes);
        self
    }

    /// The folder of temporary files; without this it is the one that the graph is written to. They take twice the room of the
    /// edges, and have no names, so that nothing of them is left however the process ends.
    pub fn temporaries(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// Who wants it to stop sets this: [`build`](Builder::build) then returns an error of the kind [`ErrorKind::Interrupted`].
    pub fn stop(mut self, stop: &'a AtomicBool) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Whom to tell how far it is, some thousand times a second; on the calling thread.
    pub fn progress(mut self, told: impl FnMut(Progress) + 'a) -> Self {
        self.told = Some(Box::new(told));
        self
    }

    /// Makes the graph's file. One that is there is replaced when the new one is whole; of one that is not whole nothing is left.
    ///
    /// # Errors
    /// A list cannot be read or is none, a policy refuses an edge, the disk is full, memory is too small for the table of what
    /// vertices are called, or somebody has asked for it to stop.
    pub fn build(self, path: impl AsRef<Path>) -> Result<Built, Error> {
        let path = path.as_ref();
        let Builder { sources, rules, values_said, memory, buffers, folder, stop, told } = self;
        rules.consistent()?;
        if memory < LEAST {
            let message = format!("make a graph in {memory} bytes of memory: {LEAST} are the least");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let folder = folder.unwrap_or_else(|| match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        });
        let limits = Limits::new(buffers.unwrap_or(memory - BESIDE), rules.vertices, folder);
        let mut watch = Watch::new(stop, told);
        watch.begin(Phase::Reading)?;
        let mut collector = Collector::new(&rules, &limits, &mut watch);
        for source in sources {
            source.read(&mut collector)?;
        }
        let collected = collector.end()?;
        let Collected { vertices, read, loops, ignored, .. } = collected;
        let written = write::graph(path, &rules, &limits, collected, &mut watch)?;
        Ok(Built {
            vertices,
            edges: written.edges,
            read,
            bytes: watch.now.bytes,
            loops,
            duplicates: written.duplicates,
            values_ignored: ignored && !values_said,
        })
    }
}

impl std::fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder")
            .field("sources", &self.sources)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl Rules {
    /// Whether edges that go out are there beside those that come in.
    fn has_twin(&self) -> bool {
        self.outgoing && self.direction != Direction::Undirected
    }

    fn consistent(&self) -> Result<(), Error> {
        let of_values = matches!(self.duplicates, Duplicates::Sum | Duplicates::Min | Duplicates::Max);
        if of_values && self.values.is_none() {
            let message = "make a graph: its edges have no values that could be summed or compared: say which they have";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if self.compress && self.wide {
            let message = "make a graph: neighbours of five bytes are not compressed: leave one of both out";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if let Vertices::Count(count) = self.vertices
            && count > crate::file::Wide::MAX
        {
            let message = format!("make a graph: {count} vertices are more than 40 bits count");
            return Err(Error::new(ErrorKind::TooLarge, message));
        }
        Ok(())
    }
}

/// How memory is shared out, in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// All of it.
    memory: usize,
    /// For sorting while lists are read.
    sort: usize,
    /// For what vertices are called.
    table: usize,
    /// For merging what did not fit.
    merge: usize,
    folder: PathBuf,
    threads: usize,
}

impl Limits {
    fn new(memory: usize, vertices: Vertices, folder: PathBuf) -> Limits {
        let table = match vertices {
            Vertices::Dense | Vertices::Names => memory / 2,
            Vertices::Keep | Vertices::Count(_) => 0,
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
        Limits { memory, sort: memory - table, table, merge: memory / 4, folder, threads }
    }

    /// The power of two of the bytes that zstd may look back: 8 MiB, or an eighth of the memory where that is more, as far as its
    /// own limit.
    fn window(&self) -> u32 {
        (self.memory / 8).max(1).ilog2().clamp(23, 27)
    }

    fn plan(&self, memory: usize, neighbours_sorted: bool) -> Plan {
        Plan { memory, folder: self.folder.clone(), neighbours_sorted, threads: self.threads }
    }
}
