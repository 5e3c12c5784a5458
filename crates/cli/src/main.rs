//! The `upcall` command: runs a flow from its file, checks one, says which guests work here and what a crossing
//! into them costs.
//!
//! It is a crate of its own because a command has what no engine needs: arguments, files of lines, signals, a
//! terminal. What it does with a flow, any program can do through `upcall_flow` and `upcall_config`.

mod arguments;
mod bench;
mod bindgen;
mod check;
mod closed;
mod describe;
mod doctor;
mod dump;
mod exit;
mod explain;
mod graph;
mod guests;
mod input;
mod last_word;
mod log;
mod mpi;
mod output;
mod progress;
mod project;
mod report;
mod results;
mod run;
mod signals;
mod target;
mod text;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    signals::look();
    let arguments = arguments::Arguments::parse();
    let outcome = match arguments.command {
        arguments::Command::New(new) => project::new(&new),
        arguments::Command::Build(build) => project::build(&build.folder, &build.guests),
        arguments::Command::Test(test) => project::test(&test.folder, &test.guests),
        arguments::Command::Run(run) => run::run(run),
        arguments::Command::Check(check) => check::check(check),
        arguments::Command::Describe(asked) => describe::run(&asked),
        arguments::Command::Explain(explain) => explain::explain(&explain),
        arguments::Command::Doctor(doctor) => doctor::doctor(doctor),
        arguments::Command::Bindgen(bindgen) => bindgen::bindgen(*bindgen),
        arguments::Command::Bench(arguments::Bench::Boundary(boundary)) => bench::boundary(boundary),
        arguments::Command::Mpi(arguments::Mpi::Run(run)) => mpi::run(&run),
        arguments::Command::Mpi(arguments::Mpi::Info(info)) => mpi::info(&info),
        arguments::Command::Mpi(arguments::Mpi::Rank) => mpi::rank(),
        arguments::Command::Graph(arguments::Graph::Build(build)) => graph::build(*build),
        arguments::Command::Graph(arguments::Graph::Info(info)) => graph::info(&info),
        arguments::Command::Graph(arguments::Graph::Check(check)) => graph::check(&check),
        arguments::Command::Graph(arguments::Graph::Export(export)) => graph::export(&export),
        arguments::Command::Graph(arguments::Graph::Run(run)) => graph::run(&run),
        arguments::Command::Guest(guest) => guests::serve(guest),
    };
    exit::code(outcome)
}
