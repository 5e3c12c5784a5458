//! The programs of `boundary` that have loaded us and give handlers, and what they are compared with.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::{peers, peers_with};
use crate::csharp::{Kind, Project};
use crate::setup::dotnet;
use crate::workspace::Workspace;
use crate::{build, command};

/// Builds them, and tells the benchmark where they are.
pub fn build(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    let package = "upcall-bench-embed";
    command::run(ws.command("cargo").args(["build", "--release", "--quiet", "--package", package]))?;
    benchmark.env("UPCALL_BENCH_EMBED", ws.target.join("release/libupcall_bench_embed.so"));
    let compiler = dotnet::find(ws)?;
    let sources = ws.root.join("bench/embed/csharp");
    let output = sources.join("build/embed.dll");
    let references = vec![ws.build().join("Upcall.dll")];
    let program = Project { references, ..Project::new(sources, output, Kind::Program) };
    build::compile(ws, &compiler, &program)?;
    benchmark.env("UPCALL_BENCH_DOTNET", compiler.dotnet).env("UPCALL_BENCH_EMBED_CSHARP", program.output);

    // PyO3 asks the Python of this variable what it is built for.
    let python = ws.setup().join("venv/bin/python");
    let built = peers_with(ws, "pyo3", |cargo| {
        cargo.env("PYO3_PYTHON", &python);
    })?;
    let built = built.with_file_name("libupcall_bench_pyo3.so");
    let folder = built.with_file_name("python");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let module = folder.join("upcall_bench_pyo3.so");
    fs::copy(&built, &module).with_context(|| format!("copying to {}", module.display()))?;
    benchmark.env("UPCALL_BENCH_PYO3", folder).env("UPCALL_BENCH_EMBED_PYTHON", python);

    let classes = ws.target.join("bench-embed-java");
    let javac = ["--release", "17", "-cp", "build/upcall.jar", "bench/embed/java/Embed.java", "-d"];
    command::run(ws.command("javac").args(javac).arg(&classes))?;
    let peer = peers(ws, "jni")?.with_file_name("libupcall_bench_jni.so");
    benchmark.env("UPCALL_BENCH_EMBED_JAVA", classes).env("UPCALL_BENCH_JNI", peer);
    Ok(())
}
