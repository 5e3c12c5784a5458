//! The programs of `mpi`: in C# and Python, and rsmpi's for each MPI.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::peers_in;
use crate::csharp::{Kind, Project};
use crate::setup::dotnet;
use crate::workspace::Workspace;
use crate::{build, command};

/// Builds them, and tells the benchmark where they are. What they load is built already.
pub fn build(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    for mpi in ["openmpi", "mpich"] {
        let compiler = format!("mpicc.{mpi}");
        let program = peers_in(ws, "rsmpi", &format!("rsmpi-{mpi}"), |cargo| {
            // The build script runs it and takes the folders of headers and libraries from what it says.
            cargo.env("MPICC", compiler);
        })?;
        benchmark.env(format!("UPCALL_BENCH_RSMPI_{}", mpi.to_uppercase()), program);
    }
    // The records, in C# and Python.
    let folder = ws.root.join("bench/mpi");
    command::run(ws.command(ws.upcall()).args(["bindgen", "--config"]).arg(folder.join("bindgen.toml")))?;
    let compiler = dotnet::find(ws)?;
    let sources = folder.join("csharp");
    let output = sources.join("build/messages.dll");
    let references = vec![ws.build().join("Upcall.dll")];
    let program = Project { references, ..Project::new(sources, output, Kind::Program) };
    build::compile(ws, &compiler, &program)?;
    // As .NET 8 has it where nobody says otherwise: it inlines what an operation calls for each element.
    let config = program.output.with_extension("runtimeconfig.json");
    let said = dotnet::RUNTIME_CONFIG
        .replace(r#""System.Runtime.TieredPGO":false"#, r#""System.Runtime.TieredPGO":true"#);
    fs::write(&config, said).with_context(|| format!("writing {}", config.display()))?;
    benchmark.env("UPCALL_BENCH_DOTNET", compiler.dotnet).env("UPCALL_BENCH_MPI_CSHARP", program.output);
    Ok(())
}
