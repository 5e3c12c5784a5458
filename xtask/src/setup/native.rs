//! Compilers of C, C++ and Java, and libclang, which the bindings' generator reads C headers with.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::system;
use crate::command;

/// Finds the compilers of C and C++ and libclang, or installs them; returns a line that describes them.
pub fn prepare() -> Result<String> {
    let mut missing = Vec::new();
    if command::which("g++").is_none() {
        missing.push("g++");
    }
    if command::which("clang").is_none() && !llvm("bin/clang++") {
        missing.push("clang");
    }
    if !llvm("lib/libclang.so") && std::env::var_os("LIBCLANG_PATH").is_none() {
        missing.push("libclang-dev");
    }
    // What `examples/libraries` uses.
    for (header, package) in
        [("sqlite3.h", "libsqlite3-dev"), ("zlib.h", "zlib1g-dev"), ("zstd.h", "libzstd-dev")]
    {
        if !Path::new("/usr/include").join(header).is_file() {
            missing.push(package);
        }
    }
    if !missing.is_empty() && cfg!(target_os = "linux") {
        system::install(&missing, "reading C headers and checking them")?;
    }
    Ok("g++, clang, libclang".to_owned())
}

/// Finds a JDK, or installs one; returns a line that describes it.
pub fn java() -> Result<String> {
    if command::which("javac").is_none() {
        system::install(&["default-jdk-headless"], "the bindings for Java")?;
    }
    Ok(command::output(Command::new("javac").arg("-version"))?.trim().to_owned())
}

/// Whether one of the LLVM installations of Debian's kind has this file.
fn llvm(file: &str) -> bool {
    let Ok(folders) = fs::read_dir("/usr/lib") else { return false };
    let is_llvm =
        |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("llvm-"));
    folders.flatten().map(|entry| entry.path()).any(|path| is_llvm(&path) && path.join(file).exists())
}
