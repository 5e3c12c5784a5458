//! The package is generated, its addon compiled, and both run in Node against a real library.

mod shapes;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
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
        for file in &files {
            let path = folder.join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if fs::read_to_string(&path).ok().as_ref() != Some(&file.text) {
                fs::write(path, &file.text).unwrap();
            }
        }
        shapes::library(&folder);
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("glue"));
        cargo.env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "-Dwarnings");
        assert!(cargo.status().unwrap().success(), "the addon compiles without warnings");
        fs::copy(folder.join("glue/target/release/libshapes_node.so"), folder.join("shapes.node")).unwrap();
        folder
    })
}

fn compiler() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let setup = || {
        let roots = here.ancestors().filter(|folder| folder.join("Cargo.lock").exists());
        roots.map(|root| root.join(".setup/node/node_modules/.bin/tsc")).find(|tsc| tsc.exists())
    };
    let given = std::env::var_os("UPCALL_TSC").map(PathBuf::from);
    given.or_else(setup).expect("run cargo xtask setup: .setup/node has the TypeScript compiler of the tests")
}

fn compile(source: &Path, to: &Path) -> (bool, String) {
    let output = Command::new(compiler())
        .args(["--strict", "--target", "ES2022", "--module", "commonjs", "--moduleResolution", "node10"])
        .args(["--lib", "es2022,esnext.disposable", "--outDir"])
        .arg(to)
        .arg(source)
        .output()
        .expect("tsc starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn node(script: &Path) -> String {
    let output = Command::new("node").arg("--expose-gc").arg(script).output().expect("node is on PATH");
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
    assert!(node(&script).ends_with("all is well\n"));
}

#[test]
fn a_users_program_passes_the_strict_compiler_and_runs() {
    let source = package().join("user.ts");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/user.ts"));
    fs::write(&source, text.unwrap()).unwrap();
    let (passed, said) = compile(&source, package());
    assert!(passed, "{said}");
    assert_eq!(node(&package().join("user.js")), "3 2.5 8 [ 0, 1, 4 ] 33 6\n");
}

#[test]
fn the_compiler_finds_wrong_types() {
    let source = package().join("wrong.ts");
    fs::write(&source, "import { add, mirror_point, Aligned } from \"./index\";\nadd(1, \"2\");\nmirror_point(new Aligned());\n").unwrap();
    let (passed, said) = compile(&source, &package().join("wrong"));
    assert!(!passed && said.matches("error TS").count() == 2, "{said}");
}
