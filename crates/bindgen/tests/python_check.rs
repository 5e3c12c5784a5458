//! The Python check program finds nothing wrong with the awkward shapes, and reports an error if a model lies.

use bindgen_tests::{interpreter, random, shapes};
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::check::Echo;
use upcall_bindgen::model::{Api, Body};
use upcall_bindgen::{File, python};

fn put(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
}

fn build(krate: &Path) {
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(krate);
    assert!(bindgen_tests::built(&mut cargo), "{} compiles", krate.display());
}

fn checked(name: &str, library: &Api, seen: &Api) -> (Option<i32>, String, String) {
    checked_with(name, library, python::check::program(seen, &python::Options::default()))
}

fn checked_with(name: &str, library: &Api, files: Vec<File>) -> (Option<i32>, String, String) {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python_check").join(name);
    put(&folder.join("echo"), &Echo::new(library).files);
    build(&folder.join("echo"));
    put(&folder, &files);
    build(&folder.join("upcall_echo/glue"));
    fs::copy(
        folder.join("echo/target/release/libupcall_echo.so"),
        folder.join("upcall_echo/libupcall_echo.so"),
    )
    .unwrap();
    let output = interpreter::python().arg("check.py").current_dir(&folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_shape_has_its_layout_and_crosses_by_value_and_by_pointer() {
    let mut api = shapes::api();
    // Names that look private in Python still belong to the library.
    let mixed = api.types.iter_mut().find(|declared| declared.name == "Mixed").unwrap();
    mixed.name.insert(0, '_');
    let (code, output, errors) = checked("true", &api, &api);
    assert_eq!(code, Some(0), "{output}{errors}");
    assert!(output.starts_with("checked ") && output.lines().count() == 1, "{output}");
    assert!(
        !errors.contains("native") && errors.contains("ctypes does not pass by value: Packed"),
        "{errors}"
    );
}

#[test]
fn a_model_that_lies_is_found_out() {
    let (api, mut lying) = (shapes::api(), shapes::api());
    let bitfields = lying.types.iter_mut().find(|declared| declared.name == "Bitfields").unwrap();
    let Body::Struct(record) = &mut bitfields.body else { panic!("a struct") };
    record.fields[0].offset = 4;
    let (code, output, _) = checked("lying", &api, &lying);
    assert_eq!(code, Some(1), "{output}");
    for choice in ["native", "ctypes"] {
        assert!(
            output.contains(&format!(
                "Bitfields: by pointer, first wrong byte that the library saw ({choice})"
            )),
            "{output}"
        );
    }
}

#[test]
fn an_accessor_that_reads_another_value_is_found_out() {
    let [right, mut files] = [shapes::api(), shapes::without_sign()]
        .map(|api| python::check::program(&api, &python::Options::default()));
    *files.last_mut().unwrap() = right.last().unwrap().clone();
    let (code, output, errors) = checked_with("sign", &shapes::api(), files);
    // A negative number is refused where the accessor has no sign.
    assert_eq!(code, Some(1), "{output}");
    assert!(errors.contains("bitfield"), "{errors}");
    assert!(
        output.contains("native: the check ended") && output.contains("ctypes: the check ended"),
        "{output}"
    );
}

#[test]
fn random_types_have_their_layouts_and_cross_by_value_and_by_pointer() {
    let api = random::api(5, 120);
    let (code, output, errors) = checked("random", &api, &api);
    assert_eq!(code, Some(0), "{output}{errors}");
    assert_eq!(output, "checked 120 types\n", "{errors}");
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
        let (code, output, errors) = checked(header, &api, &api);
        assert_eq!(code, Some(0), "{output}{errors}");
    }
}
