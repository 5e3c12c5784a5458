//! The library of awkward cases in every language, each output compiled by its own compiler.

use bindgen_tests::{compiler, interpreter, java, node};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use upcall_bindgen::{Config, Diagnostics, File, Output, generate, rust};

/// A folder with all outputs, made once.
fn outputs() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("awkward-outputs");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward/src/lib.rs");
        let config = Config {
            library: "awkward".into(),
            rust: Some(rust::Input { files: vec![root], ..rust::Input::default() }),
            csharp: Some(Output { output: folder.join("Awkward.g.cs"), ..Output::default() }),
            python: Some(Output { output: folder.join("python"), ..Output::default() }),
            typescript: Some(Output { output: folder.join("typescript"), ..Output::default() }),
            java: Some(Output { output: folder.join("java"), ..Output::default() }),
            header: Some(Output { output: folder.join("awkward.h"), ..Output::default() }),
            ..Config::default()
        };
        let mut diagnostics = Diagnostics::default();
        let generated = generate(&config, &mut diagnostics);
        assert_eq!(diagnostics.list, [], "all of it crosses into every language");
        generated.expect("it was made").write().expect("it is written");
        folder
    })
}

#[test]
fn the_header_compiles_as_c_and_as_cpp() {
    for (compiler, language, standard) in [("gcc", "c", "-std=c11"), ("g++", "c++", "-std=c++17")] {
        let compiled = Command::new(compiler)
            .args(["-x", language, standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
            .arg(outputs().join("awkward.h"))
            .output()
            .expect("the compiler starts");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    }
}

#[test]
fn the_csharp_compiles_without_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = outputs().join("Awkward.g.cs");
    compiler::compile(folder.path(), "awkward", "library", &[source]).unwrap_or_else(|said| panic!("{said}"));
}

/// A program that calls the library, through plain functions, spans, text, callbacks, handles and failures.
#[test]
fn a_csharp_program_calls_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csharp/awkward.cs");
    let sources = [outputs().join("Awkward.g.cs"), program];
    let program =
        compiler::compile(folder.path(), "program", "exe", &sources).unwrap_or_else(|said| panic!("{said}"));
    build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward"), "awkward", folder.path());
    build(&outputs().join("awkward_shim"), "awkward_shim", folder.path());
    let (code, said) = compiler::run(&program);
    assert_eq!((code, said.as_str()), (Some(0), "all is well\n"));
}

/// A program that calls nearly every function of the library, with `using` lowered by the compiler.
#[test]
fn a_typescript_program_calls_the_library() {
    let package = outputs().join("typescript");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/awkward.ts");
    let text = std::fs::read_to_string(program).expect("the program is there");
    node::put(&package, &[File::new("program.ts", text)]);
    let (passed, said) = node::compile(&package.join("program.ts"), &package);
    assert!(passed, "{said}");
    node::build(&package, "awkward");
    build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward"), "awkward", &package);
    let ran = node::run(&package.join("program.js"));
    let said = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(said, "all is well\n", "{}", String::from_utf8_lossy(&ran.stderr));
}

/// The same for Python, with the extension module and with ctypes, after `mypy --strict`.
#[test]
fn a_python_program_calls_the_library() {
    let folder = outputs().join("python");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/awkward_program.py");
    let mut mypy = interpreter::python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]).arg(&program).env("MYPYPATH", &folder);
    let said = mypy.output().expect("mypy starts");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward"), "awkward", &folder.join("awkward"));
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("awkward/glue"));
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
    for implementation in ["native", "ctypes"] {
        let mut python = interpreter::python();
        python.arg("-Xdev").arg(&program).env("PYTHONPATH", &folder).env("AWKWARD_PYTHON", implementation);
        let ran = python.output().expect("Python starts");
        let (said, wrong) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert_eq!(said, format!("all is well with awkward._{implementation}\n"), "{wrong}");
    }
}

/// Builds a library and puts it into a folder.
fn build(krate: &Path, name: &str, to: &Path) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("outputs-{name}"));
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--quiet", "--target-dir"]).arg(&target).current_dir(krate);
    assert!(bindgen_tests::built(&mut cargo), "{} compiles", krate.display());
    let file = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    std::fs::copy(target.join("debug").join(&file), to.join(&file)).expect("the library is there");
}

#[test]
fn the_glue_of_python_and_of_node_compiles() {
    for glue in ["python/awkward/glue", "typescript/glue"] {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("awkward-glue");
        let checked = bindgen_tests::cargo()
            .args(["check", "--quiet", "--target-dir"])
            .arg(target)
            .current_dir(outputs().join(glue))
            .env("RUSTFLAGS", "-Dwarnings")
            .output()
            .expect("cargo starts");
        assert!(checked.status.success(), "{glue}: {}", String::from_utf8_lossy(&checked.stderr));
    }
}

/// A program that calls nearly every function, compiled with the bindings without a warning.
#[test]
fn a_java_program_calls_the_library() {
    let Some(jdk) = java::ffm() else { return };
    let folder = outputs().join("java");
    java::place(&folder, &[File::new("Main.java", include_str!("java/AwkwardMain.java"))]);
    if let Err(said) = java::compile(&jdk, &folder) {
        panic!("{said}");
    }
    // Beside the classes, where the bindings look first.
    let classes = folder.join("classes");
    build(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward"), "awkward", &classes);
    let shim = format!("{}awkward_shim{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    java::cdylib(&folder.join("shim"), &classes.join(shim));
    let ran = java::run(&jdk, &folder, &[]);
    // The other stream has the trace of a caught panic.
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "all is well\n", "{}", java::said(&ran));
    assert!(ran.status.success());
}

#[test]
fn the_stubs_of_python_pass_mypy_strict() {
    let mut mypy = interpreter::python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]);
    let said = mypy.arg(outputs().join("python/awkward/__init__.pyi")).output().expect("mypy starts");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}
