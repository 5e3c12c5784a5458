//! Elements at an offset from a base are found there, in both implementations of Python.

use bindgen_tests::interpreter;
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::{Config, Diagnostics, Output, generate, rust};

#[test]
fn what_is_relative_to_a_base_is_found_in_it_and_nowhere_else() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python_relative");
    let krate = folder.join("crate");
    fs::create_dir_all(krate.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"relative\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n\
         [dependencies]\nupcall-abi = {{ path = \"{}\" }}\n[workspace]\n",
        here.join("../abi").display()
    );
    fs::write(krate.join("Cargo.toml"), manifest).unwrap();
    fs::copy(here.join("tests/python/relative.rs"), krate.join("src/lib.rs")).unwrap();
    let config = Config {
        library: "relative".into(),
        rust: Some(rust::Input { files: vec![krate.join("src/lib.rs")], ..rust::Input::default() }),
        python: Some(Output { output: folder.clone(), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
    for made in [&krate, &folder.join("relative/glue")] {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--release", "--quiet"]).current_dir(made).env_remove("CARGO_TARGET_DIR");
        assert!(cargo.env("RUSTFLAGS", "-Dwarnings").status().unwrap().success(), "{}", made.display());
    }
    fs::copy(krate.join("target/release/librelative.so"), folder.join("relative/librelative.so")).unwrap();
    fs::copy(here.join("tests/python/relative.py"), folder.join("program.py")).unwrap();
    let python = |arguments: &[&str], implementation: &str| {
        let mut python = interpreter::python();
        python.args(arguments).current_dir(&folder).env("RELATIVE_PYTHON", implementation);
        let output = python.output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    };
    for implementation in ["native", "ctypes"] {
        let answer = python(&["-Xdev", "program.py"], implementation);
        assert_eq!(answer, (true, "all is well\n".to_owned()), "{implementation}");
    }
    let (passed, said) = python(&["-m", "mypy", "--strict", "--cache-dir=/dev/null", "program.py"], "");
    assert!(passed, "{said}");
}
