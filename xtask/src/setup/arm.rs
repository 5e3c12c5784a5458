//! Rust's standard library for 64-bit ARM, whose vector instructions no other machine's compiler looks at.

use std::path::Path;
use std::process::Command;

use crate::command;

/// The target that is checked.
pub const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Adds it where rustup can; returns a line that says whether it is there. The one check that needs it is skipped
/// elsewhere.
pub fn prepare() -> String {
    let sysroot = command::output(Command::new("rustc").args(["--print", "sysroot"])).unwrap_or_default();
    // Only a toolchain of rustup's can be added to.
    if !is_there() && sysroot.contains("toolchains") && command::which("rustup").is_some() {
        super::say("rust", &format!("adding {TARGET}, to check the code for ARM"));
        // Without a network it fails, and says so itself.
        let _ = command::run(Command::new("rustup").args(["target", "add", TARGET]));
    }
    format!("{TARGET} is {}", if is_there() { "there" } else { "not there" })
}

/// Whether cargo can compile for it.
pub fn is_there() -> bool {
    let asked = ["--print", "target-libdir", "--target", TARGET];
    command::output(Command::new("rustc").args(asked)).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}
