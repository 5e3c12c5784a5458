//! The run time of a crate of glue: modules that are crates of ours, copied.

use crate::File;
use std::fmt::Write as _;

/// A module by its name, with its text.
pub type Source<'a> = (&'a str, &'a str);

/// The module `runtime`, made of these: `src/runtime/mod.rs` and the others.
#[must_use]
pub fn runtime(sources: &[&[Source<'_>]]) -> Vec<File> {
    let sources = || sources.iter().copied().flatten();
    let mut root = format!(
        "{}//! What all functions are made of: no crate of glue needs every part.\n\n#![allow(dead_code, unused_imports, unused_macros)]\n\n",
        super::HEADER
    );
    for (name, _) in sources() {
        let _ = writeln!(root, "pub mod {name};");
    }
    let file = |name: &str, text: String| File::new(format!("src/runtime/{name}.rs"), text);
    let files = sources().map(|(name, text)| file(name, format!("{}{text}", super::HEADER)));
    files.chain([file("mod", root)]).collect()
}
