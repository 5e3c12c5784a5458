//! The row functions that `boundary` has beside it: `bench/peers/udf`, which needs more than other peers do.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::command;
use crate::setup::python;
use crate::setup::wasm::TARGET;
use crate::workspace::Workspace;

/// The oldest Python that arrow-udf is built with.
const OLDEST: (u32, u32) = (3, 12);
/// The guests in WebAssembly, and how the benchmark is told where they are.
const GUESTS: [(&str, &str); 2] = [
    ("upcall-bench-udf-guest", "UPCALL_BENCH_UDF_GUEST"),
    ("upcall-bench-extism-guest", "UPCALL_BENCH_EXTISM_GUEST"),
];

/// Builds the programs, and tells the benchmark where they are; says what is left out and why.
pub fn build(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    let mut cargo = cargo(ws);
    cargo.args(["--package", "upcall-bench-udf"]);
    match python::embeddable(OLDEST) {
        Some(python) => {
            cargo.env("PYO3_PYTHON", &python);
            let ask = "import sysconfig; print(sysconfig.get_config_var('LIBDIR'))";
            let libraries = command::output(Command::new(&python).args(["-c", ask]))?;
            benchmark.env("UPCALL_BENCH_UDF_LIBRARIES", libraries.trim());
        }
        None => {
            let (major, minor) = OLDEST;
            eprintln!(
                "bench: arrow-udf's Python SKIPPED: no Python {major}.{minor} or later with a shared library"
            );
            cargo.arg("--no-default-features");
        }
    }
    command::run(&mut cargo)?;
    benchmark.env("UPCALL_BENCH_UDF", target(ws).join("release/upcall-bench-udf"));
    for (package, variable) in GUESTS {
        command::run(self::cargo(ws).args(["--package", package, "--target", TARGET]))?;
        let file = format!("{}.wasm", package.replace('-', "_"));
        benchmark.env(variable, target(ws).join(TARGET).join("release").join(file));
    }
    let classes = target(ws).join("java");
    let source = ws.root.join("bench/peers/udf/java/Touch.java");
    command::run(ws.command("javac").args(["--release", "17", "-d"]).arg(&classes).arg(source))?;
    benchmark.env("UPCALL_BENCH_UDF_CLASSES", classes);
    Ok(())
}

fn cargo(ws: &Workspace) -> Command {
    let mut cargo = ws.command("cargo");
    cargo
        .args(["build", "--release", "--quiet", "--locked", "--manifest-path"])
        .arg(ws.root.join("bench/peers/udf/Cargo.toml"))
        .arg("--target-dir")
        .arg(target(ws));
    cargo
}

fn target(ws: &Workspace) -> PathBuf {
    ws.target.join("bench-udf")
}
