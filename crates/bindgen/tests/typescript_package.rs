//! The package is generated, its addon compiled, and both run in Node against a real library.

use bindgen_tests::{node, shapes, tsc};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use upcall_bindgen::{Diagnostics, typescript};

/// A folder with the package, its addon and its library, made once.
fn package() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript/shapes");
        let mut diagnostics = Diagnostics::default();
        let files = typescript::generate(&shapes::api(), &typescript::Options::default(), &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        node::put(&folder, &files);
        shapes::library(&folder);
        node::build(&folder, "shapes");
        folder
    })
}

fn printed(script: &Path) -> String {
    let output = node::run(script);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{said}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_package_does_what_the_tests_say() {
    let script = package().join("behaviour.js");
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/behaviour.js"));
    fs::write(&script, text.unwrap()).unwrap();
    assert!(printed(&script).ends_with("all is well\n"));
}

#[test]
fn a_users_program_passes_the_strict_compiler_and_runs() {
    let source = package().join("user.ts");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/user.ts"));
    fs::write(&source, text.unwrap()).unwrap();
    for compiler in [tsc::older(), tsc::tsc()] {
        let (passed, said) = node::compile_by(&compiler, &source, package());
        assert!(passed, "{}: {said}", compiler.display());
        assert_eq!(printed(&package().join("user.js")), "3 2 8 [ 0, 1, 4 ] 33 6\n");
    }
}

#[test]
fn the_compiler_finds_wrong_types() {
    let source = package().join("wrong.ts");
    fs::write(&source, "import { add, mirror_point, Aligned } from \"./index\";\nadd(1, \"2\");\nmirror_point(new Aligned());\n").unwrap();
    let (passed, said) = node::compile(&source, &package().join("wrong"));
    assert!(!passed && said.matches("error TS").count() == 2, "{said}");
}
