//! What the parts of `cargo xtask test` run.

use std::borrow::Cow;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::build::FEATURES;
use crate::ranks::{TOGETHER, WAITING, wait_asleep, waiting};
use crate::report::{Counts, Outcome};
use crate::setup::{arm, dotnet, graphs};
use crate::workspace::{Workspace, files_below};
use crate::{build, command, count, java};

/// rustfmt would change nothing, and no file holds what a merge has left open.
pub fn format(ws: &Workspace) -> Result<Outcome> {
    // Without git there is nothing to merge; it answers 1 when nothing is found.
    let markers = ws.command("git").args(["grep", "-nE", "^(<<<<<<<|>>>>>>>) "]).output();
    if let Ok(found) = markers
        && found.status.success()
    {
        bail!("merge conflicts were left in files:\n{}", String::from_utf8_lossy(&found.stdout).trim_end());
    }
    check(ws.command("cargo").args(["fmt", "--all", "--check"]))
}

/// No warnings, in tests and benchmarks either.
pub fn clippy(ws: &Workspace) -> Result<Outcome> {
    let arguments =
        ["clippy", "--workspace", "--all-targets", "--features", FEATURES, "--quiet", "--", "-D", "warnings"];
    check(ws.command("cargo").args(arguments))
}

/// `upcall-pack` is `#![no_std]`, so that what compiles without its feature `std` needs `alloc` only.
pub fn no_std(ws: &Workspace) -> Result<Outcome> {
    let arguments = ["clippy", "--package", "upcall-pack", "--no-default-features", "--quiet"];
    for features in ["", "serde"] {
        let mut cargo = ws.command("cargo");
        command::run(cargo.args(arguments).args(["--features", features, "--", "-D", "warnings"]))?;
    }
    Ok(Outcome::Done)
}

