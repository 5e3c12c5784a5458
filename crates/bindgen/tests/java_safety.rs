//! A Java program that does its worst.

use bindgen_tests::{hostile, java};
use std::fs;
use std::process::Command;
use upcall_bindgen::java::{Mechanism, jdk};
use upcall_bindgen::{Output, java as bindings};

/// Runs the program and returns its output, unless there is no JDK for it.
fn run(name: &str, mechanism: Mechanism, given: &[&str]) -> Option<String> {
    let foreign = mechanism == Mechanism::Ffm;
    let jdk = if foreign { java::ffm()? } else { jdk::find_oldest(jdk::JNI).expect("a JDK") };
    let folder = java::folder(name);
    hostile::bindings(|config| {
        let options = bindings::Options { mechanism, ..bindings::Options::default() };
        config.java = Some(Output { output: folder.clone(), options });
    });
    let mut main = include_str!("java/SafetyMain.java").to_owned();
    if !foreign {
        main = java::without_foreign(&main);
        java::glue(&folder, "hostile");
    }
    fs::write(folder.join("SafetyMain.java"), main).expect("it is written");
    if let Err(said) = java::compile(&jdk, &folder) {
        panic!("{said}");
    }
    let mut program = Command::new("timeout");
    program.arg("120").arg(jdk.tool("java")).args(["-ea", "-Xmx64m"]);
    match foreign {
        true => program.arg("--enable-native-access=ALL-UNNAMED"),
        false => program.args(["-Djni=yes", "-Xcheck:jni"]),
    };
    program.arg("-cp").arg(folder.join("classes")).arg("SafetyMain").args(given);
    program.env("HOSTILE_LIBRARY_JNI", folder.join("libhostile_jni.so")).env("MALLOC_PERTURB_", "170");
    let output = program.env("HOSTILE_LIBRARY", hostile::library()).output().expect("java runs");
    let said = java::said(&output);
    assert!(output.status.success() && !said.contains("FATAL ERROR"), "{said}");
    Some(said)
}

#[test]
fn java_survives() {
    if let Some(said) = run("safety", Mechanism::Ffm, &[]) {
        assert!(said.contains("done\n"), "{said}");
    }
}

#[test]
fn java_survives_with_jni() {
    let said = run("safety-jni", Mechanism::Jni, &[]).unwrap_or_default();
    assert!(said.contains("done\n"), "{said}");
}

#[test]
fn the_program_ends_while_the_library_calls() {
    run("safety-end", Mechanism::Ffm, &["end"]);
    run("safety-end-jni", Mechanism::Jni, &["end"]);
}
