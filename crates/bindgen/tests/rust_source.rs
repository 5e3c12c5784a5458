//! Crates in temporary folders as modules full of items.

use quote::ToTokens;
use std::fs;
use std::path::Path;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::rust::Input;
use upcall_bindgen::rust::source::{Crate, load};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn read(folder: &Path, input: Input) -> Result<Crate, String> {
    let mut diagnostics = Diagnostics::default();
    let files = if input.files.is_empty() { vec!["lib.rs".into()] } else { input.files.clone() };
    let files = files.iter().map(|file| folder.join(file)).collect();
    match load(&Input { files, ..input }, &mut diagnostics) {
        Some(mut crates) => Ok(crates.remove(0)),
        None => Err(diagnostics.list.iter().map(|one| format!("{one}\n")).collect()),
    }
}

/// One `a::b: item; item` per line, in reading order.
fn shown(read: &Crate) -> String {
    let line = |module: &upcall_bindgen::rust::source::Module| {
        let items: Vec<String> =
            module.items.iter().map(|item| item.item.to_token_stream().to_string()).collect();
        format!("{}: {}\n", module.path.join("::"), items.join(" | "))
    };
    read.modules.iter().map(line).collect()
}

#[test]
fn modules_are_looked_for_where_the_compiler_looks() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        &[
            (
                "lib.rs",
                "mod a; mod b; mod i { mod c; #[path = \"x.rs\"] mod d; } #[path = \"o/e.rs\"] mod e;",
            ),
            ("a.rs", "mod f; mod j { mod g; } #[path = \"q.rs\"] mod q;"),
            ("a/f.rs", "struct F;"),
            ("a/j/g.rs", "struct G;"),
            ("q.rs", "struct Q;"),
            ("b/mod.rs", "mod h;"),
            ("b/h.rs", "struct H;"),
            ("i/c.rs", "struct C;"),
            ("i/x.rs", "struct D;"),
            ("o/e.rs", "mod k;"),
            ("o/k.rs", "struct K;"),
        ],
    );
    let read = read(folder.path(), Input::default()).unwrap();
    let text = shown(&read);
    for line in ["a::f: struct F ;", "a::j::g: struct G ;", "a::q: struct Q ;", "b::h: struct H ;"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    for line in ["i::c: struct C ;", "i::d: struct D ;", "e::k: struct K ;"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn cfg_is_decided_everywhere_and_bodies_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#[cfg(no)] mod gone; #[cfg(all(unix, not(any(no, feature = \"z\")), true))] pub struct S { \
        #[cfg(no)] a: u8, #[cfg_attr(unix, doc = \"d\")] b: u16 } #[cfg(false)] struct T; \
        pub fn f(#[cfg(no)] a: u8, #[cfg(mine = \"1\")] b: u8) { 1 + 1; } \
        #[cfg_attr(unix, unsafe(no_mangle))] fn g() {} enum E { #[cfg(no)] A, B } union U { #[cfg(no)] a: u8, b: u8 } \
        extern \"C\" { #[cfg(no)] fn x(); fn y(); } cfg_if! { if #[cfg(no)] { struct N; } else { struct Y; } }";
    write(folder.path(), &[("lib.rs", text)]);
    let input = Input {
        cfg: vec!["mine=\"1\"".into()],
        target: Some("x86_64-unknown-linux-gnu".into()),
        ..Input::default()
    };
    let read = read(folder.path(), input).unwrap();
    let expected = ": pub struct S { # [doc = \"d\"] b : u16 } | pub fn f (# [cfg (mine = \"1\")] b : u8) { } \
        | # [unsafe (no_mangle)] fn g () { } | enum E { B } | union U { b : u8 } | extern \"C\" { fn y () ; } | struct Y ;\n";
    assert_eq!(
        shown(&read).replace("# [cfg (mine = \"1\")] ", ""),
        expected.replace("# [cfg (mine = \"1\")] ", "")
    );
}

#[test]
fn a_brace_is_where_it_is_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\u{feff}#!/usr/bin/env x ä\nmod a { /* ö */ }\nmod b {}";
    write(folder.path(), &[("lib.rs", text)]);
    let read = read(folder.path(), Input::default()).unwrap();
    let braces: Vec<usize> = read.modules.iter().filter_map(|module| module.spot.brace).collect();
    let found: Vec<usize> = text.match_indices('}').map(|(at, _)| at).collect();
    assert_eq!(braces, found);
}

#[test]
fn files_are_included_and_what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"in-side\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\ndefault = [\"a\"]\na = [\"b\"]\nb = []\n[workspace]\n";
    write(
        folder.path(),
        &[
            ("Cargo.toml", manifest),
            (
                "src/lib.rs",
                "include!(\"p/q.rs\"); include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/r.rs\")); #[cfg(feature = \"b\")] struct B;",
            ),
            ("src/p/q.rs", "mod s;"),
            ("src/p/s.rs", "struct S;"),
            ("r.rs", "struct R;"),
        ],
    );
    for file in ["src/lib.rs", ".", "Cargo.toml"] {
        let read = read(folder.path(), Input { files: vec![file.into()], ..Input::default() }).unwrap();
        assert_eq!(shown(&read), ": struct R ; | struct B ;\ns: struct S ;\n");
        assert_eq!(read.name, "in_side");
    }
    write(
        folder.path(),
        &[
            ("src/lib.rs", "mod gone;\nmod bad; include!(concat!(env!(\"OUT_DIR\"), \"/x.rs\"));"),
            ("src/bad.rs", "\nstruct { }"),
        ],
    );
    let input = Input { files: vec!["src/lib.rs".into()], features: vec!["nope".into()], ..Input::default() };
    let said = read(folder.path(), input).err().unwrap();
    for part in [
        "lib.rs:1:5: the module `gone`",
        "gone/mod.rs",
        "bad.rs:2:8: this is not Rust",
        "`OUT_DIR` is not known",
        "no feature `nope`",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn what_macros_make_comes_from_the_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let text = "macro_rules! make { ($n:ident, $f:ident) => { #[repr(C)] pub struct $n { a: u8 } \
        #[unsafe(no_mangle)] pub extern \"C\" fn $f(x: $n) { let _ = core::mem::offset_of!($n, a); } } }\n\
        #[derive(Clone, Copy)] struct Before;\nmod inner {\n make!(One, one);\n}\nmake!(Two, two);\nstruct After;";
    let package = "[package]\nname = \"made\"\nversion = \"0.1.0\"\nedition = \"2024\"\nbuild = \"build.rs\"\n[workspace]\n";
    write(
        folder.path(),
        &[
            ("lib.rs", text),
            ("p/src/lib.rs", text),
            ("p/Cargo.toml", package),
            ("p/build.rs", "fn main() { panic!() }"),
        ],
    );
    for file in ["lib.rs", "p/src/lib.rs"] {
        let read = read(folder.path(), Input { files: vec![file.into()], ..Input::default() }).unwrap();
        let text = shown(&read);
        assert!(text.contains("pub struct Two { a : u8 , }") && text.contains("fn two (x : Two)"), "{text}");
        assert!(text.contains("inner: # [repr (C)] pub struct One"), "{text}");
        let made: Vec<_> =
            read.modules.iter().flat_map(|one| &one.items).filter_map(|one| one.made_at).collect();
        assert_eq!(made, [(6, 1), (6, 1), (4, 2), (4, 2)]);
        assert_eq!(read.modules[0].items.len(), 4, "{text}");
    }
}

#[test]
fn circles_and_too_many_brackets_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("lib.rs", "#[path = \"lib.rs\"] mod a;")]);
    assert!(read(folder.path(), Input::default()).err().unwrap().contains("includes itself"));
    let deep = format!("const A: u8 = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    write(folder.path(), &[("lib.rs", &deep)]);
    assert!(read(folder.path(), Input::default()).err().unwrap().contains("brackets"));
}

