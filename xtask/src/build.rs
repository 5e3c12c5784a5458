//! `cargo xtask build`: the `upcall` command, what the hosts load, and the handlers of the examples.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::command;
use crate::csharp::{Kind, Project};
use crate::setup::dotnet::{self, Compiler};
use crate::workspace::{Cdylib, Workspace, files_below};

/// The handlers in Rust and C# that the tests of the command run.
const HANDLERS: &str = "crates/cli/tests/handlers";

/// Builds all of it; quick when nothing has changed. Setup comes before.
pub fn run(ws: &Workspace) -> Result<()> {
    let _lock = ws.lock(&ws.build())?;
    let libraries = libraries(ws)?;
    cargo(ws, &libraries)?;
    for (library, to) in &libraries {
        let built = &library.built;
        let bytes = fs::read(built).with_context(|| format!("reading {}", built.display()))?;
        place(&bytes, to)?;
    }
    layouts(ws)?;
    bindings(ws)?;
    generated(ws)?;
    csharp(ws, &dotnet::find(ws)?)
}

/// The Rust libraries that hosts load, and where hosts look for them.
fn libraries(ws: &Workspace) -> Result<Vec<(Cdylib, PathBuf)>> {
    let mut found = Vec::new();
    if let Some(driver) = ws.cdylib(&ws.root.join("sdk/python")) {
        found.push((driver, ws.build().join("upcall_python.so")));
    }
    if let Some(library) = ws.cdylib(&ws.root.join("crates/ffi")) {
        found.push((library, ws.build().join("libupcall.so")));
    }
    for example in ws.flows()? {
        if let Some(library) = ws.cdylib(&example.join("rust")) {
            let file = format!("lib{}.so", name(&example));
            found.push((library, example.join("build").join(file)));
        }
    }
    if let Some(handlers) = ws.cdylib(&ws.root.join(HANDLERS)) {
        found.push((handlers, ws.build().join("tests/libhandlers.so")));
    }
    Ok(found)
}

fn cargo(ws: &Workspace, libraries: &[(Cdylib, PathBuf)]) -> Result<()> {
    let mut cargo = ws.command("cargo");
    cargo.args(["build", "--release", "--package", "upcall-cli"]);
    for (library, _) in libraries {
        cargo.args(["--package", &library.package]);
    }
    command::run(&mut cargo)
}

/// The bindings of `libupcall` that need compiling, and the package for Node. Those for C# are checked in.
fn bindings(ws: &Workspace) -> Result<()> {
    for sdk in ["sdk/python", "sdk/node"] {
        let config = ws.root.join(sdk).join("bindgen.toml");
        // It names every file that it writes; what went wrong it says elsewhere.
        command::output(ws.command(ws.upcall()).args(["bindgen", "--build", "--config"]).arg(config))?;
    }
    let compiler = ws.setup().join("node/node_modules/.bin/tsc");
    command::run(ws.command(compiler).args(["--project", "sdk/node"]))
}

/// What the handlers of flows and tests in other languages have of the types in Rust.
fn generated(ws: &Workspace) -> Result<()> {
    for folder in ws.flows()?.into_iter().chain([ws.root.join(HANDLERS)]) {
        let config = folder.join("bindgen.toml");
        if config.is_file() {
            command::output(ws.command(ws.upcall()).args(["bindgen", "--config"]).arg(&config))?;
        }
    }
    Ok(())
}

fn csharp(ws: &Workspace, compiler: &Compiler) -> Result<()> {
    let sdk = ws.build().join("Upcall.dll");
    let sources = ws.root.join("sdk/csharp/Upcall");
    if files_below(&sources, "cs")?.is_empty() {
        return Ok(());
    }
    let project = Project::new(sources, sdk.clone(), Kind::DocumentedLibrary);
    compile(ws, compiler, &project)?;
    for example in ws.flows()? {
        let sources = example.join("csharp");
        if files_below(&sources, "cs")?.is_empty() {
            continue;
        }
        let output = example.join("build").join(format!("{}.dll", name(&example)));
        let project =
            Project { references: vec![sdk.clone()], ..Project::new(sources, output, Kind::Library) };
        compile(ws, compiler, &project)?;
    }
    let handlers = library(ws, HANDLERS, "tests/handlers.dll", vec![sdk]);
    let other_abi = library(ws, "crates/cli/tests/other-abi", "tests/other-abi/build/Upcall.dll", Vec::new());
    for project in [tests(ws), handlers, other_abi] {
        if !files_below(&project.sources, "cs")?.is_empty() {
            compile(ws, compiler, &project)?;
        }
    }
    Ok(())
}

/// The tests of the C# SDK. The Rust tests of the host load their handlers from it.
pub fn tests(ws: &Workspace) -> Project {
    let sources = ws.root.join("sdk/csharp/Tests");
    let output = ws.build().join("tests/Upcall.Tests.dll");
    let references = vec![ws.build().join("Upcall.dll")];
    Project { references, ..Project::new(sources, output, Kind::Program) }
}

/// A library for the tests, from sources in the repository to a file in `build/`.
fn library(ws: &Workspace, sources: &str, output: &str, references: Vec<PathBuf>) -> Project {
    let (sources, output) = (ws.root.join(sources), ws.build().join(output));
    Project { references, ..Project::new(sources, output, Kind::Library) }
}

/// Compiles a C# project and says so if there was something to do.
pub fn compile(ws: &Workspace, compiler: &Compiler, project: &Project) -> Result<()> {
    if project.compile(ws, compiler)? {
        let shown = project.output.strip_prefix(&ws.root).unwrap_or(&project.output);
        eprintln!("build: {}", shown.display());
    }
    Ok(())
}

/// Writes what the structs of the boundary look like, for the tests of their generated mirrors.
fn layouts(ws: &Workspace) -> Result<()> {
    let arguments = ["run", "--release", "--quiet", "--package", "upcall-abi", "--example", "layouts"];
    let printed = command::output(ws.command("cargo").args(arguments))?;
    place(printed.as_bytes(), &ws.build().join("layouts.txt"))
}

/// Writes a file unless it is the same already; a process that has the old one loaded keeps it.
fn place(bytes: &[u8], to: &Path) -> Result<()> {
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let folder = to.parent().context("what is built lies in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    let half = to.with_extension("new");
    fs::write(&half, bytes).with_context(|| format!("writing {}", half.display()))?;
    fs::rename(&half, to).with_context(|| format!("moving {} to {}", half.display(), to.display()))
}

fn name(example: &Path) -> String {
    example.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
