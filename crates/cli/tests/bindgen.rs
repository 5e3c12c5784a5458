//! What `upcall bindgen` says to wrong input, and that it writes whole outputs or none.

use crate::support;
use crate::support::Outcome;
use bindgen_tests::{compiler, tsc::tsc};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use tempfile::TempDir;

const ALL: [&str; 12] = [
    "--csharp", "out/Api.g.cs", "--python", "out/python", "--typescript", "out/typescript", "--java",
    "out/java", "--layouts", "out/layouts.ts", "--c", "out/api.h",
];

/// A folder with one source file in it.
fn folder(name: &str, source: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), source).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = support::upcall(&["bindgen"]);
    command.args(arguments).current_dir(folder);
    command
}

fn bindgen(folder: &Path, arguments: &[&str]) -> Outcome {
    support::run(&mut command(folder, arguments))
}

/// All files below a folder, with their bytes and when they were written.
fn files(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let time = path.metadata().unwrap().modified().unwrap();
                files.insert(path.strip_prefix(folder).unwrap().to_owned(), (fs::read(&path).unwrap(), time));
            }
        }
    }
    files
}

/// Runs into a folder whose outputs exist already: they stay, nothing comes, and all of `expected` is said.
fn refused(name: &str, source: &str, more: &[&str], expected: &[&str]) {
    let folder = folder(name, source);
    refused_in(folder.path(), name, more, expected);
}

fn refused_in(folder: &Path, name: &str, more: &[&str], expected: &[&str]) {
    fs::create_dir_all(folder.join("out")).unwrap();
    fs::write(folder.join("out/Api.g.cs"), "// what was there\n").unwrap();
    let before = files(folder);
    let input = if name.ends_with(".h") { "--header" } else { "--rust" };
    let mut arguments = vec!["--library", "wrong", input, name];
    arguments.extend(ALL);
    arguments.extend(more);
    let outcome = bindgen(folder, &arguments);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    for expected in expected {
        assert!(outcome.err.contains(expected), "`{expected}` is not in\n{}", outcome.err);
    }
    assert!(outcome.err.contains("nothing was written"), "{}", outcome.err);
    assert!(outcome.out.is_empty(), "{}", outcome.out);
    assert_eq!(before, files(folder));
}

#[test]
fn rust_that_cannot_be_parsed() {
    refused("bad.rs", "pub fn fine() {}\npub fn wrong( {\n", &[], &["bad.rs:2:", "2 | pub fn wrong( {", "^"]);
    refused("bad.rs", "pub fn wrong(a b) {}\n", &[], &["bad.rs:1:16", "1 | pub fn wrong(a b) {}", "^"]);
    refused("bad.rs", "\u{feff}\0", &[], &["bad.rs"]);
}

#[test]
fn inputs_that_do_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    refused_in(folder.path(), "none.h", &["-I", "nowhere"], &["none.h", "does not exist", "nowhere"]);
    refused_in(folder.path(), "none.rs", &[], &["there is no file `none.rs`", "src/lib.rs"]);
}

#[test]
fn a_header_that_clang_refuses() {
    refused(
        "bad.h",
        "int fine(int);\nint wrong(strange x);\n",
        &[],
        &["bad.h:2:11", "2 | int wrong(strange x);", "^^^^^^^"],
    );
}

#[test]
fn a_missing_libclang_says_how_to_get_it() {
    let folder = folder("api.h", "int add(int a, int b);\n");
    fs::create_dir(folder.path().join("empty")).unwrap();
    let mut command = command(folder.path(), &["--library", "x", "--header", "api.h", "--c", "out.h"]);
    let outcome = support::run(command.env("LIBCLANG_PATH", folder.path().join("empty")));
    assert_eq!(outcome.code, Some(1));
    for expected in ["libclang", "was not found", "LIBCLANG_PATH", "install"] {
        assert!(outcome.err.contains(expected), "{}", outcome.err);
    }
    assert!(!folder.path().join("out.h").exists());
}

