//! `cargo xtask counts`: the instructions that hot paths execute, as callgrind counts them, beside those of
//! `bench/counts/counts.toml`.
//!
//! Time depends on the machine, instructions do not: what is counted is our own code, without libc, Python and the
//! kernel, built as it is published, by the compiler that `bench/counts/rust-toolchain.toml` names.

mod callgrind;
mod table;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::report::{Counts, Outcome, Report};
use crate::setup::{self, Tool};
use crate::workspace::Workspace;
use crate::{build, command};
use table::{Table, Verdict};

const FOLDER: &str = "bench/counts";

/// What setup must have prepared.
pub const TOOLS: &[Tool] = &[Tool::Python, Tool::Valgrind];

/// `cargo xtask counts [--update]`; false if a path executes more than it did.
pub fn run(ws: &Workspace, arguments: &[String]) -> Result<bool> {
    let update = match arguments {
        [] => false,
        [flag] if flag == "--update" => true,
        other => bail!("counting instructions: it takes `--update` or nothing, found `{}`", other.join(" ")),
    };
    setup::run(ws, TOOLS)?;
    if update {
        let found = match count(ws)? {
            Ok(found) => found,
            Err(why) => bail!("counting instructions anew: {why}"),
        };
        let file = file(ws);
        fs::write(&file, found.text(&Table::read(&file).unwrap_or_default()))
            .with_context(|| format!("writing {}", file.display()))?;
        println!("{}", file.display());
        return Ok(true);
    }
    let mut report = Report::new();
    let result = report.step("instruction counts", || check(ws));
    Ok(result.map_err(|error| eprintln!("{error}")).is_ok())
}

/// Compares; every path is a test.
pub fn check(ws: &Workspace) -> Result<Outcome> {
    let found = match count(ws)? {
        Ok(found) => found,
        Err(why) => return Ok(Outcome::Skipped(why)),
    };
    let expected = Table::read(&file(ws))?;
    let mut counts = Counts::default();
    for (name, verdict) in expected.compare(&found) {
        println!("{name:<42} {verdict}");
        match verdict {
            Verdict::Risen(..) | Verdict::Unknown(_) | Verdict::Gone(_) => counts.failed += 1,
            Verdict::Same(_) | Verdict::Fallen(..) => counts.passed += 1,
        }
    }
    if counts.failed > 0 {
        println!("where a rise is meant, `cargo xtask counts --update` in the same commit, which says why");
    }
    Ok(Outcome::Tests(counts))
}

fn file(ws: &Workspace) -> PathBuf {
    ws.root.join(FOLDER).join("counts.toml")
}

/// Builds, runs all groups under valgrind, and reads what it wrote; or why this machine cannot.
fn count(ws: &Workspace) -> Result<std::result::Result<Table, String>> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Err("the counts are those of Linux on x86-64".to_owned()));
    }
    let Some(toolchain) = Toolchain::pinned(ws)? else {
        let pinned = pinned(ws)?;
        return Ok(Err(format!(
            "no Rust {pinned}: `rustup toolchain install {pinned} --profile minimal` adds it"
        )));
    };
    let [program, driver] = toolchain.build(ws)?;
    let folder = ws.target.join("counts");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    let mut found = Table::default();
    let all: &[&str] = &["boundary", "exported", "flow", "pack", "columns", "python"];
    // Kernels for AVX-512 are not counted: valgrind does not know it.
    for (instructions, groups) in [("avx2", all), ("sse2", &["columns"])] {
        let folder = folder.join(instructions);
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        // It takes seconds; one that hangs is stopped.
        let mut valgrind = Command::new("timeout");
        valgrind
            .args(["300", "valgrind"])
            .args(["--tool=callgrind", "--quiet", "--fair-sched=no"])
            .arg(format!("--callgrind-out-file={}", folder.join("out").display()))
            .arg(&program)
            .args(groups)
            .current_dir(&ws.root)
            // Nothing else in the environment takes part.
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("PYTHONHASHSEED", "0")
            .env("UPCALL_HOME", &ws.root)
            .env("UPCALL_PYTHON_DRIVER", &driver)
            .env("UPCALL_SIMD", instructions);
        command::output(&mut valgrind)?;
        let ours = |object: &str| {
            let object = Path::new(object);
            object.starts_with(&ws.target) || object.starts_with(ws.build())
        };
        for entry in fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))? {
            let path = entry?.path();
            let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
            if let Some((name, each)) = callgrind::read(&text, ours) {
                found.add(name, each);
            }
        }
    }
    Ok(Ok(found))
}

/// The version that `bench/counts/rust-toolchain.toml` names.
fn pinned(ws: &Workspace) -> Result<String> {
    let file = ws.root.join(FOLDER).join("rust-toolchain.toml");
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let channel = text.lines().find_map(|line| line.strip_prefix("channel = "));
    Ok(channel.context("rust-toolchain.toml names no channel")?.trim_matches('"').to_owned())
}

/// How to call the pinned compiler: the one in use, under whatever name, or rustup's of that version.
struct Toolchain(Option<String>);

impl Toolchain {
    fn pinned(ws: &Workspace) -> Result<Option<Toolchain>> {
        let pinned = pinned(ws)?;
        let is_it = |rustc: &mut Command| {
            command::output(rustc.arg("--version"))
                .is_ok_and(|said| said.split(' ').nth(1) == Some(pinned.as_str()))
        };
        if is_it(&mut Command::new("rustc")) {
            return Ok(Some(Toolchain(None)));
        }
        let named = format!("+{pinned}");
        Ok(is_it(Command::new("rustc").arg(&named)).then_some(Toolchain(Some(named))))
    }

    /// Builds the program and the Python driver as they are published, whatever the environment says of profiles.
    fn build(&self, ws: &Workspace) -> Result<[PathBuf; 2]> {
        let target = match self.0 {
            Some(_) => ws.target.join("pinned"),
            None => ws.target.clone(),
        };
        let mut cargo = ws.command("cargo");
        cargo
            .args(&self.0)
            .args(["build", "--release", "--package", "upcall-counts", "--package", build::DRIVER])
            .arg("--target-dir")
            .arg(&target);
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PROFILE_") || text.ends_with("RUSTFLAGS") {
                cargo.env_remove(&name);
            }
        }
        command::run(&mut cargo)?;
        let release = target.join("release");
        let driver = build::driver(ws).context("sdk/python has no library")?;
        let driver = driver.0.built.file_name().context("a library is a file")?.to_owned();
        Ok([release.join("upcall-counts"), release.join(driver)])
    }
}
