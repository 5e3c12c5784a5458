//! Of the commands for projects: `new`, `build`, `test`.

use super::Guests;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_long_help = NEW)]
pub(crate) struct New {
    /// The language of its handler.
    #[arg(value_enum)]
    pub(crate) language: Language,
    /// The project's name, which is the name of its folder too: letters, digits, `-` and `_`.
    ///
    /// It may be a path, whose last part is the name. The folder must not exist yet.
    #[arg(value_name = "NAME")]
    pub(crate) path: PathBuf,
}

/// The language of a project's handler.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Language {
    /// C, as a module of WebAssembly.
    C,
    /// C#, on .NET.
    Csharp,
    /// Java.
    Java,
    /// JavaScript.
    Node,
    /// Python.
    Python,
    /// Rust, as a shared library.
    Rust,
    /// Rust, as a module of WebAssembly.
    Wasm,
}

const NEW: &str = "\
It writes a handler, its tests, a flow that runs it, some input and a README.

Examples:
  upcall new csharp hello
  cd hello
  upcall build
  upcall test
  upcall run --dump /greetings=-

Exit codes: 0 it is written; 1 it could not be written, and nothing of it is left; 2 the name cannot be used,
or there is such a folder already.";

#[derive(Args)]
#[command(after_long_help = BUILD)]
pub(crate) struct Build {
    /// The project's folder; without it, this one.
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

const BUILD: &str = "\
A folder with a .csproj is compiled to build/NAME.dll: by the .NET SDK's compiler, or by the one that
`cargo xtask setup` fetched. A folder with a Cargo.toml is compiled by cargo, and the library copied to build/:
for WebAssembly where flow.toml names a module there. NAME.c is compiled where it names build/NAME.wasm.
Java files, beside each other or in src/, are compiled to build/NAME.jar, NAME being the folder's.
Python and JavaScript files are checked for syntax.

Examples:
  upcall build
  upcall build ~/projects/hello

Exit codes: 0 it is built; 1 it does not compile, or a tool is missing; 2 there is nothing to build.";

#[derive(Args)]
#[command(after_long_help = TEST)]
pub(crate) struct Test {
    /// The project's folder; without it, this one.
    #[arg(value_name = "FOLDER", default_value = ".", hide_default_value = true)]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

const TEST: &str = "\
C#: the folder tests/ is compiled to a console program, which runs. Java: so is each class of
tests/ that has a main. Rust: `cargo test`. C: every test_*.c is compiled for this machine by CC,
or cc, and runs. JavaScript: every
*.test.mjs, .js and .ts, by `node --test`, in a folder with a package.json. Python: every test*.py,
by unittest. What is to be tested is built first.

Examples:
  upcall test
  upcall test ~/projects/hello

Exit codes: 0 all tests passed; 1 one failed, or something does not compile; 2 there is nothing to test.";
