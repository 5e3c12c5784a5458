//! What the flow's file in a folder names, and is built there.

use crate::output;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_config::Config;

/// What a flow's file wants to be built here.
#[derive(Default)]
pub(super) struct Wanted {
    /// Modules in C: the source, and what is made of it.
    pub(super) c: Vec<(PathBuf, PathBuf)>,
    /// Whether there are other modules in `build/`: cargo's.
    pub(super) wasm: bool,
    /// Whether there are native libraries.
    pub(super) native: bool,
    /// Jars in `build/`.
    pub(super) jars: Vec<PathBuf>,
}

impl Wanted {
    /// Of the folder's `flow.toml`. One with mistakes wants nothing, which is said.
    pub(super) fn of(folder: &Path) -> Wanted {
        let path = folder.join("flow.toml");
        let Ok(text) = fs::read_to_string(&path) else { return Wanted::default() };
        let mut wanted = Wanted::default();
        let config = match Config::parse_to_build(&text, &path) {
            Ok(config) => config,
            Err(_) => {
                output::error(
                    "warning: flow.toml has mistakes, so what it names is left out; `upcall check` tells them",
                );
                return wanted;
            }
        };
        for code in config.flow.handlers.iter().filter_map(|handler| handler.code.as_ref()) {
            wanted.native |= code.guest == "native";
            let here = code.file.parent() == Some(&folder.join("build"));
            let jar = code.guest == "java" && here && code.file.extension() == Some(OsStr::new("jar"));
            if jar && !wanted.jars.contains(&code.file) {
                wanted.jars.push(code.file.clone());
            }
            if code.guest != "wasm" || !here {
                continue;
            }
            let source = code.file.file_stem().map(|stem| folder.join(stem).with_extension("c"));
            match source.filter(|source| source.is_file()) {
                Some(source) if wanted.c.iter().any(|(named, _)| *named == source) => {}
                Some(source) => wanted.c.push((source, code.file.clone())),
                None => wanted.wasm = true,
            }
        }
        wanted
    }
}
