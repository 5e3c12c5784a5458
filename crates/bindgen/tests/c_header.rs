//! The C header back end: compiled by C and C++ compilers without a warning, and with the model's layouts.
#![cfg(feature = "c")]

use bindgen_tests::{random, shapes};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::header::{self, Options};
use upcall_bindgen::model::{Api, Linkage};
use upcall_bindgen::{Diagnostics, File};

/// Compilers and the language options to run them with.
const COMPILERS: [(&str, &str, &[&str]); 2] =
    [("c", "gcc", &["-std=c99", "-std=c11", "-std=c2x"]), ("cpp", "g++", &["-std=c++11", "-std=c++20"])];

fn read(header: &str) -> Api {
    let input = Input { library: "awkward".into(), headers: vec![header.into()], ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    c::read(&input, &mut diagnostics).expect("the header is valid")
}

fn generate(api: &Api) -> File {
    let mut diagnostics = Diagnostics::default();
    let files = header::generate(api, &Options::default(), &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{:#?}", diagnostics.list);
    files.into_iter().next().unwrap()
}

fn llvm(tool: &str) -> String {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found: Vec<_> = folders
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm-"))
        .map(|entry| entry.path().join("bin").join(tool))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop().map_or(tool.into(), |path| path.display().to_string())
}

fn compiles(folder: &Path, text: &str) {
    let clang = [("c", llvm("clang"), COMPILERS[0].2), ("cpp", llvm("clang++"), COMPILERS[1].2)];
    let gcc = COMPILERS.map(|(extension, compiler, standards)| (extension, compiler.to_owned(), standards));
    for (extension, compiler, standards) in gcc.iter().chain(&clang) {
        for standard in *standards {
            let source = folder.join("user").with_extension(extension);
            std::fs::write(&source, text).unwrap();
            let result = Command::new(compiler)
                .args([standard, "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"])
                .arg(&source)
                .output()
                .unwrap_or_else(|error| panic!("{compiler} could not be run: {error}"));
            assert!(
                result.status.success(),
                "{compiler} {standard}: {}",
                String::from_utf8_lossy(&result.stderr)
            );
        }
    }
}

#[test]
fn a_header_of_a_header_has_the_same_layouts_and_compiles_without_a_warning() {
    let first = read("tests/c/awkward.h");
    let folder = tempfile::tempdir().unwrap();
    let file = generate(&first);
    let path = folder.path().join(&file.path);
    std::fs::write(&path, &file.text).unwrap();
    if let Some(copy) = std::env::var_os("UPCALL_SHOW") {
        std::fs::write(copy, &file.text).unwrap();
    }
    compiles(folder.path(), "#include \"api.h\"\n#include \"api.h\"\nint main(void) { return 0; }\n");
    let second = read(&path.display().to_string());
    let mut compared = 0;
    for declared in
        first.types.iter().filter(|declared| declared.layout.is_some_and(|layout| layout.size > 0))
    {
        let again = second.types.iter().find(|other| other.name == declared.name);
        if let Some(again) = again.filter(|again| again.layout.is_some()) {
            assert_eq!(declared.layout, again.layout, "{}", declared.name);
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
    let symbols: Vec<_> = first.functions.iter().map(|function| &function.symbol).collect();
    let declared = second.functions.iter().filter(|function| function.linkage == Linkage::Library);
    assert_eq!(symbols, declared.map(|function| &function.symbol).collect::<Vec<_>>());
}

#[test]
fn every_shape_compiles_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let file = generate(&shapes::api());
    if let Some(copy) = std::env::var_os("UPCALL_SHOW_SHAPES") {
        std::fs::write(copy, &file.text).unwrap();
    }
    std::fs::write(folder.path().join(&file.path), &file.text).unwrap();
    compiles(folder.path(), "#include \"api.h\"\nint main(void) { return 0; }\n");
}

/// Links a program with a library, runs it, and returns its output.
fn run(folder: &Path, compiler: &str, arguments: &[&str], source: &Path, library: &Path) -> String {
    let program = folder.join("program");
    let result = Command::new(compiler)
        .args(arguments)
        .args(["-Wall", "-Wextra", "-pedantic", "-Werror"])
        .arg(format!("-I{}", folder.display()))
        .args([source, library])
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap_or_else(|error| panic!("{compiler} could not be run: {error}"));
    assert!(result.status.success(), "{compiler}: {}", String::from_utf8_lossy(&result.stderr));
    let result = Command::new(program).output().unwrap();
    let said = String::from_utf8_lossy(&result.stdout).into_owned();
    assert!(result.status.success(), "{}: {said}{}", result.status, String::from_utf8_lossy(&result.stderr));
    said
}

#[test]
fn a_c_program_and_a_cpp_program_call_a_rust_library() {
    let folder = tempfile::tempdir().unwrap();
    let library = shapes::library(folder.path());
    let file = generate(&shapes::api());
    std::fs::write(folder.path().join(&file.path), &file.text).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/shapes.c");
    let copy = folder.path().join("shapes.cpp");
    std::fs::copy(&source, &copy).unwrap();
    for (compiler, standard, source) in [
        ("gcc".to_owned(), "-std=c99", &source),
        ("g++".to_owned(), "-std=c++17", &copy),
        (llvm("clang"), "-std=c11", &source),
        (llvm("clang++"), "-std=c++11", &copy),
    ] {
        let said = run(folder.path(), &compiler, &[standard], source, &library);
        assert_eq!(said, "all good\n", "{compiler}");
    }
}

fn echo_library(api: &Api, folder: &Path) -> PathBuf {
    for file in upcall_bindgen::check::Echo::new(api).files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &file.text).unwrap();
    }
    let library = folder.join("libupcall_echo.so");
    let result = Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "cdylib", "-Awarnings", "-o"])
        .arg(&library)
        .arg(folder.join("src/lib.rs"))
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    library
}

