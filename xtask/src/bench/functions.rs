//! The row functions that `boundary` has beside it: `bench/peers/udf`, which needs more than other peers do.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::command;
use crate::setup::python;
use crate::workspace::Workspace;

/// The oldest Python that arrow-udf is built with.
const OLDEST: (u32, u32) = (3, 12);
/// What its guest is compiled to.
const TARGET: &str = "wasm32-unknown-unknown";
/// The guest's package.
const GUEST: &str = "upcall-bench-udf-guest";

/// Builds the programs, and tells the benchmark where they are; says what is left out and why.
pub fn build(ws: &Workspace, benchmark: &mut Command) -> Result<()> {
    let mut cargo = cargo(ws, &[]);
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
    match guest(ws) {
        Some(mut cargo) => {
            command::run(&mut cargo)?;
            let file = format!("{}.wasm", GUEST.replace('-', "_"));
            benchmark.env("UPCALL_BENCH_UDF_GUEST", target(ws).join(TARGET).join("release").join(file));
        }
        None => eprintln!(
            "bench: arrow-udf's WebAssembly SKIPPED: no standard library for {TARGET}: `rustup target add {TARGET}` \
             adds it"
        ),
    }
    Ok(())
}

/// What compiles the guest: with the target's standard library, else by a nightly compiler that has its source.
fn guest(ws: &Workspace) -> Option<Command> {
    let rustc = |toolchain: &[&str], asked: &[&str]| {
        let said = command::output(Command::new("rustc").args(toolchain).arg("--print").args(asked));
        said.ok().map(|folder| PathBuf::from(folder.trim()))
    };
    let mut cargo = if rustc(&[], &["target-libdir", "--target", TARGET]).is_some_and(|there| there.is_dir())
    {
        cargo(ws, &[])
    } else {
        let sysroot = rustc(&["+nightly"], &["sysroot"])?;
        if !sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").is_file() {
            return None;
        }
        let mut cargo = cargo(ws, &["+nightly"]);
        cargo.arg("-Zbuild-std=std,panic_abort");
        cargo
    };
    cargo.args(["--package", GUEST, "--target", TARGET]);
    Some(cargo)
}

fn cargo(ws: &Workspace, toolchain: &[&str]) -> Command {
    let mut cargo = ws.command("cargo");
    cargo
        .args(toolchain)
        .args(["build", "--release", "--quiet", "--locked", "--manifest-path"])
        .arg(ws.root.join("bench/peers/udf/Cargo.toml"))
        .arg("--target-dir")
        .arg(target(ws));
    cargo
}

fn target(ws: &Workspace) -> PathBuf {
    ws.target.join("bench-udf")
}
