//! `upcall new`, `upcall build`, `upcall test`: projects of a user's own, in any folder.
//!
//! The SDKs are found where Upcall is installed: in `UPCALL_HOME`, or above this executable. As there are no
//! published packages, that is a working tree of the repository, and what is written into a project names it.

mod c;
mod csharp;
mod java;
mod modules;
mod name;
mod new;
mod new_wasm;
mod node;
mod python;
mod rust;

pub(crate) use c::examine as examine_c;
pub(crate) use new::new;

use crate::arguments::Guests;
use crate::exit::usage;
use crate::output;
use anyhow::Context;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_flow::FlowSpec;
use upcall_host::guests;

/// The flow's file that is meant by a path: a folder stands for its `flow.toml`.
pub(crate) fn flow(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("flow.toml") } else { path.to_owned() }
}

/// What a flow needs of its project's folder before it is loaded. Installing another package may have taken away the link to the
/// package `upcall` which a build has made, as npm removes what package.json does not name.
pub(crate) fn ready(path: &Path, spec: &FlowSpec) {
    let mut code = spec.handlers.iter().filter_map(|on| on.code.as_ref());
    if !code.any(|code| code.guest == guests::NODE.name) {
        return;
    }
    let Ok(file) = flow(path).canonicalize() else { return };
    if let Some(folder) = file.parent().filter(|folder| folder.join("package.json").is_file()) {
        // A folder that cannot be written is none of a build's: what is missing is told by who imports it.
        let _ = node::Part::new(folder).link();
    }
}

/// What there is to build in a folder, in one language.
enum Part {
    C(c::Part),
    Csharp(csharp::Part),
    Java(java::Part),
    Node(node::Part),
    Python(python::Part),
    Rust(rust::Part),
}

/// Builds everything in a folder.
pub(crate) fn build(folder: &Path, guests: &Guests) -> anyhow::Result<u8> {
    every(&parts("build", folder)?, |part| match part {
        Part::C(part) => part.build(),
        Part::Csharp(part) => part.build(guests).map(drop),
        Part::Java(part) => part.build(guests).map(drop),
        Part::Node(part) => part.build(),
        Part::Python(part) => part.build(guests),
        Part::Rust(part) => part.build(),
    })
}

/// Runs the tests of everything in a folder. One language without tests is no failure where another one has some.
pub(crate) fn test(folder: &Path, guests: &Guests) -> anyhow::Result<u8> {
    let parts = parts("test", folder)?;
    let mut untested = Vec::new();
    let code = every(&parts, |part| {
        let outcome = match part {
            Part::C(part) => part.test(),
            Part::Csharp(part) => part.test(guests),
            Part::Java(part) => part.test(guests),
            Part::Node(part) => part.test(),
            Part::Python(part) => part.test(guests),
            Part::Rust(part) => part.test(),
        };
        outcome.or_else(|error| {
            untested.push(error.downcast::<NoTests>()?);
            Ok(())
        })
    })?;
    let none = untested.len() == parts.len();
    for NoTests { language, write } in untested {
        let error = if none { "error: " } else { "" };
        let shown = folder.display();
        output::error(format!(
            "{error}test {shown}: there are no tests in {language} in it; write one in a file {write}"
        ));
    }
    Ok(if none { 1 } else { code })
}

/// Does it for every part, whatever became of the others.
fn every(parts: &[Part], act: impl FnMut(&Part) -> anyhow::Result<()>) -> anyhow::Result<u8> {
    let mut code = 0;
    for outcome in parts.iter().map(act) {
        match outcome {
            // The tool has said what is wrong.
            Err(error) if error.is::<ToolFailed>() => {
                output::error(format!("error: {error}"));
                code = 1;
            }
            other => other?,
        }
    }
    Ok(code)
}

