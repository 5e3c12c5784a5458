//! The packers for Python pass `mypy --strict`, and read and write the golden bytes.

#[path = "python/interpreter.rs"]
mod interpreter;
mod packers;

use interpreter::python;
use std::fs;
use std::process::Command;
use upcall_bindgen::python::{Options, generate};
use upcall_bindgen::{Diagnostics, File};

fn said(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("Python starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn the_packers_read_and_write_the_golden_bytes_and_refuse_all_else() {
    let folder = packers::folder("python");
    let mut diagnostics = Diagnostics::default();
    let options = Options { package: "fixture".into(), ..Options::default() };
    let mut files = generate(&packers::fixture(), &options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    let names: Vec<String> = files.iter().map(|file| file.path.display().to_string()).collect();
    let expected = ["fixture/pack.py", "fixture/pack_runtime.py", "fixture/__init__.py", "fixture/py.typed"];
    assert_eq!(names, expected, "nothing but the packers: no library is looked for");
    files.push(packers::golden_json());
    files.push(File::new("program.py", include_str!("packers/program.py")));
    packers::put(&folder, &files);
    let (passed, text) =
        said(python().current_dir(&folder).args(["-m", "mypy", "--strict", "program.py", "fixture"]));
    assert!(passed, "{text}");
    let (passed, text) = said(python().current_dir(&folder).arg("program.py"));
    assert!(passed && text.contains("lines, nothing wrong"), "{text}");
    assert!(
        fs::read_to_string(folder.join("fixture/pack.py")).unwrap().starts_with("# Made by upcall bindgen")
    );
}
