//! Processes that are ended from inside a guest, each in its own way: what is still written, and the exit code.

use crate::support::{Folder, Outcome, fed, handler, pools, upcall};

/// What became of a flow of which a handler ended the process.
struct Ended {
    outcome: Outcome,
    /// The dump of what was put, where there is one.
    dumped: Option<String>,
}

/// Two lines, the second of which the class `Ends` of a guest takes for a way to end the process.
fn ended(guest: &str, way: &str) -> Ended {
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Ends", "/in", "/out", "")));
    let dump = format!("/in={}", folder.path("dumped"));
    // One worker has stored both lines before its handler gets the second; another one could still be at the first.
    let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--workers", "1"];
    let arguments = [&run[..], &["--dump", &dump, "--report", "json"]].concat();
    let outcome = fed(&mut upcall(&arguments), format!("first\n{way}\n").as_bytes());
    let dumped = folder.names().contains(&"dumped".to_owned()).then(|| folder.read("dumped"));
    Ended { outcome, dumped }
}

/// The dump is whole, the report is there, and the error says why.
#[track_caller]
fn has_a_last_word(guest: &str, way: &str, code: Option<i32>, why: &str) {
    let Ended { outcome, dumped } = ended(guest, way);
    assert_eq!(outcome.code, code, "{guest}, {way}: {}", outcome.err);
    assert_eq!(dumped, Some(format!("1\tfirst\n2\t{way}\n")), "{guest}, {way}: {}", outcome.err);
    let report: serde_json::Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(report["handlers"][0]["guest"], guest, "{report}");
    assert!(
        outcome.err.contains(&format!("error: {why}: not all is done")),
        "{guest}, {way}: {}",
        outcome.err
    );
}

/// Nothing is written, and the exit code is the way's own.
#[track_caller]
fn ends_at_once(guest: &str, way: &str, code: Option<i32>) {
    let Ended { outcome, dumped } = ended(guest, way);
    assert_eq!(
        (outcome.code, outcome.out.as_str(), dumped),
        (code, "", None),
        "{guest}, {way}: {}",
        outcome.err
    );
}

const EXIT: &str = "a handler, or the runtime that it is in, has called exit";
const UNHANDLED: &str = "an exception that nobody caught ends the process";

#[test]
fn an_exit_in_a_native_handler_leaves_dump_and_report_behind() {
    has_a_last_word("native", "exit", Some(1), EXIT);
}

#[test]
fn environment_exit_in_csharp_leaves_dump_and_report_behind_whatever_its_code() {
    has_a_last_word("csharp", "exit", Some(1), EXIT);
    has_a_last_word("csharp", "exit on a thread", Some(1), EXIT);
}

#[test]
fn an_exception_that_nobody_catches_in_csharp_leaves_dump_and_report_behind() {
    for way in ["throw on a thread", "async void", "finalizer"] {
        has_a_last_word("csharp", way, None, UNHANDLED);
        let said = ended("csharp", way).outcome.err;
        assert!(said.contains("System.InvalidOperationException: nobody catches this"), "{way}: {said}");
    }
}

#[test]
fn sys_exit_in_python_fails_its_item_or_ends_its_thread_and_the_flow_goes_on() {
    let Ended { outcome, dumped } = ended("python", "exit");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.err.contains("SystemExit"), "{}", outcome.err);
    assert_eq!(dumped.as_deref(), Some("1\tfirst\n2\texit\n"));
    for way in ["exit on a thread", "throw on a thread"] {
        let Ended { outcome, dumped } = ended("python", way);
        assert_eq!(outcome.code, Some(0), "{way}: {}", outcome.err);
        assert_eq!(dumped, Some(format!("1\tfirst\n2\t{way}\n")));
        assert!(!outcome.err.contains("/dead/in"), "{way}: {}", outcome.err);
    }
}

#[test]
fn what_ends_the_process_at_once_leaves_nothing_behind() {
    ends_at_once("native", "abort", None);
    ends_at_once("csharp", "fail fast", None);
    ends_at_once("csharp", "overflow", None);
    ends_at_once("python", "abort", None);
    // The exit code is what the handler says, and no one can change it.
    ends_at_once("python", "os._exit", Some(0));
}

#[test]
fn an_exit_while_the_flow_starts_is_a_failure() {
    let warm = "warm = { value = \"exit\" }";
    for guest in ["native", "csharp"] {
        let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Ends", "/in", "/out", warm)));
        let outcome = fed(&mut upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-"]), b"line\n");
        assert_eq!((outcome.code, outcome.out.as_str()), (Some(1), ""), "{guest}: {}", outcome.err);
        assert!(outcome.err.contains(&format!("error: {EXIT}: not all is done")), "{guest}: {}", outcome.err);
    }
}
