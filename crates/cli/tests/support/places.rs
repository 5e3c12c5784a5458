//! Where things are.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The folder with what `cargo xtask build` makes for the hosts.
pub fn home() -> PathBuf {
    std::env::var_os("UPCALL_HOME").map_or_else(root, PathBuf::from)
}

/// A file that `cargo xtask build` makes.
pub fn built(name: &str) -> PathBuf {
    let file = home().join("build").join(name);
    assert!(file.is_file(), "there is no {}: run cargo xtask build", file.display());
    file
}

/// The file with the fixtures of a guest.
pub fn fixtures(guest: &str) -> PathBuf {
    match guest {
        "native" => built("tests/libhandlers.so"),
        "csharp" => built("tests/handlers.dll"),
        "java" => built("tests/upcall-tests.jar"),
        "wasm" => built("tests/handlers.wasm"),
        "node" => root().join("crates/cli/tests/handlers/handlers.mjs"),
        _ => root().join("crates/cli/tests/handlers/handlers.py"),
    }
}
