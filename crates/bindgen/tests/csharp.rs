//! The C# back end: its output is compiled with warnings as errors and run against a real library.

use bindgen_tests::{compiler, native, shapes};
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::csharp::{Options, generate};
use upcall_bindgen::model::{Api, Ty};
use upcall_bindgen::{Diagnostics, File};

fn generated(api: &Api, options: &Options) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let files = generate(api, options, &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    files
}

fn written(folder: &Path, files: &[File]) -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &file.text).unwrap();
        if path.extension().is_some_and(|extension| extension == "cs") {
            sources.push(path);
        }
    }
    sources
}

#[test]
fn every_shape_compiles_under_every_option() {
    let csbindgen =
        Options { constants: vec!["*".into()], grouped: Some(Default::default()), ..Options::csbindgen() };
    let unity = Options {
        function_pointers: false,
        nint: false,
        c_long: false,
        library_if: Some(("UNITY_IOS && !UNITY_EDITOR".into(), "__Internal".into())),
        ..csbindgen.clone()
    };
    let old = Options { language: 9, nint: false, c_long: false, ..Options::default() };
    let newest = Options { language: 12, suppress_gc_transition: vec!["add".into()], ..Options::default() };
    for (name, options) in [
        ("plain", Options::default()),
        ("csbindgen", csbindgen),
        ("unity", unity),
        ("newest", newest),
        ("old", old),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let files = generated(&shapes::api(), &options);
        let sources = written(folder.path(), &files);
        if let Err(message) = compiler::compile(folder.path(), name, "library", &sources) {
            let text = fs::read_to_string(&sources[0]).unwrap();
            panic!("{name}:\n{text}\n{message}");
        }
    }
}

/// Compiles a program of `tests/csharp` with the bindings of the shapes, beside their library.
fn compiled(folder: &Path, program: &str, options: &Options) -> PathBuf {
    shapes::library(folder);
    let mut api = shapes::api();
    let moved = api.functions.iter_mut().find(|function| function.name == "move_point").unwrap();
    if let Ty::Pointer(pointer) = &mut moved.signature.params[0].ty {
        // Like Rust's `&mut Point`.
        pointer.nullable = false;
    }
    let mut sources = written(folder, &generated(&api, options));
    native::build(&folder.join("shapes_shim"), "shapes_shim", folder);
    sources.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csharp").join(program));
    compiler::compile(folder, "program", "exe", &sources).unwrap_or_else(|e| panic!("{e}"))
}

fn run(program: &str) {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), program, &Options::default());
    let (code, output) = compiler::run(&program);
    assert_eq!((code, output.as_str()), (Some(0), "fine\n"), "{output}");
}

/// Delegates are called, and what would otherwise be undefined behaviour ends the program with the reason.
#[test]
fn without_function_pointers_the_library_calls_delegates() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { function_pointers: false, ..Options::default() };
    let program = compiled(folder.path(), "Unity.cs", &options);
    let (code, output) = compiler::run(&program);
    assert_eq!((code, output.as_str()), (Some(0), "fine\n"), "{output}");
    for (mistake, reason) in [("forgotten", "garbage collected delegate"), ("thrown", "nobody catches this")]
    {
        let (code, output) = compiler::run_with(&program, &[mistake.as_ref()]);
        assert!(code != Some(0) && output.contains(reason), "{mistake}: {code:?} {output}");
        assert!(!output.contains("fine"), "{mistake}: {output}");
    }
}

#[test]
fn plain_functions_do_what_the_library_does() {
    run("Plain.cs");
}

#[test]
fn idiomatic_functions_throw_and_rethrow_and_release_once() {
    run("Idiomatic.cs");
}

const ELSEWHERE: &str = r#"
using System;
using Shapes;

internal static class Program
{
    private static void Main()
    {
        try { Console.WriteLine($"{Api.Add(2, 3)} {NativeMethods.Level}"); }
        catch (DllNotFoundException missing) { Console.WriteLine(missing.Message.Split('\n')[0]); }
    }
}
"#;

#[test]
fn a_variable_names_the_file_of_the_library() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let library = other.path().join("renamed.so");
    fs::rename(shapes::library(other.path()), &library).unwrap();
    let mut sources = written(folder.path(), &generated(&shapes::api(), &Options::default()));
    sources.retain(|source| source.parent() == Some(folder.path()));
    sources.push(folder.path().join("Main.cs"));
    fs::write(&sources[sources.len() - 1], ELSEWHERE).unwrap();
    let program = compiler::compile(folder.path(), "elsewhere", "exe", &sources).unwrap();
    let (_, output) = compiler::run(&program);
    assert!(output.contains("'shapes'"), "{output}");
    let (code, output) = compiler::said(compiler::started(&program).env("SHAPES_LIBRARY", &library));
    assert_eq!((code, output.as_str()), (Some(0), "5 7\n"));
    let (_, output) = compiler::said(compiler::started(&program).env("SHAPES_LIBRARY", "/nowhere.so"));
    assert!(output.contains("/nowhere.so"), "{output}");
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let [one, two] = [0, 1].map(|_| generated(&shapes::api(), &Options::default()));
    assert_eq!(one, two);
}
