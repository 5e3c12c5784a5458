//! `cargo xtask build`: the `upcall` command, what the hosts load, and the handlers of the examples.

pub mod wasm;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::command;
use crate::csharp::{Kind, Project};
use crate::java;
use crate::setup::dotnet::{self, Compiler};
use crate::setup::{self, Tool};
use crate::workspace::{Cdylib, Profile, Workspace, files_below, folders};

/// The handlers in Rust and C# that the tests of the command run.
const HANDLERS: &str = "crates/cli/tests/handlers";

/// The example of an engine, whose handlers no flow runs.
pub const ENGINE: &str = "examples/engine";

/// The example of vertex programs, which no flow runs either.
const GRAPH: &str = "examples/graph";

/// The package of the command.
const UPCALL: &str = "upcall-cli";
/// The programs of examples: the service that the handlers of `examples/later` ask, and the word count on several ranks.
const PROGRAMS: [&str; 2] = ["slow-service", "mpi-wordcount"];
/// The package of the driver of Python handlers.
pub const DRIVER: &str = "upcall-python";

/// What of WebAssembly is built. wasmtime takes minutes to compile, so that who does not ask for it has none.
#[derive(Clone, Copy, PartialEq)]
pub enum Wasm {
    /// Nothing.
    None,
    /// The modules: those of the examples, and of tests.
    Modules,
    /// The command with wasmtime too.
    Runtime,
}

/// Builds all of it; quick when nothing has changed. Setup of [`Tool::BUILD`] comes before, and of [`Tool::Wasm`] where modules
/// are built.
pub fn run(ws: &Workspace, wasm: Wasm) -> Result<()> {
    rust(ws, wasm)?;
    if wasm != Wasm::None {
        wasm::modules(ws)?;
    }
    others(ws)
}

/// The programs, and what hosts load that is in Rust.
pub fn rust(ws: &Workspace, wasm: Wasm) -> Result<()> {
    let _lock = ws.lock(&ws.build())?;
    cargo(ws, &commands(), &libraries(ws)?, wasm == Wasm::Runtime)
}

/// What the programs generate, and what other compilers make. [`rust`] comes before.
pub fn others(ws: &Workspace) -> Result<()> {
    let _lock = ws.lock(&ws.build())?;
    layouts(ws)?;
    bindings(ws)?;
    generated(ws)?;
    java(ws)?;
    csharp(ws, &dotnet::find(ws)?)
}

/// The packages of all programs.
fn commands() -> Vec<&'static str> {
    [&[UPCALL][..], &PROGRAMS].concat()
}

/// All libraries in Rust.
fn libraries(ws: &Workspace) -> Result<Vec<Library>> {
    let mut rust = vec![driver(ws), ffi(ws), addon(ws)];
    for example in ws.flows()? {
        rust.push(in_rust(ws, &example));
    }
    rust.extend([ENGINE, GRAPH].map(|example| in_rust(ws, &ws.root.join(example))));
    rust.push(
        ws.cdylib(&ws.root.join(HANDLERS))
            .map(|handlers| (handlers, ws.build().join("tests/libhandlers.so"))),
    );
    Ok(rust)
}

/// Sets up and builds only what hosts load for the flows of these examples: the Python driver, the C# SDK, and the
/// handlers; and the command, if `upcall`.
pub fn examples(ws: &Workspace, upcall: bool, examples: &[&str]) -> Result<()> {
    let _lock = ws.lock(&ws.build())?;
    let folders: Vec<PathBuf> = examples.iter().map(|name| ws.root.join("examples").join(name)).collect();
    let mut rust = vec![driver(ws)];
    rust.extend(folders.iter().map(|example| in_rust(ws, example)));
    // Setup waits for the network, which Rust does not need.
    thread::scope(|scope| {
        let built = scope.spawn(|| cargo(ws, if upcall { &[UPCALL] } else { &[] }, &rust, false));
        setup::run(ws, Tool::RUN)?;
        built
            .join()
            .unwrap_or_else(|_| bail!("building the Rust of {}: the thread panicked", examples.join(", ")))
    })?;
    let compiler = dotnet::find(ws)?;
    compile(ws, &compiler, &sdk(ws))?;
    folders.iter().try_for_each(|example| compile(ws, &compiler, &in_csharp(ws, example)))
}

