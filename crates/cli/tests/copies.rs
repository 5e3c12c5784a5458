//! Two copies of `libupcall` in one process: each has flows of its own, and a runtime that one has started is refused to the
//! other by the name of who has it.

use crate::support::{self, code, pools, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, another copy of the library, and flows.
struct Copies(tempfile::TempDir);

impl Copies {
    fn new() -> Copies {
        let folder = Copies(tempfile::tempdir().unwrap());
        let source = root().join("crates/cli/tests/handlers/copies.c");
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root().join("sdk/c"));
        assert!(cc.arg(source).arg("-o").arg(folder.path("program")).arg("-ldl").status().unwrap().success());
        fs::create_dir(folder.path("build")).unwrap();
        fs::copy(support::built("libupcall.so"), folder.path("build/libupcall.so")).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(name)
    }

    /// A flow with a handler of this guest.
    fn flow(&self, guest: &str, file: &Path, class: &str) -> PathBuf {
        self.written(&code(guest, file, class, "/in", "/out", ""))
    }

    fn written(&self, handler: &str) -> PathBuf {
        let path = self.path(&format!("{}.toml", handler.len()));
        fs::write(&path, pools(&["/in", "/out"]) + handler).unwrap();
        path
    }

    /// The lines that the program prints: first why a copy could not start, then what each has stored and buried, twice.
    fn run(&self, flows: [&Path; 2], home: Option<&Path>) -> Vec<String> {
        let mut program = Command::new(self.path("program"));
        program.args([support::built("libupcall.so"), self.path("build/libupcall.so")]).args(flows);
        match home {
            Some(home) => program.env("UPCALL_HOME", home),
            None => program.env_remove("UPCALL_HOME"),
        };
        let output = program.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}{errors}", output.status);
        said.lines().map(str::to_owned).collect()
    }

    /// Asserts that the second copy is refused with this, and that the first goes on.
    #[track_caller]
    fn refused(&self, flows: [&Path; 2], said: &str) {
        let lines = self.run(flows, Some(&root()));
        let [refused, _, _, ended] = lines.as_slice() else { panic!("{lines:?}") };
        let by = format!("started by another copy of Upcall, {}", support::built("libupcall.so").display());
        assert_eq!(*refused, format!("refused: {}", said.replace("STARTED", &by)));
        assert_eq!(ended, "ended");
    }
}

const ECHOED: [&str; 5] = ["key []", "key []", "key []", "key []", "ended"];
const HELP: &str = "load one copy into a process, or give the handlers `isolation = \"process\"`";

#[test]
fn two_copies_in_one_process_have_flows_of_their_own() {
    let copies = Copies::new();
    let flow = copies.written("[[handler]]\nname = \"echo\"\non = \"/in\"\nto = \"/out\"\n");
    assert_eq!(copies.run([&flow, &flow], None), ECHOED);
}

#[test]
fn two_copies_share_an_interpreter_where_they_share_its_driver() {
    let copies = Copies::new();
    let file = copies.path("echo.py");
    let echo = "class Echo:\n    def on_object(self, obj, emit):\n        emit(obj.key, obj.value)\n";
    fs::write(&file, echo).unwrap();
    let flow = copies.flow("python", &file, "Echo");
    assert_eq!(copies.run([&flow, &flow], Some(&root())), ECHOED);
    // Each with a driver of its own: the second is told that it has come second.
    fs::copy(support::built("upcall_python.so"), copies.path("build/upcall_python.so")).unwrap();
    let lines = copies.run([&flow, &flow], None);
    let said = "this process runs a Python already that Upcall did not start";
    assert!(lines[0].starts_with("refused: ") && lines[0].contains(said), "{lines:?}");
    assert_eq!(lines[1..], ECHOED[2..]);
}

#[test]
fn a_second_copy_does_not_start_net_again() {
    let copies = Copies::new();
    let flow = copies.flow("csharp", &support::fixtures("csharp"), "Seventh");
    let said = format!("start .NET: it runs in this process already, STARTED; {HELP}");
    copies.refused([&flow, &flow], &said);
}

#[test]
fn a_second_copy_does_not_start_java_again() {
    let copies = Copies::new();
    let flow = copies.flow("java", &support::fixtures("java"), "upcall.tests.Shout");
    let said = format!("start Java: it runs in this process already, STARTED; {HELP}");
    copies.refused([&flow, &flow], &said);
}

#[test]
fn net_does_not_start_behind_the_java_of_another_copy_whose_nulls_would_end_the_process() {
    let copies = Copies::new();
    let java = copies.flow("java", &support::fixtures("java"), "upcall.tests.Dereferences");
    let csharp = copies.flow("csharp", &support::fixtures("csharp"), "Seventh");
    let said = format!(
        "start .NET: Java runs in this process already, STARTED, whose exceptions for null would end it; {HELP}"
    );
    copies.refused([&java, &csharp], &said);
}
