//! Headers of real C libraries: read without an error, compared with what the `bindgen` crate reads from them, and
//! written as headers that compile.
#![cfg(feature = "c")]

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::header;
use upcall_bindgen::model::{Api, Body};
use upcall_bindgen::{Diagnostics, Severity};

/// Headers and the folders they need. The first three come with what the tests need anyway: our own,
/// libclang's and the system's.
fn headers() -> Vec<(PathBuf, Vec<PathBuf>)> {
    let llvm = llvm();
    let always = [
        (PathBuf::from("tests/c/awkward.h"), vec![]),
        (llvm.join("include/clang-c/Index.h"), vec![llvm.join("include")]),
        (PathBuf::from("/usr/include/linux/videodev2.h"), vec![]),
    ];
    let elsewhere = [
        ("/usr/include/zlib.h", ""),
        ("/usr/include/sqlite3.h", ""),
        ("/usr/include/node/node_api.h", ""),
        ("/usr/include/node/uv.h", "/usr/include/node"),
        ("/usr/include/python3.11/Python.h", "/usr/include/python3.11"),
        ("/usr/include/xcb/xcb.h", ""),
        ("/usr/include/linux/bpf.h", ""),
        ("/usr/include/openssl/ssl.h", ""),
        ("/usr/include/png.h", ""),
    ];
    let found =
        elsewhere.into_iter().filter(|(header, _)| Path::new(header).is_file()).map(|(header, folder)| {
            (
                PathBuf::from(header),
                Some(PathBuf::from(folder)).filter(|folder| folder.is_dir()).into_iter().collect(),
            )
        });
    always.into_iter().chain(found).collect()
}

/// The newest LLVM's folder.
fn llvm() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found: Vec<_> = folders
        .map(|entry| entry.path())
        .filter(|path| path.join("include/clang-c/Index.h").is_file())
        .collect();
    found.sort();
    found.pop().expect("libclang's header: apt-get install libclang-dev")
}

