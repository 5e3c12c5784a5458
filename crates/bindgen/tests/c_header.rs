//! The C header back end: compiled by C and C++ compilers without a warning, and with the layouts of the model.
#![cfg(feature = "c")]

use std::path::Path;
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::header::{self, Options};
use upcall_bindgen::model::{Api, Linkage};
use upcall_bindgen::{Diagnostics, File};

/// Compilers and the languages that they are asked for.
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
