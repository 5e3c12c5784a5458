//! From C headers to TypeScript programs, with a library made by the C compiler.
#![cfg(feature = "c")]

use bindgen_tests::node;
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::{Diagnostics, typescript};

#[test]
fn texts_bytes_and_results_cross_by_pointer() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/plain_c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript/plain_c");
    let input = Input { headers: vec![here.join("api.h")], library: "plain".into(), ..Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics).unwrap();
    let files = typescript::generate(&api, &typescript::Options::default(), &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    node::put(&folder, &files);
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.join("libplain.so")).arg(here.join("api.c"));
    assert!(cc.status().unwrap().success(), "the library compiles");
    node::build(&folder, "plain");
    let source = folder.join("main.ts");
    fs::copy(here.join("main.ts"), &source).unwrap();
    let (passed, said) = node::compile(&source, &folder);
    assert!(passed, "{said}");
    let output = node::run(&folder.join("main.js"));
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said, "all is well\n");
}
