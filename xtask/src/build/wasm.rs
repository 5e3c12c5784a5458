//! Modules of WebAssembly: the handlers of the word count and of tests, in Rust, in C and in AssemblyScript, and vertex programs in
//! the latter two.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::place_file;
use crate::command;
use crate::setup::assemblyscript;
use crate::setup::wasm::{TARGET, linker};
use crate::workspace::Workspace;

/// The handlers in Rust for the tests of modules.
const HANDLERS: &str = "crates/cli/tests/wasm";

/// Compiles all of them, and puts each where a flow's file or a test looks.
pub fn modules(ws: &Workspace) -> Result<()> {
    let _lock = ws.lock(&ws.build())?;
    in_rust(ws, "examples/wordcount/rust", "examples/wordcount/build/wordcount.wasm")?;
    in_rust(ws, "examples/graph/rust", "examples/graph/build/programs.wasm")?;
    in_rust(ws, HANDLERS, "build/tests/handlers.wasm")?;
    probes(ws)?;
    in_c(ws, "examples/wordcount/c/wordcount.c", "examples/wordcount/build/wordcount-c.wasm")?;
    in_c(ws, "crates/host/src/wasm/echo.c", "build/tests/echo.wasm")?;
    in_c(ws, "crates/host/tests/wasm_support/faults.c", "build/tests/faults.wasm")?;
    in_c(ws, "sdk/c/tests/kinds.c", "build/tests/kinds.wasm")?;
    in_c(ws, "sdk/c/tests/vertices.c", "build/tests/vertices.wasm")?;
    in_c(ws, "examples/graph/c/programs.c", "examples/graph/build/programs-c.wasm")?;
    in_assemblyscript(
        ws,
        &[
            ("examples/wordcount/assemblyscript/wordcount.ts", "examples/wordcount/build/wordcount-as.wasm"),
            ("sdk/assemblyscript/tests/kinds.ts", "build/tests/assemblyscript.wasm"),
            ("sdk/assemblyscript/tests/vertices.ts", "build/tests/vertices-as.wasm"),
            ("examples/graph/assemblyscript/programs.ts", "examples/graph/build/programs-as.wasm"),
        ],
    )
}

/// The handlers that `upcall bench boundary` measures.
pub fn probes(ws: &Workspace) -> Result<()> {
    in_rust(ws, "crates/measure/wasm", "build/probes.wasm")
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

/// Compiles files in AssemblyScript, each as the README of `sdk/assemblyscript` says.
fn in_assemblyscript(ws: &Workspace, files: &[(&str, &str)]) -> Result<()> {
    let mut asc = ws.command("node");
    asc.arg("xtask/node/asc.mjs").arg(assemblyscript::compiler(ws));
    let compiled = |to: &str| Path::new(to).with_extension("compiled.wasm");
    for (source, to) in files {
        let folder = ws.root.join(to).parent().context("a module lies in a folder")?.to_owned();
        fs::create_dir_all(folder)?;
        asc.args([source, "-O", "--debug", "--lib", "sdk/assemblyscript"]);
        // Its paths are relative to where it runs.
        asc.args(["--use", "abort=~lib/upcall/host/abort", "-o"]).arg(compiled(to)).arg("--");
    }
    command::run(&mut asc)?;
    for (_, to) in files {
        let compiled = ws.root.join(compiled(to));
        place_file(&compiled, &ws.root.join(to))?;
        fs::remove_file(&compiled).with_context(|| format!("removing {}", compiled.display()))?;
    }
    Ok(())
}
