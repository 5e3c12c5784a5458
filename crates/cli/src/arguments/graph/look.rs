//! Of `graph info`, `graph check` and `graph export`.

use clap::Args;
use std::path::PathBuf;
use upcall_graph::Format;

#[derive(Args)]
#[command(after_long_help = INFO)]
pub(crate) struct GraphInfo {
    /// The graph's file. Nobody may write it meanwhile.
    #[arg(value_name = "GRAPH")]
    pub(crate) graph: PathBuf,
    /// Print one line of JSON, which has all degrees and how many vertices have each.
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw how many vertices have at least so many edges, over two logarithmic axes, as SVG.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) chart: Option<PathBuf>,
}

const INFO: &str = "\
Examples:
  upcall graph info web.graph
  upcall graph info web.graph --chart degrees.svg
  upcall graph info web.graph --json | jq .degrees.out.largest

Exit codes: 0 it was said; 1 the file is no graph, or cannot be read.";

#[derive(Args)]
#[command(after_long_help = CHECK)]
pub(crate) struct GraphCheck {
    /// The graph's file. Nobody may write it meanwhile.
    #[arg(value_name = "GRAPH")]
    pub(crate) graph: PathBuf,
}

const CHECK: &str = "\
Each column is compared with its checksum; then offsets ascend, neighbours exist and ascend, degrees are right, and the edges that
go out are those that come in. The first thing that is wrong is told with its column and row.

Exit codes: 0 all is as it should be; 1 something is not.";

#[derive(Args)]
#[command(after_long_help = EXPORT)]
pub(crate) struct GraphExport {
    /// The graph's file. Nobody may write it meanwhile.
    #[arg(value_name = "GRAPH")]
    pub(crate) graph: PathBuf,
    /// Where to write the list; on standard output without it.
    #[arg(short, long, value_name = "LIST")]
    pub(crate) output: Option<PathBuf>,
    /// What to write it in, as for `graph build`; as the name of the list ends, otherwise.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
}

const EXPORT: &str = "\
Vertices are called what the lists called them that the graph was made of. Edges are ordered by the vertex that they go to; each
of an undirected graph is there once. `graph build` makes the same graph of it, with the same options and `--vertices` where the
last vertices have no edges.

Examples:
  upcall graph export web.graph | head
  upcall graph export web.graph -o web.u32 --format u32

Exit codes: 0 all is written; 1 it could not be; 2 the format has no words for what vertices are called; 141 nobody read standard
output any more.";