#[test]
fn the_check_passes_every_type_through_the_echo_library() {
    for api in [shapes::api(), read("tests/c/awkward.h"), read("tests/c/portable.h")] {
        let folder = tempfile::tempdir().unwrap();
        let library = echo_library(&api, folder.path());
        for file in header::check::program(&api, &Options::default()) {
            std::fs::write(folder.path().join(&file.path), &file.text).unwrap();
        }
        for compiler in ["gcc".to_owned(), llvm("clang")] {
            let said = run(folder.path(), &compiler, &["-std=c11"], &folder.path().join("check.c"), &library);
            assert!(said.starts_with("checked ") && said.lines().count() == 1, "{compiler}: {said}");
        }
    }
}

#[test]
fn random_types_have_their_layouts_and_cross_by_value_and_by_pointer() {
    for seed in 1..=3 {
        let api = random::api(seed, 250);
        let folder = tempfile::tempdir().unwrap();
        let library = echo_library(&api, folder.path());
        for file in header::check::program(&api, &Options::default()) {
            std::fs::write(folder.path().join(&file.path), &file.text).unwrap();
        }
        for compiler in ["gcc".to_owned(), llvm("clang")] {
            let said = run(folder.path(), &compiler, &["-std=c11"], &folder.path().join("check.c"), &library);
            assert!(said.starts_with("checked ") && said.lines().count() == 1, "{compiler}: {said}");
        }
    }
}

#[test]
fn the_check_notices_a_byte_that_is_wrong_in_either_direction() {
    let api = shapes::api();
    let folder = tempfile::tempdir().unwrap();
    let library = echo_library(&api, folder.path());
    let files = header::check::program(&api, &Options::default());
    std::fs::write(folder.path().join("api.h"), &files[0].text).unwrap();
    let source = folder.path().join("check.c");
    let program = folder.path().join("program");
    for (from, expected) in [
        ("sent[] = {", "Point: received by value: expected -1, found 0"),
        ("returned[] = {", "Point: byte 0 returned"),
    ] {
        std::fs::write(&source, files[1].text.replacen(from, &format!("{from}1 + "), 1)).unwrap();
        let rpath = format!("-Wl,-rpath,{}", folder.path().display());
        let built = Command::new("gcc").args([&source, &library]).args([&rpath, "-o"]).arg(&program).status();
        assert!(built.unwrap().success());
        let result = Command::new(&program).output().unwrap();
        let said = String::from_utf8_lossy(&result.stdout);
        assert!(!result.status.success() && said.contains(expected), "{said}");
    }
}

#[test]
fn the_check_notices_an_accessor_that_reads_another_value() {
    let folder = tempfile::tempdir().unwrap();
    let library = echo_library(&shapes::api(), folder.path());
    let [right, lying] =
        [shapes::api(), shapes::without_sign()].map(|api| header::check::program(&api, &Options::default()));
    std::fs::write(folder.path().join("api.h"), &lying[0].text).unwrap();
    let (source, program) = (folder.path().join("check.c"), folder.path().join("program"));
    std::fs::write(&source, &right[1].text).unwrap();
    let rpath = format!("-Wl,-rpath,{}", folder.path().display());
    let built = Command::new("gcc").args([&source, &library]).args([&rpath, "-o"]).arg(&program).status();
    assert!(built.unwrap().success());
    let result = Command::new(&program).output().unwrap();
    let said = String::from_utf8_lossy(&result.stdout);
    assert!(said.contains("Bitfields: bitfield a of value: expected"), "{said}");
}
