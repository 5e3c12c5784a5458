//! Handlers in processes of their own that do what ends a process: the flow goes on, and says what became of them.

use crate::support::{Folder, GUESTS, Outcome, fed, handler, pools, upcall};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// What a flow of one isolated handler of the class `Ends` does with lines, of which some are a way to end its process: the
/// outcome, and the dumps of what it emitted and of its dead letters.
fn ends(guest: &str, lines: &[&str], more: &str) -> (Outcome, String, String) {
    let more = format!("isolation = \"process\"\n{more}");
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Ends", "/in", "/out", &more)));
    let (out, dead) = (format!("/out={}", folder.path("out")), format!("/dead/in={}", folder.path("dead")));
    let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--report", "json"];
    let arguments = [&run[..], &["--dump", &out, "--dump", &dead]].concat();
    let outcome = fed(&mut upcall(&arguments), format!("{}\n", lines.join("\n")).as_bytes());
    let (out, dead) = (folder.read("out"), folder.read("dead"));
    (outcome, out, dead)
}

/// The line in the middle is buried with this cause, and the others are through.
#[track_caller]
fn is_buried(guest: &str, way: &str, more: &str, cause: &str) {
    let (outcome, out, dead) = ends(guest, &["first", way, "third"], more);
    assert_eq!(outcome.code, Some(0), "{guest}, {way}: {}", outcome.err);
    assert_eq!(out, "1\tfirst\n3\tthird\n", "{guest}, {way}: {}", outcome.err);
    let letter = dead.strip_prefix("2\t").and_then(|letter| serde_json::from_str(letter).ok());
    let letter: serde_json::Value = letter.unwrap_or_else(|| panic!("{guest}, {way}: one letter: {dead}"));
    assert_eq!(letter["cause"]["type"], "lost", "{guest}, {way}: {letter}");
    let message = letter["cause"]["message"].as_str().unwrap();
    assert!(message.contains(cause), "{guest}, {way}: {message}");
}

#[test]
fn a_handler_that_ends_its_process_is_lost_with_that_item_and_the_flow_goes_on() {
    for guest in ["native", "csharp"] {
        is_buried(
            guest,
            "exit",
            "",
            "the guest died 3 times with this item alone: process: it ended itself with exit code 0",
        );
    }
    is_buried("python", "os._exit", "", "process: it ended itself with exit code 0");
    is_buried(
        "python",
        "abort",
        "restarts = 1",
        "the guest died once with this item alone: process: killed by SIGABRT",
    );
    is_buried("csharp", "throw on a thread", "restarts = 1", "killed by SIGABRT: its runtime gave up");
    is_buried("csharp", "fail fast", "restarts = 1", "killed by SIGABRT: its runtime gave up");
}

#[test]
fn a_handler_that_overflows_its_stack_or_uses_memory_that_is_not_there_is_lost() {
    is_buried("native", "overflow", "restarts = 1", "killed by SIG");
    is_buried("csharp", "overflow", "restarts = 1", "killed by SIGABRT: its runtime gave up");
    is_buried(
        "python",
        "overflow",
        "restarts = 1",
        "killed by SIGSEGV: it used memory that it does not have",
    );
}

#[test]
fn a_handler_that_never_returns_is_killed_at_its_deadline() {
    for guest in GUESTS {
        let killed = "killed, as a call took longer than its deadline of 1s";
        is_buried(guest, "hang", "deadline = \"1 s\"\nrestarts = 1", killed);
    }
}

#[test]
fn a_handler_that_allocates_without_end_is_killed_at_its_memory() {
    for guest in GUESTS {
        let killed = "killed, as it took more than its memory of 300 MiB";
        is_buried(guest, "eat", "memory = \"300 MiB\"\nrestarts = 1", killed);
    }
}

#[test]
fn what_an_isolated_handler_prints_comes_line_by_line_under_its_name() {
    for guest in GUESTS {
        let flow =
            pools(&["/in", "/out"]) + &handler(guest, "Prints", "/in", "/out", "isolation = \"process\"");
        let folder = Folder::new(&flow);
        let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--report", "none"];
        let outcome = fed(&mut upcall(&run), b"one\ntwo\n");
        let mut lines: Vec<&str> = outcome.out.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["Prints on /in | one", "Prints on /in | two"], "{guest}: {}", outcome.err);
    }
}

#[test]
fn what_an_isolated_handler_in_python_has_printed_is_there_when_its_process_dies() {
    let more = "isolation = \"process\"\nrestarts = 1";
    let folder = Folder::new(
        &(pools(&["/in"])
            + &format!(
                "[[handler]]\nname = \"says\"\non = \"/in\"\npython = \"says.py\"\nclass = \"Says\"\n{more}\n"
            )),
    );
    let code = "import os, sys\n\n\nclass Says:\n    def on_object(self, obj, emit):\n        \
                print(bytes(obj.value).decode(), 1)\n        print(2, end='\\n3\\n')\n        os._exit(1)\n";
    folder.write("says.py", code);
    let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--report", "none"];
    let outcome = fed(&mut upcall(&run), b"one\n");
    assert_eq!(outcome.out, "says | one 1\nsays | 2\nsays | 3\n", "{}", outcome.err);
}

#[test]
fn what_cannot_be_loaded_apart_says_what_it_says_beside_us() {
    for guest in GUESTS {
        let load = |more: &str| {
            let flow = pools(&["/in", "/out"]) + &handler(guest, "Sevnth", "/in", "/out", more);
            let folder = Folder::new(&flow);
            let outcome = fed(&mut upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-"]), b"");
            (outcome.code, outcome.err)
        };
        assert_eq!(load("isolation = \"process\""), load(""), "{guest}");
    }
}

/// The processes that this one has started and that live.
fn children(parent: u32) -> Vec<u32> {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let child = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = stat.rsplit(") ").next().unwrap_or_default();
        let mut fields = after.split(' ');
        fields.next().is_some_and(|state| state != "Z") && fields.next() == Some(&parent.to_string())
    };
    processes.filter(child).collect()
}

#[test]
fn nothing_stays_behind_of_an_engine_that_is_killed() {
    for guest in GUESTS {
        let flow =
            pools(&["/in", "/out"]) + &handler(guest, "Ends", "/in", "/out", "isolation = \"process\"");
        let folder = Folder::new(&flow);
        let run = ["run", &folder.path("flow.toml"), "--input", "/in=-"];
        let mut engine = upcall(&run).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        engine.stdin.as_mut().unwrap().write_all(b"hang\n").unwrap();
        let soon = Instant::now() + Duration::from_secs(30);
        let handlers = loop {
            let handlers = children(engine.id());
            if !handlers.is_empty() {
                break handlers;
            }
            assert!(Instant::now() < soon, "{guest}: no process was started");
            std::thread::sleep(Duration::from_millis(5));
        };
        engine.kill().unwrap();
        engine.wait().unwrap();
        let gone = |pid: &u32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status"));
            status.map_or(true, |status| status.contains("State:\tZ"))
        };
        while !handlers.iter().all(gone) {
            assert!(Instant::now() < soon, "{guest}: {handlers:?} live on");
            std::thread::sleep(Duration::from_millis(5));
        }
        let left = fs::read_dir(Path::new("/dev/shm")).map_or(0, |files| {
            files
                .filter(|file| {
                    file.as_ref().is_ok_and(|file| file.file_name().to_string_lossy().contains("upcall"))
                })
                .count()
        });
        assert_eq!(left, 0, "{guest}");
    }
}
