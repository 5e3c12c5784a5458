//! Handlers in Java that answer later, in flows.

use crate::support::{Folder, Outcome, fed, handler, pools, upcall};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Runs a flow of one handler, `/in` to `/out`, on these lines: what it dumps, its dead letters, how it ended.
#[track_caller]
fn run(class: &str, more: &str, lines: &str) -> (String, Vec<Value>, Outcome) {
    let to = if class == "AddsLater" { "/sums" } else { "/out" };
    let handler = handler("java", &format!("upcall.tests.{class}"), "/in", to, more);
    let folder = Folder::new(&(pools(&["/in", to]) + &handler));
    let (flow, out, dead) = (folder.path("flow.toml"), folder.path("out"), folder.path("dead"));
    let (out_to, dead_to) = (format!("{to}={out}"), format!("/dead/in={dead}"));
    let arguments =
        ["run", &flow, "--input", "/in=-", "--dump", &out_to, "--dump", &dead_to, "--report", "json"];
    let outcome = fed(&mut upcall(&arguments), lines.as_bytes());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let letter = |line: &str| serde_json::from_str(line.split_once('\t').unwrap().1).unwrap();
    (folder.read("out"), folder.read("dead").lines().map(letter).collect(), outcome)
}

/// The cause of the only letter: its type, its message, its stack.
#[track_caller]
fn cause(dead: &[Value]) -> [String; 3] {
    assert_eq!(dead.len(), 1, "{dead:?}");
    ["type", "message", "stack"].map(|part| dead[0]["cause"][part].as_str().unwrap_or_default().to_owned())
}

#[test]
fn many_items_are_open_at_a_time_and_the_flush_may_wait() {
    let begin = Instant::now();
    let (out, dead, _) = run("AnswersLater", "", &"10 ms\n".repeat(1000));
    assert_eq!(dead, Vec::<Value>::new());
    assert_eq!(out.lines().filter(|line| line.ends_with("\t10 ms")).count(), 1000);
    assert!(out.contains("flushed\tafter a wait"), "{out}");
    let most: usize = out.lines().find_map(|line| line.strip_prefix("most\t")).unwrap().parse().unwrap();
    assert!((20..=100).contains(&most), "{most} at a time");
    // One after the other they take ten seconds.
    assert!(begin.elapsed() < Duration::from_secs(6), "{:?}", begin.elapsed());
}

#[test]
fn what_is_answered_at_once_is_an_answer() {
    let (out, dead, _) = run("AnswersLater", "in_flight = 1", &"at once\n".repeat(100));
    assert_eq!((out.matches("\tat once\n").count(), dead.len()), (100, 0));
}

#[test]
fn a_failure_of_a_future_buries_its_item_with_the_stack() {
    let (out, dead, outcome) = run("AnswersLater", "", "10 ms\nfail\n10 ms\n");
    let [kind, message, stack] = cause(&dead);
    assert_eq!((&*kind, &*message), ("java.lang.IllegalStateException", "will not answer 2"));
    assert!(stack.contains("AnswersLater.") && stack.contains("(AnswersLater.java:"), "{stack}");
    assert!(out.contains("1\t10 ms\n") && !out.contains("\n2\t") && out.contains("3\t10 ms\n"), "{out}");
    assert!(outcome.err.contains("about to fail 2"), "{}", outcome.err);
}

#[test]
fn a_stack_that_is_too_long_is_cut() {
    let (_, dead, _) = run("AnswersLater", "", &"fail deep\n".repeat(20));
    assert_eq!(dead.len(), 20);
    for letter in dead {
        assert_eq!(letter["cause"]["message"], "deep down");
        assert!(letter["cause"]["stack"].as_str().unwrap().len() > 2000, "{letter}");
    }
}

#[test]
fn a_cancellation_of_the_handlers_own_is_an_ordinary_failure() {
    let (_, dead, _) = run("AnswersLater", "deadline = \"20 s\"", "own\n10 ms\n");
    assert_eq!(cause(&dead)[0], "java.util.concurrent.CancellationException");
}

#[test]
fn an_item_that_takes_longer_than_its_deadline_has_timed_out() {
    for what in ["never", "deaf", "interrupt"] {
        let (out, dead, _) =
            run("AnswersLater", "deadline = \"50 ms\"\nretry = 1", &format!("at once\n{what}\nat once\n"));
        let [kind, message, stack] = cause(&dead);
        assert_eq!((&*kind, &*message), ("timed out", "no answer within its `deadline` of 50ms"), "{what}");
        assert!(stack.contains("upcall.ItemTimedOutException: the object has taken longer"), "{stack}");
        assert!(
            out.contains("1\tat once\n") && !out.contains("\n2\t") && out.contains("3\tat once\n"),
            "{out}"
        );
    }
}

#[test]
fn an_emission_on_condition_on_another_thread_loses_nothing() {
    let more = "read = \"/sums\"\nretry = 1000";
    let (out, dead, _) = run("AddsLater", more, &"ada\nbob\n".repeat(100));
    assert_eq!((&*out, dead.len()), ("ada\t100\nbob\t100\n", 0));
}

#[test]
fn the_sample_of_warm_is_waited_for() {
    let (out, dead, _) = run("AnswersLater", "warm = { key = \"k\", value = \"10 ms\" }", "at once\n");
    assert!(out.starts_with("1\tat once\n") && dead.is_empty(), "{out}");
}

/// Runs a flow whose handler writes how it is ended, and stops it by a signal if it has no deadline.
#[track_caller]
fn ends(deadline: Option<&str>) -> (String, String) {
    let folder = Folder::new("");
    let file = folder.path("ended");
    let more = format!("{}\n[handler.settings]\nfile = \"{file}\"", deadline.unwrap_or_default());
    folder.write(
        "flow.toml",
        &(pools(&["/in", "/out"]) + &handler("java", "upcall.tests.SaysHowItEnds", "/in", "/out", &more)),
    );
    let dead = format!("/dead/in={}", folder.path("dead"));
    let mut command = upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-", "--dump", &dead]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"line\n").unwrap();
    input.flush().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "begun\n");
    if deadline.is_none() {
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    }
    drop(input);
    child.wait().unwrap();
    (std::fs::read_to_string(file).unwrap(), folder.read("dead"))
}

#[test]
fn a_handler_tells_a_deadline_from_a_flow_that_is_stopped() {
    let (ended, dead) = ends(Some("deadline = \"300 ms\""));
    assert!(dead.contains("\"timed out\""), "{dead}");
    assert_eq!(ended, "upcall.ItemTimedOutException");
}

#[test]
fn a_handler_tells_a_flow_that_is_stopped_from_a_deadline() {
    let (ended, dead) = ends(None);
    assert!(dead.contains("\"cancelled\""), "{dead}");
    assert_eq!(ended, "upcall.ItemCancelledException");
}
