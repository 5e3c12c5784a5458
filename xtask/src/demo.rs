//! `cargo xtask demo`: the word count of a whole book, with handlers in C#, Python and Rust.

use anyhow::Result;

use crate::workspace::Workspace;
use crate::{build, command};

const EXAMPLE: &str = "wordcount";

/// Sets up and builds what this flow runs and nothing else, then runs it; further arguments go to `upcall run`.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<()> {
    build::examples(ws, true, &[EXAMPLE])?;
    let flow = format!("examples/{EXAMPLE}/flow.toml");
    eprintln!("demo: upcall run {flow}");
    command::run(ws.command(ws.upcall()).args(["run", &flow]).args(arguments))
}
