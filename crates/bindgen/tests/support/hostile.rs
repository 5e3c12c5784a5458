//! The hostile library, and its bindings for one language.

use crate::{beside, built, cargo, made};
use std::path::PathBuf;
use upcall_bindgen::{Config, Diagnostics, generate, rust};

/// The library's file.
pub fn library() -> PathBuf {
    let target = made("hostile");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--manifest-path"]).arg(folder().join("Cargo.toml"));
    assert!(built(cargo.arg("--target-dir").arg(&target)), "the library compiles");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    target.join("debug").join(format!("{prefix}hostile{suffix}"))
}

fn folder() -> PathBuf {
    beside("hostile")
}

/// Writes the bindings that `with` asks for.
pub fn bindings(with: impl FnOnce(&mut Config)) {
    let mut config = Config {
        library: "hostile".into(),
        rust: Some(rust::Input { files: vec![folder().join("src/lib.rs")], ..rust::Input::default() }),
        ..Config::default()
    };
    with(&mut config);
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
}
