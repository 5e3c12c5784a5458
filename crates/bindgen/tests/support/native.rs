//! Generated crates become libraries beside a program.

use crate::{built, cargo};
use std::fs;
use std::path::Path;

/// Compiles a generated crate and copies its library to `folder`.
pub fn build(crate_folder: &Path, name: &str, folder: &Path) {
    let mut cargo = cargo();
    cargo.args(["build", "-q", "--offline", "--target-dir"]).arg(folder.join("target"));
    assert!(built(cargo.current_dir(crate_folder)), "{name} compiles");
    let library = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    fs::copy(folder.join("target/debug").join(&library), folder.join(library)).unwrap();
}
