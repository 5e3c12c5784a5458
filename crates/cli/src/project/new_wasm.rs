//! Projects whose handlers are modules of WebAssembly: in Rust, and in C.

use super::name::Name;
use super::new::{File, Words, common};
use std::path::Path;

/// What a project in Rust is compiled to.
pub(super) struct Target {
    /// The handler's file in the flow's.
    pub(super) code: fn(&Name) -> String,
    pub(super) builds: &'static str,
    /// What is to be known beside the rest.
    pub(super) notes: &'static str,
}

pub(super) const NATIVE: Target = Target {
    code: |name| format!("native = \"build/{}\"", name.snake()),
    builds: "cargo build --release, and a copy of the library in build/",
    notes: "",
};

pub(super) const MODULE: Target = Target {
    code: |name| format!("wasm = \"build/{}.wasm\"", name.snake()),
    builds: "cargo build --release --target wasm32-unknown-unknown, and a copy of the module in build/",
    notes: " Rust's standard library for WebAssembly comes with `rustup target add wasm32-unknown-unknown`; \
            `native` in `flow.toml`, in place of `wasm` and without `.wasm` behind the name, makes a shared library of it.",
};

/// A project in C.
pub(super) fn c(name: &Name, home: &Path) -> Vec<File> {
    let mut files = vec![
        ("greeter.c".to_owned(), super::c::GREETER.to_owned()),
        ("test_greeter.c".to_owned(), include_str!("templates/c/test_greeter.c").to_owned()),
    ];
    files.extend(common(
        name,
        "wasm = \"build/greeter.wasm\"\nclass = \"greeter\"",
        &Words {
            language: "C",
            builds: "clang compiles greeter.c to build/greeter.wasm",
            tests: "compiles test_greeter.c for this machine, and runs it",
            handler: "greeter.c",
            test: "test_greeter.c",
            notes: &format!(
                "The headers are in {}/sdk/c. `upcall build` makes a module of each `NAME.c` whose `build/NAME.wasm` \
                 `flow.toml` names; other files are included by it. The linker is `wasm-ld`, or the one that comes with Rust.",
                home.display()
            ),
        },
        "build/\n",
    ));
    files
}