#[test]
fn types_outside_the_files() {
    let source = "\
use elsewhere::Thing;
#[unsafe(no_mangle)]
pub extern \"C\" fn of_a_crate(thing: *const Thing) {}
#[unsafe(no_mangle)]
pub extern \"C\" fn of_nowhere(thing: *const Missing) {}
";
    refused(
        "api.rs",
        source,
        &[],
        &["`elsewhere::Thing`", "api.rs:3:", "`Missing`", "api.rs:5:44", "^^^^^^^", "help:"],
    );
}

#[test]
fn a_type_that_holds_itself() {
    let source = "\
#[repr(C)]
pub struct Hen { egg: Egg }
#[repr(C)]
pub struct Egg { hen: Hen }
#[unsafe(no_mangle)]
pub extern \"C\" fn hatch(hen: *const Hen) {}
";
    refused("api.rs", source, &[], &["holds itself by value", "api.rs:4:", "^", "behind a pointer"]);
}

#[test]
fn functions_of_another_abi() {
    let source = "\
#[unsafe(no_mangle)]
pub fn of_rust(a: i32) {}
#[unsafe(no_mangle)]
pub extern \"fastcall\" fn fast(a: i32) {}
";
    let expected =
        ["`of_rust` has the ABI of Rust", "api.rs:2:8", "`fast` has the ABI of fastcall", "^^^^^^^"];
    refused("api.rs", source, &[], &expected);
}

#[test]
fn what_is_not_said() {
    let folder = folder("api.rs", "#[unsafe(no_mangle)]\npub extern \"C\" fn f() {}\n");
    for (arguments, expected) in [
        (&["--rust", "api.rs", "--c", "api.h"][..], "which library"),
        (&["--library", "x", "--c", "api.h"], "nothing to read"),
        (&["--library", "x", "--rust", "api.rs"], "nothing to write"),
        (&["--config", "none.toml"], "none.toml"),
    ] {
        let outcome = bindgen(folder.path(), arguments);
        assert_eq!(outcome.code, Some(1), "{arguments:?}");
        assert!(outcome.err.contains(expected) && outcome.err.contains("help:"), "{}", outcome.err);
        assert_eq!(files(folder.path()).len(), 1, "{arguments:?}");
    }
}

/// A block of one of the book's chapters.
fn printed_in(chapter: &str, language: &str) -> String {
    let book = fs::read_to_string(support::root().join("docs/bindgen.md")).unwrap();
    let mut chapters = book.split("\n## ").filter_map(|text| text.split_once('\n'));
    let (_, text) = chapters.find(|(title, _)| *title == chapter).unwrap();
    let (_, block) = text.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

/// A block of the chapter on packers.
fn printed(language: &str) -> String {
    printed_in("Packers", language)
}

#[test]
fn the_books_layouts_are_what_is_written() {
    let block = |language| printed_in("Layouts for `DataView`", language);
    let folder = folder("lib.rs", &block("rust,ignore"));
    fs::write(folder.path().join("layouts.toml"), block("toml")).unwrap();
    let outcome = bindgen(folder.path(), &["--config", "layouts.toml"]);
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "layouts.ts\n"), "{}", outcome.err);
    let written = fs::read_to_string(folder.path().join("layouts.ts")).unwrap();
    assert_eq!(written.split_once("\n\n").unwrap().1, block("ts"), "{written}");
}

/// What a program prints; `None`, which is said, where the machine has no such program.
fn prints(folder: &Path, program: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(program).args(arguments).current_dir(folder).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            skipped(program);
            return None;
        }
        output => output.unwrap(),
    };
    let [said, wrong] =
        [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(output.status.success(), "{program}: {said}{wrong}");
    Some(said)
}

