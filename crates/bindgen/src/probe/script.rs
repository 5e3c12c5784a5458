//! What a build script's answers depend on.

use super::cache::Inputs;
use super::inputs::{self, Original};
use cargo_metadata::BuildScript;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// More files than this are not hashed one by one.
const MANY: usize = 1000;

/// Adds the sources of a compiled script; cargo does not say how it has called it.
pub(super) fn add_source(program: &Path, original: Original, inputs: &mut Inputs) {
    let folder = program.parent().unwrap_or(Path::new(""));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "d") {
            inputs::add(&entry.path(), original, inputs);
        }
    }
}

/// Adds what a script that has run wants to run again for, as cargo has written it down: `rerun-if-changed` and
/// `rerun-if-env-changed`, and without any of the first all files of the package.
pub(super) fn add(script: &BuildScript, package: &Path, original: Original, inputs: &mut Inputs) {
    let said = script.out_dir.parent().map(|folder| folder.join("output"));
    let said = said.and_then(|path| fs::read(path).ok()).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let mut files = Vec::new();
    let mut named = false;
    for line in said.lines() {
        let Some(line) = line.strip_prefix("cargo::").or(line.strip_prefix("cargo:")) else { continue };
        if let Some(path) = line.strip_prefix("rerun-if-changed=") {
            named = true;
            files.extend(original(&package.join(path)).iter().flat_map(|path| below(path)));
        } else if let Some(name) = line.strip_prefix("rerun-if-env-changed=") {
            named = true;
            inputs.variables.push((name.to_owned(), env::var(name).ok()));
        }
    }
    if !named {
        files.extend(original(package).iter().flat_map(|path| below(path)));
    }
    inputs.uncertain |= files.len() > MANY;
    files.truncate(MANY);
    inputs.files.extend(files);
}

/// A file, or the files in a folder, without what version control and cargo keep there.
fn below(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.push(path);
        } else if files.len() <= MANY {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let ours = entries.filter(|entry| {
                let name = entry.file_name();
                name != "target" && !name.to_string_lossy().starts_with('.')
            });
            open.extend(ours.map(|entry| entry.path()));
        }
    }
    files
}
