//! Modules of WebAssembly: the handlers of the word count and of tests, in Rust, and those in C.

use anyhow::{Context, Result};

use super::place_file;
use crate::command;
use crate::setup::wasm::TARGET;
use crate::workspace::Workspace;

/// The handlers in Rust for the tests of modules.
const HANDLERS: &str = "crates/cli/tests/wasm";

/// Compiles all of them, and puts each where a flow's file or a test looks.
pub fn modules(ws: &Workspace) -> Result<()> {
    in_rust(ws, "examples/wordcount/rust", "examples/wordcount/build/wordcount.wasm")?;
    in_rust(ws, HANDLERS, "build/tests/handlers.wasm")
}

/// Compiles the handlers of a folder in Rust.
fn in_rust(ws: &Workspace, folder: &str, to: &str) -> Result<()> {
    let library = ws.cdylib(&ws.root.join(folder)).with_context(|| format!("{folder} has no library"))?;
    let mut cargo = ws.command("cargo");
    cargo.args(["build", "--release", "--target", TARGET, "--package", &library.package]);
    command::run(&mut cargo)?;
    let built = ws.target.join(TARGET).join("release").join(library.module);
    place_file(&built, &ws.root.join(to))
}
