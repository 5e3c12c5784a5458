//! From C headers to TypeScript programs, with a library made by the C compiler.
#![cfg(feature = "c")]

use bindgen_tests::node;
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::{Config, Diagnostics, Output, Step, Stop, check, generate, typescript};

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

/// Generates, checks, compiles and runs an example as its folder has it.
fn runs(example: &str, library: &str, printed: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/libraries").join(example);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = target.join("typescript/libraries").join(example);
    let package = folder.join("build/typescript");
    let mut diagnostics = Diagnostics::default();
    let read = Config::read(&here.join("bindgen.toml"), &mut diagnostics).expect("the example's file");
    let typescript = Some(Output { output: package.clone(), ..read.typescript.expect("it has TypeScript") });
    let config = Config { library: read.library, c: read.c, typescript, ..Config::default() };
    let generated = generate(&config, &mut diagnostics).unwrap_or_else(|| panic!("{:#?}", diagnostics.list));
    generated.write().unwrap();
    node::build(&package, library);
    let mut steps = Vec::new();
    let mut report = |step: Step| steps.push(step.to_string());
    assert!(
        check::run(&config, &generated, &target.join("check"), &Stop::default(), &mut report),
        "{steps:#?}"
    );
    let source = folder.join("main.ts");
    fs::copy(here.join("main.ts"), &source).unwrap();
    let (passed, said) = node::compile(&source, &folder);
    assert!(passed, "{said}");
    let output = node::run(&folder.join("main.js"));
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said, printed);
}

#[test]
fn sqlite_is_used_by_its_header() {
    let printed = "version of the header\nTōkyō, JP: 37.1 million\nSão Paulo, BR: 22.6 million\n\
                   Atlantis, nowhere: 0 million\nthe first name has 7 bytes\ncities 3, people 59.7\n\
                   error: no such table: countries\n";
    runs("sqlite", "sqlite3", printed);
}

#[test]
fn zlib_is_used_by_its_header() {
    let printed =
        "version of the header\n4200 bytes, a tenth or less: true\nback 4200, the same\nerror: data error\n";
    runs("zlib", "z", printed);
}

#[test]
fn zstd_is_used_by_its_header() {
    let printed = "version of the header\n4200 bytes, a tenth or less: true\nback 4200, the same\n\
                   error: Destination buffer is too small\n";
    runs("zstd", "zstd", printed);
}
