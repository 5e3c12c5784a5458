//! Compiles generated Java with a real JDK, and runs it against a real library.

use crate::{built, cargo, made};
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use upcall_bindgen::File;
use upcall_bindgen::java::jdk::{self, Jdk};

/// The JDK for `java.lang.foreign`. Without one the test is skipped, and says so.
pub fn ffm() -> Option<Jdk> {
    match jdk::find(jdk::FFM) {
        Ok(jdk) => Some(jdk),
        Err(missing) => {
            // Bypasses the test harness, which captures the output of passing tests.
            let text = format!("skipped: {missing}\n");
            let _ = std::io::stderr().write_all(text.as_bytes());
            None
        }
    }
}

/// An empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = made("java").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Writes files below a folder.
pub fn place(folder: &Path, files: &[File]) {
    for file in files {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &file.text).unwrap();
    }
}

/// Compiles every `.java` file below `folder` into `folder/classes`; compiler output is an error.
pub fn compile(jdk: &Jdk, folder: &Path) -> Result<(), String> {
    compile_with(jdk, folder, &[])
}

/// The same with more options.
pub fn compile_with(jdk: &Jdk, folder: &Path, options: &[&str]) -> Result<(), String> {
    let mut sources = Vec::new();
    collect(folder, &mut sources);
    let always =
        ["-Xlint:all", "-Xdoclint:html,syntax,reference", "-Werror", "-encoding", "UTF-8", "-Xmaxerrs", "20"];
    let mut arguments: Vec<&OsStr> = always.iter().chain(options).map(OsStr::new).collect();
    let classes = folder.join("classes");
    arguments.extend([OsStr::new("-d"), classes.as_os_str()]);
    arguments.extend(sources.iter().map(|source| source.as_os_str()));
    let (compiled, said) = asked(jdk, &arguments).unwrap_or_else(|| {
        let output = jdk.javac().args(&arguments).output().unwrap();
        (output.status.success(), said(&output))
    });
    if compiled { Ok(()) } else { Err(said) }
}

/// What the compiler that stays has done and said; `cargo xtask test` starts one for each JDK, whose classes are then compiled
/// once for all tests.
fn asked(jdk: &Jdk, arguments: &[&OsStr]) -> Option<(bool, String)> {
    let sockets = std::env::var("UPCALL_JAVAC_SERVERS").ok()?;
    let mut server = UnixStream::connect(format!("{sockets}-{}", jdk.version)).ok()?;
    for argument in arguments {
        server.write_all(argument.as_encoded_bytes()).ok()?;
        server.write_all(b"\0").ok()?;
    }
    server.shutdown(Shutdown::Write).ok()?;
    let mut answer = String::new();
    server.read_to_string(&mut answer).ok()?;
    let (result, said) = answer.split_once('\n')?;
    Some((result == "0", said.to_owned()))
}

/// Runs the compiled class `Main`.
pub fn run(jdk: &Jdk, folder: &Path, options: &[&OsStr]) -> Output {
    run_class(jdk, folder, options, "Main")
}

/// Runs a compiled class.
pub fn run_class(jdk: &Jdk, folder: &Path, options: &[&OsStr], class: &str) -> Output {
    let mut java = Command::new("timeout");
    java.arg("120").arg(jdk.tool("java")).arg("-ea");
    if jdk.version >= jdk::FFM {
        java.arg("--enable-native-access=ALL-UNNAMED");
    }
    java.args(options).arg("-cp").arg(folder.join("classes")).arg(class).output().unwrap()
}

/// Both streams of a program.
pub fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Compiles a generated crate without dependencies into a shared library.
pub fn cdylib(source: &Path, library: &Path) {
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-Copt-level=1", "-Awarnings", "-o"]);
    let status = rustc.arg(library).arg(source.join("src/lib.rs")).status().unwrap();
    assert!(status.success(), "the crate in {} compiles", source.display());
}

/// Compiles the glue crate in `folder/jni`; the tests share its target folder.
pub fn glue(folder: &Path, name: &str) {
    let target = made("java/jni-target");
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--target-dir"]).arg(&target).current_dir(folder.join("jni"));
    // Of callbacks without a result it has variables that nobody uses.
    cargo.env("RUSTFLAGS", "");
    assert!(built(&mut cargo), "the glue compiles");
    let library = folder.join(format!("lib{name}_jni.so"));
    fs::copy(target.join(format!("debug/lib{name}_jni.so")), library).unwrap();
}

/// A program for the JNI bindings, which bring their own memory.
pub fn without_foreign(program: &str) -> String {
    let kept = program.lines().filter(|line| !line.starts_with("import java.lang.foreign."));
    kept.flat_map(|line| [line, "\n"]).collect()
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.ends_with("target") {
            continue;
        }
        if entry.is_dir() {
            collect(&entry, sources);
        } else if entry.extension() == Some(OsStr::new("java")) {
            sources.push(entry);
        }
    }
}
