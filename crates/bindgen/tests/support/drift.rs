//! The library that changes, as its features say, and the bindings of what it was before.

use crate::{beside, built, cargo, made};
use std::fs;
use std::path::PathBuf;
use upcall_bindgen::{Config, Diagnostics, generate, rust};

/// What a newer version may be without breaking anything.
pub const SAME: &[&str] = &[];
pub const ADDED: &[&str] = &["added"];
/// What breaks.
pub const CHANGED: &[&str] = &["added", "removed", "retyped", "swapped"];

/// What is said of [`CHANGED`] behind the library's path.
pub const SAID: &str = "libdrift.so is not the library that these bindings were made from: it has no function `gone`; the \
                        signature has changed of function `scale`; the type `Point` has changed, which is used by function \
                        `length`, `total`; run `upcall bindgen` again, or load the library that they were made from";

fn source() -> PathBuf {
    beside("drift")
}

pub fn input() -> rust::Input {
    rust::Input { files: vec![source().join("src/lib.rs")], ..rust::Input::default() }
}

/// A folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let folder = made("drift").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The library with these features, in a folder of its own.
pub fn library(features: &[&str]) -> PathBuf {
    let target = folder("target");
    let file = format!("{}drift{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let to = folder(&format!("built-{}", features.join("-"))).join(&file);
    // Others build it with other features at the same time.
    let lock = fs::File::create(target.join("of-the-tests.lock")).unwrap();
    lock.lock().unwrap();
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--features", &features.join(","), "--manifest-path"]);
    cargo.arg(source().join("Cargo.toml")).arg("--target-dir").arg(&target);
    assert!(built(&mut cargo), "the library compiles");
    // A process may have the old one open.
    let beside = to.with_extension(format!("{}", std::process::id()));
    fs::copy(target.join("debug").join(&file), &beside).unwrap();
    fs::rename(beside, &to).unwrap();
    to
}

/// Writes the bindings that `with` asks for, of the library without features.
pub fn bindings(with: impl FnOnce(&mut Config)) {
    let mut config = Config { library: "drift".into(), rust: Some(input()), ..Config::default() };
    with(&mut config);
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
}
