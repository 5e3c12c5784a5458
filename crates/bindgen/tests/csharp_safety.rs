//! A C# program that does its worst.

use bindgen_tests::{compiler, hostile};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use upcall_bindgen::{Output as To, csharp};

fn run(name: &str, given: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-csharp").join(name);
    let bindings = folder.join("Hostile.g.cs");
    hostile::bindings(|config| {
        config.csharp = Some(To { output: bindings.clone(), options: csharp::Options::default() });
    });
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csharp/Safety.cs");
    let compiled = compiler::compile(&folder, "safety", "exe", &[bindings, program]);
    let compiled = compiled.unwrap_or_else(|said| panic!("{said}"));
    let library = hostile::library();
    fs::copy(&library, folder.join(library.file_name().expect("a file"))).expect("it is copied");
    let given: Vec<&OsStr> = given.iter().map(OsStr::new).collect();
    let (code, said) = compiler::run_with(&compiled, &given);
    assert_eq!(code, Some(0), "{said}");
    said
}

#[test]
fn csharp_survives() {
    let said = run("all", &[]);
    assert!(said.contains("done\n"), "{said}");
}

#[test]
fn the_program_ends_while_the_library_calls() {
    for _ in 0..3 {
        run("end", &["end"]);
    }
}
