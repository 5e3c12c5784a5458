//! C headers for other targets: sizes, offsets and bitfield bits as clang has them in object files made
//! for the target, and generated headers that compile there.
#![cfg(feature = "c")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::header::{self, Options};
use upcall_bindgen::model::{Api, Bits, Body, Declared, Field, Record};

const HEADER: &str = "tests/c/portable.h";

/// Targets, and further arguments for clang. Microsoft's bitfields are checked in an ELF file, which we can read.
const TARGETS: [(&str, &[&str]); 8] = [
    ("x86_64-unknown-linux-gnu", &[]),
    ("i686-unknown-linux-gnu", &[]),
    ("aarch64-unknown-linux-gnu", &[]),
    ("armv7-unknown-linux-gnueabihf", &[]),
    ("powerpc64-unknown-linux-gnu", &[]),
    ("x86_64-unknown-linux-gnu", &["-mms-bitfields"]),
    ("x86_64-pc-windows-msvc", &[]),
    ("aarch64-apple-darwin", &[]),
];

fn llvm(tool: &str) -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found: Vec<_> =
        folders.map(|entry| entry.path().join("bin").join(tool)).filter(|path| path.is_file()).collect();
    found.sort();
    found.pop().unwrap_or_else(|| panic!("no {tool}: apt-get install clang llvm"))
}

fn read(header: &str, target: &str, arguments: &[&str]) -> Api {
    let input = Input {
        library: "portable".into(),
        headers: vec![header.into()],
        clang: arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .chain(["-ffreestanding".into()])
            .collect(),
        target: Some(target.into()),
        ..Input::default()
    };
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics);
    api.filter(|_| diagnostics.list.is_empty()).unwrap_or_else(|| panic!("{target}: {:#?}", diagnostics.list))
}

fn clang(target: &str, arguments: &[&str], more: &[&str], source: &Path) {
    let result = Command::new(llvm("clang"))
        .arg(format!("--target={target}"))
        .arg(format!("-I{}", env!("CARGO_MANIFEST_DIR")))
        .args(["-ffreestanding", "-std=gnu11"])
        .args(arguments)
        .args(more)
        .arg(source)
        .output()
        .unwrap();
    assert!(result.status.success(), "{target} {arguments:?}: {}", String::from_utf8_lossy(&result.stderr));
}

fn record(declared: &Declared) -> Option<&Record> {
    match &declared.body {
        Body::Struct(record) | Body::Union(record) => Some(record),
        _ => None,
    }
}

#[test]
fn sizes_and_offsets_are_those_of_every_target() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("table.c");
    for (target, arguments) in TARGETS {
        let api = read(HEADER, target, arguments);
        let mut text = format!("#include \"{HEADER}\"\n");
        for declared in api.types.iter().filter(|declared| !declared.source.is_empty()) {
            let (Some(layout), name) = (declared.layout, &declared.source) else { continue };
            writeln!(text, "_Static_assert(sizeof({name}) == {}, \"\");", layout.size).unwrap();
            writeln!(text, "_Static_assert(_Alignof({name}) == {}, \"\");", layout.align).unwrap();
            let fields = record(declared).into_iter().flat_map(|record| &record.fields);
            for field in fields.filter(|field| field.bits.is_none() && !field.name.starts_with("anon")) {
                writeln!(text, "_Static_assert(offsetof({name}, {}) == {}, \"\");", field.name, field.offset)
                    .unwrap();
            }
        }
        std::fs::write(&source, text).unwrap();
        clang(target, arguments, &["-fsyntax-only"], &source);
    }
}

#[test]
fn a_generated_header_has_the_same_layouts_on_every_target() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("user.c");
    std::fs::write(&source, "#include \"api.h\"\n").unwrap();
    for (target, arguments) in TARGETS {
        let api = read(HEADER, target, arguments);
        let options = Options { helpers: false, ..Options::default() };
        let mut diagnostics = Diagnostics::default();
        let file = header::generate(&api, &options, &mut diagnostics).remove(0);
        assert!(diagnostics.list.is_empty(), "{:#?}", diagnostics.list);
        std::fs::write(folder.path().join("api.h"), file.text).unwrap();
        clang(target, arguments, &["-fsyntax-only", "-Wall", "-Wextra", "-pedantic", "-Werror"], &source);
    }
}

/// The record with all bits of one field set and no others.
fn with_bits(api: &Api, declared: &Declared, field: &Field, bits: &Bits) -> Vec<u8> {
    let unit = api.layout(&field.ty).unwrap().size as usize;
    let mut bytes = vec![0; declared.layout.unwrap().size as usize];
    let number = (((1u128 << bits.width) - 1) << bits.shift).to_le_bytes();
    for (index, byte) in number[..unit].iter().enumerate() {
        let place = if api.target.big_endian { unit - 1 - index } else { index };
        bytes[field.offset as usize + place] |= byte;
    }
    bytes
}

#[test]
fn bits_are_where_the_object_files_of_each_target_have_them() {
    for (target, arguments) in TARGETS.into_iter().filter(|(target, _)| target.contains("linux")) {
        let api = read(HEADER, target, arguments);
        let folder = tempfile::tempdir().unwrap();
        let (source, object) = (folder.path().join("bits.c"), folder.path().join("bits.o"));
        let mut text = format!("#include \"{HEADER}\"\n");
        let mut expected = Vec::new();
        for declared in &api.types {
            for field in record(declared).into_iter().flat_map(|record| &record.fields) {
                let Some(bits) = &field.bits else { continue };
                let (index, name) = (expected.len(), &declared.source);
                let value =
                    if bits.signed { "-1".into() } else { format!("{}ull", (1u128 << bits.width) - 1) };
                writeln!(
                    text,
                    "__attribute__((section(\"bits_{index}\"))) const {name} value_{index} = {{.{} = {value}}};",
                    field.name
                )
                .unwrap();
                expected.push((format!("{name}.{}", field.name), with_bits(&api, declared, field, bits)));
            }
        }
        assert_eq!(expected.len(), 18, "{target}");
        std::fs::write(&source, text).unwrap();
        clang(target, arguments, &["-c", "-w", "-o", object.to_str().unwrap()], &source);
        for (index, (name, expected)) in expected.iter().enumerate() {
            let dump = folder.path().join("section");
            let status = Command::new(llvm("llvm-objcopy"))
                .arg(format!("--dump-section=bits_{index}={}", dump.display()))
                .arg(&object)
                .status()
                .unwrap();
            assert!(status.success());
            assert_eq!(std::fs::read(&dump).unwrap(), *expected, "{target} {arguments:?}: {name}");
        }
    }
}
