//! Programs in which a flow's other guests have to be found: the executable is an interpreter, which is installed anywhere.

use crate::support::{self, root};
use std::process::{Command, Output};
use upcall_bindgen::java::jdk;

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

/// A Python program with a flow whose one handler is in Java, with a text for `[java]` and one for the handler.
const JAVA: &str = r#"
import sys
from upcall.flow import FlowBuilder, FlowError

flow = FlowBuilder(f"""
[java]
{sys.argv[2]}
[pool."/names"]
kind = "trigger"
[pool."/properties"]
[[handler]]
name = "read"
on = "/names"
to = "/properties"
java = "{sys.argv[1]}"
class = "upcall.tests.Property"
{sys.argv[3]}
""")
try:
    with flow.start() as properties:
        properties.pool("/names").put("1", sys.argv[4])
        properties.drain()
        found = properties.pool("/properties").get("1")
        print(found.value.decode() if found else properties.dead_letters("/names"))
except FlowError as error:
    print(error.kind, error)
"#;

fn java(options: &str, handler: &str) -> String {
    property(options, handler, "greeting", |_| {})
}

fn property(options: &str, handler: &str, name: &str, adjust: impl FnOnce(&mut Command)) -> String {
    let mut python = Command::new(root().join(".setup/venv/bin/python"));
    python.args(["-c", JAVA]).arg(support::fixtures("java")).args([options, handler, name]);
    python.env("PYTHONPATH", root().join("sdk/python")).env("UPCALL_PROGRAM", env!("CARGO_BIN_EXE_upcall"));
    adjust(&mut python);
    let output = python.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_program_says_which_java_runs_its_handlers_and_how() {
    let options = "options = [\"-Dgreeting=hello\"]";
    for handler in ["", "isolation = \"process\""] {
        assert_eq!(java(options, handler), "hello\n", "{handler}");
    }
    let said = java("options = [\"-Xnonsense\"]", "");
    assert!(
        said.starts_with("load start Java ") && said.contains("Unrecognized option: -Xnonsense"),
        "{said}"
    );
    assert!(said.ends_with("; look at [java] in the flow's file\n"), "{said}");
    let said = java("home = \"/nope\"", "");
    assert!(
        said.starts_with("load find Java 17 or later for Java handlers: the given home: no /nope/release: "),
        "{said}"
    );
    let said = java("option = []", "");
    assert!(said.starts_with("invalid ") && said.contains("did you mean `options`?"), "{said}");
}

#[test]
fn an_isolated_handler_runs_on_the_java_of_java_home_too() {
    // The others would run on the newest.
    let home = jdk::find_oldest(17).unwrap().tool("java").canonicalize().unwrap();
    let home = home.parent().unwrap().parent().unwrap();
    for handler in ["", "isolation = \"process\""] {
        let found = property("", handler, "java.home", |python| {
            python.env("JAVA_HOME", home);
        });
        assert_eq!(found.trim_end(), home.to_str().unwrap(), "{handler}");
    }
}
