//! Node and the TypeScript compiler, for tests.

use crate::tsc::tsc;
use crate::{built, cargo};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use upcall_bindgen::File;

/// Writes the files whose content has changed.
pub fn put(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::read_to_string(&path).ok().as_ref() != Some(&file.text) {
            fs::write(path, &file.text).unwrap();
        }
    }
}

/// Compiles an addon without warnings and copies it beside its package's scripts.
pub fn build(package: &Path, library: &str) {
    let glue = package.join("glue");
    let mut cargo = cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(&glue);
    assert!(built(&mut cargo), "the addon compiles without warnings");
    let made = glue.join(format!("target/release/lib{library}_node.so"));
    fs::copy(made, package.join(format!("{library}.node"))).unwrap();
}

/// Whether a program passes the strict compiler, and the compiler's output.
pub fn compile(source: &Path, to: &Path) -> (bool, String) {
    compile_by(&tsc(), source, to)
}

/// The same for another compiler.
pub fn compile_by(compiler: &Path, source: &Path, to: &Path) -> (bool, String) {
    let output = Command::new(compiler)
        .args(["--strict", "--target", "ES2022", "--module", "commonjs"])
        .args(["--lib", "es2022,esnext.disposable", "--outDir"])
        .arg(to)
        .arg(source)
        .output()
        .expect("tsc starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a script.
pub fn run(script: &Path) -> Output {
    Command::new("node").arg("--expose-gc").arg(script).output().expect("node is on PATH")
}
