//! A handler in a process of its own does what it does beside us.

#[path = "support/instance.rs"]
mod instance;

use instance::instance;
use std::time::Duration;
use upcall_apart::{Processes, Program};
use upcall_handler::{CombineHarness, Harness};
use upcall_host::{ErrorKind, HandlerSpec, Host, Isolation, describe};

/// A handler that echoes, ready for its first object.
fn echo(isolation: Isolation) -> Harness {
    Harness::of(instance("rust", "Echo", isolation).unwrap()).emits(&["/out"])
}

fn put(harness: &mut Harness, value: &str) -> String {
    harness.put(b"key", value.as_bytes()).unwrap();
    harness.emitted().last().map_or(String::new(), |out| String::from_utf8_lossy(&out.value).into_owned())
}

#[test]
fn keys_values_and_emissions_cross() {
    let mut harness = echo(Isolation::default());
    let objects: Vec<(String, Vec<u8>)> =
        (0..2000).map(|n| (format!("key {n}"), vec![b'a' + (n % 26) as u8; n * 7 % 300])).collect();
    let borrowed: Vec<(&[u8], &[u8])> =
        objects.iter().map(|(key, value)| (key.as_bytes(), value.as_slice())).collect();
    for batch in [1, 64, 2000] {
        let before = harness.emitted().len();
        harness.batch(&borrowed[..batch]).unwrap();
        let emitted = &harness.emitted()[before..];
        assert_eq!(emitted.len(), batch);
        for ((key, value), out) in borrowed.iter().zip(emitted) {
            assert_eq!((*key, *value), (out.key.as_slice(), out.value.as_slice()));
        }
    }
}

#[test]
fn what_is_emitted_goes_on_in_other_chunks() {
    let mut harness = echo(Isolation::default());
    harness.put(b"key", b"many 3 3000000").unwrap();
    harness.put(b"key", b"many 10000 20").unwrap();
    let emitted = harness.emitted();
    assert_eq!(emitted.len(), 10_003);
    assert!(emitted[..3].iter().enumerate().all(|(n, out)| out.value == vec![n as u8; 3_000_000]));
    assert!(emitted[3..].iter().enumerate().all(|(n, out)| out.key == n.to_string().as_bytes()));
}

#[test]
fn what_failed_says_why_and_emits_nothing() {
    let mut harness = echo(Isolation::default());
    let failed = harness.batch(&[(b"a", b"first"), (b"b", b"fail"), (b"c", b"third")]).unwrap_err();
    assert_eq!(failed.message, "it was told to");
    assert_eq!(harness.emitted().len(), 1);
    let failed = harness.put(b"a", b"panic").unwrap_err();
    assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("panic", "it was told to"));
    assert!(failed.stack.contains("guest.rs"), "{}", failed.stack);
    assert_eq!(put(&mut harness, "seen"), "4");
}

