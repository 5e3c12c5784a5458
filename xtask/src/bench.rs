//! `cargo xtask bench NAME`: one benchmark, in a release build, beside its peers.

mod embedding;
mod functions;
mod messages;

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::csharp::{Kind, Project};
use crate::setup::{Tool, dotnet};
use crate::workspace::Workspace;
use crate::{build, command, setup};

const PACKAGE: &str = "upcall-bench";

/// Sets up, builds and runs the benchmark named by the first argument; the others are passed to it.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<()> {
    let names = ws.binaries(PACKAGE);
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("One benchmark beside its peers.\n\nUsage: cargo xtask bench NAME [ARGUMENT...]\n");
        println!("Benchmarks: {}", names.join(", "));
        println!("What each measures, and the arguments it takes, is in bench/README.md.");
        return Ok(());
    }
    let Some((name, rest)) = arguments.split_first() else {
        bail!("running a benchmark: no name given; the benchmarks are: {}", names.join(", "));
    };
    if !names.contains(name) {
        bail!("running the benchmark `{name}`: no benchmark has that name; there are: {}", names.join(", "));
    }
    prepare(ws, name)?;
    let mut benchmark = ws.command("cargo");
    benchmark.args(["run", "--release", "--quiet", "--package", PACKAGE]);
    if name != "bindgen" {
        // The generator of bindings would be half of what there is to compile.
        benchmark.arg("--no-default-features");
    }
    if name == "boundary" {
        benchmark.args(["--features", "wasm"]);
    }
    benchmark.args(["--bin", name, "--"]).args(rest);
    match name.as_str() {
        "boundary" => {
            functions::build(ws, &mut benchmark)?;
            benchmark.env("UPCALL_BENCH_GRPC", peers(ws, "grpc")?);
            let addon = peers(ws, "napi")?.with_file_name("libupcall_bench_napi.so");
            benchmark.env("UPCALL_BENCH_NAPI", addon);
            embedding::build(ws, &mut benchmark)?;
        }
        "bindgen" => drop(benchmark.env("UPCALL_BENCH_DOTNET", bindings(ws)?)),
        "graph" => drop(benchmark.env("UPCALL_BENCH_UPCALL", ws.upcall())),
        "later" => later(ws, &mut benchmark)?,
        "mpi" => messages::build(ws, &mut benchmark)?,
        "pack" => codecs(ws, &mut benchmark)?,
        "soa" => columns(ws, &mut benchmark)?,
        "typed" => drop(benchmark.env("UPCALL_BENCH_TYPED", handlers(ws)?)),
        "wordcount" => drop(benchmark.env("UPCALL_BENCH_TIMELY", peers(ws, "timely")?)),
        _ => {}
    }
    command::run(&mut benchmark)
}

/// Sets up and builds what a benchmark loads or starts, and no more than that.
fn prepare(ws: &Workspace, name: &str) -> Result<()> {
    let (upcall, examples): (bool, &[&str]) = match name {
        "put" | "peers" => return Ok(()),
        "pack" if env::var_os("UPCALL_MEMORYPACK").is_none() => return Ok(()),
        "pack" => return setup::run(ws, Tool::RUN),
        "mpi" => {
            setup::run(ws, Tool::BUILD)?;
            // rsmpi reads the header of MPI by libclang.
            setup::run(ws, &[Tool::Native, Tool::Mpi])?;
            return build::run(ws, build::Wasm::None);
        }
        "boundary" => {
            setup::run(ws, Tool::BUILD)?;
            setup::run(ws, &[Tool::Native, Tool::Wasm])?;
            build::run(ws, build::Wasm::None)?;
            return build::wasm::probes(ws);
        }
        "handlers" => (false, &["console-printer", "wordcount"]),
        "later" => (true, &["later"]),
        "typed" => (true, &[]),
        "wordcount" => (false, &["wordcount"]),
        // Bindings for every language are part of these.
        _ => {
            setup::run(ws, Tool::BUILD)?;
            return build::run(ws, build::Wasm::None);
        }
    };
    build::examples(ws, upcall, examples)
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
    let program = Project::new(sources, output, Kind::Program);
    build::compile(ws, &compiler, &program)?;
    Ok(compiler.dotnet)
}

