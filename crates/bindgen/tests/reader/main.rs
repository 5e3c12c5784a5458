//! What the reader of Rust sources makes of settings, flags, names and constants that are out of the ordinary.

mod cfg;
mod constants;
mod editions;
mod enums;
mod exports;
mod kept;
mod names;
mod packed;

use std::fs;
use std::path::Path;
use upcall_bindgen::model::{Api, Declared};
use upcall_bindgen::{Diagnostics, rust};

const MANIFEST: &str = "[package]\nname = \"odd\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";

/// A folder of these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        put(folder.path(), name, text);
    }
    folder
}

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// What was read, and what was said.
fn read(file: &Path, change: impl FnOnce(&mut rust::Input)) -> (Option<Api>, Vec<String>) {
    let mut input = rust::Input { files: vec![file.to_owned()], ..rust::Input::default() };
    change(&mut input);
    let mut diagnostics = Diagnostics::default();
    let apis = rust::read(&input, &mut diagnostics);
    let said = diagnostics.list.iter().map(ToString::to_string).collect();
    (apis.and_then(|apis| apis.into_iter().next()), said)
}

/// What is read without a word.
fn quiet(file: &Path) -> Api {
    let (api, said) = read(file, |_| ());
    assert_eq!(said, [""; 0]);
    api.unwrap()
}

fn ty<'a>(api: &'a Api, name: &str) -> &'a Declared {
    api.types.iter().find(|declared| declared.name == name).unwrap_or_else(|| panic!("there is no `{name}`"))
}
