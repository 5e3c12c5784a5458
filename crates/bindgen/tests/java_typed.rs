//! What C passes by pointer, in a Java program: typed, held, and named in every error.
#![cfg(feature = "c")]

use bindgen_tests::java;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::java::{Mechanism, Options, generate, jdk};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File};

fn read(header: &Path, library: &str) -> Api {
    let input = Input { headers: vec![header.to_owned()], ..Input::default() };
    let mut diagnostics = Diagnostics::default();
    let mut api = c::read(&input, &mut diagnostics).expect("the header is read");
    assert_eq!(diagnostics.list, []);
    api.library = library.into();
    api
}

fn typed() -> Api {
    read(Path::new("tests/java/typed.h"), "typed")
}

/// The handle that the library releases.
fn options() -> Options {
    Options { released: [("box".to_owned(), "box_close".to_owned())].into(), ..Options::default() }
}

/// Writes bindings, beside other files.
fn prepare(name: &str, api: &Api, options: &Options, others: &[File]) -> PathBuf {
    let mut diagnostics = Diagnostics::default();
    let folder = java::folder(name);
    java::place(&folder, &generate(api, options, &mut diagnostics));
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    java::place(&folder, others);
    folder
}

fn library(folder: &Path, source: &str) -> PathBuf {
    let library = folder.join("libtyped.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
    assert!(cc.status().expect("cc runs").success(), "the library compiles");
    library
}

fn run(jdk: &jdk::Jdk, folder: &Path) -> String {
    let library = library(folder, "tests/java/typed.c");
    let output = java::run(jdk, folder, &[format!("-Dtyped.library={}", library.display()).as_ref()]);
    java::said(&output)
}

const MAIN: &str = include_str!("java/TypedMain.java");

#[test]
fn a_library_of_c_is_used_without_addresses() {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    let folder = prepare("typed", &typed(), &options(), &[File::new("Main.java", MAIN)]);
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(run(&jdk, &folder), "typed\n");
}

#[test]
fn a_library_of_c_is_used_without_addresses_over_jni() {
    let jdk = jdk::find_oldest(jdk::JNI).expect("a JDK");
    let options = Options { mechanism: Mechanism::Jni, ..options() };
    let main = File::new("Main.java", java::without_foreign(MAIN));
    let folder = prepare("typed-jni", &typed(), &options, &[main]);
    java::compile_with(&jdk, &folder, &["--release", "17"]).unwrap_or_else(|said| panic!("{said}"));
    java::glue(&folder, "typed");
    assert_eq!(run(&jdk, &folder), "typed\n");
}

#[test]
fn another_handle_does_not_compile() {
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    let wrong = "import typed.*; class Main { int turns(Box box) { return Typed.lidTurns(box); } }";
    let folder = prepare("typed-wrong", &typed(), &options(), &[File::new("Main.java", wrong)]);
    let said = java::compile(&jdk, &folder).expect_err("a box is no lid");
    assert!(said.contains("incompatible types: Box cannot be converted to Lid"), "{said}");
}

#[test]
fn what_cannot_release_a_handle_is_an_error() {
    let released = [("box".to_owned(), "box_count".to_owned())].into();
    let mut diagnostics = Diagnostics::default();
    generate(&typed(), &Options { released, ..Options::default() }, &mut diagnostics);
    let said = diagnostics.render(false);
    assert!(said.contains("`box_count` cannot release `box`"), "{said}");
}
