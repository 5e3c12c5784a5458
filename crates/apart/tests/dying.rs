//! What becomes of a call whose process dies, hangs or eats.

#[path = "support/flow.rs"]
mod flow;
#[path = "support/instance.rs"]
mod instance;

use flow::flow;
use instance::instance;
use std::time::{Duration, Instant};
use upcall_flow::OnSpec;
use upcall_handler::Harness;
use upcall_host::Isolation;

/// A handler that echoes, ready for its first object.
fn echo(isolation: Isolation) -> Harness {
    Harness::of(instance("rust", "Echo", isolation).unwrap()).emits(&["/out"])
}

/// What the harness says of an object that the process does not survive; then the next process is there, opened as the
/// first one was.
fn dies(harness: &mut Harness, value: &str) -> String {
    let failed = harness.put(b"key", value.as_bytes()).unwrap_err();
    harness.put(b"key", b"seen").unwrap();
    assert_eq!(harness.emitted().last().unwrap().value, b"1", "{value}: another process");
    harness.put(b"key", b"greet").unwrap();
    assert_eq!(harness.emitted().last().unwrap().value, b"hello", "{value}: opened again");
    failed.message
}

#[test]
fn a_process_that_dies_is_lost_and_another_one_takes_its_place() {
    let mut harness = echo(Isolation::default()).setting("greeting", "hello");
    let segv = "killed by SIGSEGV: it used memory that it does not have, or its stack overflowed";
    for (value, how) in [
        ("exit", "it ended itself with exit code 3"),
        ("abort", "killed by SIGABRT: its runtime gave up"),
        ("segv", segv),
        ("overflow", "killed by SIGABRT: its runtime gave up"),
        ("kill", "killed by SIGKILL, from outside"),
    ] {
        assert_eq!(dies(&mut harness, value), how, "{value}");
    }
}

#[test]
fn a_call_that_takes_longer_than_its_deadline_is_killed() {
    let deadline = Duration::from_millis(300);
    let mut harness =
        echo(Isolation { deadline: Some(deadline), ..Isolation::default() }).setting("greeting", "hello");
    let begun = Instant::now();
    assert_eq!(dies(&mut harness, "hang"), "killed, as a call took longer than its deadline of 300ms");
    assert!(begun.elapsed() >= deadline);
}

#[test]
fn a_handler_that_logs_without_end_is_killed_at_its_deadline() {
    let deadline = Some(Duration::from_millis(300));
    let mut harness = echo(Isolation { deadline, ..Isolation::default() }).setting("greeting", "hello");
    assert_eq!(dies(&mut harness, "log on"), "killed, as a call took longer than its deadline of 300ms");
    assert!(!harness.logged().is_empty());
}

#[test]
fn a_process_whose_child_prints_without_end_has_ended_all_the_same() {
    let mut harness = echo(Isolation::default()).setting("greeting", "hello");
    assert_eq!(dies(&mut harness, "print on"), "it ended itself with exit code 5");
}

#[test]
fn a_new_process_is_warmed_up_as_the_first_one_was() {
    let on = OnSpec::new("echo", "/in")
        .to("/out")
        .code("rust", "nowhere", "Echo")
        .isolation(Isolation { restarts: 1, ..Isolation::default() })
        .warm("sample", "many 3 100000");
    let flow = flow(on).start().unwrap();
    let input = flow.pool("/in").unwrap();
    for (key, value) in [("a", "seen"), ("b", "kill"), ("c", "seen")] {
        input.put(key, value).unwrap();
        flow.settle().unwrap();
    }
    let seen = |key: &str| flow.pool("/out").unwrap().get(key).unwrap().unwrap().value.to_vec();
    assert_eq!((seen("a"), seen("c")), (b"2".to_vec(), b"2".to_vec()), "the sample was the first");
}

#[test]
fn a_process_that_eats_memory_is_killed() {
    let mut harness =
        echo(Isolation { memory: Some(200 << 20), ..Isolation::default() }).setting("greeting", "hello");
    assert_eq!(dies(&mut harness, "eat"), "killed, as it took more than its memory of 200 MiB");
}

#[test]
fn a_process_that_dies_while_nobody_calls_it_is_started_again() {
    let mut harness = echo(Isolation::default());
    harness.put(b"key", b"pid").unwrap();
    let pid: i32 = String::from_utf8_lossy(&harness.emitted()[0].value).parse().unwrap();
    // SAFETY: a signal to a process that we have started.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGKILL) }, 0);
    while std::path::Path::new(&format!("/proc/{pid}")).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    harness.put(b"key", b"seen").unwrap();
    assert_eq!(harness.emitted()[1].value, b"1");
}

#[test]
fn one_that_does_not_open_again_is_lost_and_says_why() {
    let mut harness = Harness::of(instance("rust", "Echo", Isolation::default()).unwrap())
        .emits(&["/out"])
        .setting("greeting", "no");
    assert_eq!(harness.put(b"key", b"value").unwrap_err().message, "it does not open");
}

#[test]
fn one_that_opens_for_too_long_is_killed() {
    let soon = Isolation { start_deadline: Duration::from_millis(300), ..Isolation::default() };
    let mut harness = echo(soon).setting("greeting", "later");
    let failed = harness.put(b"key", b"value").unwrap_err();
    assert_eq!(failed.message, "killed, as it was not ready within 300ms");
}

#[test]
fn what_a_batch_had_reported_counts_once_and_the_rest_is_delivered_again() {
    let isolation = Isolation { restarts: 2, ..Isolation::default() };
    let on = OnSpec::new("batch", "/in").to("/out").code("rust", "nowhere", "Batch").isolation(isolation);
    let flow = flow(on).start().unwrap();
    let input = flow.pool("/in").unwrap();
    for number in 0..2000 {
        input.put(number.to_string(), if number % 500 == 250 { "kill" } else { "through" }).unwrap();
    }
    flow.drain().unwrap();
    let out = flow.pool("/out").unwrap();
    for number in 0..2000 {
        let versions = out.versions(number.to_string().as_bytes()).unwrap().len();
        assert_eq!(versions, usize::from(number % 500 != 250), "{number}");
    }
    assert_eq!(flow.pool("/dead/in").unwrap().list(b"").unwrap().len(), 4);
    flow.stop().unwrap();
}

#[test]
fn nothing_is_left_of_an_instance_that_is_dropped() {
    let mut harness = echo(Isolation::default());
    harness.put(b"key", b"pid").unwrap();
    let pid = String::from_utf8_lossy(&harness.emitted()[0].value).into_owned();
    let maps = || std::fs::read_to_string("/proc/self/maps").unwrap();
    assert!(maps().contains("memfd:upcall-segment"));
    drop(harness);
    assert!(!std::path::Path::new("/proc").join(pid).exists());
    assert!(!maps().contains("memfd:upcall-segment"));
}
