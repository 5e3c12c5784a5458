//! Programs in which a flow's other guests have to be found: the executable is an interpreter, which is installed anywhere.

use crate::support::{self, root};
use std::process::{Command, Output};

/// A Python program with a flow whose one handler is in C#.
const PROGRAM: &str = r#"
import sys
from upcall.flow import FlowBuilder, FlowError

flow = FlowBuilder(f"""
[pool."/lines"]
kind = "trigger"
[pool."/words"]
[[handler]]
name = "split"
on = "/lines"
to = "/words"
csharp = "{sys.argv[1]}"
class = "WordCount.Splitter"
""")
try:
    with flow.start() as words:
        words.pool("/lines").put("1", "In the beginning")
        words.drain()
        print(words.pool("/words").get("beginning") is not None)
except FlowError as error:
    print(error)
"#;

fn program(adjust: impl FnOnce(&mut Command)) -> Output {
    let mut python = Command::new(root().join(".setup/venv/bin/python"));
    python.args(["-c", PROGRAM]).arg(support::example("wordcount/build/wordcount.dll"));
    python.env("PYTHONPATH", root().join("sdk/python")).env_remove("UPCALL_HOME");
    adjust(&mut python);
    let output = python.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

#[test]
fn a_program_that_is_installed_elsewhere_finds_its_other_guests_above_libupcall() {
    let output = program(|_| {});
    assert_eq!(String::from_utf8_lossy(&output.stdout), "True\n");
}

#[test]
fn a_program_that_finds_no_other_guest_is_told_where_was_looked_and_what_to_set() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().canonicalize().unwrap().join("libupcall.so");
    std::fs::copy(support::built("libupcall.so"), &library).unwrap();
    // .NET is there, its SDK is not.
    let dotnet = std::env::var_os("DOTNET_ROOT").unwrap_or_else(|| root().join(".setup/dotnet").into());
    let output = program(|python| {
        python.env("UPCALL_LIBRARY", &library).env("DOTNET_ROOT", dotnet);
    });
    let said = String::from_utf8_lossy(&output.stdout);
    let looked = format!("find Upcall.dll for C# handlers: no folder above {} or above /", library.display());
    assert!(said.contains(&looked), "{said}");
    let set = "holds build/Upcall.dll, and UPCALL_HOME is not set; set it to the folder that holds it";
    assert!(said.contains(set), "{said}");
}
