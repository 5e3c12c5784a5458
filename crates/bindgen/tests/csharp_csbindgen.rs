//! csbindgen's own inputs, from a checkout of its repository that `CSBINDGEN` names: nothing of it is here.
//!
//! `CSBINDGEN=<checkout> cargo test -p upcall-bindgen --test csharp_csbindgen -- --ignored`

#![cfg(feature = "c")]

#[path = "csharp/compiler.rs"]
mod compiler;

use std::fs;
use std::path::PathBuf;
use upcall_bindgen::csharp::{Grouped, Options, generate};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, c};

fn checkout() -> PathBuf {
    std::env::var_os("CSBINDGEN").expect("CSBINDGEN names a checkout of csbindgen's repository").into()
}

/// What its `build.rs` asks for, everywhere.
fn options(class: &str) -> Options {
    Options {
        class: class.into(),
        file: format!("{class}.cs"),
        constants: vec!["*".into()],
        grouped: Some(Grouped::default()),
        ..Options::csbindgen()
    }
}

fn compile(api: &Api, options: &Options) {
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let files = generate(api, options, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(&files[0].path);
    fs::write(&source, &files[0].text).unwrap();
    if let Some(keep) = std::env::var_os("CSBINDGEN_OUTPUT") {
        fs::create_dir_all(&keep).unwrap();
        fs::write(PathBuf::from(keep).join(&files[0].path), &files[0].text).unwrap();
    }
    println!("{}: {} functions, {} types", options.class, api.functions.len(), api.types.len());
    compiler::compile(folder.path(), &options.class, "library", &[source]).unwrap_or_else(|e| panic!("{e}"));
}

/// A header of `csbindgen-tests/c`, with the functions that its `build.rs` filters.
fn header(folder: &str, headers: &[&str], class: &str, functions: &str) {
    let input = c::Input {
        library: class.to_lowercase(),
        headers: headers
            .iter()
            .map(|name| checkout().join("csbindgen-tests/c").join(folder).join(name))
            .collect(),
        allow: vec![functions.into()],
        ..c::Input::default()
    };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    compile(&api.expect("it was read"), &options(class));
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn lz4() {
    header("lz4", &["lz4.h", "lz4hc.h", "lz4frame.h", "xxhash.h"], "LibLz4", "LZ4.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn zstd() {
    header("zstd", &["zstd.h"], "LibZstd", "ZSTD_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn quiche() {
    header("quiche", &["quiche.h"], "LibQuiche", "quiche_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn sqlite3() {
    header("sqlite3", &["sqlite3.h"], "LibSqlite3", "sqlite3_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn bullet3() {
    let headers = [
        "PhysicsClientC_API.h",
        "PhysicsClientSharedMemory_C_API.h",
        "PhysicsClientSharedMemory2_C_API.h",
        "PhysicsDirectC_API.h",
        "SharedMemoryPublic.h",
    ];
    header("bullet3", &headers, "LibBullet3", "b3.*");
}
