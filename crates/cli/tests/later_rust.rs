//! Handlers in Rust that answer later, from a library.

use crate::support::{Folder, Outcome, built, example, fed, handler, pools, run, upcall};
use std::time::{Duration, Instant};

/// A flow of one such handler, with these lines of input.
fn waited(more: &str, lines: &str) -> Outcome {
    let flow = "workers = 1\n".to_owned()
        + &pools(&["/in", "/out"])
        + &handler("native", "Waits", "/in", "/out", more);
    let folder = Folder::new(&flow);
    let path = folder.path("flow.toml");
    let dump = ["--dump", "/out=-", "--dump", "/dead/in=-", "--report", "none"];
    fed(upcall(&["run", &path, "--input", "/in=-"]).args(dump), lines.as_bytes())
}

#[test]
fn a_hundred_items_wait_at_the_same_time() {
    let lines: String = (1..=100).map(|line| format!("line {line}\n")).collect();
    let begin = Instant::now();
    let outcome = waited("settings = { millis = 300 }", &lines);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(begin.elapsed() < Duration::from_secs(15), "one after the other they would take 30 s");
    let most = outcome.out.lines().find_map(|line| line.strip_prefix("most\t")).unwrap();
    assert!(most.parse::<u32>().unwrap() > 50, "{most}");
    assert!(outcome.out.contains("100\tline 100\n"), "{}", outcome.out);
    assert!(!outcome.out.contains("begun"), "{}", outcome.out);
}

#[test]
fn what_fails_hangs_or_times_out_by_itself_is_buried_by_its_own_cause() {
    let outcome = waited("deadline = \"2 s\"", "good\nfail\npanic\nhang\nown\nfine\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.contains("4 items are in /dead/in"), "{}", outcome.err);
    assert!(outcome.out.starts_with("1\tgood\n6\tfine\nmost\t6\n"), "{}", outcome.out);
    let letter = |key: &str| {
        let line = outcome.out.lines().find(|line| line.starts_with(&format!("{key}\t{{")));
        let letter = line.unwrap_or_else(|| panic!("{}\n{}", outcome.out, outcome.err));
        serde_json::from_str::<serde_json::Value>(letter.split_once('\t').unwrap().1).unwrap()["cause"]
            .clone()
    };
    let said = |key| {
        let cause = letter(key);
        [&cause["type"], &cause["message"]].map(|text| text.as_str().unwrap().to_owned())
    };
    assert_eq!(said("2"), ["failure", "it was told to"]);
    assert_eq!(said("3"), ["panic", "will not pass on 3"]);
    assert_eq!(said("4"), ["timed out", "no answer within its `deadline` of 2s"]);
    assert_eq!(said("5")[0], "tokio::time::error::Elapsed");
    let stack = letter("4")["stack"].to_string();
    assert!(stack.contains("upcall::Ended::TimedOut: the handler has not answered"), "{stack}");
    assert!(outcome.err.contains("ended: TimedOut"), "{}", outcome.err);
    assert!(!outcome.err.contains("ended: C"), "{}", outcome.err);
}

#[test]
fn its_sample_is_waited_for() {
    let outcome = waited("warm = { value = \"sample\" }", "line\n");
    assert_eq!((outcome.code, &*outcome.out), (Some(0), "1\tline\nmost\t1\n"), "{}", outcome.err);
    let outcome = waited("warm = { value = \"fail\" }", "line\n");
    assert_eq!((outcome.code, &*outcome.out), (Some(1), ""));
    assert!(outcome.err.contains("it was told to"), "{}", outcome.err);
}

#[test]
fn it_says_what_it_is() {
    let library = built("tests/libhandlers.so");
    let outcome = run(&mut upcall(&["describe", library.to_str().unwrap(), "Waits"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.contains("object") && outcome.out.contains("later"), "{}", outcome.out);
    assert!(outcome.out.contains("millis"), "{}", outcome.out);
    let library = example("later/build/liblater.so");
    let outcome = run(&mut upcall(&["describe", library.to_str().unwrap(), "fetch"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
}
