//! Bindings that were made from an older version of their library, in every language.

use bindgen_tests::{compiler, drift, interpreter, java, node};
use drift::{ADDED, CHANGED, SAID, SAME};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use upcall_bindgen::java::{Mechanism, jdk};
use upcall_bindgen::{Output as To, csharp, java as java_bindings, python, typescript};

/// That the program calls the library where nothing has changed, and is told what has where something did.
fn refuses_what_has_changed(run: impl Fn(&Path) -> Output) {
    for features in [SAME, ADDED] {
        let output = run(&drift::library(features));
        assert_eq!(java::said(&output), "42\n", "{features:?}");
    }
    let library = drift::library(CHANGED);
    let said = java::said(&run(&library));
    assert!(said.lines().all(|line| line != "42"), "{said}");
    assert!(said.contains(SAID) && said.contains(&library.parent().unwrap().display().to_string()), "{said}");
}

/// That a library which knows nothing of fingerprints is loaded as ever.
fn takes_an_older_library(run: impl Fn(&Path) -> Output) {
    let folder = drift::folder("older");
    let library = folder.join("libdrift.so");
    let mut text = String::from("#include <stdint.h>\n");
    let symbols = ["counter_new", "counter_add", "counter_each", "counter_release", "upcall_failure_release"];
    for symbol in ["scale", "total", "length", "paint", "unlock", "gone"].iter().chain(&symbols) {
        text += &format!("void {symbol}(void) {{}}\n");
    }
    text += "int32_t same(int32_t value, void **failure) { return value + 1; }\n";
    let source = folder.join(format!("older-{}.c", std::process::id()));
    fs::write(&source, text).unwrap();
    let beside = source.with_extension("so");
    let status = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&beside).arg(&source).status();
    assert!(status.unwrap().success());
    fs::rename(beside, &library).unwrap();
    let output = run(&library);
    assert_eq!(java::said(&output), "42\n");
}

#[test]
fn csharp() {
    let folder = drift::folder("csharp");
    let bindings = folder.join("Drift.g.cs");
    drift::bindings(|config| {
        config.csharp = Some(To { output: bindings.clone(), options: csharp::Options::default() });
    });
    let main = folder.join("Program.cs");
    let program = "internal static class Program { private static void Main() => \
                   System.Console.WriteLine(Drift.Api.Same(41)); }";
    fs::write(&main, program).unwrap();
    let compiled = compiler::compile(&folder, "drift", "exe", &[bindings, main]);
    let compiled = compiled.unwrap_or_else(|said| panic!("{said}"));
    let run = |library: &Path| {
        compiler::started(&compiled).env("DRIFT_LIBRARY", library).output().expect("dotnet runs")
    };
    refuses_what_has_changed(run);
    takes_an_older_library(run);
}

fn python(implementation: &str) {
    let folder = drift::folder(&format!("python-{implementation}"));
    drift::bindings(|config| {
        config.python = Some(To { output: folder.clone(), options: python::Options::default() });
    });
    if implementation == "native" {
        let mut cargo = bindgen_tests::cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("drift/glue"));
        assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
    }
    let run = |library: &Path| {
        let mut python = interpreter::python();
        python.env("PYTHONPATH", &folder).env("DRIFT_LIBRARY", library).env("DRIFT_PYTHON", implementation);
        python.args(["-c", "import drift\nprint(drift.same(41))"]).output().unwrap()
    };
    refuses_what_has_changed(run);
    takes_an_older_library(run);
}

#[test]
fn python_extension() {
    python("native");
}

#[test]
fn python_ctypes() {
    python("ctypes");
}

#[test]
fn typescript() {
    let folder = drift::folder("typescript");
    drift::bindings(|config| {
        let options = typescript::Options::default();
        config.typescript = Some(To { output: folder.clone(), options });
    });
    node::build(&folder, "drift");
    let script = folder.join("program.js");
    fs::write(&script, "console.log(require('./index.js').same(41));\n").unwrap();
    let run = |library: &Path| {
        Command::new("node").arg(&script).env("DRIFT_LIBRARY", library).output().expect("node runs")
    };
    refuses_what_has_changed(run);
    takes_an_older_library(run);
}

fn java_by(mechanism: Mechanism) {
    let foreign = mechanism == Mechanism::Ffm;
    let jdk = match foreign {
        true => java::ffm(),
        false => Some(jdk::find_oldest(jdk::JNI).expect("a JDK")),
    };
    let Some(jdk) = jdk else { return };
    let folder = java::folder(if foreign { "drift" } else { "drift-jni" });
    drift::bindings(|config| {
        let options = java_bindings::Options { mechanism, ..Default::default() };
        config.java = Some(To { output: folder.clone(), options });
    });
    let main = "public final class Main {\n    private Main() {}\n\n    public static void main(String[] args) {\n        \
                System.out.println(drift.Drift.same(41));\n    }\n}\n";
    fs::write(folder.join("Main.java"), main).unwrap();
    if !foreign {
        java::glue(&folder, "drift");
    }
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let run = |library: &Path| {
        let mut program = Command::new(jdk.tool("java"));
        if foreign {
            program.arg("--enable-native-access=ALL-UNNAMED");
        }
        program.env("DRIFT_LIBRARY_JNI", folder.join("libdrift_jni.so")).env("DRIFT_LIBRARY", library);
        program.arg("-cp").arg(folder.join("classes")).arg("Main").output().expect("java runs")
    };
    refuses_what_has_changed(run);
    takes_an_older_library(run);
}

#[test]
fn java_ffm() {
    java_by(Mechanism::Ffm);
}

#[test]
fn java_jni() {
    java_by(Mechanism::Jni);
}
