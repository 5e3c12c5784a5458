//! How long the bindings of PhysX take to write: 1,927 functions for four languages, from `physx-sys`.

use super::build;
use crate::book;
use crate::command::run;
use crate::measure::{Clock, Sample};
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CACHED: &str = "upcall bindgen, four languages, probe cached";
const COLD: &str = "upcall bindgen, four languages, cold";

/// One way to make them.
#[derive(Clone, Debug, Serialize)]
pub struct Generation {
    /// What makes them.
    pub variant: &'static str,
    /// The least of wall and CPU time.
    pub least: Sample,
    /// The target: at most this many CPU seconds.
    pub most: f64,
    /// Whether it is met, which takes a machine with nothing else to do.
    pub met: bool,
    /// Every run.
    pub runs: Vec<Sample>,
}

/// Each way this many times, in turn.
pub fn measure(runs: usize) -> Result<Vec<Generation>> {
    let source = source()?;
    let folder = build().join("physx");
    let [cache, out] = ["cache", "out"].map(|name| folder.join(name));
    let mut samples = [const { Vec::new() }; 2];
    for round in 0..runs {
        eprintln!("measuring: PhysX, {} of {runs}", round + 1);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
        }
        for sample in &mut samples {
            sample.push(ours(&source, &cache, &out)?);
            // Unchanged files are not rewritten: the next run is to write all of them again.
            fs::remove_dir_all(&out).with_context(|| format!("emptying {}", out.display()))?;
        }
    }
    let [cold, cached] = samples;
    let generation = |variant, runs: Vec<Sample>, most: f64| {
        let least = Sample::minimum(&runs);
        Generation { variant, least, most, met: least.cpu_seconds <= most, runs }
    };
    Ok(vec![generation(COLD, cold, 4.0), generation(CACHED, cached, 1.0)])
}

/// The root file of `physx-sys`, where cargo unpacks it. Nothing of PhysX is built.
fn source() -> Result<PathBuf> {
    let mut metadata = Command::new("cargo");
    metadata.args(["metadata", "--format-version", "1", "--manifest-path"]);
    let text = run(metadata.arg(book::root().join("examples/physx/rust/Cargo.toml")))?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("reading cargo's metadata")?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let physx = packages.find(|package| package["name"] == "physx-sys");
    let manifest = physx.and_then(|package| package["manifest_path"].as_str());
    let manifest = manifest.context("looking for physx-sys: cargo does not know it")?;
    Ok(Path::new(manifest).with_file_name("src").join("lib.rs"))
}

/// A process of the command, which `cargo xtask bench` has built beside this program.
fn ours(source: &Path, cache: &Path, out: &Path) -> Result<Sample> {
    let program = std::env::current_exe().context("finding this program")?.with_file_name("upcall");
    let mut command = Command::new(program);
    command.args(["bindgen", "--library", "physx", "--rust"]).arg(source).env("XDG_CACHE_HOME", cache);
    let outputs = [("csharp", "Physx.g.cs"), ("python", "python"), ("typescript", "ts"), ("java", "java")];
    for (language, output) in outputs {
        command.arg(format!("--{language}")).arg(out.join(output));
    }
    let (wall, cpu) = (Clock::Wall.now(), children());
    let said = run(&mut command)?;
    let sample =
        Sample { wall_seconds: (Clock::Wall.now() - wall).as_secs_f64(), cpu_seconds: children() - cpu };
    let written = said.lines().count();
    ensure!(written > 400, "making the bindings of PhysX: {written} files were written, not all of them");
    Ok(sample)
}

/// CPU seconds of all processes that this one has waited for, and of theirs.
fn children() -> f64 {
    // SAFETY: `usage` is a place for one rusage, of which zeroes are a value.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// A table for a terminal.
pub fn table(found: &[Generation]) -> String {
    let mut text = format!("\n{:<46}{:>8}{:>8}\n", "bindings of PhysX, s", "CPU", "wall");
    for row in found {
        text += &format!("{:<46}{:>8.2}{:>8.2}", row.variant, row.least.cpu_seconds, row.least.wall_seconds);
        text += &format!("  of {}: {}\n", row.most, if row.met { "met" } else { "MISSED" });
    }
    text
}
