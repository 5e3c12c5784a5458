//! What a library says of bindings that were made from an older version of it.

use bindgen_tests::drift;
use std::process::Command;
use upcall_bindgen::{Diagnostics, rust};

type Changes = unsafe extern "C" fn(*const u8, usize, *mut u8, usize) -> usize;

/// The lines that bindings of the library without features have.
fn expected() -> String {
    let mut diagnostics = Diagnostics::default();
    let mut apis = rust::read(&drift::input(), &mut diagnostics).expect("it can be read");
    assert_eq!(diagnostics.list, []);
    let lines = apis.remove(0).fingerprints;
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn said(features: &[&str], expected: &str) -> String {
    // SAFETY: nothing runs when it is opened, and the symbol is Upcall's own; both have their lengths.
    let said = unsafe {
        let library = libloading::Library::new(drift::library(features)).unwrap();
        let changes = library.get::<Changes>("upcall_changes").unwrap();
        let mut said = vec![0; changes(expected.as_ptr(), expected.len(), std::ptr::null_mut(), 0)];
        assert_eq!(changes(expected.as_ptr(), expected.len(), said.as_mut_ptr(), said.len()), said.len());
        String::from_utf8(said).unwrap()
    };
    let (before, after) = (
        "libdrift.so is not the library that these bindings were made from: ",
        "; run `upcall bindgen` again",
    );
    match said.split_once(before) {
        Some((folder, rest)) => {
            assert!(folder.ends_with('/'), "{said}");
            rest.split_once(after).unwrap().0.to_owned()
        }
        None => said,
    }
}

#[test]
fn the_compiler_measures_what_the_library_then_has() {
    let expected = expected();
    assert_eq!(expected.lines().count(), 10, "{expected}");
    assert_eq!(said(&[], &expected), "");
}

#[test]
fn a_function_that_is_new_breaks_nothing() {
    assert_eq!(said(&["added"], &expected()), "");
}

#[test]
fn each_change_is_named() {
    let expected = expected();
    let cases = [
        ("removed", "it has no function `gone`"),
        ("retyped", "the signature has changed of function `scale`"),
        ("swapped", "the type `Point` has changed, which is used by function `length`, `total`"),
        ("grown", "the type `Color` has changed, which is used by function `paint`"),
        ("renamed", "the type `OpenError` has changed, which is used by function `unlock`"),
    ];
    for (feature, message) in cases {
        assert_eq!(said(&[feature], &expected), message, "{feature}");
    }
}

#[test]
fn what_a_release_with_lto_and_without_symbols_says_is_the_same() {
    let target = drift::folder("release");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--manifest-path"])
        .arg(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drift/Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .status();
    assert!(built.unwrap().success());
    let expected = expected();
    // SAFETY: as above.
    unsafe {
        let library = libloading::Library::new(target.join("release/libdrift.so")).unwrap();
        let changes = library.get::<Changes>("upcall_changes").unwrap();
        assert_eq!(changes(expected.as_ptr(), expected.len(), std::ptr::null_mut(), 0), 0);
    }
}
