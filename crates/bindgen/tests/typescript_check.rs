//! The TypeScript check program finds nothing wrong with the awkward shapes, and reports an error if a model
//! lies.

use bindgen_tests::{node, random, shapes};
use std::fs;
use std::path::Path;
use upcall_bindgen::File;
use upcall_bindgen::check::Echo;
use upcall_bindgen::model::{Api, Body};
use upcall_bindgen::typescript::{Options, check};

/// What the program for one model says about the library of another.
fn checked(name: &str, library: &Api, seen: &Api, options: &Options) -> (Option<i32>, String) {
    checked_with(name, library, &check::program(seen, options))
}

fn checked_with(name: &str, library: &Api, files: &[File]) -> (Option<i32>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript_check").join(name);
    node::put(&folder.join("echo"), &Echo::new(library).files);
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("echo"));
    assert!(bindgen_tests::built(&mut cargo), "the library compiles");
    node::put(&folder, files);
    let package = folder.join("upcall_echo");
    node::build(&package, "upcall_echo");
    let file = "libupcall_echo.so";
    fs::copy(folder.join("echo/target/release").join(file), package.join(file)).unwrap();
    let (passed, said) = node::compile(&folder.join("check.ts"), &folder);
    assert!(passed, "{said}");
    let output = node::run(&folder.join("check.js"));
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn every_shape_has_its_layout_and_crosses_by_value_and_by_pointer() {
    let api = shapes::api();
    let (code, output) = checked("true", &api, &api, &Options::default());
    assert_eq!(code, Some(0), "{output}");
    assert_eq!(output, format!("checked {} types\n", Echo::new(&api).probes.len()));
}

#[test]
fn numbers_instead_of_bigints_and_camel_case_pass_the_check_too() {
    let api = shapes::api();
    let options = Options { numbers: true, camel_case: true, ..Options::default() };
    let (code, output) = checked("numbers", &api, &api, &options);
    assert_eq!(code, Some(0), "{output}");
}

#[test]
fn a_model_that_lies_is_found_out() {
    let (api, mut lying) = (shapes::api(), shapes::api());
    let bitfields = lying.types.iter_mut().find(|declared| declared.name == "Bitfields").unwrap();
    let Body::Struct(record) = &mut bitfields.body else { panic!("a struct") };
    record.fields[0].offset = 4;
    let (code, output) = checked("lying", &api, &lying, &Options::default());
    assert_eq!(code, Some(1), "{output}");
    for how in ["by value", "by pointer"] {
        let line =
            format!("Bitfields: passed {how}, first wrong byte that the library saw: expected -1, found 0");
        assert!(output.contains(&line), "{output}");
    }
    assert!(output.ends_with(&format!("checked {} types\n", Echo::new(&api).probes.len())), "{output}");
}

#[test]
fn an_accessor_that_reads_another_value_is_found_out() {
    let [right, mut files] =
        [shapes::api(), shapes::without_sign()].map(|api| check::program(&api, &Options::default()));
    *files.last_mut().unwrap() = right.last().unwrap().clone();
    let (code, output) = checked_with("sign", &shapes::api(), &files);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("sent.a, read: expected -"), "{output}");
}

#[test]
fn random_types_have_their_layouts_and_cross_by_value_and_by_pointer() {
    let api = random::api(5, 120);
    let (code, output) = checked("random", &api, &api, &Options::default());
    assert_eq!((code, output.as_str()), (Some(0), "checked 120 types\n"));
}

#[cfg(feature = "c")]
#[test]
fn the_structs_of_c_headers_cross_by_value_and_by_pointer() {
    use upcall_bindgen::{Diagnostics, c};
    for header in ["awkward.h", "portable.h"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(header);
        let input = c::Input { library: "header".into(), headers: vec![path], ..c::Input::default() };
        let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
        let api = c::read(&input, &mut diagnostics).unwrap();
        let (code, output) = checked(header, &api, &api, &Options::default());
        assert_eq!(code, Some(0), "{output}");
    }
}
