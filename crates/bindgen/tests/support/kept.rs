//! The library that keeps callbacks, and its bindings.

use crate::{beside, built, cargo, made};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use upcall_bindgen::{Config, Diagnostics, generate, rust};

/// A program of the tests.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    beside("kept").join(name)
}

/// What bindings are made from.
#[must_use]
pub fn input() -> rust::Input {
    rust::Input { files: vec![beside("kept").join("src/lib.rs")], ..rust::Input::default() }
}

/// The library, built.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let target = made("kept/target");
        fs::create_dir_all(&target).unwrap();
        let mut cargo = cargo();
        cargo.args(["build", "--quiet", "--manifest-path"]).arg(beside("kept").join("Cargo.toml"));
        cargo.arg("--target-dir").arg(&target);
        assert!(built(&mut cargo), "the library compiles");
        let file = format!("{}kept{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        target.join("debug").join(file)
    })
}

/// The folder of a language, with the bindings that `with` asks for, but without these functions.
pub fn bindings(language: &str, without: &[&str], with: impl FnOnce(&mut Config, &Path)) -> PathBuf {
    let folder = made("kept").join(language);
    fs::create_dir_all(&folder).unwrap();
    let except = without.iter().map(|name| (*name).to_owned()).collect();
    let input = rust::Input { except, ..input() };
    let mut config = Config { library: "kept".into(), rust: Some(input), ..Config::default() };
    with(&mut config, &folder);
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
    folder
}

/// That a program ends well, and says that it is done and nothing else.
pub fn done(program: &mut Command) {
    let ran = program.env("KEPT_LIBRARY", library()).output().expect("it starts");
    let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
    assert!(ran.status.success() && said == "done\n", "{:?}: {said}", ran.status);
}
