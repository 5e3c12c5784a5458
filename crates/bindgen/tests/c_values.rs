//! The structs of C headers themselves, bitfields included, passed by value from C to Rust and back: the model
//! has enough of a struct to pass it as the C compiler does.
#![cfg(feature = "c")]

use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::check::{AFTER, BEFORE, Echo, MISMATCH, Probe};
use upcall_bindgen::model::Api;

fn read(header: &str) -> Api {
    let input = Input { headers: vec![header.into()], ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    c::read(&input, &mut diagnostics).expect("the header is valid")
}

fn clang() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut found: Vec<_> =
        folders.map(|entry| entry.path().join("bin/clang")).filter(|path| path.is_file()).collect();
    found.sort();
    found.pop().unwrap_or_else(|| "clang".into())
}

/// Sends the header's own type through the library and compares what the library saw with what came back.
fn exchange(source: &str, by_value: &str, probe: &Probe) -> String {
    let list = |bytes: &[u8]| bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    let Probe { name, sent, returned, returned_mask, .. } = probe;
    format!(
        "extern {source} {by_value}(int, {source}, double);
static void pass_{name}(void) {{
    static const unsigned char sent[] = {{{}}}, returned[] = {{{}}}, mask[] = {{{}}};
    {source} value, back;
    memcpy(&value, sent, sizeof value);
    back = {by_value}({BEFORE}, value, {AFTER:?});
    check_bytes(\"{name}\", &back, returned, mask, sizeof back);
}}
",
        list(sent),
        list(returned),
        list(returned_mask)
    )
}

fn program(header: &str, api: &Api, echo: &Echo) -> (String, usize) {
    let mut text = format!(
        "#include \"{header}\"\n#include <stdio.h>\n#include <string.h>\n
int {MISMATCH}(void);
static int wrong;
static void check_bytes(const char *name, void *back, const unsigned char *returned, const unsigned char *mask, size_t size) {{
    const unsigned char *found = back;
    int saw = {MISMATCH}();
    if (saw != -1) {{ printf(\"%s: the library saw %d\\n\", name, saw); wrong = 1; }}
    for (size_t i = 0; i < size; i++)
        if ((found[i] ^ returned[i]) & mask[i]) {{ printf(\"%s: byte %zu came back wrong\\n\", name, i); wrong = 1; return; }}
}}
"
    );
    let mut calls = Vec::new();
    for probe in &echo.probes {
        let source = &api.get(probe.ty).source;
        if let Some(by_value) = probe.by_value.as_ref().filter(|_| !source.is_empty()) {
            text += &exchange(source, by_value, probe);
            calls.push(format!("    pass_{}();\n", probe.name));
        }
    }
    text += &format!("int main(void) {{\n{}    return wrong;\n}}\n", calls.concat());
    (text, calls.len())
}

fn run(command: &mut Command) {
    let result = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said =
        [result.stdout, result.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(result.status.success(), "{command:?}: {said}");
}

#[test]
fn the_headers_own_structs_cross_by_value() {
    // The last two are the kernel's: they come with every C compiler on Linux.
    for (header, least) in [
        ("tests/c/awkward.h", 26),
        ("tests/c/portable.h", 11),
        ("/usr/include/linux/videodev2.h", 80),
        ("/usr/include/linux/bpf.h", 80),
    ] {
        let api = read(header);
        let echo = Echo::new(&api);
        let folder = tempfile::tempdir().unwrap();
        for file in &echo.files {
            let path = folder.path().join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.text).unwrap();
        }
        let library = folder.path().join("libupcall_echo.so");
        run(Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "cdylib", "-Awarnings", "-o"])
            .arg(&library)
            .arg(folder.path().join("src/lib.rs")));
        let (text, count) = program(header, &api, &echo);
        assert!(count >= least, "{header}: {count}");
        let source = folder.path().join("values.c");
        std::fs::write(&source, text).unwrap();
        for compiler in [Path::new("gcc"), &clang()] {
            for level in ["-O0", "-O2"] {
                let program = folder.path().join("values");
                run(Command::new(compiler)
                    .args(["-std=gnu11", "-w", level, "-I", env!("CARGO_MANIFEST_DIR")])
                    .args([&source, &library])
                    .arg(format!("-Wl,-rpath,{}", folder.path().display()))
                    .arg("-o")
                    .arg(&program));
                run(&mut Command::new(&program));
            }
        }
    }
}

#[test]
fn what_the_front_end_refuses_by_value_is_passed_by_pointer_only() {
    let echo = Echo::new(&read("tests/c/awkward.h"));
    let by_value = |name: &str| {
        let probe = echo.probes.iter().find(|probe| probe.name == name).expect("the header has it");
        probe.by_value.is_some() && echo.api.functions.iter().any(|function| function.name.ends_with(name))
    };
    assert!(!by_value("gap") && !by_value("unnamed_gap"));
    assert!(by_value("no_gap") && by_value("packed_aligned"));
}
