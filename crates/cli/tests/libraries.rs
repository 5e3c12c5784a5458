//! The examples of libraries in C: their bindings pass the check, and their programs print what they should.

use crate::support;
use bindgen_tests::compiler;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A copy of an example, in which nothing is left of other runs but what cargo has compiled.
fn copied(name: &str) -> PathBuf {
    let (from, to) = (
        support::root().join("examples/libraries").join(name),
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries").join(name),
    );
    fs::create_dir_all(&to).unwrap();
    for file in ["bindgen.toml", "output.txt", "main.py", "Program.cs"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    to
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Checks the bindings in all languages, then runs the programs; `variable` chooses Python's implementation.
fn passes(name: &str, variable: &str) {
    let folder = copied(name);
    let mut bindgen = support::upcall(&["bindgen", "--config", "bindgen.toml", "--check"]);
    bindgen.current_dir(&folder).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    let outcome = support::run(&mut bindgen);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for language in ["C#", "Python", "TypeScript", "Java"] {
        assert!(outcome.err.contains(&format!("{language}: the output compiles")), "{}", outcome.err);
    }

    let mut cargo = Command::new(env!("CARGO"));
    let glue = folder.join(format!("build/python/{name}_native/glue"));
    cargo.args(["build", "--release", "--quiet"]).current_dir(glue).env_remove("CARGO_TARGET_DIR");
    printed(&cargo.output().unwrap());
    let python = |arguments: &[&str]| {
        let mut python = Command::new(support::root().join(".setup/venv/bin/python"));
        python.arg("-Xdev").args(arguments).current_dir(&folder).env("PYTHONPATH", "build/python");
        python.env("MYPYPATH", "build/python").env("PYTHONIOENCODING", "utf-8");
        python
    };
    printed(&python(&["-m", "mypy", "--strict", "--cache-dir=/dev/null", "main.py"]).output().unwrap());
    let expected = fs::read_to_string(folder.join("output.txt")).unwrap();
    for implementation in ["native", "ctypes"] {
        let output = python(&["main.py"]).env(variable, implementation).output().unwrap();
        assert_eq!(printed(&output), expected, "{implementation}");
    }
    assert_eq!(csharp(&folder), expected, "C#");
}

/// What the program in C# prints.
fn csharp(folder: &Path) -> String {
    let generated = fs::read_dir(folder.join("build/csharp")).unwrap().map(|file| file.unwrap().path());
    let mut sources: Vec<PathBuf> =
        generated.filter(|file| file.extension().is_some_and(|it| it == "cs")).collect();
    sources.push(folder.join("Program.cs"));
    let program = compiler::compile(&folder.join("build"), "Program", "exe", &sources);
    printed(&compiler::started(&program.unwrap_or_else(|said| panic!("{said}"))).output().unwrap())
}

#[test]
fn sqlite_is_used_by_its_header() {
    passes("sqlite", "SQLITE3_PYTHON");
}

#[test]
fn zlib_is_used_by_its_header() {
    passes("zlib", "Z_PYTHON");
}

#[test]
fn zstd_is_used_by_its_header() {
    passes("zstd", "ZSTD_PYTHON");
}
