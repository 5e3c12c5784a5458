//! What modules of WebAssembly are compiled and linked with: Rust's standard library for it, clang, and the linker that comes
//! with Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command;

/// The target of modules that import nothing but what they are given.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Adds what is missing and can be added; returns a line that says what is there.
pub fn prepare() -> Result<String> {
    if !is_there() && command::which("rustup").is_some() {
        super::say("wasm", &format!("adding {TARGET}"));
        command::run(Command::new("rustup").args(["target", "add", TARGET]))?;
    }
    if !is_there() {
        bail!(
            "setting up WebAssembly: this Rust has no standard library for {TARGET}; `rustup target add {TARGET}` adds it"
        );
    }
    linker()?;
    if command::which("clang").is_none() {
        bail!(
            "setting up WebAssembly: there is no clang, which compiles handlers in C; `cargo xtask setup` installs it"
        );
    }
    Ok(format!("{TARGET} is there, and rust-lld"))
}

fn is_there() -> bool {
    let asked = ["--print", "target-libdir", "--target", TARGET];
    command::output(Command::new("rustc").args(asked)).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// The linker that comes with Rust.
pub fn linker() -> Result<PathBuf> {
    let folder = command::output(Command::new("rustc").args(["--print", "target-libdir"]))?;
    let folder =
        Path::new(folder.trim()).parent().context("rustc names a folder of libraries at the root")?;
    let linker = folder.join("bin/rust-lld");
    if !linker.is_file() {
        bail!("setting up WebAssembly: there is no {}; take a Rust from rustup", linker.display());
    }
    Ok(linker)
}
