//! Handlers in C# that answer later, in flows.

use crate::support::{Folder, Outcome, fed, fixtures, handler, home, pools, upcall};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use upcall_flow::{Flow, OnSpec, Pool};
use upcall_host::clr::{Clr, ClrOptions};

/// Runs a flow of one handler, `/in` to `/out`, on these lines: what it dumps, its dead letters, how it ended.
#[track_caller]
fn run(class: &str, more: &str, lines: &str) -> (String, Vec<Value>, Outcome) {
    let to = if class == "AddsLater" { "/sums" } else { "/out" };
    let folder = Folder::new(&(pools(&["/in", to]) + &handler("csharp", class, "/in", to, more)));
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
fn many_items_are_open_at_a_time_and_hooks_may_wait() {
    let begin = Instant::now();
    let lines = "10 ms\n".repeat(1000);
    let (out, dead, _) = run("AnswersLater", "", &lines);
    assert_eq!(dead, Vec::<Value>::new());
    assert_eq!(out.lines().filter(|line| line.ends_with("\t10 ms")).count(), 1000);
    assert!(out.contains("flushed\tafter an await"), "{out}");
    let most: usize = out.lines().find_map(|line| line.strip_prefix("most\t")).unwrap().parse().unwrap();
    assert!((20..=100).contains(&most), "{most} at a time");
    // One after the other they take ten seconds.
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

#[test]
fn what_is_answered_at_once_is_an_answer() {
    let (out, dead, _) = run("AnswersLater", "in_flight = 1", &"at once\n".repeat(100));
    assert_eq!((out.matches("\tat once\n").count(), dead.len()), (100, 0));
}

#[test]
fn a_failure_after_an_await_buries_its_item_with_the_stack() {
    let (out, dead, outcome) = run("AnswersLater", "", "10 ms\nfail\n10 ms\n");
    let [kind, message, stack] = cause(&dead);
    assert_eq!((&*kind, &*message), ("System.InvalidOperationException", "will not answer 2"));
    assert!(stack.contains("AnswersLater.Answer(") && stack.contains("Later.cs:line "), "{stack}");
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
    assert_eq!(cause(&dead)[0], "System.Threading.Tasks.TaskCanceledException");
}

#[test]
fn an_item_that_takes_longer_than_its_deadline_has_timed_out() {
    for what in ["never", "deaf"] {
        let (out, dead, _) =
            run("AnswersLater", "deadline = \"50 ms\"\nretry = 1", &format!("10 ms\n{what}\n10 ms\n"));
        let [kind, message, stack] = cause(&dead);
        assert_eq!((&*kind, &*message), ("timed out", "no answer within its `deadline` of 50ms"));
        assert!(stack.contains("Upcall.ItemTimedOutException: the object has taken longer"), "{stack}");
        assert!(out.contains("1\t10 ms\n") && !out.contains("\n2\t") && out.contains("3\t10 ms\n"), "{out}");
    }
}

#[test]
fn an_emission_on_condition_after_an_await_loses_nothing() {
    let more = "read = \"/sums\"\nretry = 1000";
    let (out, dead, _) = run("AddsLater", more, &"ada\nbob\n".repeat(100));
    assert_eq!((&*out, dead.len()), ("ada\t100\nbob\t100\n", 0));
}

#[test]
fn the_sample_of_warm_is_waited_for() {
    let (out, dead, _) = run("AnswersLater", "warm = { key = \"k\", value = \"10 ms\" }", "at once\n");
    assert!(out.starts_with("1\tat once\n") && dead.is_empty(), "{out}");
}

/// Starts a flow in this process, puts an object, and waits for the file in which the handler writes how it has ended.
fn ends(on: impl FnOnce(OnSpec) -> OnSpec, stop: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ended");
    let host = Clr::start(&ClrOptions { home: Some(home()), ..ClrOptions::default() }).unwrap();
    let handler = OnSpec::new("waits", "/in").code("csharp", fixtures("csharp"), "SaysHowItEnds");
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .host(Arc::new(host))
        .on_guest(on(handler.setting("file", file.to_str().unwrap())))
        .start()
        .unwrap();
    flow.pool("/in").unwrap().put_and_forget(b"key", b"").unwrap();
    appears(&folder.path().join("ended.begun"));
    if stop {
        flow.stop().unwrap();
    }
    appears(&file);
    std::fs::read_to_string(file).unwrap()
}

#[track_caller]
fn appears(file: &Path) {
    let begin = Instant::now();
    while !file.exists() {
        assert!(begin.elapsed() < Duration::from_secs(20), "there is no {}", file.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_handler_tells_a_deadline_from_a_flow_that_is_stopped() {
    assert_eq!(ends(|on| on.deadline(Duration::from_millis(20)), false), "Upcall.ItemTimedOutException");
}

#[test]
fn a_handler_tells_a_flow_that_is_stopped_from_a_deadline() {
    assert_eq!(ends(|on| on.deadline(Duration::from_secs(60)), true), "Upcall.ItemCanceledException");
}