fn parts(what: &str, folder: &Path) -> anyhow::Result<Vec<Part>> {
    let shown = folder.display();
    let folder = folder.canonicalize().map_err(|error| usage(format!("{what} {shown}: {error}")))?;
    if !folder.is_dir() {
        return Err(usage(format!(
            "{what} {shown}: it is a file; name the folder of a project, or go into it"
        )));
    }
    let entries = fs::read_dir(&folder).map_err(|error| usage(format!("{what} {shown}: {error}")))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let with = |extension: &str| {
        let found = files.iter().filter(|file| file.extension() == Some(OsStr::new(extension)));
        found.filter(|file| file.is_file()).cloned().collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    let projects = with("csproj");
    match projects.as_slice() {
        [] => {}
        [one] => parts.push(Part::Csharp(csharp::Part::new(&folder, one))),
        more => {
            let message = format!("{what} {shown}: there are {} .csproj files in it; keep one", more.len());
            return Err(usage(message));
        }
    }
    let wanted = modules::Wanted::of(&folder);
    if let Some(part) = java::Part::of(&folder, &with("java"), &wanted)? {
        parts.push(Part::Java(part));
    }
    if folder.join("Cargo.toml").is_file() {
        parts.push(Part::Rust(rust::Part::new(&folder, &wanted)));
    }
    if !wanted.c.is_empty() {
        parts.push(Part::C(c::Part::new(&folder, wanted.c)));
    }
    if folder.join("package.json").is_file() {
        parts.push(Part::Node(node::Part::new(&folder)));
    }
    if !with("py").is_empty() {
        parts.push(Part::Python(python::Part::new(&folder)));
    }
    if parts.is_empty() {
        let message = format!(
            "{what} {}: there is no .csproj, Cargo.toml, package.json, .java or .py file in it, and no flow.toml that names \
             build/NAME.wasm where there is a NAME.c; go into a project's folder, or make one: upcall new csharp hello",
            folder.display()
        );
        return Err(usage(message));
    }
    Ok(parts)
}

/// The folder in which Upcall is installed, which holds `file`.
fn home(file: &str) -> anyhow::Result<PathBuf> {
    // What is built is missing where nobody has built it, and the rest where there is no working tree.
    let help = match file.starts_with("build/") {
        true => "run `cargo xtask build` in the repository",
        false => "set UPCALL_HOME to the repository",
    };
    let home =
        upcall_host::installation(file).map_err(|why| anyhow::anyhow!("find {file}: {why}; {help}"))?;
    if !home.join(file).exists() {
        anyhow::bail!("find {file}: there is none in {}; {help}", home.display());
    }
    home.canonicalize().with_context(|| format!("find {file} in {}", home.display()))
}

/// A tool that ran has ended badly, and told why.
#[derive(Debug)]
struct ToolFailed(String);

impl std::fmt::Display for ToolFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ToolFailed {}

/// There are no tests in a language.
#[derive(Debug)]
struct NoTests {
    language: &'static str,
    /// The file in which one would be.
    write: &'static str,
}

impl std::fmt::Display for NoTests {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there are no tests in {}", self.language)
    }
}

impl std::error::Error for NoTests {}

/// Runs a tool, which prints what it has to say.
fn run(command: &mut Command, what: &str, install: &str) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{what}: run {program} ({install})"))?;
    if status.success() { Ok(()) } else { Err(ToolFailed(format!("{what}: failed")).into()) }
}

/// The files below a folder with an extension, sorted. Hidden folders, virtual environments and those that `skip`
/// names are left out.
fn files_below(folder: &Path, extension: &str, skip: &[&str]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("list {}", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("list {}", folder.display()))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // A link to a folder is not followed: it may lead back here.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !name.starts_with('.') && !skip.contains(&name.as_ref()) && !is_environment(&path) {
            found.extend(files_below(&path, extension, &[])?);
        } else if path.is_file() && path.extension() == Some(OsStr::new(extension)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a folder is a virtual environment of Python, whose files are not the project's.
fn is_environment(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

/// Puts a complete file in its place: what runs with the old one keeps it.
fn replace(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::rename(from, to).with_context(|| format!("move {} to {}", from.display(), to.display()))
}

fn make_folder(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("make the folder {}", folder.display()))
}
