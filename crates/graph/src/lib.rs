//! Vertex programs over graphs that lie on disk: an `update` that sees one vertex, its edges and its neighbours' values, run for
//! all vertices until nothing changes, on one machine, whether or not the graph fits into its memory.
//!
//! A graph is a file of columns, made from lists of edges, and mapped: of an iteration it is read once, from front to back, and
//! never written. Vertices' values are in memory, twice: what an iteration reads is what the last one wrote (Jacobi), so that results
//! are the same bits whatever the number of threads.

mod adjacency;
mod build;
mod change;
mod check;
mod compressed;
mod error;
mod export;
mod file;
mod guest;
mod ids;
mod program;
pub mod programs;
mod read;
mod run;
mod summary;
mod value;
mod values;
mod vertex;
mod write_back;

pub use adjacency::{Adjacency, Id, Ids, Wide};
pub use build::{Builder, Built, Direction, Duplicates, Loops, Phase, Progress, Vertices};
pub use change::{ChangeLog, Changed, Changes, Edit};
pub use compressed::InOrder;
pub use error::{Error, ErrorKind};
pub use file::{Graph, Head, columns};
pub use guest::{Guest, GuestOutcome, KeptNumbers, Numbers};
pub use program::{Control, EdgeValue, Interval, Iteration, Program};
pub use read::{Column, Compression, Csv, Format, Source};
pub use run::{Change, Checkpoint, Dump, Options, Outcome, Resume, run};
pub use summary::{Degrees, Summary};
pub use value::ValueType;
pub use values::Values;
pub use vertex::{Context, Neighbours, Start, Vertex};