/// No warnings of rustdoc in what is published. With examples, and with the benchmarks, dependencies have the features that they have
/// for tests, so that those that clippy has checked are not checked again.
pub fn docs(ws: &Workspace) -> Result<Outcome> {
    let mut cargo = ws.command("cargo");
    cargo.args(["doc", "--workspace", "--no-deps", "--quiet", "--features", FEATURES, "--lib", "--examples"]);
    // Nor are those of the workspace: to cargo they are compiled as clippy has them compiled.
    let sysroot = command::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let driver = Path::new(sysroot.trim()).join("bin/clippy-driver");
    if driver.is_file() {
        cargo.env("RUSTC_WORKSPACE_WRAPPER", driver);
        cargo.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
    ws.unpublished().filter(|package| *package != "upcall-bench").for_each(|package| {
        cargo.args(["--exclude", package]);
    });
    check(cargo.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The examples in docs.
pub fn doc(ws: &Workspace) -> Result<Outcome> {
    let arguments = ["test", "--workspace", "--doc", "--quiet", "--features", FEATURES];
    tests(ws.command("cargo").args(arguments), count::libtest)
}

/// A command that has nothing to count.
fn check(command: &mut Command) -> Result<Outcome> {
    command::run(command).map(|()| Outcome::Done)
}

/// The reductions are also written for the vector instructions of 64-bit ARM, which are compiled here but never run.
pub fn arm(ws: &Workspace) -> Result<Outcome> {
    if !arm::is_there() {
        let why = format!("no standard library for it: `rustup target add {}` adds it", arm::TARGET);
        return Ok(Outcome::Skipped(why));
    }
    let arguments =
        ["clippy", "--package", "upcall-soa", "--target", arm::TARGET, "--quiet", "--", "-D", "warnings"];
    check(ws.command("cargo").args(arguments))
}

/// A test runner: a failure without a count, such as a crash, is an error.
fn tests(command: &mut Command, count: fn(&str) -> Option<Counts>) -> Result<Outcome> {
    let (succeeded, said) = command::tee(command)?;
    let counts = count(&said).with_context(|| {
        format!("`{}` ended without saying how many tests passed", command::shown(command))
    })?;
    if !succeeded && counts.failed == 0 {
        bail!("`{}` failed although no test did", command::shown(command));
    }
    Ok(Outcome::Tests(counts))
}

/// The tests in Rust, by nextest where it is installed.
pub fn rust(ws: &Workspace) -> Result<Outcome> {
    let (mut cargo, count) = in_rust(ws);
    const THREADS: &str = "NEXTEST_TEST_THREADS";
    if env::var_os(THREADS).is_none() {
        // Many tests wait for processes or for time: one more than there are cores keeps these at work.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        cargo.env(THREADS, (cores + 1).to_string());
    }
    if let Some(library) = waiting(ws)? {
        cargo.env(WAITING, library);
    }
    let together = ws.target.join("tests/together");
    if together.exists() {
        fs::remove_dir_all(&together).with_context(|| format!("removing {}", together.display()))?;
    }
    cargo.env(TOGETHER, together);
    tests(cargo.arg("--no-fail-fast"), count)
}

/// The tests in Rust, none of which is run.
pub fn compile(ws: &Workspace) -> Result<Outcome> {
    check(in_rust(ws).0.arg("--no-run"))
}

/// What compiles and runs them, and what counts them.
fn in_rust(ws: &Workspace) -> (Command, fn(&str) -> Option<Counts>) {
    let mut cargo = ws.command("cargo");
    let count: fn(&str) -> Option<Counts> =
        if command::works(Command::new("cargo").args(["nextest", "--version"])) {
            cargo.args(["nextest", "run"]);
            count::nextest
        } else {
            cargo.args(["test", "--lib", "--bins", "--tests"]);
            count::libtest
        };
    cargo.args(["--workspace", "--features", FEATURES]);
    (cargo, count)
}

/// The tests in Rust compare bindgen's packers with MemoryPack's own library where there is one; this says when there is
/// none.
pub fn memorypack(_: &Workspace) -> Result<Outcome> {
    let library = env::var_os("UPCALL_MEMORYPACK").map(PathBuf::from);
    let beside = |library: &PathBuf| library.with_file_name("MemoryPack.Generator.dll");
    if library.is_some_and(|library| library.is_file() && beside(&library).is_file()) {
        return Ok(Outcome::Done);
    }
    let why = "UPCALL_MEMORYPACK does not name MemoryPack.Core.dll, with MemoryPack.Generator.dll beside it";
    Ok(Outcome::Skipped(why.to_owned()))
}

/// The tests in Rust compare graph programs with NetworkX on graph-tool's collection where there is one; this says when
/// there is none.
pub fn graphs(ws: &Workspace) -> Result<Outcome> {
    if graphs::folder(ws).is_dir() {
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Skipped(format!(
        "apt has no {}, whose graphs NetworkX's results are compared on",
        graphs::PACKAGE
    )))
}

/// The tests of the reductions use all vector instructions that this CPU has; this names those that it lacks.
pub fn vector_instructions(_: &Workspace) -> Result<Outcome> {
    #[cfg(target_arch = "x86_64")]
    let missing: Vec<&str> = [
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("AVX-512", is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl")),
    ]
    .into_iter()
    .filter_map(|(name, there)| (!there).then_some(name))
    .collect();
    #[cfg(not(target_arch = "x86_64"))]
    let missing = ["SSE2", "AVX2", "AVX-512"];
    if missing.is_empty() {
        return Ok(Outcome::Done);
    }
    Ok(Outcome::Skipped(format!(
        "this CPU has no {}: the reductions that use it were not run",
        missing.join(", no ")
    )))
}

/// The tests of the boundary, of the wire format and of columns under AddressSanitizer, which only a nightly
/// compiler offers.
pub fn sanitizer(ws: &Workspace) -> Result<Outcome> {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    // Tests of its kernels go through millions of vectors, which the sanitizer makes slow enough.
    const OPTIMISED: &str = "profile.dev.package.upcall-soa.opt-level=1";
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped(format!("the sanitizer is run on {TARGET} only")));
    }
    if !command::works(Command::new("cargo").args(["+nightly", "--version"])) {
        let why = "no nightly toolchain: `rustup toolchain install nightly --profile minimal` adds it";
        return Ok(Outcome::Skipped(why.to_owned()));
    }
    let mut cargo = ws.command("cargo");
    cargo
        .args([
            "+nightly", "test", "--package", "upcall-abi", "--package", "upcall-pack", "--package",
            "upcall-soa", "--lib", "--tests", "--target", TARGET, "--config", OPTIMISED,
        ])
        .arg("--target-dir")
        .arg(ws.target.join("asan"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // It would keep locals off the stack, and `pack` knows by their addresses how deep it is.
        .env("ASAN_OPTIONS", "detect_stack_use_after_return=0");
    tests(&mut cargo, count::libtest)
}

/// Whether the lock files of workspaces beside this one fit what they depend on here: they are built `--locked`, and
/// some by benchmarks only.
pub fn locks(ws: &Workspace) -> Result<Outcome> {
    for folder in [
        "bench/peers/codecs", "bench/peers/columns", "bench/peers/grpc", "bench/peers/later",
        "bench/peers/napi", "bench/peers/rsmpi", "bench/peers/timely", "bench/peers/udf",
        "crates/apart/fuzz", "crates/graph/fuzz", "crates/pack/fuzz", "examples/engine",
        "examples/physx/rust",
    ] {
        let manifest = ws.root.join(folder).join("Cargo.toml");
        let mut cargo = ws.command("cargo");
        cargo.args(["metadata", "--locked", "--format-version", "1", "--manifest-path"]).arg(manifest);
        command::output(&mut cargo)?;
    }
    Ok(Outcome::Done)
}

/// Whether the fuzz targets, which belong to no workspace, still compile. Running them is up to cargo-fuzz, and takes a nightly.
pub fn fuzz(ws: &Workspace) -> Result<Outcome> {
    for of in ["apart", "graph", "pack"] {
        let mut cargo = ws.command("cargo");
        cargo
            .args(["check", "--quiet", "--locked", "--no-default-features", "--manifest-path"])
            .arg(ws.root.join("crates").join(of).join("fuzz/Cargo.toml"))
            // As this workspace's profile has it, most dependencies are checked already.
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .arg("--target-dir")
            .arg(&ws.target);
        command::output(&mut cargo)?;
    }
    Ok(Outcome::Done)
}

/// The tests of the C# SDK.
pub fn csharp(ws: &Workspace) -> Result<Outcome> {
    tests(&mut csharp_of(ws, "-MpiTests")?, count::console)
}

/// Those that run on ranks of MPI.
pub fn csharp_on_ranks(ws: &Workspace) -> Result<Outcome> {
    tests(wait_asleep(ws, &mut csharp_of(ws, "MpiTests")?)?, count::console)
}

fn csharp_of(ws: &Workspace, names: &str) -> Result<Command> {
    let mut program = ws.command(dotnet::find(ws)?.dotnet);
    program.arg("exec").arg(build::tests(ws).output).arg(names);
    Ok(program)
}

/// The tests of the Java SDK on the oldest Java that is there.
pub fn java_oldest(ws: &Workspace) -> Result<Outcome> {
    tests(&mut java_on(ws, &java::runtimes(ws)?.0, "-MpiTest")?, count::console)
}

/// The tests of the Java SDK on the newest Java that is there.
pub fn java_newest(ws: &Workspace) -> Result<Outcome> {
    tests(&mut java_on(ws, &java::runtimes(ws)?.1, "-MpiTest")?, count::console)
}

/// Those that run on ranks of MPI, on the oldest Java.
pub fn java_oldest_on_ranks(ws: &Workspace) -> Result<Outcome> {
    tests(wait_asleep(ws, &mut java_on(ws, &java::runtimes(ws)?.0, "MpiTest")?)?, count::console)
}

/// The same on the newest Java.
pub fn java_newest_on_ranks(ws: &Workspace) -> Result<Outcome> {
    tests(wait_asleep(ws, &mut java_on(ws, &java::runtimes(ws)?.1, "MpiTest")?)?, count::console)
}

fn java_on(ws: &Workspace, home: &Path, classes: &str) -> Result<Command> {
    let jars = env::join_paths([ws.build().join("upcall.jar"), ws.build().join("tests/upcall-tests.jar")])?;
    let mut program = ws.command(home.join("bin/java"));
    if java::is_foreign(home) {
        program.arg("--enable-native-access=ALL-UNNAMED");
    }
    program.arg(format!("-Dupcall.layouts={}", ws.build().join("layouts.txt").display()));
    program.arg("-cp").arg(&jars).args(["upcall.Check", classes]);
    Ok(program)
}

/// The host's tests on the oldest Java, which it calls in another way than the newest, on which the Rust tests run.
pub fn java_host(ws: &Workspace) -> Result<Outcome> {
    let (oldest, _) = java::runtimes(ws)?;
    let mut nextest = ws.command("cargo");
    nextest.args(["nextest", "run", "--workspace", "--features", FEATURES]);
    let programs = "binary(java) | binary(java_loading) | binary(java_start) | binary(java_and_others)";
    nextest.args(["-E", &format!("package(upcall-host) & ({programs})")]);
    // Set for the programs alone: what build scripts see of it would have half of the workspace compiled again.
    let said = command::output(Command::new("rustc").arg("-vV"))?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    let runner = format!("CARGO_TARGET_{}_RUNNER", host.to_uppercase().replace('-', "_"));
    nextest.env(runner, format!("env JAVA_HOME={}", oldest.display()));
    tests(&mut nextest, count::nextest)
}

/// The tests of the Python SDK.
pub fn python(ws: &Workspace) -> Result<Outcome> {
    let folder = ws.root.join("sdk/python/tests");
    tests(&mut python_of(ws, &[folder.as_os_str(), "--ignore-glob=*/test_mpi_*.py".as_ref()]), count::pytest)
}

/// Those that run on ranks of MPI.
pub fn python_on_ranks(ws: &Workspace) -> Result<Outcome> {
    let mut files = files_below(&ws.root.join("sdk/python/tests"), "py")?;
    files.retain(|file| file_name(file).starts_with("test_mpi_"));
    let files: Vec<_> = files.iter().map(|file| file.as_os_str()).collect();
    tests(wait_asleep(ws, &mut python_of(ws, &files))?, count::pytest)
}

fn python_of(ws: &Workspace, what: &[&OsStr]) -> Command {
    let mut pytest = ws.command(ws.python());
    pytest
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .args(what)
        .env("PYTHONPATH", ws.root.join("sdk/python"));
    pytest
}

/// The tests of the Node SDK.
pub fn node(ws: &Workspace) -> Result<Outcome> {
    tests(&mut node_of(ws, |name| !name.starts_with("mpi."))?, count::node)
}

/// Those that run on ranks of MPI.
pub fn node_on_ranks(ws: &Workspace) -> Result<Outcome> {
    tests(wait_asleep(ws, &mut node_of(ws, |name| name.starts_with("mpi."))?)?, count::node)
}

fn node_of(ws: &Workspace, wanted: fn(&str) -> bool) -> Result<Command> {
    let mut files = files_below(&ws.root.join("sdk/node/tests"), "js")?;
    files.retain(|file| {
        let name = file_name(file);
        name.ends_with(".test.js") && wanted(&name)
    });
    let mut node = ws.command("node");
    node.arg("--test").args(files);
    Ok(node)
}

fn file_name(file: &Path) -> Cow<'_, str> {
    file.file_name().unwrap_or_default().to_string_lossy()
}

/// The folders whose Python is typed: the stubs and the examples.
fn typed(ws: &Workspace) -> Result<Vec<PathBuf>> {
    let mut folders = vec![ws.root.join("sdk/python/upcall")];
    folders.extend(ws.flows()?);
    let mut found = Vec::new();
    for folder in folders {
        if !files_below(&folder, "py")?.is_empty() || !files_below(&folder, "pyi")?.is_empty() {
            found.push(folder);
        }
    }
    Ok(found)
}

/// Each folder on its own: two may have a module of the same name.
pub fn mypy(ws: &Workspace) -> Result<Outcome> {
    for folder in typed(ws)? {
        let mut mypy = ws.command(ws.python());
        mypy.args(["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir"])
            .arg(ws.build().join("mypy"))
            .arg(folder)
            .env("MYPYPATH", ws.root.join("sdk/python"));
        command::run(&mut mypy)?;
    }
    Ok(Outcome::Done)
}
