//! The C# packers compile without a warning, and read and write the golden bytes in .NET.

use bindgen_tests::{compiler, packers};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::csharp::{Options, generate};
use upcall_bindgen::{Diagnostics, File, rust};

fn options() -> Options {
    Options { file: "Packs.g.cs".into(), namespace: "Packs".into(), ..Options::default() }
}

fn files(options: &Options) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let files = generate(&packers::fixture(), options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files
}

fn run(folder: &Path, assembly: &Path) {
    let (code, said) = compiler::run_with(assembly, &[OsStr::new(&folder.join("golden.txt"))]);
    assert!(code == Some(0) && said.contains("lines, nothing wrong"), "{said}");
}

#[test]
fn the_packers_read_and_write_the_golden_bytes_and_refuse_all_else() {
    let folder = packers::folder("csharp");
    let mut files = files(&options());
    assert_eq!(files.len(), 1, "nothing but the packers: no functions");
    assert_eq!(files[0].path, Path::new("Packs.Pack.g.cs"));
    files.extend([packers::golden(), File::new("Program.cs", include_str!("packers/Program.cs"))]);
    packers::put(&folder, &files);
    let sources: Vec<PathBuf> =
        ["Packs.Pack.g.cs", "Program.cs"].iter().map(|name| folder.join(name)).collect();
    let assembly =
        compiler::compile(&folder, "packs", "exe", &sources).unwrap_or_else(|said| panic!("{said}"));
    run(&folder, &assembly);
    assert!(!fs::read_to_string(&sources[0]).unwrap().contains("MemoryPackable"));
}

