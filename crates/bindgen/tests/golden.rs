//! What users get for `examples/bindgen`, checked in below `tests/golden`, so that a change of a back end shows in its
//! review. `UPCALL_GOLDEN=write cargo nextest run -p upcall-bindgen --test golden` writes the files anew.
//!
//! What is the same for every library, and the glue, which nobody reads, are not among them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::{Config, Diagnostics, generate};

/// Folders and files of every package.
const SAME: &[&str] = &[
    "glue", "_base.py", "_load.py", "_ctypes.py", "_kinds.py", "_structs.py", "_lent.py", "_out.py",
    "_callbacks.py", "_calls.py", "runtime.js",
];

#[test]
fn the_output_of_the_example_is_what_was_reviewed() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = package.join("../../examples/bindgen");
    let golden = package.join("tests/golden");
    let mut diagnostics = Diagnostics::default();
    let config =
        Config::read(&example.join("bindgen.toml"), &mut diagnostics).expect("the example's settings");
    let generated = generate(&config, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    let build = example.join("build");
    let mut made = BTreeMap::new();
    for (folder, files) in generated.expect("it is generated").outputs {
        let below = folder.strip_prefix(&build).expect("a folder below build").to_owned();
        made.extend(files.into_iter().map(|file| (below.join(&file.path), file.text)));
    }
    made.retain(|path, _| is_its_own(path));
    if std::env::var_os("UPCALL_GOLDEN").is_some_and(|way| way == "write") {
        let _ = fs::remove_dir_all(&golden);
        for (path, text) in &made {
            let file = golden.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }
    let mut reviewed = BTreeMap::new();
    read(&golden, &golden, &mut reviewed);
    let other: Vec<&PathBuf> =
        made.keys().chain(reviewed.keys()).filter(|path| made.get(*path) != reviewed.get(*path)).collect();
    assert!(
        other.is_empty(),
        "{other:?} differ from tests/golden: if that is meant, `UPCALL_GOLDEN=write cargo nextest run -p \
         upcall-bindgen --test golden` writes them anew"
    );
}

fn is_its_own(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    // Java's own classes for every library.
    !parts.any(|part| SAME.contains(&&*part) || part.starts_with("Native") && part.ends_with(".java"))
}

fn read(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => read(root, &path, files),
            false => {
                let text = fs::read_to_string(&path).unwrap();
                files.insert(path.strip_prefix(root).unwrap().to_owned(), text);
            }
        }
    }
}
