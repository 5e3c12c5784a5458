//! The C# check program finds nothing wrong with the awkward shapes, and reports an error if a model lies.

use bindgen_tests::{compiler, native, random, shapes};
use std::path::{Path, PathBuf};
use upcall_bindgen::check::Echo;
use upcall_bindgen::csharp::{Options, check};
use upcall_bindgen::model::{Api, Body};
use upcall_bindgen::{File, write};

fn put(folder: &Path, files: &[File]) {
    write(&[(folder.to_owned(), files.to_vec())]).unwrap();
}

fn checked(library: &Api, seen: &Api, options: &Options) -> (Option<i32>, String) {
    checked_with(library, check::program(seen, options))
}

fn checked_with(library: &Api, files: Vec<File>) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    put(&folder.path().join("echo"), &Echo::new(library).files);
    native::build(&folder.path().join("echo"), "upcall_echo", folder.path());
    put(folder.path(), &files);
    if folder.path().join("upcall_echo_shim").exists() {
        native::build(&folder.path().join("upcall_echo_shim"), "upcall_echo_shim", folder.path());
    }
    let sources: Vec<PathBuf> = files
        .iter()
        .map(|file| folder.path().join(&file.path))
        .filter(|path| path.extension().is_some_and(|extension| extension == "cs"))
        .collect();
    let program =
        compiler::compile(folder.path(), "check", "exe", &sources).unwrap_or_else(|e| panic!("{e}"));
    compiler::run(&program)
}

#[test]
fn every_shape_has_its_layout_and_crosses_by_value_and_by_pointer() {
    let api = shapes::api();
    let newest = Options { language: 12, c_long: false, ..Options::default() };
    for options in [Options::default(), Options::csbindgen(), newest] {
        let (code, output) = checked(&api, &api, &options);
        assert_eq!(code, Some(0), "{output}");
        assert!(output.contains("checked ") && output.lines().count() == 1, "{output}");
    }
}

#[test]
fn a_model_that_lies_is_found_out() {
    let (api, mut lying) = (shapes::api(), shapes::api());
    let point = lying.types.iter_mut().find(|declared| declared.name == "Point").unwrap();
    let Body::Struct(record) = &mut point.body else { panic!("a struct") };
    record.fields.swap(0, 1);
    (record.fields[0].offset, record.fields[1].offset) = (0, 4);
    let seen = lying.types.iter_mut().find(|declared| declared.name == "Bitfields").unwrap();
    let Body::Struct(record) = &mut seen.body else { panic!("a struct") };
    record.fields[0].offset = 4;
    let (code, output) = checked(&api, &lying, &Options::default());
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("Bitfields: "), "{output}");
}

#[test]
fn an_accessor_that_reads_another_value_is_found_out() {
    let [mut files, lying] =
        [shapes::api(), shapes::without_sign()].map(|api| check::program(&api, &Options::default()));
    files[0] = lying[0].clone();
    let (code, output) = checked_with(&shapes::api(), files);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.starts_with("Bitfields: bitfield a of value: expected -"), "{output}");
}

#[test]
fn random_types_have_their_layouts_and_cross_by_value_and_by_pointer() {
    for seed in [0x5eed, 22] {
        let api = random::api(seed, 250);

        let (code, output) = checked(&api, &api, &Options::default());
        assert_eq!(code, Some(0), "{output}");
        assert_eq!(output, "checked 250 types\n");
    }
}

#[cfg(feature = "c")]
#[test]
fn the_structs_of_c_headers_cross_by_value_and_by_pointer() {
    use upcall_bindgen::{Diagnostics, c};
    for header in ["awkward.h", "portable.h"] {
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(header);
        let input = c::Input { library: "header".into(), headers: vec![header], ..c::Input::default() };
        let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
        let api = c::read(&input, &mut diagnostics).unwrap();
        let (code, output) = checked(&api, &api, &Options::default());
        assert_eq!(code, Some(0), "{output}");
    }
}