/// A Rust library that hosts load, and where hosts look for it; none where the folder holds no such crate.
pub type Library = Option<(Cdylib, PathBuf)>;

/// The driver of Python handlers.
pub fn driver(ws: &Workspace) -> Library {
    Some((ws.cdylib(&ws.root.join("sdk/python"))?, ws.build().join("upcall_python.so")))
}

/// The native part of handlers in JavaScript.
fn addon(ws: &Workspace) -> Library {
    Some((ws.cdylib(&ws.root.join("sdk/node/native"))?, ws.build().join("upcall_node.node")))
}

/// The C ABI over the engines.
fn ffi(ws: &Workspace) -> Library {
    Some((ws.cdylib(&ws.root.join("crates/ffi"))?, ws.build().join("libupcall.so")))
}

/// The handlers of an example in Rust.
fn in_rust(ws: &Workspace, example: &Path) -> Library {
    let file = format!("lib{}.so", name(example));
    Some((ws.cdylib(&example.join("rust"))?, example.join("build").join(file)))
}

/// WebAssembly, and all that the book's chapters use. With the same features everywhere all of it is compiled once, and checked
/// once.
pub const FEATURES: &str = "upcall-cli/wasm,upcall/async,upcall/config,upcall/csharp,upcall/flow,upcall/graph,upcall/mpi,\
                            upcall/pack,upcall/process,upcall/python,upcall/soa";

/// Builds these packages and libraries, and puts each library where hosts look.
fn cargo(ws: &Workspace, packages: &[&str], libraries: &[Library], wasm: bool) -> Result<()> {
    let mut cargo = ws.command("cargo");
    cargo.arg("build");
    match ws.profile {
        Profile::Release => {
            cargo.arg("--release");
            let libraries = libraries.iter().flatten().map(|(library, _)| library.package.as_str());
            packages.iter().copied().chain(libraries).for_each(|package| {
                cargo.args(["--package", package]);
            });
            if wasm {
                cargo.args(["--features", "upcall-cli/wasm,upcall-ffi/wasm"]);
            }
        }
        // With the features that dependencies have for tests, which cargo turns on for examples as well.
        Profile::Dev => {
            cargo.args(["--workspace", "--lib", "--examples", "--features", FEATURES]);
            let programs = packages.iter().flat_map(|package| ws.binaries(package));
            programs.for_each(|program| {
                cargo.args(["--bin", &program]);
            });
        }
    }
    command::run(&mut cargo)?;
    for (library, to) in libraries.iter().flatten() {
        place_file(&library.built, to)?;
    }
    Ok(())
}

/// The bindings of `libupcall` that need compiling, and the package for Node. Those for C# are checked in.
fn bindings(ws: &Workspace) -> Result<()> {
    for sdk in ["sdk/python", "sdk/node", "sdk/java"] {
        let config = ws.root.join(sdk).join("bindgen.toml");
        // Its output names every file that it writes; errors go elsewhere.
        command::output(ws.command(ws.upcall()).args(["bindgen", "--build", "--config"]).arg(config))?;
    }
    // Beside the jar of the bindings' classes, and beside the library.
    let glue = "libupcall_jni.so";
    place_file(&ws.build().join("java").join(glue), &ws.build().join(glue))?;
    let compiler = ws.setup().join("node/node_modules/.bin/tsc");
    command::run(ws.command(compiler).args(["--project", "sdk/node"]))
}

/// The Rust types as the handlers of flows and tests in other languages see them.
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
    let mut projects = vec![sdk(ws)];
    projects.extend(ws.flows()?.iter().map(|example| in_csharp(ws, example)));
    projects.extend([ENGINE, GRAPH].map(|example| in_csharp(ws, &ws.root.join(example))));
    projects.push(embedded(ws));
    projects.extend(over_ranks(ws)?);
    projects.push(tests(ws));
    projects.push(library(ws, HANDLERS, "tests/handlers.dll", vec![sdk(ws).output]));
    let other_abi = "crates/cli/tests/other-abi";
    projects.push(library(ws, other_abi, "tests/other-abi/build/Upcall.dll", Vec::new()));
    projects.iter().try_for_each(|project| compile(ws, compiler, project))
}

