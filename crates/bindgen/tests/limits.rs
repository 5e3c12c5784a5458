//! Numbers that no Rust enum has: refused before the native call, wherever one may lie.

use bindgen_tests::{compiler, interpreter, java, node};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output as Ran};
use upcall_bindgen::java::{Mechanism, Options, jdk};
use upcall_bindgen::{Config, Diagnostics, Output, generate, rust};

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits")
}

/// The folder of one language, with the library and the bindings that `with` asks for.
fn made(language: &str, with: impl FnOnce(&mut Config, &Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits").join(language);
    fs::create_dir_all(&folder).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-Copt-level=2", "-o"]);
    let compiled = rustc.arg(library(&folder)).arg(here().join("lib.rs")).status().unwrap();
    assert!(compiled.success(), "the library compiles");
    let mut config = Config {
        library: "limits".into(),
        rust: Some(rust::Input { files: vec![here().join("lib.rs")], ..rust::Input::default() }),
        ..Config::default()
    };
    with(&mut config, &folder);
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
    folder
}

fn library(folder: &Path) -> PathBuf {
    folder.join("liblimits.so")
}

fn done(ran: &Ran) {
    let said = java::said(ran);
    assert!(ran.status.success() && said == "done\n", "{:?}: {said}", ran.status);
}

#[test]
fn python_refuses_a_number_that_no_enum_has() {
    let folder = made("python", |config, folder| {
        config.python = Some(Output { output: folder.to_owned(), ..Output::default() });
    });
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("limits/glue"));
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
    for implementation in ["native", "ctypes"] {
        let mut python = interpreter::python();
        python.arg("-Xfaulthandler").arg(here().join("program.py")).env("PYTHONPATH", &folder);
        python.env("LIMITS_LIBRARY", library(&folder)).env("LIMITS_PYTHON", implementation);
        done(&python.output().unwrap());
    }
}

#[test]
fn node_refuses_a_number_that_no_enum_has() {
    let folder = made("typescript", |config, folder| {
        config.typescript = Some(Output { output: folder.to_owned(), ..Output::default() });
    });
    node::build(&folder, "limits");
    let mut program = Command::new("node");
    program.arg(here().join("program.js")).arg(folder.join("index.js"));
    done(&program.env("LIMITS_LIBRARY", library(&folder)).output().unwrap());
}

#[test]
fn csharp_refuses_a_number_that_no_enum_has() {
    let folder = made("csharp", |config, folder| {
        config.csharp = Some(Output { output: folder.join("Limits.g.cs"), ..Output::default() });
    });
    let sources = [folder.join("Limits.g.cs"), here().join("Program.cs")];
    let program = compiler::compile(&folder, "program", "exe", &sources);
    let program = program.unwrap_or_else(|said| panic!("{said}"));
    let (code, said) = compiler::said(compiler::started(&program).env("LIMITS_LIBRARY", library(&folder)));
    assert_eq!((code, said.as_str()), (Some(0), "done\n"));
}

fn java(name: &str, mechanism: Mechanism) {
    let foreign = mechanism == Mechanism::Ffm;
    let Some(jdk) = (if foreign { java::ffm() } else { jdk::find_oldest(jdk::JNI).ok() }) else { return };
    let folder = made(name, |config, folder| {
        let options = Options { mechanism, ..Options::default() };
        config.java = Some(Output { output: folder.to_owned(), options });
    });
    let mut main = fs::read_to_string(here().join("Main.java")).unwrap();
    if !foreign {
        main = java::without_foreign(&main);
        java::glue(&folder, "limits");
    }
    fs::write(folder.join("Main.java"), main).unwrap();
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let property = |name: &str, file: PathBuf| format!("-Dlimits.{name}={}", file.display());
    let (library, glue) =
        (property("library", library(&folder)), property("jni", folder.join("liblimits_jni.so")));
    done(&java::run(&jdk, &folder, &[library.as_ref(), glue.as_ref()]));
}

#[test]
fn java_refuses_a_number_that_no_enum_has() {
    java("java", Mechanism::Ffm);
}

#[test]
fn java_refuses_it_with_jni() {
    java("jni", Mechanism::Jni);
}
