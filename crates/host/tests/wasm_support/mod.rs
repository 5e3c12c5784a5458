//! What the tests of WebAssembly share.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::{Path, PathBuf};
use upcall_host::wasm::{Wasm, WasmOptions};
use upcall_host::{HandlerSpec, Host, Instance};

/// The handlers in Rust, compiled.
pub fn handlers() -> PathBuf {
    let home = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into());
    let file = home.join("build/tests/handlers.wasm");
    assert!(file.is_file(), "there is no {}: run cargo xtask build --wasm", file.display());
    file
}

/// A runtime that keeps compiled modules beside what cargo builds, for all tests.
pub fn wasm() -> Wasm {
    cache(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm"))
}

/// The same with this folder.
pub fn cache(folder: &Path) -> Wasm {
    Wasm::start(&WasmOptions { cache: Some(folder.to_owned()), ..WasmOptions::default() }).unwrap()
}

pub fn spec(class: &str) -> HandlerSpec {
    HandlerSpec::new("test", "wasm", handlers(), class)
}

pub fn made(spec: &HandlerSpec) -> Instance {
    let module = wasm().load(spec).unwrap_or_else(|error| panic!("{error}"));
    module.instantiate().unwrap_or_else(|error| panic!("{error}"))
}