/// Makes the types of `bench/typed` in C# and Python, and compiles the handlers in C#; returns their assembly.
fn handlers(ws: &Workspace) -> Result<PathBuf> {
    let folder = ws.root.join("bench/typed");
    command::run(ws.command(ws.upcall()).args(["bindgen", "--config"]).arg(folder.join("bindgen.toml")))?;
    let references = vec![ws.build().join("Upcall.dll")];
    let output = folder.join("build/measured.dll");
    let project =
        Project { references, ..Project::new(folder.join("csharp"), output.clone(), Kind::Library) };
    build::compile(ws, &dotnet::find(ws)?, &project)?;
    Ok(output)
}

/// Builds the programs that measure reductions and their peers, and tells the benchmark where they are.
fn columns(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    benchmark.env("UPCALL_BENCH_COLUMNS", peers(ws, "columns")?);
    let compiler = dotnet::find(ws)?;
    let sources = ws.root.join("bench/peers/linq");
    let output = sources.join("build/linq.dll");
    let references = vec![ws.build().join("Upcall.dll")];
    let program = Project { references, ..Project::new(sources, output, Kind::Program) };
    build::compile(ws, &compiler, &program)?;
    benchmark.env("UPCALL_BENCH_DOTNET", compiler.dotnet).env("UPCALL_BENCH_LINQ", program.output);
    Ok(())
}

/// Builds the Rust peers in `bench/peers/NAME`, a workspace of its own, and returns their program.
fn peers(ws: &Workspace, name: &str) -> Result<PathBuf> {
    peers_with(ws, name, |_| ())
}

/// The same, with something more for cargo.
fn peers_with(ws: &Workspace, name: &str, more: impl FnOnce(&mut Command)) -> Result<PathBuf> {
    peers_in(ws, name, name, more)
}

/// The same, in a target folder of a name of its own: one that is built in several ways has several.
fn peers_in(ws: &Workspace, name: &str, folder: &str, more: impl FnOnce(&mut Command)) -> Result<PathBuf> {
    let target = ws.target.join(format!("bench-{folder}"));
    let mut cargo = ws.command("cargo");
    cargo
        .args(["build", "--release", "--quiet", "--locked", "--manifest-path"])
        .arg(ws.root.join("bench/peers").join(name).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target);
    more(&mut cargo);
    command::run(&mut cargo)?;
    Ok(target.join("release").join(format!("upcall-bench-{name}")))
}

/// Builds the service that is asked and the programs that ask it without a flow, and tells the benchmark where they are.
fn later(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    const SERVICE: &str = "slow-service";
    command::run(ws.command("cargo").args(["build", "--release", "--quiet", "--package", SERVICE]))?;
    let compiler = dotnet::find(ws)?;
    let sources = ws.root.join("bench/peers/later/csharp");
    let output = ws.root.join("bench/peers/later/build/plain.dll");
    let program = Project::new(sources, output, Kind::Program);
    build::compile(ws, &compiler, &program)?;
    benchmark
        .env("UPCALL_BENCH_SERVICE", ws.target.join("release").join(SERVICE))
        .env("UPCALL_BENCH_UPCALL", ws.upcall())
        .env("UPCALL_BENCH_DOTNET", compiler.dotnet)
        .env("UPCALL_BENCH_PLAIN", program.output)
        .env("UPCALL_BENCH_LATER", peers(ws, "later")?);
    Ok(())
}

/// Builds the programs that measure pack and its peers, and tells the benchmark where they are.
fn codecs(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    benchmark.env("UPCALL_BENCH_CODECS", peers(ws, "codecs")?);
    let Some(library) = env::var_os("UPCALL_MEMORYPACK").map(PathBuf::from) else {
        eprintln!(
            "bench: MemoryPack on .NET SKIPPED: UPCALL_MEMORYPACK does not name MemoryPack.Core.dll, \
             with MemoryPack.Generator.dll beside it"
        );
        return Ok(());
    };
    let compiler = dotnet::find(ws)?;
    let sources = ws.root.join("bench/peers/memorypack");
    let output = sources.join("build/codecs.dll");
    let program = Project {
        generators: vec![library.with_file_name("MemoryPack.Generator.dll")],
        references: vec![library],
        ..Project::new(sources, output, Kind::Program)
    };
    build::compile(ws, &compiler, &program)?;
    benchmark.env("UPCALL_BENCH_DOTNET", compiler.dotnet).env("UPCALL_BENCH_MEMORYPACK", program.output);
    Ok(())
}