/// Says past the harness, which keeps what a passing test prints to itself, what was not tried.
fn skipped(program: &str) {
    let text = format!("skipped: there is no {program}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}

#[test]
fn packers_alone_need_no_library_and_run_in_every_language_as_the_book_prints_them() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let put = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("src/lib.rs", &printed("rust,ignore"));
    let command = printed("sh");
    let arguments: Vec<&str> = command.trim().strip_prefix("upcall bindgen ").unwrap().split(' ').collect();
    let outcome = bindgen(folder, &arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.contains("1 packed types"), "{}", outcome.err);
    let text = fs::read_to_string(folder.join("bindings/python/packed/pack.py")).unwrap();
    assert!(text.contains("--rust lib.rs; do not edit."), "{text}");

    put("bindings/python/program.py", &printed("python"));
    let python = std::env::var("UPCALL_PYTHON").unwrap_or_else(|_| "python3".into());
    let said = prints(folder, &python, &["bindings/python/program.py"]);
    assert!(said.is_none_or(|said| said.trim() == "John"));

    put("bindings/ts/program.ts", &printed("ts"));
    put("package.json", "{ \"type\": \"module\" }\n");
    let tsc = tsc();
    let options = ["--strict", "--target", "es2022", "--module", "nodenext", "bindings/ts/program.ts"];
    if prints(folder, tsc.to_str().unwrap(), &options).is_some() {
        assert_eq!(prints(folder, "node", &["bindings/ts/program.js"]).unwrap().trim(), "John");
    }

    let java = printed("java");
    let (imports, body) = java.split_once("\n\n").unwrap();
    let main = format!("{imports}\nclass Main {{ public static void main(String[] given) {{\n{body}}} }}\n");
    put("bindings/java/Main.java", &main);
    let options =
        ["-Xlint:all", "-Werror", "-sourcepath", "bindings/java", "-d", "classes", "bindings/java/Main.java"];
    if prints(folder, "javac", &options).is_some() {
        assert_eq!(prints(folder, "java", &["-cp", "classes", "Main"]).unwrap().trim(), "John");
    }

    put("Program.cs", &printed("csharp"));
    if compiler::is_there() {
        let sources = ["bindings/Engine.Pack.g.cs", "Program.cs"].map(|source| folder.join(source));
        let program = compiler::compile(folder, "program", "exe", &sources);
        let (code, said) = compiler::run(&program.unwrap_or_else(|said| panic!("{said}")));
        assert!(code == Some(0) && said.trim() == "John", "{said}");
    } else {
        skipped("C# compiler");
    }
}

#[test]
fn what_is_said_of_an_input_holds_for_the_files_of_the_toml_too() {
    let source = "#[cfg(feature = \"more\")] #[unsafe(no_mangle)] pub extern \"C\" fn more() {}\n\
                  #[unsafe(no_mangle)] pub extern \"C\" fn less() {}\n";
    let folder = folder("lib.rs", source);
    let file = "library = 'some'\n[rust]\nfiles = ['lib.rs']\n[header]\noutput = 'api.h'\n";
    fs::write(folder.path().join("bindgen.toml"), file).unwrap();
    let outcome = bindgen(folder.path(), &["--config", "bindgen.toml", "--feature", "more"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(fs::read_to_string(folder.path().join("api.h")).unwrap().contains("more("));
    for flag in [["--include", "."], ["--define", "SOME"]] {
        let outcome = bindgen(folder.path(), &["--config", "bindgen.toml", flag[0], flag[1]]);
        assert_eq!(outcome.code, Some(1), "{}", outcome.err);
        assert!(outcome.err.contains("are for C headers, and none is read"), "{}", outcome.err);
    }
}

#[test]
fn a_wrong_key_in_the_file() {
    for (toml, expected) in [
        ("library = \"x\"\nlibary = \"x\"\n", &["libary", "2 |", "^^^^^^", "library"][..]),
        (
            "library = \"x\"\n[csharp]\noutput = \"a.cs\"\nnamspace = \"A\"\n",
            &["namspace", "4 |", "`namespace`"],
        ),
        ("library = \"x\"\n[csharp]\nnamespace = \"A\"\n", &["output", "2 |"]),
        ("library = \"x\"\n[java]\noutput = \"o\"\nenums = 3\n", &["4 |", "boolean"]),
        ("library = \"x\"\n[java]\noutput = 3\n", &["3 |", "path"]),
        ("library = 5\n", &["1 |", "string"]),
        ("library = \n", &["1 |", "^"]),
    ] {
        let folder = folder("bindgen.toml", toml);
        let outcome = bindgen(folder.path(), &["--config", "bindgen.toml"]);
        assert_eq!(outcome.code, Some(1), "{toml}");
        for expected in expected {
            assert!(outcome.err.contains(expected), "`{expected}` is not in\n{}", outcome.err);
        }
    }
}

#[test]
fn an_output_that_cannot_be_written_leaves_all_others_as_they_were() {
    let folder = folder("api.rs", "#[unsafe(no_mangle)]\npub extern \"C\" fn f() {}\n");
    // The last of the outputs lies behind a file.
    fs::write(folder.path().join("file"), "").unwrap();
    let before = files(folder.path());
    let mut arguments = vec!["--library", "x", "--rust", "api.rs"];
    arguments.extend(ALL);
    *arguments.last_mut().unwrap() = "file/api.h";
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(1));
    assert!(
        outcome.err.contains("file/api.h") && outcome.err.contains("nothing was written"),
        "{}",
        outcome.err
    );
    assert_eq!(before, files(folder.path()));
    assert!(!folder.path().join("out").exists());
}

const GOOD_AND_BAD: &str = "\
#[unsafe(no_mangle)]
pub extern \"C\" fn good(a: i32) -> i32 { a }
#[unsafe(no_mangle)]
pub extern \"C\" fn bad(text: String) {}
";

#[test]
fn what_cannot_cross_is_left_out_on_request_and_nothing_else() {
    refused("api.rs", GOOD_AND_BAD, &[], &["error:", "String", "api.rs:4:"]);
    let folder = folder("api.rs", GOOD_AND_BAD);
    let mut arguments = vec!["--library", "x", "--rust", "api.rs", "--skip-unsupported"];
    arguments.extend(ALL);
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(outcome.err.matches("warning:").count(), 1, "{}", outcome.err);
    assert!(outcome.err.contains("api.rs:4:") && outcome.err.contains("String"), "{}", outcome.err);
    for path in [
        "out/Api.g.cs", "out/api.h", "out/java/x/X.java", "out/typescript/index.d.ts",
        "out/python/x/__init__.pyi",
    ] {
        let text = fs::read_to_string(folder.path().join(path)).unwrap();
        assert!(text.contains("good") && !text.contains("bad"), "{path}:\n{text}");
    }
}

#[test]
fn the_attributes_of_memorypack_are_written_on_request_and_need_csharp() {
    let source = "#[derive(upcall_pack::Pack)] pub struct Person { pub age: i32 }";
    let folder = folder("types.rs", source);
    let csharp = ["--rust", "types.rs", "--csharp", "out/People.g.cs"];
    for (more, attributes) in [(vec![], 0), (vec!["--memorypack"], 1)] {
        let outcome = bindgen(folder.path(), &[&csharp[..], &more].concat());
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        let text = fs::read_to_string(folder.path().join("out/People.Pack.g.cs")).unwrap();
        assert_eq!(text.matches("[MemoryPack.MemoryPackable]").count(), attributes, "{text}");
    }
    let outcome = bindgen(folder.path(), &["--rust", "types.rs", "--python", "out", "--memorypack"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("--memorypack is for C#, and none is written"), "{}", outcome.err);
}

#[test]
fn words_of_the_languages_are_names_all_the_same() {
    let source = "\
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Words { pub class: i32, pub def: i32, pub function: i32, pub namespace: u8, pub constructor: i16 }
#[unsafe(no_mangle)]
pub extern \"C\" fn import(lambda: i32, var: i32, native: i32, arguments: i32) -> i32 { lambda + var + native + arguments }
#[unsafe(no_mangle)]
pub extern \"C\" fn delete(this: Words, new: i32, pass: *const Words, int: u8, params: u8) -> i32 { new }
";
    let folder = folder("words.rs", source);
    let mut arguments = vec!["--library", "words", "--rust", "words.rs"];
    arguments.extend(ALL);
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let csharp = fs::read_to_string(folder.path().join("out/Api.g.cs")).unwrap();
    assert!(
        csharp.contains("@params") && csharp.contains("@this") && csharp.contains("int Class"),
        "{csharp}"
    );
    let accepts = |program: &str, arguments: &[&str], pattern: &str| {
        let mut files: Vec<_> = files(folder.path()).into_keys().collect();
        files.retain(|path| path.to_str().unwrap().ends_with(pattern));
        assert!(!files.is_empty(), "{pattern}");
        let mut command = Command::new(program);
        let outcome = command.args(arguments).args(&files).current_dir(folder.path()).output();
        let outcome = outcome.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(outcome.status.success(), "{program}: {}", String::from_utf8_lossy(&outcome.stderr));
    };
    accepts("python3", &["-m", "py_compile"], ".py");
    accepts("node", &["--check"], "index.js");
    accepts("cc", &["-fsyntax-only", "-Wall", "-Werror", "-xc"], "api.h");
    accepts("c++", &["-fsyntax-only", "-xc++"], "api.h");
}

#[test]
fn a_second_run_writes_nothing_and_another_folder_gets_the_same_bytes() {
    let source = "\
/// A point.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point { pub x: f32, pub y: f32 }
/// Its length.
#[unsafe(no_mangle)]
pub extern \"C\" fn length(point: Point) -> f32 { point.x.hypot(point.y) }
";
    let mut arguments = vec!["--library", "points", "--rust", "points.rs"];
    arguments.extend(ALL);
    let (one, two) = (folder("points.rs", source), folder("points.rs", source));
    assert_eq!(bindgen(one.path(), &arguments).code, Some(0));
    let before = files(one.path());
    let again = bindgen(one.path(), &arguments);
    assert!(again.out.is_empty() && again.err.contains("0 files written"), "{}", again.err);
    assert_eq!(before, files(one.path()));
    assert_eq!(bindgen(two.path(), &arguments).code, Some(0));
    let bytes = |folder: &Path| -> Vec<_> {
        files(folder).into_iter().map(|(path, (bytes, _))| (path, bytes)).collect()
    };
    assert!(bytes(one.path()) == bytes(two.path()));
    let header = "Made by upcall bindgen 0.1.0 --library points --rust points.rs; do not edit.";
    for (path, bytes) in bytes(one.path()) {
        let text = String::from_utf8(bytes).unwrap();
        let exempt = ["points.rs", "py.typed", "package.json"].iter().any(|name| path.ends_with(name))
            || path.extension().is_some_and(|ending| ending == "upcall");
        assert!(exempt || text.lines().take(3).any(|line| line.contains(header)), "{}", path.display());
        assert!(!text.contains(one.path().to_str().unwrap()), "{}", path.display());
    }
}

#[test]
fn what_a_header_defines_itself_comes_with_a_shim() {
    let folder = folder("api.h", "static inline int twice(int x) { return 2 * x; }\nint once(int x);\n");
    let arguments = ["--library", "x", "--header", "api.h", "--csharp", "out/Api.g.cs"];
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let text = fs::read_to_string(folder.path().join("out/shims.c")).unwrap();
    assert!(text.contains("twice(") && !text.contains("once("), "{text}");
}

#[test]
fn a_hundred_thousand_lines_come_to_an_end() {
    let mut source = String::new();
    for index in 0..500 {
        source += &format!("/// Type {index}.\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct T{index} {{\n");
        for field in 0..20 {
            (0..9).for_each(|line| source += &format!("    /// Line {line}.\n"));
            source += &format!("    pub field_{field}: u32,\n");
        }
        source += &format!(
            "}}\n#[unsafe(no_mangle)]\npub extern \"C\" fn f{index}(\n    value: *const T{index},\n"
        );
        source += "    count: usize,\n) -> u32 {\n    0\n}\n";
    }
    assert!(source.lines().count() >= 100_000, "{}", source.lines().count());
    let folder = folder("long.rs", &source);
    let arguments =
        ["--library", "long", "--rust", "long.rs", "--csharp", "out/Api.g.cs", "--c", "out/api.h"];
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.contains("500 functions, 500 types"), "{}", outcome.err);
    let text = fs::read_to_string(folder.path().join("out/Api.g.cs")).unwrap();
    assert!(text.contains("f499"));
    // The same with a mistake in its last line.
    fs::write(folder.path().join("long.rs"), source + "pub struct {\n").unwrap();
    let outcome = bindgen(folder.path(), &arguments);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("pub struct {") && outcome.err.lines().count() < 20, "{}", outcome.err);
}
