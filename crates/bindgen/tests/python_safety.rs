//! Python programs that do their worst: each in its own process, with the extension and with ctypes.

use bindgen_tests::{hostile, interpreter};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;
use upcall_bindgen::{Output as To, python};

/// A Python that finds the package, made once.
fn python(implementation: &str) -> Command {
    static MADE: OnceLock<std::path::PathBuf> = OnceLock::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-python");
    let library = MADE.get_or_init(|| {
        hostile::bindings(|config| {
            let options = python::Options { release_gil: vec!["counter_slow".into()], ..Default::default() };
            config.python = Some(To { output: folder.clone(), options });
        });
        let mut cargo = bindgen_tests::cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("hostile/glue"));
        assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
        hostile::library()
    });
    let mut python = interpreter::python();
    python.env("PYTHONPATH", &folder).env("HOSTILE_LIBRARY", library);
    python.env("HOSTILE_PYTHON", implementation).env("PYTHONMALLOC", "debug").env("MALLOC_PERTURB_", "170");
    python
}

/// Runs `safety.py`: all its tests, or the given ones.
fn run(implementation: &str, given: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/safety.py");
    let output =
        python(implementation).arg("-Xfaulthandler").arg(script).args(given).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{said}", String::from_utf8_lossy(&output.stdout));
    output
}

#[test]
fn the_extension_survives() {
    run("native", &[]);
}

#[test]
fn ctypes_survives() {
    run("ctypes", &[]);
}

/// Python must not end the library's threads that call while it ends: that would unwind through the library.
#[test]
fn python_ends_while_the_library_calls() {
    for _ in 0..5 {
        let output = run("native", &["end_while_called"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn an_import_that_failed_may_be_tried_again() {
    let script = "import os\nright = os.environ['HOSTILE_LIBRARY']\nos.environ['HOSTILE_LIBRARY'] = '/nowhere'\n\
                  try:\n    import hostile\nexcept ImportError as error:\n    print(error)\n\
                  os.environ['HOSTILE_LIBRARY'] = right\nimport hostile\nprint(hostile.echo_i8(3))\n";
    for implementation in ["native", "ctypes"] {
        let output = python(implementation).args(["-c", script]).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("/nowhere") && said.ends_with("\n3\n"), "{implementation}: {output:?}");
    }
}
