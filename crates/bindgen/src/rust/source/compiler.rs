//! What rustc knows about a target.

use super::cfg::Flags;
use crate::probe::{tool, user_flags};
use std::path::Path;
use std::process::Command;

/// The `cfg` flags of a target, asked for in the folder of the source (where `rust-toolchain.toml` counts).
pub(super) fn flags(folder: &Path, target: Option<&str>) -> Result<Flags, String> {
    let mut command = Command::new(tool("RUSTC", "rustc"));
    command.args(["--print", "cfg"]).args(user_flags());
    command.args(target.iter().flat_map(|target| ["--target", target]));
    if folder.is_dir() {
        command.current_dir(folder);
    }
    let output = command.output().map_err(|error| format!("`rustc` cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("`rustc --print cfg` failed: {said}"));
    }
    let mut flags = Flags::default();
    // The bindings are for the library as released; see `probe::Source::cfgs`.
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| *line != "debug_assertions").for_each(|line| flags.add(line));
    Ok(flags)
}
