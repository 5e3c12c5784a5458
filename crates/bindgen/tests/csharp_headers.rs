//! C headers in, C# out: real headers compile, and zlib is called.
#![cfg(feature = "c")]

use bindgen_tests::compiler;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::csharp::{Grouped, Options, generate};

/// The bindings of a header, in `folder`.
fn bindings(header: &str, library: &str, options: &Options, folder: &Path) -> PathBuf {
    let input = Input { library: library.into(), headers: vec![header.into()], ..Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let files = generate(&api.unwrap(), options, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let source = folder.join(format!("{library}.cs"));
    fs::write(&source, &files[0].text).unwrap();
    source
}

#[test]
fn bindings_of_real_headers_compile() {
    let [awkward, portable] =
        ["awkward", "portable"].map(|name| format!("{}/tests/c/{name}.h", env!("CARGO_MANIFEST_DIR")));
    let headers = [
        awkward.as_str(),
        &portable,
        "/usr/include/linux/videodev2.h",
        "/usr/include/zlib.h",
        "/usr/include/sqlite3.h",
    ];
    for header in headers.iter().filter(|header| Path::new(header).is_file()) {
        for options in [
            Options::default(),
            Options { grouped: Some(Grouped::default()), ..Options::csbindgen() },
            Options { function_pointers: false, ..Options::csbindgen() },
        ] {
            let folder = tempfile::tempdir().unwrap();
            let source = bindings(header, "header", &options, folder.path());
            compiler::compile(folder.path(), "bindings", "library", &[source])
                .unwrap_or_else(|e| panic!("{header}: {e}"));
        }
    }
}

const ZLIB: &str = r#"
internal static unsafe class Program
{
    private static void Main()
    {
        System.ReadOnlySpan<byte> hello = "hello"u8;
        fixed (byte* data = hello) System.Console.WriteLine(Zlib.NativeMethods.crc32(new(0), data, 5).Value);
        System.Console.WriteLine(new string((sbyte*)Zlib.NativeMethods.zlibVersion()).Length > 0);
    }
}
"#;

#[test]
fn zlib_is_called() {
    if !Path::new("/usr/include/zlib.h").is_file() {
        eprintln!("skipped: no zlib.h");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = Options { library: "libz.so.1".into(), namespace: "Zlib".into(), ..Options::default() };
    let source = bindings("/usr/include/zlib.h", "z", &options, folder.path());
    let main = folder.path().join("Main.cs");
    fs::write(&main, ZLIB).unwrap();
    let program =
        compiler::compile(folder.path(), "zlib", "exe", &[source, main]).unwrap_or_else(|e| panic!("{e}"));
    let (code, output) = compiler::run(&program);
    assert_eq!((code, output.as_str()), (Some(0), "907060870\nTrue\n"), "{output}");
}

const TEXTS_H: &str = r#"
#define GREETING "say \"hé\""
#define PATTERN "\xff\xfe"
/* How many bytes; -1 for none. */
int text_length(const char *text);
int text_both(int factor, const char *one, const char *other);
int text_bytes(const char *data, int size);
const char *text_end(const char *text);
"#;

const TEXTS_C: &str = r#"
#include "texts.h"
#include <string.h>
int text_length(const char *text) { return text ? (int)strlen(text) : -1; }
int text_both(int factor, const char *one, const char *other) { return factor * text_length(one) + text_length(other); }
int text_bytes(const char *data, int size) { return data[size - 1]; }
const char *text_end(const char *text) { return text + strlen(text); }
"#;

const TEXTS: &str = r#"
using System;
using Texts;

internal static unsafe class Program
{
    private static void Main()
    {
        Console.WriteLine(Api.TextLength("größer"));
        Console.WriteLine(Api.TextLength(""));
        Console.WriteLine(Api.TextLength((string?)null));
        Console.WriteLine(Api.TextLength(new string('é', 100_000)));
        Console.WriteLine(Api.TextBoth(10, "abc", null));
        Console.WriteLine(Api.TextBoth(10, new string('x', 300), "12"));
        fixed (byte* data = "a\0b"u8) Console.WriteLine(Api.TextBytes(data, 3));
        fixed (byte* data = "abc"u8) Console.WriteLine(Api.TextEnd(data) - data);
        try { Api.TextLength("a\0b"); }
        catch (ArgumentException wrong) { Console.WriteLine(wrong.Message); }
        const string greeting = NativeMethods.Greeting;
        Console.WriteLine($"{greeting} {NativeMethods.GreetingUtf8.Length} {NativeMethods.Pattern[0]}");
    }
}
"#;

const SAID: &str = "8\n0\n-1\n200000\n29\n3002\n98\n3\n\
    the text contains a zero character, where C would see its end\nsay \"hé\" 9 255\n";

#[test]
fn c_strings_are_strings() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (name, text) in [("texts.h", TEXTS_H), ("texts.c", TEXTS_C), ("Main.cs", TEXTS)] {
        fs::write(at(name), text).unwrap();
    }
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-o", "libtexts.so", "texts.c"]).current_dir(folder.path());
    assert!(gcc.status().unwrap().success());
    let header = at("texts.h");
    let source = bindings(header.to_str().unwrap(), "texts", &Options::default(), folder.path());
    let program = compiler::compile(folder.path(), "texts_program", "exe", &[source, at("Main.cs")])
        .unwrap_or_else(|e| panic!("{e}"));
    let (code, output) = compiler::run(&program);
    assert_eq!((code, output.as_str()), (Some(0), SAID), "{output}");
}
