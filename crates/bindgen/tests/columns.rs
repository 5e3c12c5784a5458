//! Columns of `#[derive(Soa)]`, read and written in place by each language.

use bindgen_tests::{compiler, interpreter, java, node};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output as Ran;
use std::sync::OnceLock;
use upcall_bindgen::{Config, Diagnostics, Output, generate, rust};

/// The sum of all speeds; the same with thrust and place; the same after the program has written to them.
const EXPECTED: &str = "499500 499000\n999542\n";

/// The folder with the library and the bindings, made once.
fn made() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("columns");
        let krate = folder.join("crate");
        fs::create_dir_all(krate.join("src")).unwrap();
        let manifest = format!(
            "[package]\nname = \"swarm\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n\
             [dependencies]\nupcall = {{ path = \"{}\", features = [\"soa\"] }}\n[workspace]\n",
            here.join("../../sdk/rust").display()
        );
        fs::write(krate.join("Cargo.toml"), manifest).unwrap();
        fs::copy(here.join("tests/columns/lib.rs"), krate.join("src/lib.rs")).unwrap();
        bindgen_tests::probed_with_others(&krate);
        let to = |path: &str| folder.join(path);
        let config = Config {
            library: "swarm".into(),
            rust: Some(rust::Input { files: vec![krate.join("src/lib.rs")], ..rust::Input::default() }),
            csharp: Some(Output { output: to("csharp/Swarm.g.cs"), ..Output::default() }),
            python: Some(Output { output: to("python"), ..Output::default() }),
            typescript: Some(Output { output: to("typescript"), ..Output::default() }),
            java: Some(Output { output: to("java"), ..Output::default() }),
            ..Config::default()
        };
        let mut diagnostics = Diagnostics::default();
        let generated = generate(&config, &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        generated.expect("it was made").write().expect("it is written");
        let mut cargo = bindgen_tests::cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(&krate);
        assert!(bindgen_tests::built(&mut cargo), "the library compiles");
        folder
    })
}

fn library() -> PathBuf {
    made().join("crate/target/release/libswarm.so")
}

fn program(name: &str, to: &str) -> PathBuf {
    let to = made().join(to);
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/columns").join(name), &to).unwrap();
    to
}

fn printed(ran: Ran) -> String {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert!(ran.status.success(), "{}", text(ran.stderr));
    text(ran.stdout)
}

#[test]
fn python_sees_arrays_of_numpy() {
    let script = program("program.py", "python/program.py");
    let folder = made().join("python");
    fs::copy(library(), folder.join("swarm/libswarm.so")).unwrap();
    let glue = folder.join("swarm/glue");
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(&glue);
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles");
    for implementation in ["native", "ctypes"] {
        let mut python = interpreter::python();
        python.arg("-Xdev").arg(&script).env("SWARM_PYTHON", implementation);
        assert_eq!(printed(python.output().unwrap()), EXPECTED, "{implementation}");
    }
    let mut mypy = interpreter::python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]).arg(&script).current_dir(&folder);
    printed(mypy.output().unwrap());
}

#[test]
fn node_sees_typed_arrays() {
    let folder = made().join("typescript");
    let source = program("program.ts", "typescript/program.ts");
    node::build(&folder, "swarm");
    let (passed, said) = node::compile(&source, &folder);
    assert!(passed, "{said}");
    fs::copy(library(), folder.join("libswarm.so")).unwrap();
    assert_eq!(printed(node::run(&folder.join("program.js"))), EXPECTED);
}

#[test]
fn csharp_sees_spans() {
    let folder = made().join("csharp");
    let sources = [folder.join("Swarm.g.cs"), program("Program.cs", "csharp/Program.cs")];
    let program =
        compiler::compile(&folder, "Program", "exe", &sources).unwrap_or_else(|said| panic!("{said}"));
    fs::copy(library(), folder.join("libswarm.so")).unwrap();
    assert_eq!(compiler::run(&program), (Some(0), EXPECTED.to_owned()));
}

#[test]
fn java_sees_segments() {
    let Some(jdk) = java::ffm() else { return };
    let folder = made().join("java");
    program("Main.java", "java/Main.java");
    if let Err(said) = java::compile(&jdk, &folder) {
        panic!("{said}");
    }
    let property = format!("-Dswarm.library={}", library().display());
    assert_eq!(printed(java::run(&jdk, &folder, &[property.as_ref()])), EXPECTED);
}
