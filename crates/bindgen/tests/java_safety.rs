//! A Java program that does its worst.

mod hostile;
mod java;

use std::fs;
use std::process::Command;
use upcall_bindgen::{Output, java as bindings};

/// Runs the program: its exit code, and what it said.
fn run(name: &str, given: &[&str]) -> Option<String> {
    let jdk = java::ffm()?;
    let folder = java::folder(name);
    hostile::bindings(|config| {
        config.java = Some(Output { output: folder.clone(), options: bindings::Options::default() });
    });
    fs::write(folder.join("SafetyMain.java"), include_str!("java/SafetyMain.java")).expect("it is written");
    if let Err(said) = java::compile(&jdk, &folder) {
        panic!("{said}");
    }
    let mut program = Command::new("timeout");
    program.arg("120").arg(jdk.tool("java")).args([
        "-ea",
        "-Xmx64m",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
    ]);
    program.arg(folder.join("classes")).arg("SafetyMain").args(given).env("MALLOC_PERTURB_", "170");
    let output = program.env("HOSTILE_LIBRARY", hostile::library()).output().expect("java runs");
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    Some(said)
}

#[test]
fn java_survives() {
    if let Some(said) = run("safety", &[]) {
        assert!(said.contains("done\n"), "{said}");
    }
}

#[test]
fn the_program_ends_while_the_library_calls() {
    run("safety-end", &["end"]);
}
