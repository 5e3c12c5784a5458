//! `upcall bindgen --build` where the header has functions that its library does not export.

use crate::support;
use bindgen_tests::compiler;
use std::fs;
use std::path::Path;
use std::process::Command;

const HEADER: &str =
    "int one(void);\n#ifdef TWICE\nstatic inline int twice(int value) { return 2 * value; }\n#endif\n";

const PROGRAM: &str =
    "System.Console.WriteLine(Small.NativeMethods.one() + Small.NativeMethods.twice(21));\n";

/// The command, in a folder whose header it is told of by a relative path.
fn bindgen(folder: &Path, outputs: &[&str]) -> Command {
    fs::create_dir_all(folder.join("include")).unwrap();
    fs::write(folder.join("include/small.h"), HEADER).unwrap();
    let mut command = support::upcall(&["bindgen", "--library", "small", "--header", "include/small.h"]);
    command.args(["-I", "include", "-D", "TWICE", "--build"]).args(outputs).current_dir(folder);
    command
}

#[test]
fn functions_that_c_inlines_are_built_where_each_package_looks() {
    let folder = tempfile::tempdir().unwrap();
    let outputs = [
        "--csharp", "out/cs/Small.g.cs", "--python", "out/python", "--typescript", "out/ts", "--java",
        "out/java", "--c", "out/c/small.h",
    ];
    let outcome = support::run(&mut bindgen(folder.path(), &outputs));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for line in [
        "C#: built out/cs/libsmall_inline.so",
        "Python: built out/python/small/libsmall_inline.so",
        "TypeScript: built out/ts/libsmall_inline.so",
        "Java: built out/java/libsmall_inline.so",
        "C: built out/c/libsmall_inline.so",
    ] {
        assert!(outcome.err.lines().any(|said| said.starts_with(line)), "{line}:\n{}", outcome.err);
    }

    // The library itself is elsewhere.
    fs::write(folder.path().join("small.c"), "int one(void) { return 1; }\n").unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o", "libsmall.so", "small.c"]);
    assert!(cc.current_dir(folder.path()).status().unwrap().success());
    let library = folder.path().join("libsmall.so");
    let said = |command: &mut Command| {
        command.env("SMALL_LIBRARY", &library).current_dir(folder.path().join("out/python"));
        let (code, output) = compiler::said(command);
        assert_eq!(code, Some(0), "{output}");
        output
    };
    for implementation in ["native", "ctypes"] {
        let mut python = bindgen_tests::interpreter::python();
        python.args(["-c", "import small; print(small.one() + small.twice(21))"]);
        assert_eq!(said(python.env("SMALL_PYTHON", implementation)), "43\n", "{implementation}");
    }
    let node = "const small = require('../ts'); console.log(small.one() + small.twice(21))";
    assert_eq!(said(Command::new("node").args(["-e", node])), "43\n");
    let output = folder.path().join("out/cs");
    fs::write(output.join("Main.cs"), PROGRAM).unwrap();
    let sources = [output.join("Small.g.cs"), output.join("Main.cs")];
    let program = compiler::compile(&output, "program", "exe", &sources).unwrap();
    assert_eq!(said(&mut compiler::started(&program)), "43\n");
}

#[test]
fn a_c_compiler_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = bindgen(folder.path(), &["--c", "out/small.h"]);
    let outcome = support::run(command.env("CC", "no-such-compiler -O1"));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("C: FAILED: no-such-compiler was not found"), "{}", outcome.err);
}
