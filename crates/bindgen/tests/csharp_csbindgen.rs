//! csbindgen's own inputs, from a checkout of its repository that `CSBINDGEN` names: none of it is in ours.
//!
//! `CSBINDGEN=<checkout> cargo test -p upcall-bindgen --test csharp_csbindgen -- --ignored`

#![cfg(feature = "c")]

#[path = "csbindgen/sources.rs"]
mod sources;

use bindgen_tests::compiler;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use upcall_bindgen::csharp::{Grouped, Options, generate};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, c};

fn checkout() -> PathBuf {
    std::env::var_os("CSBINDGEN").expect("CSBINDGEN names a checkout of csbindgen's repository").into()
}

/// The options that its `build.rs` always uses.
fn options(class: &str) -> Options {
    Options {
        class: class.into(),
        file: format!("{class}.cs"),
        constants: vec!["*".into()],
        grouped: Some(Grouped::default()),
        ..Options::csbindgen()
    }
}

/// Compiles the bindings; returns the folder with their source.
fn compile(api: &Api, options: &Options) -> tempfile::TempDir {
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let files = generate(api, options, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(&files[0].path);
    fs::write(&source, &files[0].text).unwrap();
    if let Some(keep) = std::env::var_os("CSBINDGEN_OUTPUT") {
        fs::create_dir_all(&keep).unwrap();
        fs::write(PathBuf::from(keep).join(&files[0].path), &files[0].text).unwrap();
    }
    println!("{}: {} functions, {} types", options.class, api.functions.len(), api.types.len());
    compiler::compile(folder.path(), &options.class, "library", &[source]).unwrap_or_else(|e| panic!("{e}"));
    folder
}

/// A header of `csbindgen-tests/c`, with the functions that its `build.rs` filters.
fn header(folder: &str, headers: &[&str], class: &str, functions: &str) -> tempfile::TempDir {
    let input = c::Input {
        library: format!("{folder}_csbindgen"),
        headers: headers
            .iter()
            .map(|name| checkout().join("csbindgen-tests/c").join(folder).join(name))
            .collect(),
        allow: vec![functions.into()],
        ..c::Input::default()
    };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    compile(&api.expect("it was read"), &options(class))
}

const LZ4: &str = r#"
using CsBindgen;

internal static unsafe class Program
{
    private static void Main()
    {
        byte[] text = new byte[100_000], packed = new byte[LibLz4.LZ4_compressBound(text.Length)], back = new byte[text.Length];
        for (int at = 0; at < text.Length; at++) text[at] = (byte)(at / 1000);
        fixed (byte* from = text, into = packed, again = back)
        {
            int size = LibLz4.LZ4_compress_default(from, into, text.Length, packed.Length);
            int whole = LibLz4.LZ4_decompress_safe(into, again, size, back.Length);
            System.Console.WriteLine($"{size < 2000} {whole} {System.MemoryExtensions.SequenceEqual<byte>(text, back)}");
        }
    }
}
"#;

#[test]
#[ignore = "needs csbindgen's repository"]
fn lz4() {
    let headers = ["lz4.h", "lz4hc.h", "lz4frame.h", "xxhash.h"];
    let folder = header("lz4", &headers, "LibLz4", "LZ4.*");
    let sources = ["lz4.c", "lz4hc.c", "lz4frame.c", "xxhash.c"];
    let sources = sources.map(|name| checkout().join("csbindgen-tests/c/lz4").join(name));
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.path().join("liblz4_csbindgen.so")).args(sources);
    assert!(cc.status().unwrap().success());
    let main = folder.path().join("Main.cs");
    fs::write(&main, LZ4).unwrap();
    let program = compiler::compile(folder.path(), "lz4", "exe", &[folder.path().join("LibLz4.cs"), main]);
    let (code, output) = compiler::run(&program.unwrap_or_else(|e| panic!("{e}")));
    assert_eq!((code, output.as_str()), (Some(0), "True 100000 True\n"), "{output}");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn zstd() {
    header("zstd", &["zstd.h"], "LibZstd", "ZSTD_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn quiche() {
    header("quiche", &["quiche.h"], "LibQuiche", "quiche_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn sqlite3() {
    header("sqlite3", &["sqlite3.h"], "LibSqlite3", "sqlite3_.*");
}

#[test]
#[ignore = "needs csbindgen's repository"]
fn bullet3() {
    let headers = [
        "PhysicsClientC_API.h",
        "PhysicsClientSharedMemory_C_API.h",
        "PhysicsClientSharedMemory2_C_API.h",
        "PhysicsDirectC_API.h",
        "SharedMemoryPublic.h",
    ];
    header("bullet3", &headers, "LibBullet3", "b3.*");
}
