//! Pythons that do not start: each in a process of its own, which must live to tell.
#![cfg(feature = "python")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_glue_python::supported::{VERSIONS, supported};
use upcall_host::python::{Python, PythonOptions, locate};

fn options(interpreter: Option<PathBuf>) -> PythonOptions {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    PythonOptions { interpreter, home: Some(std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from)) }
}

/// The interpreter that the first test starts, itself started by all in the environment that they make.
const INTERPRETER: &str = "UPCALL_TEST_INTERPRETER";

fn starts(interpreter: PathBuf) {
    match Python::start(&options(Some(interpreter.clone()))) {
        Ok(python) => println!("started {}", python.interpreter().version),
        Err(error) => println!("refused: {error}"),
    }
    println!("again: {}", Python::start(&options(Some(interpreter))).is_ok());
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("python-start-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What comes of a start with these variables, which the interpreter does not see when it is asked about itself.
fn start(name: &str, variables: &[(&str, &Path)]) -> String {
    let found = locate(&options(None)).into_result().unwrap_or_else(|error| panic!("{error}"));
    let asked = folder(name).join("python3");
    let script = format!(
        "#!/bin/sh\nunset PYTHONHOME PYTHONPATH LD_PRELOAD\nexec '{}' \"$@\"\n",
        found.executable.display()
    );
    fs::write(&asked, script).unwrap();
    fs::set_permissions(&asked, fs::Permissions::from_mode(0o755)).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_python_that_starts_says_so", "--nocapture"]).env(INTERPRETER, asked);
    child.env_remove("PYTHONHOME").env_remove("PYTHONPATH");
    let output = child.envs(variables.iter().copied()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}: {said}{}", output.status, String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn a_python_that_starts_says_so() {
    if let Some(interpreter) = std::env::var_os(INTERPRETER) {
        return starts(interpreter.into());
    }
    let said = start("fine", &[]);
    assert!(said.contains("started 3.") && said.contains("again: true"), "{said}");
}

#[test]
fn a_home_that_is_none_is_an_error_with_pythons_own_message() {
    let said = start("home", &[("PYTHONHOME", Path::new("/nowhere"))]);
    assert!(said.contains("refused: start Python 3."), "{said}");
    assert!(said.contains("encodings"), "{said}");
    assert!(said.contains("again: false"), "{said}");
}

#[test]
fn a_standard_library_whose_encodings_do_not_work_is_an_error() {
    let path = folder("encodings");
    fs::create_dir_all(path.join("encodings")).unwrap();
    fs::write(path.join("encodings/__init__.py"), "raise RuntimeError('broken on purpose')\n").unwrap();
    let said = start("encodings", &[("PYTHONPATH", &path)]);
    assert!(said.contains("refused: start Python 3.") && said.contains("encoding"), "{said}");
    assert!(said.contains("broken on purpose"), "{said}");
}

#[test]
fn a_site_module_that_ends_the_process_is_an_error() {
    let path = folder("site");
    fs::write(path.join("sitecustomize.py"), "raise SystemExit('sitecustomize had enough')\n").unwrap();
    let said = start("site", &[("PYTHONPATH", &path)]);
    assert!(said.contains("refused: start Python 3."), "{said}");
    assert!(said.contains("site") && said.contains("had enough"), "{said}");
}

#[test]
fn a_python_newer_than_the_driver_knows_is_refused_before_it_is_started() {
    let [(oldest, from), (newest, to)] = VERSIONS;
    let asked = |minor: u32| {
        let program = folder(&format!("minor-{minor}")).join("python3");
        let answer = format!("#!/bin/sh\necho version={newest}.{minor}.0\necho implementation=cpython\n");
        fs::write(&program, answer).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        locate(&options(Some(program))).into_result().unwrap_err().to_string()
    };
    let why = format!(
        "is Python {newest}.{}.0, newer than this driver knows: {oldest}.{from} to {newest}.{to} are supported",
        to + 1
    );
    let refused = asked(to + 1);
    assert!(refused.contains(&why), "{refused}");
    let known = asked(to);
    assert!(known.contains("without a shared library"), "{known}");
}

/// A library that answers as another Python would, when it is loaded before the real one.
fn pretender(name: &str, version: &str) -> PathBuf {
    let (source, library) = (folder(name).join("version.c"), folder(name).join("libversion.so"));
    fs::write(&source, format!("const char *Py_GetVersion(void) {{ return \"{version}\"; }}\n")).unwrap();
    let cc = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().unwrap();
    assert!(cc.success());
    library
}

#[test]
fn a_python_that_the_driver_does_not_fit_is_refused_by_its_version_and_build() {
    for (name, version, why) in [
        ("new", "3.99.0 (main)", "Python 3.99.0 is newer than this library knows"),
        ("free", "3.13.0 experimental free-threading build (main)", "Python 3.13.0 is a free-threaded build"),
    ] {
        let said = start(name, &[("LD_PRELOAD", &pretender(name, version))]);
        assert!(said.contains("refused: start Python 3.") && said.contains(why), "{said}");
        assert!(said.contains("this library supports CPython 3.11 to 3.14"), "{said}");
    }
}

#[test]
fn what_the_driver_fits_is_told_from_the_version_alone() {
    for version in
        ["3.11.2 (main, Apr 28 2025, 14:11:48) [GCC]", "3.14.0 (main) [Clang]", "3.12.0rc1+ (main) [GCC]"]
    {
        assert_eq!(supported(version), Ok(()));
    }
    for version in
        ["3.10.13 (main)", "3.15.0a1 (main)", "4.0.0 (x)", "3.14.0 free-threading build (main)", "", "none"]
    {
        assert!(supported(version).is_err(), "{version}");
    }
}