/// The SDK that handlers in C# are written with.
fn sdk(ws: &Workspace) -> Project {
    Project::new(ws.root.join("sdk/csharp/Upcall"), ws.build().join("Upcall.dll"), Kind::DocumentedLibrary)
}

/// The handlers of an example in C#.
fn in_csharp(ws: &Workspace, example: &Path) -> Project {
    let output = example.join("build").join(format!("{}.dll", name(example)));
    Project {
        references: vec![sdk(ws).output],
        ..Project::new(example.join("csharp"), output, Kind::Library)
    }
}

/// The program that has a flow inside.
fn embedded(ws: &Workspace) -> Project {
    let example = ws.root.join("examples/embedded");
    let output = example.join("build/embedded.dll");
    Project {
        references: vec![sdk(ws).output],
        ..Project::new(example.join("csharp"), output, Kind::Program)
    }
}

/// The programs that pass messages over MPI, each in a folder of its own.
fn over_ranks(ws: &Workspace) -> Result<Vec<Project>> {
    let example = ws.root.join("examples/mpi");
    let program = |folder: PathBuf| {
        let output = example.join("build").join(format!("{}.dll", name(&folder).to_lowercase()));
        Project { references: vec![sdk(ws).output], ..Project::new(folder, output, Kind::Program) }
    };
    Ok(folders(&example.join("csharp"))?.into_iter().map(program).collect())
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

/// Compiles a C# project, if its folder holds any C#, and says so if there was something to do.
pub fn compile(ws: &Workspace, compiler: &Compiler, project: &Project) -> Result<()> {
    if files_below(&project.sources, "cs")?.is_empty() {
        return Ok(());
    }
    if project.compile(ws, compiler)? {
        let shown = project.output.strip_prefix(&ws.root).unwrap_or(&project.output);
        eprintln!("build: {}", shown.display());
    }
    Ok(())
}

/// The SDK that handlers in Java are written with, its tests, the handlers of the examples, and the program that has a flow
/// inside.
fn java(ws: &Workspace) -> Result<()> {
    let sdk = ws.build().join("upcall.jar");
    let handlers = |sources: PathBuf, output: PathBuf| java::Project {
        sources,
        generated: None,
        output,
        references: vec![sdk.clone()],
    };
    let mut projects = vec![
        java::Project {
            sources: ws.root.join("sdk/java/src"),
            generated: Some(ws.build().join("java/upcall")),
            output: sdk.clone(),
            references: Vec::new(),
        },
        handlers(ws.root.join("sdk/java/tests"), ws.build().join("tests/upcall-tests.jar")),
    ];
    let others = ["examples/embedded", GRAPH].map(|example| ws.root.join(example));
    for example in ws.flows()?.into_iter().chain(others) {
        let output = example.join("build").join(format!("{}.jar", name(&example)));
        projects.push(handlers(example.join("java"), output));
    }
    for project in projects {
        if !files_below(&project.sources, "java")?.is_empty() && project.compile()? {
            let shown = project.output.strip_prefix(&ws.root).unwrap_or(&project.output);
            eprintln!("build: {}", shown.display());
        }
    }
    Ok(())
}

/// Writes what the structs of the boundary look like, for the tests of their generated mirrors.
fn layouts(ws: &Workspace) -> Result<()> {
    let mut example = match ws.profile {
        Profile::Release => {
            let mut cargo = ws.command("cargo");
            cargo.args(["run", "--quiet", "--package", "upcall-abi", "--example", "layouts"]);
            cargo
        }
        // It was built with all examples; alone it has other features, and would be compiled again.
        Profile::Dev => ws.command(ws.programs().join("examples/layouts")),
    };
    let printed = command::output(&mut example)?;
    place(printed.as_bytes(), &ws.build().join("layouts.txt"))
}

fn place_file(from: &Path, to: &Path) -> Result<()> {
    place(&fs::read(from).with_context(|| format!("reading {}", from.display()))?, to)
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
