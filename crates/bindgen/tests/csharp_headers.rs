//! C headers in, C# out: real headers compile, and zlib is called.
#![cfg(feature = "c")]

#[path = "csharp/compiler.rs"]
mod compiler;

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
