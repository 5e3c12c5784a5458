//! The example of bindings, as its README says it: every block of commands is run as printed.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::csharp::{Kind, Project};
use crate::report::{Counts, Outcome};
use crate::setup::dotnet;
use crate::workspace::Workspace;
use crate::{build, command, java};

const FOLDER: &str = "examples/bindgen";

/// How the README starts the command where it is not installed.
const COMPILED: &str = "cargo run --release --package upcall-cli --";

/// What every program prints before its language's name and after it.
const PRINTED: [&str; 2] = [
    "version 1\nmean 3\n4 values from 1 to 6\n3 are above 1.5\nhello, ",
    "\nsum 13\nerror 1: there is nothing to take the mean of\n",
];

/// Runs the blocks, one after the other; each that runs programs must print what the README shows.
pub fn run(ws: &Workspace) -> Result<Outcome> {
    let folder = ws.root.join(FOLDER);
    let readme = folder.join("README.md");
    let text = fs::read_to_string(&readme).with_context(|| format!("reading {}", readme.display()))?;
    if !text.contains(COMPILED) {
        bail!("{} no longer says `{COMPILED}`", readme.display());
    }
    // The command is there already, with more features: it would be compiled again.
    let text = text.replace(COMPILED, &ws.upcall().display().to_string());
    let jdk = java::newest();
    let path = path(ws, jdk.as_deref().map(|home| home.join("bin")))?;
    let mut counts = Counts { passed: 0, failed: 0 };
    for block in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        let printed = if block.contains("dotnet run") && command::which("dotnet").is_none() {
            csharp(ws)?
        } else if block.contains("javac") && jdk.is_none() {
            eprintln!("example: Java SKIPPED: no JDK 22 or later was found");
            continue;
        } else {
            let mut shell = ws.command("bash");
            shell.args(["-euc", block]).current_dir(&folder).env("PATH", &path);
            shell.env_remove("CARGO_TARGET_DIR").env("STATISTICS_LIBRARY", library(ws));
            command::output(&mut shell)?
        };
        if block.contains("--config bindgen.toml") {
            continue;
        }
        let programs = printed.matches(PRINTED[0]).count();
        if programs == 0 || programs != printed.matches(PRINTED[1]).count() {
            bail!("what {} says printed something else:\n{block}\n{printed}", readme.display());
        }
        counts.passed += programs as u64;
    }
    Ok(Outcome::Tests(counts))
}

/// The example of an engine must print what its README shows.
pub fn engine(ws: &Workspace) -> Result<Outcome> {
    let folder = ws.root.join(build::ENGINE);
    let readme = folder.join("README.md");
    let text = fs::read_to_string(&readme).with_context(|| format!("reading {}", readme.display()))?;
    let shown = text.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown = shown.with_context(|| format!("{} shows no output", readme.display()))?;
    let mut cargo = ws.command("cargo");
    // It finds the SDKs as anybody's engine does; much of what it is made of is compiled already.
    cargo.args(["run", "--quiet", "--locked"]).current_dir(&folder);
    cargo.env("CARGO_TARGET_DIR", &ws.target).env("UPCALL_HOME", &ws.root);
    let printed = command::output(&mut cargo)?;
    if printed != shown {
        bail!("{} shows other output than is printed:\n{printed}", readme.display());
    }
    Ok(Outcome::Tests(Counts { passed: 1, failed: 0 }))
}

/// The tools that the README takes for granted: a Python, a TypeScript compiler, a JDK.
fn path(ws: &Workspace, jdk: Option<PathBuf>) -> Result<OsString> {
    let setup = ws.setup();
    let mut folders = vec![setup.join("venv/bin"), setup.join("node/node_modules/.bin")];
    folders.extend(jdk);
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    env::join_paths(folders).context("making a PATH")
}

fn library(ws: &Workspace) -> PathBuf {
    let name = format!("{}statistics{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    ws.root.join("target/release").join(name)
}

/// The C# program, where there is no SDK whose `dotnet run` could.
fn csharp(ws: &Workspace) -> Result<String> {
    let compiler = dotnet::find(ws)?;
    let sources = ws.root.join(FOLDER).join("build/csharp");
    let program = ws.root.join(FOLDER).join("csharp/Program.cs");
    fs::copy(&program, sources.join("Program.cs"))
        .with_context(|| format!("copying {}", program.display()))?;
    let output = ws.root.join(FOLDER).join("build/Program.dll");
    Project::new(sources, output.clone(), Kind::Program).compile(ws, &compiler)?;
    let mut run = ws.command(&compiler.dotnet);
    run.arg("exec").arg(output);
    if let Some(folder) = library(ws).parent() {
        run.env("LD_LIBRARY_PATH", folder);
    }
    command::output(&mut run)
}
