//! Handlers that answer later, in processes of their own.

use crate::support::{Folder, Outcome, code, fed, fixtures, pools, root, upcall};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Guest, file and class of handlers that await something for a line, and such a line.
fn handlers() -> [(&'static str, PathBuf, &'static str, &'static str); 4] {
    [
        ("native", fixtures("native"), "Waits", "line"),
        ("csharp", fixtures("csharp"), "AnswersLater", "10 ms"),
        ("java", fixtures("java"), "upcall.tests.AnswersLater", "10 ms"),
        ("python", root().join("crates/cli/tests/handlers/later.py"), "Awaits", "line"),
    ]
}

/// What a flow of one such handler does with these lines.
fn run(guest: &str, file: &std::path::Path, class: &str, more: &str, lines: &str) -> Outcome {
    let more = format!("isolation = \"process\"\n{more}");
    let handler = code(guest, file, class, "/in", "/out", &more);
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler));
    let path = folder.path("flow.toml");
    let dump = ["--dump", "/out=-", "--dump", "/dead/in=-", "--report", "none"];
    fed(upcall(&["run", &path, "--input", "/in=-"]).args(dump), lines.as_bytes())
}

#[test]
fn a_thousand_items_wait_a_hundred_at_a_time_in_a_sandbox_too() {
    for (guest, file, class, line) in handlers() {
        for sandbox in [false, true] {
            let more = format!("sandbox = {sandbox}\n");
            let (begin, lines) = (Instant::now(), format!("{line}\n").repeat(1000));
            let outcome = run(guest, &file, class, &more, &lines);
            assert_eq!(outcome.code, Some(0), "{guest}: {}", outcome.err);
            assert!(begin.elapsed() < Duration::from_secs(8), "{guest}: one after the other they take 10 s");
            let through = outcome.out.lines().filter(|out| out.ends_with(&format!("\t{line}"))).count();
            assert_eq!(through, 1000, "{guest}: {}", outcome.err);
        }
    }
}
