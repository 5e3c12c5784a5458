//! What decides about a compilation besides the sources: variables and configuration files.

use super::cache::Key;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// Variables of cargo's and rustc's that change what is compiled. Cargo's configuration can be written in variables
/// as well (`CARGO_BUILD_RUSTFLAGS`, `CARGO_TARGET_<triple>_RUSTFLAGS`, `CARGO_PROFILE_DEV_PANIC`).
const VARIABLES: [&str; 6] =
    ["RUSTC", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_", "CARGO_TARGET_", "CARGO_PROFILE_"];

/// Those of them that say only where results are kept or what is printed. Cargo sets the last for each package.
const HARMLESS: [&str; 4] =
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_BUILD_DIR", "CARGO_TARGET_TMPDIR"];

/// Adds everything of the environment that counts for a source in this folder.
pub(super) fn add(key: &mut Key, home: &Path, package: bool) {
    let counts =
        |name: &str| VARIABLES.iter().any(|start| name.starts_with(start)) && !HARMLESS.contains(&name);
    let mut variables: Vec<(OsString, OsString)> =
        env::vars_os().filter(|(name, _)| name.to_str().is_some_and(counts)).collect();
    variables.sort();
    for (name, value) in variables {
        key.add(&name.to_string_lossy(), value.as_encoded_bytes());
    }
    if !package {
        return;
    }
    for folder in home.ancestors() {
        for name in ["Cargo.toml", "Cargo.lock"] {
            key.add_file(&folder.join(name));
        }
        configuration(key, &folder.join(".cargo"));
    }
    let own = env::var_os("CARGO_HOME").map(PathBuf::from);
    let own = own.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    own.iter().for_each(|folder| configuration(key, folder));
}

fn configuration(key: &mut Key, folder: &Path) {
    let mut open = ["config.toml", "config"].map(|name| folder.join(name)).to_vec();
    let mut done = Vec::new();
    while let Some(path) = open.pop() {
        if done.contains(&path) {
            continue;
        }
        key.add_file(&path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let included = text.parse::<Table>().ok().and_then(|mut table| table.remove("include"));
        let beside = path.parent().unwrap_or(folder).to_owned();
        open.extend(included.iter().flat_map(paths).map(|path| beside.join(path)));
        done.push(path);
    }
}

/// `include = "a.toml"`, a list, or tables with a `path`.
fn paths(value: &Value) -> Vec<String> {
    match value {
        Value::String(path) => vec![path.clone()],
        Value::Array(all) => all.iter().flat_map(paths).collect(),
        Value::Table(table) => table.get("path").map(paths).unwrap_or_default(),
        _ => Vec::new(),
    }
}
