//! The commands of the repository: `cargo xtask setup`, `build`, `demo`, `test`, `counts`, `bench`.
//!
//! It is compiled before anything else can run, so its dependencies are few.

mod bench;
mod build;
mod command;
mod count;
mod counts;
mod csharp;
mod demo;
mod digest;
mod example;
#[cfg(test)]
mod guests;
mod java;
mod physx;
mod ranks;
mod report;
mod server;
mod setup;
mod tables;
mod test;
mod workspace;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build::Wasm;
use crate::setup::Tool;
use crate::workspace::Workspace;

const HELP: &str = "\
The commands of the repository.

Usage: cargo xtask COMMAND

Each command installs and builds what it needs itself, when it needs it, and nothing else.

Commands:
  setup              install all that any command needs (into .setup/, or with apt-get)
  build [--wasm]     build `upcall`, what its hosts load (into build/), and the examples; with --wasm
                     `upcall` runs WebAssembly, whose runtime takes minutes to compile once
  demo [ARG...]      count the words of a book in C#, Python and Rust; arguments go to `upcall run`
  test [PART...]     every check and test, or these parts; the last line is `N passed, N failed`;
                     with --physx also the bindings of PhysX, which takes minutes to build once;
                     with --long isolated handlers are killed 200 times in each language, not 20
  counts [--update]  the instructions that hot paths execute, beside bench/counts/counts.toml;
                     with --update that file is written anew
  bench NAME         one benchmark beside its peers; no NAME lists them
  help               print this text

Environment:
  DOTNET_ROOT          a .NET SDK to use instead of the one on PATH
  VIRTUAL_ENV          a Python to use instead of the one on PATH
  CARGO_TARGET_DIR     where cargo builds
  UPCALL_MEMORYPACK    MemoryPack.Core.dll, with MemoryPack.Generator.dll beside it: `test` runs the
                       packers beside it, `bench pack` measures it
  UPCALL_BENCH_GAP     a folder with the programs of the GAP benchmark suite, which `bench graph` measures beside ours
  UPCALL_BENCH_PYTHON  the Python, 3.11 or 3.12, into which `bench` installs the peers
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one command; false if it has already said what failed.
fn run(arguments: &[String]) -> Result<bool> {
    let Some((command, rest)) = arguments.split_first() else {
        print!("{HELP}\n{}", parts());
        return Ok(true);
    };
    let with_wasm = command == "build" && rest == ["--wasm"];
    let takes_more = with_wasm || matches!(command.as_str(), "demo" | "bench" | "test" | "counts");
    let help = rest.iter().any(|argument| argument == "--help" || argument == "-h");
    if help && !matches!(command.as_str(), "demo" | "bench") {
        print!("{HELP}\n{}", parts());
        return Ok(true);
    }
    if let (Some(unknown), false) = (rest.first(), takes_more) {
        bail!("running `{command}`: it takes no argument, found `{unknown}`; see `cargo xtask help`");
    }
    match command.as_str() {
        "setup" => setup::run(&Workspace::find()?, &Tool::ALL)?,
        "build" => {
            let ws = Workspace::find()?;
            setup::run(&ws, Tool::BUILD)?;
            if with_wasm {
                setup::run(&ws, &[Tool::Native, Tool::Wasm])?;
            }
            build::run(&ws, if with_wasm { Wasm::Runtime } else { Wasm::None })?;
        }
        "demo" => demo::run(&Workspace::find()?, rest)?,
        "test" => return test::run(&Workspace::find()?.for_tests(), rest),
        "counts" => return counts::run(&Workspace::find()?, rest),
        "bench" => bench::run(&Workspace::find()?, rest)?,
        "help" | "--help" | "-h" => print!("{HELP}\n{}", parts()),
        unknown => bail!(
            "running `{unknown}`: there is no such command; \
             there are setup, build, demo, test, counts and bench: see `cargo xtask help`"
        ),
    }
    Ok(true)
}

/// What `test` can be told to run.
fn parts() -> String {
    format!("Parts of `test`, in the order in which they are run:\n{}", test::help())
}
