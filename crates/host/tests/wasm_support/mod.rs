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

/// A file of a module that is written by hand, with its folder.
pub fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hand.wasm");
    std::fs::write(&file, wat::parse_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    (folder, file)
}

/// A module whose handler, whatever it is called, does this with a batch: `$frame` is its address, and the result a status.
pub fn with_batch(body: &str) -> String {
    module(&format!(
        "(if (result i32) (i32.eq (i32.load16_u offset=2 (local.get $frame)) (i32.const 16)) (then {body}) (else (i32.const 0)))"
    ))
}

/// A module with this as its `upcall_call`.
pub fn module(call: &str) -> String {
    format!(
        r#"(module
            (import "upcall" "grow" (func $grow (param i64 i32) (result i32)))
            (import "upcall" "log" (func $log (param i32 i32 i32)))
            (import "upcall" "read" (func $read (param i32 i32) (result i32)))
            (import "upcall" "list" (func $list (param i32 i32) (result i32)))
            (import "upcall" "failed" (func $failed (param i32 i32 i32 i32)))
            (memory (export "memory") 2)
            (table 4 funcref)
            (type $nothing (func))
            (func $deep (param i32) (result i32)
                (i32.add (call $deep (i32.add (local.get 0) (i32.const 1))) (i32.const 1)))
            (func (export "upcall_abi") (result i32) (i32.const 2))
            (func (export "upcall_make") (param i32 i32) (result i32) (i32.const 1))
            (func (export "upcall_call") (param $handler i32) (param $frame i32) (param $out i32) (result i32)
                (local $zero i32)
                {call}))"#
    )
}