#[test]
fn hostile_bytes_take_neither_the_stack_nor_more_memory_than_they_are() {
    let folder = packers::folder("csharp-hostile");
    let mut diagnostics = Diagnostics::default();
    let options = Options { language: 12, ..options() };
    let mut files = generate(&packers::hostile(), &options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files.push(File::new("Hostile.cs", include_str!("packers/Hostile.cs")));
    packers::put(&folder, &files);
    let sources = ["Packs.Pack.g.cs", "Hostile.cs"].map(|name| folder.join(name));
    let assembly = compiler::compile(&folder, "hostile", "exe", &sources);
    let (code, said) = compiler::run(&assembly.unwrap_or_else(|said| panic!("{said}")));
    assert!(code == Some(0) && said.trim() == "nothing wrong", "{code:?} {said}");
}

#[test]
fn names_and_docs_that_csharp_does_not_like_compile() {
    let folder = packers::folder("csharp-awkward");
    packers::put(&folder, &[File::new("MemoryPack.cs", include_str!("packers/MemoryPackAttributes.cs"))]);
    for (language, memorypack) in [(9, false), (12, true)] {
        let options = Options { language, memorypack, ..options() };
        let mut diagnostics = Diagnostics::default();
        let files = generate(&packers::awkward(), &options, &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        let text = &files[0].text;
        assert_eq!(text.contains("[MemoryPack.MemoryPackInclude]"), memorypack);
        assert!(text.contains("private byte Hidden;") && text.contains("private string Wide "));
        packers::put(&folder, &files);
        let sources = ["Packs.Pack.g.cs", "MemoryPack.cs"].map(|name| folder.join(name));
        let compiled = compiler::compile(&folder, "awkward", "library", &sources);
        compiled.unwrap_or_else(|said| panic!("{said}"));
    }
}

/// The library's assembly and its generator's beside it, if `UPCALL_MEMORYPACK` names the first.
fn memorypack() -> Option<(PathBuf, PathBuf)> {
    let library = std::env::var_os("UPCALL_MEMORYPACK").map(PathBuf::from).filter(|path| path.is_file());
    let generator = library.as_ref().map(|path| path.with_file_name("MemoryPack.Generator.dll"));
    match (library, generator.filter(|path| path.is_file())) {
        (Some(library), Some(generator)) => Some((library, generator)),
        _ => {
            let text = "skipped, as UPCALL_MEMORYPACK does not name MemoryPack.Core.dll with MemoryPack.Generator.dll beside it: \
                        the attributes of MemoryPack\n";
            // Bypasses the test harness, which captures the output of passing tests.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
            None
        }
    }
}

#[test]
fn memorypack_itself_reads_and_writes_the_same_classes() {
    let options = Options { memorypack: true, ..options() };
    let mut files = files(&options);
    assert!(files[0].text.contains("[MemoryPack.MemoryPackable(MemoryPack.GenerateType.CircularReference)]"));
    let Some((library, generator)) = memorypack() else { return };
    let folder = packers::folder("csharp-memorypack");
    files.extend([packers::golden(), File::new("Program.cs", include_str!("packers/MemoryPackProgram.cs"))]);
    packers::put(&folder, &files);
    let sources: Vec<PathBuf> =
        ["Packs.Pack.g.cs", "Program.cs"].iter().map(|name| folder.join(name)).collect();
    let more = compiler::More { references: &[library], generators: &[generator] };
    let assembly = compiler::compile_more(&folder, "packs", "exe", &sources, &more)
        .unwrap_or_else(|said| panic!("{said}"));
    fs::copy(&more.references[0], folder.join("MemoryPack.Core.dll")).unwrap();
    run(&folder, &assembly);
}

#[test]
fn a_circular_object_in_two_cases_is_refused() {
    let folder = packers::folder("csharp-circular");
    let source = "use upcall_pack::Pack;
        #[derive(Pack)] #[pack(circular)] pub struct Link { #[pack(order = 0)] pub number: i32 }
        #[derive(Pack)] #[pack(union)] pub enum Ends { First(Link), Last(Link) }";
    packers::put(&folder, &[File::new("lib.rs", source)]);
    let input = rust::Input { files: vec![folder.join("lib.rs")], ..rust::Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = rust::read(&input, &mut diagnostics).unwrap().remove(0);
    assert_eq!(diagnostics.list, []);
    let files = generate(&api, &options(), &mut diagnostics);
    assert!(!files[0].text.contains("interface IEnds"));
    assert!(diagnostics.list.iter().any(|said| said.to_string().contains("a circular object in two cases")));
}

#[test]
fn blittable_types_that_functions_take_are_declared_once() {
    let folder = packers::folder("csharp-shared");
    let read = |source: &str, name: &str| {
        packers::put(&folder, &[File::new(name, source)]);
        let input = rust::Input { files: vec![folder.join(name)], ..rust::Input::default() };
        let mut diagnostics = Diagnostics::default();
        let apis = rust::read(&input, &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        apis.unwrap().remove(0)
    };
    let derived = "
        /// Both.
        #[repr(C)] #[derive(Pack)] #[pack(raw)] pub struct Both { pub a: u8, pub b: i32, pub c: Kind }
        #[repr(u16)] #[derive(Pack)] pub enum Kind { One = 1, Two = 2 }
    ";
    let packed = format!(
        "use upcall_pack::Pack; {derived}
        #[derive(Pack)] pub struct Holder {{ pub all: Vec<Both>, pub kind: Kind, pub keys: [u8; 3] }}"
    );
    // The measured source is compiled, here without the derive's crate.
    let plain = derived.replace("#[derive(Pack)]", "").replace("#[pack(raw)]", "");
    let taking = r#"#[unsafe(no_mangle)] pub extern "C" fn take(both: Both) -> Kind { both.c }"#;
    let mut api = read(&format!("{plain}{taking}"), "functions.rs");
    api.packed = read(&packed, "packed.rs").packed;
    api.library = "shared".into();
    let mut diagnostics = Diagnostics::default();
    let options = Options { file: "Shared.g.cs".into(), language: 12, ..Options::default() };
    packers::put(&folder, &generate(&api, &options, &mut diagnostics));
    assert_eq!(diagnostics.list, []);
    let program = File::new("Program.cs", SHARED);
    packers::put(&folder, &[program]);
    let names = ["Shared.g.cs", "Shared.Pack.g.cs", "Program.cs"];
    let sources: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let assembly =
        compiler::compile(&folder, "shared", "exe", &sources).unwrap_or_else(|said| panic!("{said}"));
    let (code, said) = compiler::run(&assembly);
    assert_eq!(
        (code, said.trim()),
        (Some(0), "03020000000700000009000000020000000000000000000000010000000100000000")
    );
}

const SHARED: &str = "using System;
using Shared;
Holder holder = new Holder { All = new Both[2], Kind = Kind.One };
holder.All[0] = new Both { A = 7, B = 9, C = Kind.Two };
holder.All[1].C = Kind.One;
holder.Keys[1] = 0;
byte[] bytes = Holder.Pack(holder);
if (Holder.Unpack(bytes)!.All[0].C != Kind.Two) return 1;
Console.WriteLine(Convert.ToHexString(bytes));
return 0;
";