fn read(header: &Path, include: &[PathBuf]) -> (Api, Vec<String>) {
    let input = Input { headers: vec![header.into()], include: include.to_vec(), ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}: {:#?}", header.display(), diagnostics.list);
    (api.unwrap(), diagnostics.list.iter().map(ToString::to_string).collect())
}

/// What the `bindgen` crate reads: sizes and alignments by name, offsets by name and field, and functions.
#[derive(Default)]
struct Peer {
    sizes: HashMap<String, u64>,
    aligns: HashMap<String, u64>,
    offsets: HashMap<(String, String), u64>,
    functions: HashSet<String>,
}

fn bindgen(header: &Path, include: &[PathBuf], own_items_only: bool) -> String {
    let path = header.display().to_string();
    let mut builder = bindgen::builder()
        .header(&path)
        .clang_args(include.iter().map(|folder| format!("-I{}", folder.display())))
        .clang_args(["-std=gnu11", "-Wno-everything"]);
    if own_items_only {
        builder = builder.allowlist_file(path.replace('.', "\\."));
    }
    let bindings = builder.generate().unwrap_or_else(|error| panic!("{path}: {error}"));
    bindings.to_string()
}

/// The functions in bindgen's Rust that take a fixed number of arguments.
fn functions(text: &str) -> HashSet<String> {
    let items = text.split("pub fn ").skip(1).filter_map(|rest| rest.split(';').next());
    let declared =
        items.filter(|own| !own.contains('{') && !own.starts_with("new_bitfield") && !own.contains("..."));
    declared.filter_map(|own| own.split(['(', ' ']).next()).map(str::to_owned).collect()
}

fn peer(header: &Path, include: &[PathBuf]) -> Peer {
    let text = bindgen(header, include, false);
    let mut peer = Peer::default();
    let number = |text: &str| {
        let digits: String =
            text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    for part in text.split("[\"").skip(1) {
        let (what, rest) = part.split_once('"').unwrap();
        let value = |after: &str| rest.split(after).nth(1).map(&number);
        if let Some(name) = what.strip_prefix("Size of ") {
            peer.sizes.extend(value("-").map(|size| (name.to_owned(), size)));
        } else if let Some(name) = what.strip_prefix("Alignment of ") {
            peer.aligns.extend(value("-").map(|align| (name.to_owned(), align)));
        } else if let Some((name, field)) =
            what.strip_prefix("Offset of field: ").and_then(|place| place.split_once("::"))
        {
            peer.offsets.extend(value("-").map(|offset| ((name.to_owned(), field.to_owned()), offset)));
        }
    }
    peer.functions = functions(&text);
    peer
}

#[test]
fn sizes_and_offsets_and_functions_are_those_that_the_bindgen_crate_reads() {
    for (header, include) in headers() {
        let (api, said) = read(&header, &include);
        let peer = peer(&header, &include);
        let mut compared = 0;
        for declared in &api.types {
            let name = declared.source.rsplit(' ').next().unwrap().to_owned();
            let (Some(layout), Some(size)) = (declared.layout, peer.sizes.get(&name)) else {
                continue;
            };
            // It gives an empty struct one byte.
            if layout.size == 0 {
                continue;
            }
            assert_eq!(layout.size, *size, "{}: {}", header.display(), declared.name);
            assert_eq!(layout.align, peer.aligns[&name], "{}: {}", header.display(), declared.name);
            compared += 1;
            let (Body::Struct(record) | Body::Union(record)) = &declared.body else { continue };
            for field in record.fields.iter().filter(|field| field.bits.is_none()) {
                if let Some(offset) = peer.offsets.get(&(name.clone(), field.name.clone())) {
                    assert_eq!(
                        field.offset,
                        *offset,
                        "{}: {}.{}",
                        header.display(),
                        declared.name,
                        field.name
                    );
                    compared += 1;
                }
            }
        }
        assert!(compared > 5, "{}: {compared} of {}", header.display(), peer.sizes.len());
        for function in api
            .functions
            .iter()
            .filter(|function| function.linkage == upcall_bindgen::model::Linkage::Library)
        {
            let known = peer.functions.contains(&function.name)
                || peer.functions.contains(&format!("{}_", function.name));
            assert!(known, "{}: `{}` is only ours", header.display(), function.name);
        }
        // Anything that it has and we lack is in a system header or in a diagnostic.
        let ours: HashSet<&str> = api.functions.iter().map(|function| function.name.as_str()).collect();
        for name in &functions(&bindgen(&header, &include, true)) {
            let plain = name.strip_suffix('_').unwrap_or(name);
            let listed = said.iter().any(|line| line.contains(&format!("`{plain}`")));
            assert!(
                ours.contains(plain) || ours.contains(name.as_str()) || listed,
                "{}: no `{name}`",
                header.display()
            );
        }
    }
}

#[test]
fn a_header_of_each_compiles() {
    for (header, include) in headers() {
        let (api, _) = read(&header, &include);
        let folder = tempfile::tempdir().unwrap();
        let mut diagnostics = Diagnostics::default();
        let file = header::generate(&api, &header::Options::default(), &mut diagnostics).remove(0);
        let said: Vec<_> =
            diagnostics.list.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect();
        assert!(said.is_empty(), "{}: {said:?}", header.display());
        std::fs::write(folder.path().join("api.h"), file.text).unwrap();
        for (compiler, name) in [("gcc", "user.c"), ("g++", "user.cpp")] {
            let source = folder.path().join(name);
            std::fs::write(&source, "#include \"api.h\"\n").unwrap();
            let result = Command::new(compiler)
                .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
                .arg(&source)
                .output()
                .unwrap();
            assert!(
                result.status.success(),
                "{}: {}",
                header.display(),
                String::from_utf8_lossy(&result.stderr)
            );
        }
    }
}
