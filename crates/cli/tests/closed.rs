//! Standard output or standard error whose reader has gone: the command ends as a filter does, quietly and in order.

use crate::support::{Folder, GUESTS, code, handler, pools, upcall};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What a shell says of a filter that ended because nobody read it any more.
const CLOSED: Option<i32> = Some(141);

/// Runs a command whose standard output is closed after its first line. Returns the exit code and what it said on
/// standard error.
fn after_a_line(command: &mut Command) -> (Option<i32>, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::with_capacity(1, child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

/// A file of so many lines.
fn numbers(folder: &Folder, lines: usize) -> String {
    folder.write("lines", (0..lines).map(|line| format!("line {line}\n")).collect::<String>())
}

#[test]
fn a_command_that_nobody_reads_ends_quietly() {
    let folder = Folder::new(&pools(&["/in"]));
    let (flow, lines) = (folder.path("flow.toml"), numbers(&folder, 100_000));
    let input = format!("/in={lines}");
    for arguments in [
        &["run", &flow][..],
        &["run", &flow, "--report", "json"],
        &["run", &flow, "--input", &input, "--dump", "/in=-", "--report", "none"],
        &["check", &flow],
        &["explain"],
        &["doctor", "native"],
        &["doctor"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let outcome = upcall(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!(String::from_utf8(outcome.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(outcome.status.code(), CLOSED, "{arguments:?}");
    }
}

#[test]
fn a_handler_that_prints_for_nobody_ends_the_flow_quietly() {
    for guest in GUESTS {
        let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Prints", "/in", "/out", "")));
        let flow = folder.path("flow.toml");
        let input = format!("/in={}", numbers(&folder, 1_000_000));
        let (code, said) = after_a_line(&mut upcall(&["run", &flow, "--input", &input]));
        assert_eq!((code, said.as_str()), (CLOSED, ""), "{guest}");
    }
}

#[test]
fn a_dump_into_a_file_is_whole_though_nobody_reads_the_output() {
    for guest in GUESTS {
        let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Prints", "/in", "/out", "")));
        let flow = folder.path("flow.toml");
        let input = format!("/in={}", numbers(&folder, 20_000));
        let (all, dead) =
            (format!("/in={}", folder.path("all")), format!("/dead/in={}", folder.path("dead")));
        let arguments = ["run", &flow, "--input", &input, "--dump", &all, "--dump", &dead];
        let (code, said) = after_a_line(&mut upcall(&arguments));
        assert_eq!((code, said.as_str()), (CLOSED, ""), "{guest}");
        assert_eq!(folder.read("all").lines().count(), 20_000, "{guest}");
        // What each worker printed when the reader went is lost, and nothing after it.
        let lost = folder.read("dead").lines().count();
        assert!(lost < 100, "{guest}: {lost} items were buried");
    }
}

/// What fails with each object, and with a message that would do things to a terminal.
const FAILS: &str = r"
class Fails:
    def on_object(self, obj, emit):
        raise ValueError('\x1b[2Jgone\nERROR upcall: forged')
";

/// Runs a flow in which each of so many items fails.
fn failing(folder: &Folder, items: usize) -> Command {
    let file = folder.write("fails.py", FAILS);
    let flow = pools(&["/in", "/out"]) + &code("python", file.as_ref(), "Fails", "/in", "/out", "");
    let flow = folder.write("flow.toml", flow);
    let input = format!("/in={}", numbers(folder, items));
    upcall(&["run", &flow, "--input", &input, "--report", "json"])
}

#[test]
fn a_flow_that_has_much_to_warn_of_lives_when_nobody_reads_the_warnings() {
    let folder = Folder::new("");
    let mut command = failing(&folder, 5_000);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let report = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["handlers"][0]["buried"], 5_000);

    let full = File::options().write(true).open("/dev/full").unwrap();
    let outcome = failing(&folder, 5_000).stderr(full).output().unwrap();
    assert_eq!(outcome.status.code(), Some(0));
}

#[test]
fn warnings_are_few_per_second_and_say_how_many_they_leave_out() {
    let folder = Folder::new("");
    let started = Instant::now();
    let outcome = failing(&folder, 20_000).output().unwrap();
    let said = String::from_utf8(outcome.stderr).unwrap();
    let shown = said.lines().filter(|line| line.contains("buried in /dead/in")).count();
    assert!(shown >= 10 && shown as u64 <= 10 * (started.elapsed().as_secs() + 2), "{shown} are shown");
    let left_out = said.lines().filter_map(|line| line.strip_prefix("… ")?.split(' ').next());
    let left_out: usize = left_out.map(|count| count.replace(',', "").parse::<usize>().unwrap()).sum();
    assert_eq!(shown + left_out, 20_000, "{said}");
}

#[test]
fn what_a_handler_said_moves_no_cursor_and_forges_no_line() {
    let folder = Folder::new("");
    let outcome = failing(&folder, 1).output().unwrap();
    let said = String::from_utf8(outcome.stderr).unwrap();
    assert!(said.contains("\\u{1b}[2Jgone"), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    assert!(!said.lines().any(|line| line.starts_with("ERROR")), "{said}");
}