#[test]
fn settings_log_pools_and_flush_work_as_beside_us() {
    let stored: Vec<(String, Vec<u8>)> = (0..500).map(|n| (format!("{n:03}"), vec![b'v'; n])).collect();
    let stored: Vec<(&[u8], &[u8])> =
        stored.iter().map(|(key, value)| (key.as_bytes(), &value[..])).collect();
    let mut harness = echo(Isolation::default()).setting("greeting", "good day").reads("/stored", &stored);
    assert_eq!(put(&mut harness, "greet"), "good day");
    assert_eq!(put(&mut harness, "read 499"), "v".repeat(499));
    assert_eq!(put(&mut harness, "read elsewhere"), "nothing");
    assert_eq!(put(&mut harness, "list 12"), (120..130).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
    harness.put(b"key", b"log what happens").unwrap();
    assert_eq!(harness.logged(), [(2, "log what happens".to_owned())]);
    harness.flush().unwrap();
    assert_eq!(harness.emitted().last().unwrap().value, b"5");
}

#[test]
fn a_handler_says_what_it_is() {
    let described = describe(&mut instance("rust", "Echo", Isolation::default()).unwrap()).unwrap();
    assert_eq!((described.kind_name.as_str(), described.form.as_str()), ("FLOW", "object"));
}

#[test]
fn arrays_are_combined() {
    let mut adds =
        CombineHarness::<f64>::of(instance("rust", "Adds", Isolation::default()).unwrap()).unwrap();
    for elements in [1, 1000, 1_000_000] {
        let (from, mut into) = (vec![2.5; elements], vec![1.0; elements]);
        adds.combine(&from, &mut into).unwrap();
        assert!(into.iter().all(|sum| *sum == 3.5));
    }
    let mut into = [1.0];
    let failed = adds.combine(&[-1.0], &mut into).unwrap_err();
    assert_eq!(failed.message, "it ended itself with exit code 9");
    adds.combine(&[1.0], &mut into).unwrap();
    assert_eq!(into, [2.0]);
}

#[test]
fn what_cannot_be_loaded_says_so_as_it_does_beside_us() {
    let refusal = |guest, class, isolation| {
        let error = instance(guest, class, isolation).unwrap_err();
        (error.kind(), error.to_string())
    };
    let (kind, message) = refusal("rust", "Nobody", Isolation::default());
    assert_eq!(
        (kind, message.as_str()),
        (ErrorKind::HandlerMissing, "load Nobody: there are Echo, Batch and Adds")
    );
    let (_, message) = refusal("cobol", "Echo", Isolation::default());
    assert_eq!(message, "start cobol: there is no such runtime");
    let (_, message) = refusal("rust", "EndsAtStart", Isolation::default());
    assert_eq!(message, "start a process for handler handler: it ended itself with exit code 7");
    let soon = Isolation { start_deadline: Duration::from_millis(200), ..Isolation::default() };
    let (_, message) = refusal("rust", "SleepsAtStart", soon);
    assert_eq!(message, "start a process for handler handler: killed, as it was not ready within 200ms");
}

#[test]
fn a_guest_may_have_a_program_of_its_own() {
    let program = Program::new(env!("CARGO_BIN_EXE_upcall-apart-guest"));
    let host = Processes::new(Program::new("/nowhere/at-all")).with("rust", program);
    let spec = |guest| HandlerSpec::new("handler", guest, "nowhere", "Echo");
    let mut described = host.load(&spec("rust")).unwrap().instantiate().unwrap();
    assert_eq!(describe(&mut described).unwrap().kind_name, "FLOW");
    let error = host.load(&spec("python")).err().unwrap().to_string();
    assert!(error.contains("run /nowhere/at-all: "), "{error}");
}

#[test]
fn a_process_is_told_what_bounds_and_keeps_compiled_modules() {
    const NAMES: [&str; 3] = ["UPCALL_WASM_LARGEST", "UPCALL_WASM_CACHE", "XDG_CACHE_HOME"];
    for name in NAMES {
        // SAFETY: as below.
        unsafe { std::env::set_var(name, "/told") };
    }
    let mut harness = echo(Isolation::default());
    for name in NAMES {
        assert_eq!(put(&mut harness, &format!("env {name}")), "/told", "{name}");
    }
}

#[test]
fn a_process_has_its_own_environment_and_no_files_but_its_own() {
    // SAFETY: no other thread reads the environment meanwhile: each test is a process of its own.
    unsafe {
        std::env::set_var("UPCALL_TEST_KEPT", "kept");
        std::env::set_var("UPCALL_TEST_SECRET", "secret");
    }
    let _open: Vec<_> = (0..20).map(|_| std::fs::File::open("/dev/null").unwrap()).collect();
    let mut harness = echo(Isolation { env: vec!["UPCALL_TEST_KEPT".into()], ..Isolation::default() });
    assert_eq!(put(&mut harness, "env UPCALL_TEST_KEPT"), "kept");
    assert_eq!(put(&mut harness, "env UPCALL_TEST_SECRET"), "unset");
    assert_ne!(put(&mut harness, "env PATH"), "unset");
    // Three streams, the segment, and the folder that is looked into.
    assert_eq!(put(&mut harness, "files"), "5");
}
