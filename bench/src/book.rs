//! The book that is counted: the King James Version, one verse per line, in the public domain.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in a folder of the repository")
}

/// A folder for what a benchmark makes and may throw away.
pub fn scratch() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("bench-env");
    fs::create_dir_all(&folder).with_context(|| format!("making the folder {}", folder.display()))?;
    folder.canonicalize().with_context(|| format!("resolving {}", folder.display()))
}

/// The book's file.
pub fn path() -> PathBuf {
    root().join("examples/wordcount/kjv.txt")
}

/// The book, `times` over, so that the work outweighs the start.
pub fn text(times: usize) -> Result<Vec<u8>> {
    let path = path();
    let book = fs::read(&path).with_context(|| format!("reading the book {}", path.display()))?;
    Ok(book.repeat(times))
}

/// Writes `text` into the scratch folder, for the peers.
pub fn write(name: &str, text: &[u8]) -> Result<PathBuf> {
    let path = scratch()?.join(name);
    fs::write(&path, text).with_context(|| format!("writing {} bytes to {}", text.len(), path.display()))?;
    Ok(path)
}

/// The first line of a text, with its end.
pub fn first_line(text: &[u8]) -> &[u8] {
    text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default()
}
