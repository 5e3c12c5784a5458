//! Valgrind, which counts the instructions that a program executes.

use std::process::Command;

use anyhow::Result;

use super::system;
use crate::command;

/// Finds it, or installs it; returns a line that describes it.
pub fn prepare() -> Result<String> {
    if command::which("valgrind").is_none() {
        system::install(&["valgrind"], "counting instructions")?;
    }
    Ok(command::output(Command::new("valgrind").arg("--version"))?.trim().to_owned())
}
