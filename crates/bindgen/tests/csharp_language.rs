//! Code written for a C# version compiles as that version.

use bindgen_tests::{compiler, shapes};
use std::fs;
use std::path::Path;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::csharp::{Grouped, Options, generate};

#[test]
fn every_language_version_compiles_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/csharp/Language.cs");
    let (csc, framework) = (compiler::roslyn(), compiler::framework());
    let references =
        ["Microsoft.CodeAnalysis.dll", "Microsoft.CodeAnalysis.CSharp.dll"].map(|name| csc.join(name));
    let program = compiler::compile_with(folder.path(), "language", "exe", &[source], &references);
    let program = program.unwrap_or_else(|e| panic!("{e}"));
    for reference in &references {
        fs::copy(reference, folder.path().join(reference.file_name().unwrap())).unwrap();
    }
    let nine = Options { language: 9, grouped: Some(Grouped::default()), ..Options::default() };
    let csbindgen = Options { constants: vec!["*".into()], ..Options::csbindgen() };
    let twelve = Options { language: 12, ..Options::default() };
    for (version, options, fine) in [
        ("9", &nine, true),
        ("9", &csbindgen, true),
        ("11", &Options::default(), true),
        ("12", &twelve, true),
        // UTF-8 literals show that the compiler does check the version.
        ("9", &Options::default(), false),
    ] {
        let files = generate(&shapes::api(), options, &mut Diagnostics::default());
        let file = folder.path().join("native.cs");
        fs::write(&file, &files[0].text).unwrap();
        let arguments = [version.as_ref(), framework.as_os_str(), file.as_os_str()];
        let (code, output) = compiler::run_with(&program, &arguments);
        assert_eq!(code == Some(0) && output == "fine\n", fine, "C# {version}: {output}");
    }
}
