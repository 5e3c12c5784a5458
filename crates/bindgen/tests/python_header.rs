//! From a C header to a Python program, with a library and its shims compiled by the C compiler.
#![cfg(feature = "c")]

use bindgen_tests::interpreter;
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::{Diagnostics, python, write};

fn compile(source: &Path, to: &Path) {
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-Wno-trigraphs", "-o"]).arg(to).arg(source);
    assert!(cc.status().unwrap().success(), "{} compiles", source.display());
}

#[test]
fn a_c_library_is_used_from_python_by_its_header() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python_header");
    let package = folder.join("things");
    let input = Input { headers: vec![here.join("api.h")], library: "things".into(), ..Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics).unwrap();
    let mut files = python::generate(&api, &python::Options::default(), &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files.extend(c::shims(&input, &api));
    fs::create_dir_all(&package).unwrap();
    write(&[(folder.clone(), files.clone())]).unwrap();
    compile(&here.join("api.c"), &package.join("libthings.so"));
    compile(&folder.join("shims.c"), &package.join("libthings_inline.so"));
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(package.join("glue"));
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
    for implementation in ["native", "ctypes"] {
        let mut program = interpreter::python();
        program.arg(here.join("headers.py")).env("PYTHONPATH", &folder).env("THINGS_PYTHON", implementation);
        let output = program.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{implementation}: {said}");
    }
    // Users build it themselves, of a file that they may not have noticed.
    fs::remove_file(package.join("libthings_inline.so")).unwrap();
    for implementation in ["native", "ctypes"] {
        let mut program = interpreter::python();
        program.args(["-c", "import things"]);
        program.env("PYTHONPATH", &folder).env("THINGS_PYTHON", implementation);
        let said = String::from_utf8_lossy(&program.output().unwrap().stderr).into_owned();
        let file = said.contains("libthings_inline.so: ");
        assert!(file && said.contains("build it from the bindings' shims.c"), "{implementation}: {said}");
    }
    let mut mypy = interpreter::python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]).arg(package.join("__init__.pyi"));
    let output = mypy.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Their fields are named like types, and like Python's `self`.
#[test]
fn the_stubs_of_awkward_headers_pass_mypy_strict() {
    for name in ["awkward", "portable"] {
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(format!("{name}.h"));
        let input = Input { headers: vec![header], library: name.into(), ..Input::default() };
        let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
        let api = c::read(&input, &mut diagnostics).unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python_header_stubs");
        let files = python::generate(&api, &python::Options::default(), &mut diagnostics);
        write(&[(folder.clone(), files)]).unwrap();
        let mut mypy = interpreter::python();
        mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]);
        let output = mypy.arg(folder.join(name).join("__init__.pyi")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
