//! `upcall bindgen --check` and `--build`, with the real compilers.

use crate::support;
use crate::support::Outcome;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const SOURCE: &str = "\
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Mixed { pub small: u8, pub wide: f64, pub odd: [u16; 3] }
#[repr(i8)]
#[derive(Clone, Copy)]
pub enum Sign { Minus = -1, Plus = 1 }
#[unsafe(no_mangle)]
pub extern \"C\" fn flip(value: Mixed, sign: Sign) -> Mixed {
    Mixed { wide: value.wide * f64::from(sign as i8), ..value }
}
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mixed.rs"), SOURCE).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = support::upcall(&["bindgen", "--library", "mixed", "--rust", "mixed.rs"]);
    // What the glue depends on is compiled once for all runs of these tests.
    command.args(arguments).current_dir(folder).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn bindgen(folder: &Path, arguments: &[&str]) -> Outcome {
    support::run(&mut command(folder, arguments))
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

#[test]
fn right_bindings_pass_with_a_line_for_each_step_and_the_output_stays_as_it_is() {
    let folder = folder();
    let arguments = [
        "--csharp", "out/Mixed.g.cs", "--python", "out/python", "--typescript", "out/ts", "--c",
        "out/mixed.h",
    ];
    assert_eq!(bindgen(folder.path(), &arguments).code, Some(0));
    let before = files(folder.path());
    let outcome = bindgen(folder.path(), &[&arguments[..], &["--check"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for line in [
        "C#: the output compiles (csc, warnings as errors)",
        "C#: 2 types, sizes, offsets and values right",
        "Python: the output compiles (mypy --strict, cargo)",
        "Python: 2 types, sizes, offsets and values right",
        "TypeScript: the output compiles (tsc --strict, cargo)",
        "TypeScript: 2 types, sizes, offsets and values right",
        "C: the output compiles (cc and c++, warnings as errors)",
        "C: 2 types, sizes, offsets and values right",
    ] {
        assert!(outcome.err.lines().any(|said| said.starts_with(line)), "{line}:\n{}", outcome.err);
    }
    assert_eq!((before, outcome.out.as_str()), (files(folder.path()), ""));
}

#[test]
fn a_missing_compiler_fails_the_check_and_says_what_to_do_and_the_others_are_still_checked() {
    let folder = folder();
    let mut command = command(
        folder.path(),
        &["--check", "--python", "out/python", "--typescript", "out/ts", "--c", "out/mixed.h"],
    );
    command.env("UPCALL_PYTHON", "/nowhere/python").env("UPCALL_TSC", "/nowhere/tsc");
    let outcome = support::run(&mut command);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    for expected in [
        "Python: FAILED: python was not found: install Python 3.11 or later with mypy",
        "TypeScript: FAILED: tsc was not found: `npm install -g typescript` installs it",
        "C: 2 types, sizes, offsets and values right",
    ] {
        assert!(outcome.err.contains(expected), "{expected}:\n{}", outcome.err);
    }
}

#[test]
fn a_signal_stops_the_check_and_what_it_has_started() {
    let folder = folder();
    let python = folder.path().join("python");
    fs::write(
        &python,
        "#!/bin/sh\nsleep 600 &\necho $! > started.new && mv started.new \"$STARTED\"\nwait\n",
    )
    .unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let started = folder.path().join("started");
    let mut command = command(folder.path(), &["--check", "--python", "out/python"]);
    command.env("UPCALL_PYTHON", &python).env("STARTED", &started).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !started.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = fs::read_to_string(&started).unwrap();
    // To the command alone, not to its group as a terminal does it.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("FAILED"));
    let gone = || !Path::new("/proc").join(id.trim()).join("exe").exists();
    // Whoever adopts the process has to reap it first.
    assert!((0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        gone()
    }));
}

#[test]
fn built_packages_can_be_used_at_once() {
    let folder = folder();
    let toml = "library = \"mixed\"\n[rust]\nfiles = [\"mixed.rs\"]\n[python]\noutput = \"out/python\"\n\
                [typescript]\noutput = \"out/ts\"\n[java]\noutput = \"out/java\"\nmechanism = \"jni\"\n";
    fs::write(folder.path().join("bindgen.toml"), toml).unwrap();
    let mut command = support::upcall(&["bindgen", "--config", "bindgen.toml", "--build"]);
    let outcome = support::run(command.current_dir(folder.path()));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for line in [
        "Python: built out/python/mixed/glue/target/release/libmixed_native.so",
        "TypeScript: built out/ts/mixed.node",
        "Java: built out/java/libmixed_jni.so",
    ] {
        assert!(outcome.err.lines().any(|said| said.starts_with(line)), "{line}:\n{}", outcome.err);
    }
    assert!(folder.path().join("out/java/libmixed_jni.so").is_file());

    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "mixed.rs"]).current_dir(folder.path());
    assert!(rustc.status().unwrap().success());
    let library = folder.path().join("libmixed.so");
    let said = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).env("MIXED_LIBRARY", &library).env("MIXED_PYTHON", "native");
        let output = command.current_dir(folder.path().join("out/python")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let python = "import mixed as m; print(m.flip(m.Mixed(wide=2.5), m.Sign.Minus).wide)";
    let venv = support::root().join(".setup/venv/bin/python");
    let interpreter = if venv.is_file() { venv.to_str().unwrap() } else { "python3" };
    assert_eq!(said(interpreter, &["-c", python]), "-2.5\n");
    let node =
        "const m = require('../ts'); const v = new m.Mixed(); v.wide = 2.5; console.log(m.flip(v, -1).wide)";
    assert_eq!(said("node", &["-e", node]), "-2.5\n");
}
