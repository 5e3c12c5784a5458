//! How ranks of MPI wait in tests, where they are more than the cores.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::command;
use crate::workspace::Workspace;

/// Names the library to tests that start ranks themselves.
pub const WAITING: &str = "UPCALL_TESTS_WAITING";

/// Names the folder, not there yet, in which tests that run on ranks together say which have passed.
pub const TOGETHER: &str = "UPCALL_TESTS_TOGETHER";

/// A library that has ranks sleep where they would yield, of programs that are told of it by `LD_PRELOAD`; none where that is no
/// Linux. Five ranks on two cores take half the time with it.
pub fn waiting(ws: &Workspace) -> Result<Option<PathBuf>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let (source, library) = (ws.root.join("xtask/c/yield.c"), ws.build().join("tests/libyield.so"));
    let written = |path: &PathBuf| fs::metadata(path).and_then(|about| about.modified()).ok();
    if written(&library) < written(&source) {
        fs::create_dir_all(ws.build().join("tests")).context("making the folder of tests")?;
        let mut compiler = Command::new("cc");
        compiler.args(["-std=gnu11", "-Wall", "-Werror", "-O2", "-shared", "-fPIC", "-o"]);
        command::run(compiler.arg(&library).arg(&source))?;
    }
    Ok(Some(library))
}

/// A program of tests, and what it starts, with [`waiting`].
pub fn wait_asleep<'a>(ws: &Workspace, program: &'a mut Command) -> Result<&'a mut Command> {
    Ok(match waiting(ws)? {
        Some(library) => program.env("LD_PRELOAD", library),
        None => program,
    })
}
