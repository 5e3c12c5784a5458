//! The Python installed by setup.

use crate::{built, cargo, probed_with_others};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::{Config, Diagnostics, Output, generate, rust};

/// The interpreter of `.setup/venv`, with numpy and mypy; `UPCALL_PYTHON` names another.
pub fn python() -> Command {
    let given = std::env::var_os("UPCALL_PYTHON").map(PathBuf::from);
    let setup = || {
        let roots = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
        roots.map(|root| root.join(".setup/venv/bin/python")).find(|python| python.exists())
    };
    let python =
        given.or_else(setup).expect("run cargo xtask setup: .setup/venv has the Python of the tests");
    Command::new(python)
}

/// Makes a crate of `tests/python/NAME.rs`, its package and its extension below a folder, and runs `NAME.py` with both
/// implementations and through mypy.
pub fn passes(name: &str, folder: &str) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = Path::new(folder).join(format!("python_{name}"));
    let krate = folder.join("crate");
    fs::create_dir_all(krate.join("src")).unwrap();
    let crates = tests.join("../..");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n\
         [dependencies]\nupcall = {{ path = \"{}\" }}\nupcall-abi = {{ path = \"{}\" }}\n[workspace]\n",
        crates.join("../sdk/rust").display(),
        crates.join("abi").display()
    );
    fs::write(krate.join("Cargo.toml"), manifest).unwrap();
    fs::copy(tests.join(format!("python/{name}.rs")), krate.join("src/lib.rs")).unwrap();
    probed_with_others(&krate);
    let config = Config {
        library: name.into(),
        rust: Some(rust::Input { files: vec![krate.join("src/lib.rs")], ..rust::Input::default() }),
        python: Some(Output { output: folder.clone(), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    generated.expect("it was made").write().expect("it is written");
    for made in [&krate, &folder.join(name).join("glue")] {
        let mut cargo = cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(made);
        assert!(built(&mut cargo), "{}", made.display());
    }
    let library = format!("lib{name}.so");
    fs::copy(krate.join("target/release").join(&library), folder.join(name).join(&library)).unwrap();
    fs::copy(tests.join(format!("python/{name}.py")), folder.join("program.py")).unwrap();
    let choice = format!("{}_PYTHON", name.to_uppercase());
    let python = |arguments: &[&str], implementation: &str| {
        let mut python = python();
        python.args(arguments).current_dir(&folder).env(&choice, implementation);
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
