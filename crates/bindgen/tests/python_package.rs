//! The package is generated, its extension compiled, and both implementations run against a real library.

use bindgen_tests::{interpreter, shapes};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use upcall_bindgen::model::Function;
use upcall_bindgen::{Diagnostics, python};

/// A folder with the package and its library, made once.
fn package() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        let mut diagnostics = Diagnostics::default();
        let mut api = shapes::api();
        let fold = api.functions.iter().find(|function| function.name == "fold").unwrap().clone();
        for name in ["fold_elsewhere", "fold_aside"] {
            api.functions.push(Function { name: name.into(), symbol: name.into(), ..fold.clone() });
        }
        let options =
            python::Options { release_gil: vec!["fold_aside".into()], ..python::Options::default() };
        let files = python::generate(&api, &options, &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        for file in &files {
            let path = folder.join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if fs::read_to_string(&path).ok().as_ref() != Some(&file.text) {
                fs::write(path, &file.text).unwrap();
            }
        }
        shapes::library(&folder.join("shapes"));
        let mut cargo = bindgen_tests::cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("shapes/glue"));
        assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
        folder
    })
}

fn run(python: &mut Command) -> Output {
    let output = python.current_dir(package()).env("PYTHONPATH", package()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{said}", String::from_utf8_lossy(&output.stdout));
    output
}

fn behaviour(implementation: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/behaviour.py");
    let output = run(interpreter::python().arg("-Xdev").arg(script).env("SHAPES_PYTHON", implementation));
    assert!(String::from_utf8_lossy(&output.stdout).contains("test_nothing ok"));
}

#[test]
fn the_extension_does_what_the_tests_say() {
    behaviour("native");
}

#[test]
fn ctypes_does_what_the_tests_say() {
    behaviour("ctypes");
}

#[test]
fn packages_of_one_name_beside_handlers_in_two_folders_have_their_own_extensions() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sdk = here.join("../../sdk/python");
    let mut python = interpreter::python();
    run(python
        .arg(here.join("tests/python/twice.py"))
        .args([package(), &sdk])
        .env("SHAPES_PYTHON", "native"));
}

#[test]
fn stubs_and_a_users_file_pass_mypy_strict_and_run() {
    let user = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/user.py");
    let mut mypy = interpreter::python();
    mypy.args([
        "-m", "mypy", "--strict", "--cache-dir=/dev/null", "--no-error-summary", "--warn-unreachable",
    ])
    .arg(&user);
    run(mypy.arg(package().join("shapes/__init__.pyi")).env("MYPYPATH", package()));
    let mut said = Vec::new();
    for implementation in ["native", "ctypes"] {
        let output = run(interpreter::python().arg(&user).env("SHAPES_PYTHON", implementation));
        said.push(String::from_utf8(output.stdout).unwrap());
    }
    assert_eq!(said[0], said[1]);
    assert!(said[0].starts_with("3 False 8 7 2.0 2 Point(x=2.0, y=2.0) 6.0 9 2.0"), "{}", said[0]);
}

#[test]
fn mypy_finds_wrong_types() {
    let wrong = package().join("wrong.py");
    fs::write(&wrong, "import shapes\nshapes.add(1, 2.5)\nshapes.mirror_point(shapes.Aligned())\n").unwrap();
    let mut mypy = interpreter::python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]).arg(&wrong).env("MYPYPATH", package());
    let output = mypy.current_dir(package()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains("Found 2 errors"), "{said}");
}

#[test]
fn an_interpreter_that_the_extension_does_not_fit_is_refused_at_import() {
    let (source, library) = (package().join("version.c"), package().join("libversion.so"));
    let version = "3.99.0 free-threading build (main)";
    // An object that the extension made before would have another header than it knows.
    let objects = include_str!("python/objects.c");
    let text = format!("const char *Py_GetVersion(void) {{ return \"{version}\"; }}\n{objects}");
    fs::write(&source, text).unwrap();
    let cc = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().unwrap();
    assert!(cc.success());
    let mut python = interpreter::python();
    python.args(["-c", "import shapes"]).env("SHAPES_PYTHON", "native").env("LD_PRELOAD", &library);
    let output = python.current_dir(package()).env("PYTHONPATH", package()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let expected =
        "ImportError: import shapes._native: Python 3.99.0 is a free-threaded build: this library supports";
    assert!(output.status.code() == Some(1) && said.contains(expected), "{}: {said}", output.status);
}

#[test]
fn a_free_threaded_build_is_refused_before_the_extension_is_loaded() {
    let program = "import importlib.machinery, sys, sysconfig\n\
                   sys._is_gil_enabled = lambda: sys.argv[1] == 'on'\n\
                   sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1\n\
                   real = importlib.machinery.ExtensionFileLoader.exec_module\n\
                   def load(self, module):\n    if self.name.endswith('_native'): print('loaded')\n    real(self, module)\n\
                   importlib.machinery.ExtensionFileLoader.exec_module = load\n\
                   import shapes\nprint(shapes.add(2, 3))\n";
    let run = |implementation: &str, gil: &str| {
        let mut python = interpreter::python();
        python.args(["-c", program, gil]).env("SHAPES_PYTHON", implementation).env("PYTHONPATH", package());
        let output = python.current_dir(package()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for (implementation, gil) in [("native", "off"), ("", "off"), ("", "on")] {
        let (printed, said) = run(implementation, gil);
        assert_eq!(printed, "", "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with("ImportError: import shapes._native: Python 3."), "{said}");
        assert!(last.ends_with("use a standard build, or set SHAPES_PYTHON to ctypes"), "{said}");
    }
    assert_eq!(run("ctypes", "off").0, "5\n");
}
