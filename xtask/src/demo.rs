//! `cargo xtask demo`: the word count of a whole book, with handlers in C#, Python and Rust.

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{build, command, setup};

const FLOW: &str = "examples/wordcount/flow.toml";

/// Sets up, builds and runs the demo; further arguments go to `upcall run`.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<()> {
    setup::run(ws)?;
    build::run(ws)?;
    eprintln!("demo: upcall run {FLOW}");
    command::run(ws.command(ws.upcall()).args(["run", FLOW]).args(arguments))
}
