//! Whatever a file holds: lines that are no values are buried, lines without end are refused, all else arrives.

use crate::support::{Folder, Outcome, fed, pools, upcall};
use serde_json::Value;
use std::process::Stdio;

/// Runs a flow of one pool with these bytes on standard input, and dumps the pool and its dead pool.
fn run(flow: &str, bytes: &[u8]) -> (Folder, Outcome) {
    let folder = Folder::new(flow);
    let (all, dead) = (format!("/in={}", folder.path("all")), format!("/dead/in={}", folder.path("dead")));
    let path = folder.path("flow.toml");
    let arguments = [
        "run", &path, "--input", "/in=-", "--dump", &all, "--dump", &dead, "--as", "hex", "--report", "none",
    ];
    let outcome = fed(&mut upcall(&arguments), bytes);
    (folder, outcome)
}

#[test]
fn a_line_that_is_no_number_is_buried_with_its_file_line_and_text_and_the_next_is_read() {
    let (folder, outcome) = run(&pools(&["#/in"]), b"1\nmany\n 3 \r\n\n-5\n6");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("all"), "1\t1\n3\t3\n6\t6\n");
    let letters: Vec<Value> = folder
        .read("dead")
        .lines()
        .map(|line| serde_json::from_str(line.split_once('\t').unwrap().1).unwrap())
        .collect();
    assert_eq!(letters.iter().map(|letter| &letter["key"]).collect::<Vec<_>>(), ["2", "4", "5"]);
    assert_eq!(letters[0]["value"], "bWFueQ==");
    assert_eq!(letters[0]["attempts"], 0);
    let message = letters[0]["cause"]["message"].as_str().unwrap();
    assert!(message.starts_with("standard input, line 2: \"many\" is not a u64: "), "{message}");
    let said = "3 items are in /dead/in; the oldest, key 2, is not a value of the pool's type: bad line: standard input";
    assert!(outcome.err.contains(said), "{}", outcome.err);
}

#[test]
fn a_line_that_is_no_number_ends_the_input_of_a_flow_that_wants_it_so() {
    let flow = "on_error = \"stop\"\n".to_owned() + &pools(&["#/in"]);
    let (folder, outcome) = run(&flow, b"1\nmany\n3\n");
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    assert!(outcome.err.contains("error: standard input, line 2: \"many\" is not a u64"), "{}", outcome.err);
    assert_eq!(folder.read("all"), "1\t1\n");
}

#[test]
fn a_line_that_is_no_text_is_buried_where_text_is_wanted_and_kept_where_bytes_are() {
    let (folder, outcome) = run(&pools(&["/in"]), b"a\n\xff\xfe\nb\0c\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("all"), "1\ta\n3\tb\0c\n");
    assert!(folder.read("dead").contains("standard input, line 2: "), "{}", folder.read("dead"));
    let (folder, outcome) = run("[pool.\"/in\"]\n", b"\xff\xfe\0\n\r\n\xef\xbb\xbfa");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("all"), "1\tfffe00\n2\t0d\n3\tefbbbf61\n");
}

#[test]
fn a_line_longer_than_allowed_ends_the_input_and_what_was_read_is_dumped() {
    let flow = "max_line = \"1 KiB\"\n".to_owned() + &pools(&["/in"]);
    let mut bytes = [b"x".repeat(1024), b"y".repeat(1025)].join(&b'\n');
    bytes.extend_from_slice(b"\nz\n");
    let (folder, outcome) = run(&flow, &bytes);
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    for said in ["standard input, line 2: ", "longer than 1024 bytes", "max_line"] {
        assert!(outcome.err.contains(said), "{said:?} is not in {}", outcome.err);
    }
    assert_eq!(folder.read("all").len(), "1\t\n".len() + 1024);
}

#[test]
fn a_file_without_line_ends_is_not_read_into_memory() {
    let folder = Folder::new(&("max_line = \"1 MiB\"\n".to_owned() + &pools(&["/in"])));
    // The address space holds the program, and not the line.
    let mut command = std::process::Command::new("sh");
    let limited = "head -c 1000000000 /dev/zero | (ulimit -v 1000000; exec \"$0\" \"$@\")";
    command.args(["-c", limited, env!("CARGO_BIN_EXE_upcall"), "run", &folder.path("flow.toml")]);
    let outcome = command.args(["--input", "/in=-"]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(1), "{said}");
    assert!(said.contains("line 1: it is longer than 1048576 bytes"), "{said}");
}
