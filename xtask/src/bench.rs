//! `cargo xtask bench NAME`: one benchmark, in a release build, beside its peers.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::csharp::{Kind, Project};
use crate::setup::dotnet;
use crate::workspace::Workspace;
use crate::{build, command, setup};

const PACKAGE: &str = "upcall-bench";

/// Sets up, builds and runs the benchmark named by the first argument; the others are passed to it.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<()> {
    let names = ws.binaries(PACKAGE);
    let Some((name, rest)) = arguments.split_first() else {
        bail!("running a benchmark: no name given; the benchmarks are: {}", names.join(", "));
    };
    if !names.contains(name) {
        bail!("running the benchmark `{name}`: there is none of that name; there are: {}", names.join(", "));
    }
    setup::run(ws)?;
    build::run(ws)?;
    let mut benchmark = ws.command("cargo");
    benchmark.args(["run", "--release", "--quiet", "--package", PACKAGE, "--bin", name, "--"]).args(rest);
    if name == "bindgen" {
        benchmark.env("UPCALL_BENCH_DOTNET", bindings(ws)?);
    }
    command::run(&mut benchmark)
}

/// Makes the bindings that are measured, and the program in C#; returns what runs that.
fn bindings(ws: &Workspace) -> Result<PathBuf> {
    let folder = ws.root.join("bench/bindgen");
    command::run(
        ws.command("cargo").args(["build", "--release", "--quiet", "--package", "upcall-bench-api"]),
    )?;
    for config in ["bindgen.toml", "jni.toml"] {
        command::run(ws.command(ws.upcall()).args(["bindgen", "--config"]).arg(folder.join(config)))?;
    }
    let compiler = dotnet::find(ws)?;
    let sources = folder.join("csharp");
    let output = sources.join("build/bench.dll");
    let program =
        Project { sources, output, kind: Kind::Program, references: Vec::new(), generators: Vec::new() };
    build::compile(ws, &compiler, &program)?;
    Ok(compiler.dotnet)
}
