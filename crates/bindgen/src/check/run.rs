//! The whole check of a run's output.

use super::Echo;
use super::languages::{c, csharp, java, python, typescript};
use crate::config::Config;
use crate::generate::Generated;
use crate::model::Api;
use crate::{File, write};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a step of the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// What is right now known to be so.
    Passed(String),
    /// What the program, or the missing tool's search, said.
    Failed(String),
    /// Why nothing was tried.
    Skipped(String),
}

/// One step of the check, done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `C#`, `Python` and so on.
    pub language: &'static str,
    /// How it went.
    pub outcome: Outcome,
}

/// Compiles the output of every language that `config` chooses, in `folder`, which is kept for the next run,
/// and passes every type of the first target through the echo library. Whether nothing failed.
pub fn run(config: &Config, generated: &Generated, folder: &Path, report: &mut dyn FnMut(Step)) -> bool {
    let mut passed = true;
    let Some(api) = generated.apis.first() else { return true };
    let mut tell = |language, outcome: Result<Outcome, String>| {
        let outcome = outcome.unwrap_or_else(Outcome::Failed);
        passed &= !matches!(outcome, Outcome::Failed(_));
        report(Step { language, outcome });
    };
    let echo = Echo::new(api);
    let room = Room { api, folder: folder.to_owned(), types: echo.probes.len() };
    match room.place("echo", &echo.files).and_then(|made| room.cargo(&made, "upcall_echo")) {
        Ok(library) => {
            if let Some(output) = &config.csharp {
                csharp(&room, &library, output, &mut |outcome| tell("C#", outcome));
            }
            if let Some(output) = &config.python {
                python(&room, &library, output, &mut |outcome| tell("Python", outcome));
            }
            if let Some(output) = &config.typescript {
                typescript(&room, output, &mut |outcome| tell("TypeScript", outcome));
            }
            if let Some(output) = &config.java {
                java(&room, &library, output, &mut |outcome| tell("Java", outcome));
            }
            if let Some(output) = &config.header {
                c(&room, &library, output, &mut |outcome| tell("C", outcome));
            }
        }
        Err(said) => tell("echo library", Err(said)),
    }
    passed
}

/// Where the check works.
pub(super) struct Room<'a> {
    pub(super) api: &'a Api,
    pub(super) folder: PathBuf,
    /// How many types have a value.
    types: usize,
}

impl Room<'_> {
    /// Writes files below the scratch folder; where they are.
    pub(super) fn place(&self, name: &str, files: &[File]) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        match write(&[(folder.clone(), files.to_vec())]) {
            Ok(_) => Ok(folder),
            Err((path, error)) => Err(format!("writing {}: {error}", path.display())),
        }
    }

    /// Compiles a generated crate; its library.
    pub(super) fn cargo(&self, made: &Path, name: &str) -> Result<PathBuf, String> {
        let target = made.join("target");
        let mut cargo = Command::new("cargo");
        cargo.args(["build", "--release", "--quiet", "--target-dir"]).arg(&target).current_dir(made);
        said(&mut cargo, "install Rust from rustup.rs")?;
        let library = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        Ok(target.join("release").join(library))
    }

    /// What a check program's success means; it says how many types it has checked.
    pub(super) fn right(&self, printed: &str) -> Result<Outcome, String> {
        match printed.lines().any(|line| line.starts_with("checked ")) {
            true => Ok(Outcome::Passed(format!("{} types, sizes, offsets and values right", self.types))),
            false => Err(format!("the check program did not come to its end:\n{printed}")),
        }
    }
}

/// Runs a program to its end; what it printed, as an error if it failed or is missing.
pub(super) fn said(command: &mut Command, missing: &str) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("starting {program}: {error}; {missing}"))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{program}: {}\n{text}", output.status)) }
}

/// Copies a library beside a program.
pub(super) fn copy(library: &Path, folder: &Path) -> Result<(), String> {
    let to = folder.join(library.file_name().unwrap_or_default());
    fs::copy(library, &to).map(|_| ()).map_err(|error| format!("copying to {}: {error}", to.display()))
}
