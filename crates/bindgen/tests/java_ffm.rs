//! The Java bindings over `java.lang.foreign`: compiled without a warning, and run against a real library.

mod java;
mod shapes;

use std::path::Path;
use upcall_bindgen::java::{Options, generate, jdk::Jdk};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File};

fn files(api: &Api, options: &Options) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let files = generate(api, options, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    files
}

/// Compiles bindings and a program, and runs it with the library and its shim beside it.
fn run(jdk: &Jdk, folder: &Path, files: &[File], main: &str) -> String {
    java::place(folder, files);
    java::place(folder, &[File::new("Main.java", main)]);
    if let Err(said) = java::compile(jdk, folder) {
        panic!("{said}");
    }
    let library = shapes::library(folder);
    java::cdylib(&folder.join("shim"), &folder.join("libshapes_shim.so"));
    let property = format!("-Dshapes.library={}", library.display());
    let output = java::run(jdk, folder, &[property.as_ref()]);
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn every_shape_crosses() {
    let Some(jdk) = java::ffm() else { return };
    let options = Options { enums: true, critical: vec!["add".into()], ..Options::default() };
    let files = files(&shapes::api(), &options);
    let said = run(&jdk, &java::folder("shapes"), &files, include_str!("java/ShapesMain.java"));
    assert!(said.starts_with("checked 1"), "{said}");
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let options = Options::default();
    assert_eq!(files(&shapes::api(), &options), files(&shapes::api(), &options));
}
