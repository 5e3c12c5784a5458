//! The Java bindings over JNI, for JDK 17: the same program as with `java.lang.foreign`, except for its imports.

use bindgen_tests::{java, shapes};
use std::path::Path;
use std::process::Output;
use upcall_bindgen::check::Echo;
use upcall_bindgen::java::{Mechanism, Options, check, generate, jdk};
use upcall_bindgen::{Diagnostics, File};

/// Compiles for Java 17, with the oldest JDK available, and runs a class.
fn run(folder: &Path, library: &Path, name: &str, class: &str) -> Output {
    let jdk = jdk::find_oldest(jdk::JNI).unwrap();
    if let Err(said) = java::compile_with(&jdk, folder, &["--release", "17"]) {
        panic!("{said}");
    }
    java::glue(folder, name);
    let property = format!("-D{name}.library={}", library.display());
    java::run_class(&jdk, folder, &[property.as_ref(), "-Xcheck:jni".as_ref()], class)
}

#[test]
fn every_shape_crosses() {
    let options = Options {
        enums: true,
        mechanism: Mechanism::Jni,
        cleaned: vec!["Counter".into()],
        ..Options::default()
    };
    let mut diagnostics = Diagnostics::default();
    let files = generate(&shapes::api(), &options, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    let folder = java::folder("jni");
    java::place(&folder, &files);
    let main = java::without_foreign(include_str!("java/ShapesMain.java"));
    java::place(&folder, &[File::new("Main.java", main)]);
    let output = run(&folder, &shapes::library(&folder), "shapes", "Main");
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("checked 1") && !said.contains("FATAL ERROR"), "{said}");
}

#[test]
fn every_shape_is_right() {
    let api = shapes::api();
    let options = Options { mechanism: Mechanism::Jni, ..Options::default() };
    let folder = java::folder("jni-check");
    java::place(&folder, &check::program(&api, &options));
    java::place(&folder.join("echo"), &Echo::new(&api).files);
    let library = folder.join("libupcall_echo.so");
    java::cdylib(&folder.join("echo"), &library);
    let output = run(&folder, &library, "upcall_echo", &format!("upcall_echo.{}", check::MAIN));
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("checked 1"), "{said}");
}
