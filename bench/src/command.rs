//! Running other programs.

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use std::env;
use std::ffi::OsString;
use std::process::Command;

/// What the command printed; an error with what it complained of if it failed.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("running {command:?}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let last: Vec<&str> = complaint.lines().rev().take(8).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        bail!("running {command:?}: {}; it said:\n{}", output.status, last.join("\n"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The rows that a peer printed: one JSON object per line.
pub fn rows<Row: DeserializeOwned>(printed: &str) -> Result<Vec<Row>> {
    let row = |line| serde_json::from_str(line).with_context(|| format!("reading a peer's line {line:?}"));
    printed.lines().map(row).collect()
}

/// A program that `cargo xtask bench BENCHMARK` has built and named in the environment.
pub fn built(variable: &str, benchmark: &str) -> Result<OsString> {
    env::var_os(variable)
        .with_context(|| format!("{variable} names no program: run this by `cargo xtask bench {benchmark}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_row_is_shown() {
        assert_eq!(rows::<[u8; 2]>("[1, 2]\n[3, 4]\n").unwrap(), [[1, 2], [3, 4]]);
        let error = rows::<[u8; 2]>("[1, 2]\nSegmentation fault\n").unwrap_err().to_string();
        assert!(error.contains("Segmentation fault"), "{error}");
    }

    #[test]
    fn the_complaint_of_a_program_that_fails_is_told() {
        let error = run(Command::new("sh").args(["-c", "echo no such book >&2; exit 3"])).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("exit status: 3") && error.ends_with("no such book"), "{error}");
    }
}
