//! All runtimes in one process. In whichever order a flow's file names them, each makes exceptions of its own faults; and
//! whichever of them are there, a signal stops the flow when what was read is handled.

use crate::support::{Folder, built, code, fixtures, pools, ran, upcall};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Guests whose runtimes share the command's process.
#[cfg(feature = "wasm")]
const RUNTIMES: &[&str] = &["csharp", "java", "python", "wasm"];
#[cfg(not(feature = "wasm"))]
const RUNTIMES: &[&str] = &["csharp", "java", "python"];

/// What they make of the value `fail`.
const CAUSES: [(&str, &str); 5] = [
    ("csharp", "System.NullReferenceException"),
    ("java", "java.lang.NullPointerException"),
    ("python", "ValueError"),
    ("wasm", "trap"),
    ("native", "panic"),
];

/// Java that compiles at once, and leaves null to the processor each time.
const JAVA: &str = "[java]\noptions = [\"-XX:TieredStopAtLevel=1\", \"-Xbatch\"]\n";

/// The file and class of a guest's handler that passes on what it is given, and fails on `fail`, by a fault where it can.
fn faulting(guest: &str) -> (PathBuf, &str) {
    match guest {
        "csharp" => (fixtures(guest), "Dereferences"),
        "java" => (built("tests/upcall-tests.jar"), "upcall.tests.Faults"),
        "wasm" => (built("tests/faults.wasm"), "Faults"),
        _ => (fixtures(guest), "Raises"),
    }
}

fn handler(guest: &str, on: &str, to: &str) -> String {
    let (file, class) = faulting(guest);
    code(guest, &file, class, on, to, "").replace(&format!("{class} on {on}"), guest)
}

/// All orders of these.
fn orders(guests: &[&'static str]) -> Vec<Vec<&'static str>> {
    if guests.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for first in guests {
        let others: Vec<&str> = guests.iter().filter(|guest| *guest != first).copied().collect();
        found.extend(orders(&others).into_iter().map(|rest| [vec![*first], rest].concat()));
    }
    found
}

/// Fifty rounds of a fault in each guest, on four workers, in every order that begins with this one.
#[track_caller]
fn faults_are_exceptions_with(first: &str) {
    const ROUNDS: usize = 50;
    let lines: String = (0..ROUNDS).map(|round| format!("a{round}\nfail\n")).collect();
    for (place, mut order) in orders(RUNTIMES).into_iter().filter(|order| order[0] == first).enumerate() {
        // Rust is somewhere between them.
        order.insert(place % (RUNTIMES.len() + 1), "native");
        let mut flow = format!("workers = 4\n{JAVA}{}", pools(&["/in", "/passed", "#/out"]));
        order.iter().for_each(|guest| flow += &handler(guest, "/in", "/passed"));
        flow += &code("native", &fixtures("native"), "Counts", "/passed", "/out", "order = \"single\"");
        let folder = Folder::new(&flow);
        let outcome = ran(&folder, &lines);
        let err = outcome.err;
        assert_eq!(outcome.code, Some(0), "{order:?}: {err}");
        let mut buried = HashMap::new();
        for letter in folder.read("dead").lines() {
            let letter: Value = serde_json::from_str(letter.split_once('\t').unwrap().1).unwrap();
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let trace = letter["trace"].as_array().unwrap();
            *buried.entry((text(trace.last().unwrap()), text(&letter["cause"]["type"]))).or_insert(0) += 1;
        }
        let expected = CAUSES.iter().filter(|(guest, _)| order.contains(guest));
        let expected = expected.map(|(guest, cause)| ((guest.to_string(), cause.to_string()), ROUNDS));
        assert_eq!(buried, expected.collect(), "{order:?}: {err}");
        assert_eq!(folder.read("out"), format!("objects\t{}\n", ROUNDS * order.len()), "{order:?}: {err}");
    }
}

#[test]
fn faults_are_exceptions_in_every_order_with_csharp_first() {
    faults_are_exceptions_with("csharp");
}

#[test]
fn faults_are_exceptions_in_every_order_with_java_first() {
    faults_are_exceptions_with("java");
}

#[test]
fn faults_are_exceptions_in_every_order_with_python_first() {
    faults_are_exceptions_with("python");
}

#[cfg(feature = "wasm")]
#[test]
fn faults_are_exceptions_in_every_order_with_webassembly_first() {
    faults_are_exceptions_with("wasm");
}

/// Objects pass from guest to guest when the signal comes; what was put has passed all of them when the command ends.
#[track_caller]
fn stops(guests: &[&str], signal: i32) {
    /// More than a pipe holds, so that some are read: the signal is listened for before anything is.
    const WRITTEN: usize = 30_000;
    let paths: Vec<String> = (0..=guests.len()).map(|place| format!("/{place}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut flow = format!("{JAVA}{}", pools(&paths));
    for (guest, path) in guests.iter().zip(paths.windows(2)) {
        flow += &handler(guest, path[0], path[1]);
    }
    let folder = Folder::new(&flow);
    let last = paths[guests.len()];
    let (put, passed) = (format!("/0={}", folder.path("put")), format!("{last}={}", folder.path("passed")));
    let path = folder.path("flow.toml");
    let arguments = ["run", &path, "--input", "/0=-", "--dump", &put, "--dump", &passed, "--report", "none"];
    let err = folder.path("err");
    let mut command = upcall(&arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(fs::File::create(&err).unwrap());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let written = AtomicUsize::new(0);
    let status = std::thread::scope(|scope| {
        // Until the command has ended.
        scope.spawn(|| while writeln!(pipe, "{}", written.fetch_add(1, SeqCst)).is_ok() {});
        while written.load(SeqCst) < WRITTEN && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // SAFETY: a signal to a process that we have started and not waited for.
        unsafe { libc::kill(child.id() as i32, signal) };
        child.wait().unwrap()
    });
    let err = fs::read_to_string(err).unwrap();
    assert_eq!(status.code(), Some(128 + signal), "{guests:?}: {err}");
    assert!(err.starts_with("stopping: ") && err.lines().count() == 1, "{guests:?}: {err}");
    let put = folder.read("put");
    assert!(put.lines().count() > 1000, "{guests:?}: {}", put.len());
    assert!(folder.read("passed") == put, "{guests:?}: not all that was put is handled");
}

/// Every combination of the runtimes of this process with `others`; with others twice, each combination by each signal.
fn every_combination_stops(others: &[&str], signals: &[i32]) {
    for chosen in 0..1u32 << RUNTIMES.len() {
        let mut guests = others.to_vec();
        let there = |place: &usize| chosen & 1 << place != 0;
        guests.extend((0..RUNTIMES.len()).filter(there).map(|place| RUNTIMES[place]));
        if !guests.is_empty() {
            signals.iter().for_each(|signal| stops(&guests, *signal));
        }
    }
}

#[test]
fn ctrl_c_and_sigterm_stop_every_combination_of_runtimes_when_all_is_handled() {
    every_combination_stops(&[], &[libc::SIGINT, libc::SIGTERM]);
}

#[test]
fn ctrl_c_stops_every_combination_with_rust_and_node_when_all_is_handled() {
    every_combination_stops(&["native", "node"], &[libc::SIGINT]);
}

#[test]
fn sigterm_stops_every_combination_with_node_when_all_is_handled() {
    every_combination_stops(&["node"], &[libc::SIGTERM]);
}
