//! The builder, as a build script uses it.

use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::{Bindgen, Written, probe};

const SOURCE: &str = "#[unsafe(no_mangle)]\npub extern \"C\" fn one() -> i32 { 1 }\n";

#[test]
fn what_is_written_is_told_and_what_is_wrong_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let (source, output) = (folder.path().join("lib.rs"), folder.path().join("One.g.cs"));
    fs::write(&source, SOURCE).unwrap();
    let bindgen = || {
        Bindgen::new("one").rust(&source).csharp(&output).with(|config| {
            config.csharp.as_mut().unwrap().options.namespace = "Numbers".into();
        })
    };
    let written = bindgen().generate().unwrap();
    assert_eq!(written.changed, std::slice::from_ref(&output));
    assert!(fs::read_to_string(&output).unwrap().contains("namespace Numbers"));
    assert_eq!(bindgen().generate().unwrap().unchanged, std::slice::from_ref(&output));
    fs::write(&source, SOURCE.replace("i32", "String")).unwrap();
    let error = bindgen().generate().unwrap_err();
    let (shown, printed) = (error.to_string(), format!("{error:?}"));
    assert!(shown.contains("lib.rs:2:") && shown.contains("^^^^^^"), "{shown}");
    assert!(printed.contains(&shown), "a build script's main prints {printed}");
}

#[test]
fn a_file_is_read_and_its_mistakes_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bindgen.toml");
    fs::write(folder.path().join("lib.rs"), SOURCE).unwrap();
    fs::write(&file, "library = \"one\"\n[rust]\nfiles = [\"lib.rs\"]\n[header]\noutput = \"out/one.h\"\n")
        .unwrap();
    let written = Bindgen::from_file(&file).unwrap().generate().unwrap();
    assert_eq!(written.changed, [folder.path().join("out/one.h")]);
    fs::write(&file, "libary = \"one\"\n").unwrap();
    assert!(Bindgen::from_file(&file).unwrap_err().to_string().contains("libary"));
}

/// What the next test does in an environment like cargo's.
fn build_script(source: &Path) {
    let output = source.with_file_name("one.h");
    let written = Bindgen::new("one").rust(source).c(output).generate().unwrap();
    println!("nothing: {}", written == Written::default());
}

#[test]
fn cargo_is_told_when_to_run_again_and_a_nested_run_does_nothing() {
    const SOURCE_OF_SCRIPT: &str = "UPCALL_TEST_SOURCE_OF_SCRIPT";
    if let Some(source) = std::env::var_os(SOURCE_OF_SCRIPT) {
        return build_script(Path::new(&source));
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("lib.rs");
    fs::write(&source, SOURCE).unwrap();
    let run = |nested: bool| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let test = "builder::cargo_is_told_when_to_run_again_and_a_nested_run_does_nothing";
        command.args(["--exact", test, "--nocapture"]);
        command.env(SOURCE_OF_SCRIPT, &source).env("OUT_DIR", folder.path());
        if nested {
            command.env(probe::NESTED, "1");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(true).contains("nothing: true"));
    assert!(!folder.path().join("one.h").exists());
    let said = run(false);
    assert!(said.contains("nothing: false"), "{said}");
    assert!(said.contains(&format!("cargo:rerun-if-changed={}", folder.path().display())), "{said}");
    assert!(folder.path().join("one.h").exists());
}