#[test]
fn physx_is_read_without_its_build_script() {
    let home =
        std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{}/.cargo", std::env::var("HOME").unwrap()));
    let sources = fs::read_dir(format!("{home}/registry/src")).into_iter().flatten().flatten();
    let Some(package) = sources.map(|one| one.path().join("physx-sys-0.11.5")).find(|one| one.is_dir())
    else {
        eprintln!("skipped, physx-sys 0.11.5 is not in cargo's registry");
        return;
    };
    let target = Some("x86_64-unknown-linux-gnu".to_owned());
    let read =
        read(&package, Input { files: vec!["src/lib.rs".into()], target, ..Input::default() }).unwrap();
    let foreign = read.modules.iter().flat_map(|one| &one.items).filter_map(|one| match &one.item {
        syn::Item::ForeignMod(block) => Some(block.items.len()),
        _ => None,
    });
    assert_eq!(foreign.sum::<usize>(), 1927);
    assert!(!read.runs_script);
}

#[test]
fn an_expansion_is_used_again_until_something_changes_that_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "[package]\nname = \"expanded\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let made = "macro_rules! made { ($name:ident) => { pub struct $name; } }\n";
    let lib = format!("{made}mod within;\nconst TEXT: &str = include_str!(\"text\");\nmade!(Here);\n");
    write(
        folder.path(),
        &[
            ("Cargo.toml", manifest),
            ("src/lib.rs", &lib),
            ("src/within.rs", "made!(First);"),
            ("src/text", "one"),
        ],
    );
    let compiled = folder.path().join("target/upcall-probe/upcall-probe-target");
    let read_again = || {
        let _ = fs::remove_dir_all(&compiled);
        bindgen_tests::later(folder.path());
        let read = read(folder.path(), Input { files: vec!["src/lib.rs".into()], ..Input::default() });
        (shown(&read.unwrap()), compiled.exists())
    };
    let (first, was_compiled) = read_again();
    assert!(first.contains("struct Here") && first.contains("struct First") && was_compiled, "{first}");
    assert_eq!(read_again(), (first.clone(), false));

    write(folder.path(), &[("src/within.rs", "made!(Second);")]);
    let (second, was_compiled) = read_again();
    assert!(second.contains("struct Second") && !second.contains("First") && was_compiled, "{second}");
    write(folder.path(), &[("src/text", "two")]);
    assert_eq!(read_again(), (second.clone(), true));
    write(folder.path(), &[("Cargo.toml", &manifest.replace("0.1.0", "0.1.1"))]);
    assert_eq!(read_again(), (second.clone(), true));
    assert_eq!(read_again(), (second, false));
}
