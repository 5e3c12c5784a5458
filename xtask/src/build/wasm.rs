//! Modules of WebAssembly: the handlers of the word count and of tests, in Rust, and those in C.

use std::fs;

use anyhow::{Context, Result};

use super::place_file;
use crate::command;
use crate::setup::wasm::{TARGET, linker};
use crate::workspace::Workspace;

/// The handlers in Rust for the tests of modules.
const HANDLERS: &str = "crates/cli/tests/wasm";

/// Compiles all of them, and puts each where a flow's file or a test looks.
pub fn modules(ws: &Workspace) -> Result<()> {
    in_rust(ws, "examples/wordcount/rust", "examples/wordcount/build/wordcount.wasm")?;
    in_rust(ws, HANDLERS, "build/tests/handlers.wasm")?;
    in_c(ws, "examples/wordcount/c/wordcount.c", "examples/wordcount/build/wordcount-c.wasm")?;
    in_c(ws, "crates/host/src/wasm/echo.c", "build/tests/echo.wasm")
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

/// Compiles and links a file in C, as the README of `sdk/c` says.
fn in_c(ws: &Workspace, source: &str, to: &str) -> Result<()> {
    let to = ws.root.join(to);
    fs::create_dir_all(to.parent().context("a module lies in a folder")?)?;
    let (object, linked) = (to.with_extension("o"), to.with_extension("linked"));
    let mut clang = ws.command("clang");
    clang.args(["--target=wasm32", "-O2", "-mbulk-memory", "-ffreestanding", "-nostdlib"]);
    clang.args(["-Wall", "-Wextra", "-Werror", "-Isdk/c", "-c", source, "-o"]).arg(&object);
    command::run(&mut clang)?;
    let mut linker = ws.command(linker()?);
    linker.args(["-flavor", "wasm", "--no-entry"]).arg(&object).arg("-o").arg(&linked);
    command::run(&mut linker)?;
    place_file(&linked, &to)?;
    [object, linked]
        .iter()
        .try_for_each(|half| fs::remove_file(half).with_context(|| format!("removing {}", half.display())))
}
