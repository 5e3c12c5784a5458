//! The examples of libraries in C: their bindings pass the check, and their programs print what they should.

use crate::support;
use bindgen_tests::{compiler, interpreter, java, node};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use upcall_bindgen::java::jdk;

/// A copy of an example, in which nothing is left of other runs but what cargo has compiled.
fn copied(name: &str) -> PathBuf {
    let (from, to) = (
        support::root().join("examples/libraries").join(name),
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("libraries").join(name),
    );
    fs::create_dir_all(&to).unwrap();
    for file in
        ["bindgen.toml", "output.txt", "main.py", "main.ts", "Main.java", "Program.cs", "Program.csproj"]
    {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    to
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Checks the bindings in all languages, then runs the programs: each prints the same.
fn passes(name: &str, library: &str) {
    let folder = copied(name);
    let mut bindgen = support::upcall(&["bindgen", "--config", "bindgen.toml", "--check"]);
    bindgen.current_dir(&folder).env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    let outcome = support::run(&mut bindgen);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    for language in ["C#", "Python", "TypeScript", "Java"] {
        assert!(outcome.err.contains(&format!("{language}: the output compiles")), "{}", outcome.err);
    }
    let expected = fs::read_to_string(folder.join("output.txt")).unwrap();
    for [implementation, said] in python(&folder, name, library) {
        assert_eq!(said, expected, "Python, {implementation}");
    }
    assert_eq!(csharp(&folder), expected, "C#");
    assert_eq!(typescript(&folder, library), expected, "TypeScript");
    assert_eq!(java(&folder), expected, "Java");
}

/// Both implementations of a package in Python, and what its program prints with each.
fn python(folder: &Path, name: &str, library: &str) -> [[String; 2]; 2] {
    let mut cargo = bindgen_tests::cargo();
    let glue = folder.join(format!("build/python/{name}_native/glue"));
    cargo.args(["build", "--release", "--quiet"]).current_dir(glue);
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles");
    let python = |arguments: &[&str]| {
        let mut python = interpreter::python();
        python.arg("-Xdev").args(arguments).current_dir(folder).env("PYTHONPATH", "build/python");
        python.env("MYPYPATH", "build/python").env("PYTHONIOENCODING", "utf-8");
        python
    };
    printed(&python(&["-m", "mypy", "--strict", "--cache-dir=/dev/null", "main.py"]).output().unwrap());
    let variable = format!("{}_PYTHON", library.to_uppercase());
    ["native", "ctypes"].map(|implementation| {
        let output = python(&["main.py"]).env(&variable, implementation).output().unwrap();
        [implementation.to_owned(), printed(&output)]
    })
}

/// What is compiled by a project, and whether that may be unsafe.
const PROJECT: &str = "
import glob, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.attrib == {'Sdk': 'Microsoft.NET.Sdk'}, root.attrib
said = {one.tag: one.text for one in root.iterfind('PropertyGroup/*')}
wanted = {'OutputType': 'Exe', 'AllowUnsafeBlocks': 'true', 'EnableDefaultCompileItems': 'false'}
assert wanted.items() <= said.items(), said
for include in [one.attrib['Include'] for one in root.iterfind('ItemGroup/Compile')]:
    for pattern in include.split(';'):
        print('\\n'.join(glob.glob(pattern) or sys.exit(f'there is no {pattern}')))
";

/// What the program in C# prints, of the files that its project names.
fn csharp(folder: &Path) -> String {
    let mut python = interpreter::python();
    let named =
        printed(&python.args(["-c", PROJECT, "Program.csproj"]).current_dir(folder).output().unwrap());
    let sources: Vec<PathBuf> = named.lines().map(|file| folder.join(file)).collect();
    let program = compiler::compile(&folder.join("build"), "Program", "exe", &sources);
    printed(&compiler::started(&program.unwrap_or_else(|said| panic!("{said}"))).output().unwrap())
}

/// What the program in TypeScript prints.
fn typescript(folder: &Path, library: &str) -> String {
    node::build(&folder.join("build/typescript"), library);
    let (passed, said) = node::compile(&folder.join("main.ts"), folder);
    assert!(passed, "{said}");
    printed(&node::run(&folder.join("main.js")))
}

/// What the program in Java prints.
fn java(folder: &Path) -> String {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    java::compile(&jdk, folder).unwrap_or_else(|said| panic!("{said}"));
    printed(&java::run(&jdk, folder, &[]))
}

#[test]
fn sqlite_is_used_by_its_header() {
    passes("sqlite", "sqlite3");
}

#[test]
fn zlib_is_used_by_its_header() {
    passes("zlib", "z");
}

#[test]
fn zstd_is_used_by_its_header() {
    passes("zstd", "zstd");
}
