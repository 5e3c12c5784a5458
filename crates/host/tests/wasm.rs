//! Handlers in WebAssembly, as an engine meets them: real modules, compiled from Rust.
#![cfg(feature = "wasm")]

mod wasm_support;

use std::time::Duration;
use upcall::{Failed, Harness};
use upcall_host::{ErrorKind, HandlerSpec, Host, Limits, describe};
use wasm_support::{cache, handlers, made, spec, wasm};

/// A harness around an instance of a class of the Rust handlers.
fn harness(class: &str) -> Harness {
    Harness::of(made(&spec(class))).emits(&["/out"])
}

/// The same with these limits.
fn limited(class: &str, limits: Limits) -> Harness {
    Harness::of(made(&HandlerSpec { limits, ..spec(class) })).emits(&["/out"])
}

#[track_caller]
fn emitted(harness: &Harness) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    harness.emitted().iter().map(|one| (text(&one.key), text(&one.value))).collect()
}

#[test]
fn what_a_handler_emits_arrives() {
    let mut harness = harness("Traps");
    harness.batch(&[(b"a", b"one"), (b"b", b"two")]).unwrap();
    let all = [("a", "one"), ("seen", "1"), ("b", "two"), ("seen", "2")];
    assert_eq!(emitted(&harness), all.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn a_handler_says_what_it_is() {
    let mut instance = made(&spec("Wraps"));
    let described = describe(&mut instance).unwrap();
    assert_eq!((described.kind_name.as_str(), described.form.as_str()), ("FLOW", "object"));
    assert_eq!(described.takes.unwrap().name, "Pair");
}

#[test]
fn more_than_a_chunk_is_emitted_in_several() {
    let mut harness = harness("Sizes");
    harness.put(b"a", b"").unwrap();
    let sizes: Vec<usize> = harness.emitted().iter().map(|one| one.value.len()).collect();
    assert_eq!(sizes, [0, 64 << 20]);
}

#[test]
fn a_failure_is_told_as_in_every_guest() {
    let mut harness = harness("Traps");
    let failed = harness.put(b"a", b"fail").unwrap_err();
    assert_eq!(failed.message, "not this one");
    harness.put(b"a", b"on").unwrap();
    assert_eq!(emitted(&harness).last().unwrap().1, "2", "the instance is the same");
}

/// What is told of a batch whose second object ends the instance.
#[track_caller]
fn trapped(mut harness: Harness, value: &[u8]) -> Failed {
    let failed = harness.batch(&[(b"a", b"one"), (b"b", value), (b"c", b"three")]).unwrap_err();
    assert_eq!(failed.item, Some(1), "{failed:?}");
    let before = [("a".to_owned(), "one".to_owned()), ("seen".to_owned(), "1".to_owned())];
    assert_eq!(emitted(&harness), before, "what was done before counts, and nothing else");
    harness.put(b"c", b"three").unwrap();
    assert_eq!(emitted(&harness).last().unwrap().1, "1", "another instance has seen nothing");
    failed
}

#[test]
fn a_panic_is_told_with_its_place_and_where_it_came_from() {
    let failed = trapped(harness("Traps"), b"panic");
    assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("panic", "will not pass this on"));
    assert!(failed.stack.starts_with("at crates/cli/tests/wasm/traps.rs:"), "{}", failed.stack);
    assert!(failed.stack.contains("wasm_handlers"), "{}", failed.stack);
}

#[test]
fn traps_fail_the_object_by_their_name() {
    for (value, said) in [
        (&b"unreachable"[..], "it reached an `unreachable` instruction"),
        (b"bounds", "out of bounds memory access"),
        // Its stack lies at the start of its memory.
        (b"overflow", "out of bounds memory access"),
    ] {
        let failed = trapped(harness("Traps"), value);
        assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("trap", said));
        assert!(failed.stack.contains("traps.rs"), "{}", failed.stack);
    }
}

#[test]
fn a_loop_without_end_is_ended_when_the_time_for_an_item_has_passed() {
    let limits = Limits { deadline: Some(Duration::from_millis(200)), ..Limits::default() };
    let failed = trapped(limited("Traps", limits), b"hang");
    let said = "it took longer for an item than its `deadline` of 200ms";
    assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("timed out", said));
}

#[test]
fn memory_is_given_up_to_the_limit() {
    let limits = Limits { memory: Some(64 << 20), ..Limits::default() };
    let failed = trapped(limited("Traps", limits), b"eat");
    let said = "it reached an `unreachable` instruction; it was refused memory before: it had ";
    assert!(failed.message.starts_with(said) && failed.message.ends_with("gives it 64 MiB"), "{failed:?}");
    let numbers = failed.message.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let numbers: Vec<u64> = numbers.map(|number| number.parse().unwrap()).collect();
    assert!(numbers[0] <= 64 && numbers[1] > 64 && numbers.len() == 3, "{failed:?}");
}

#[test]
fn a_batch_larger_than_the_memory_is_refused_and_the_instance_lives() {
    let limits = Limits { memory: Some(8 << 20), ..Limits::default() };
    let mut harness = limited("Traps", limits);
    harness.put(b"a", b"one").unwrap();
    let failed = harness.put(b"a", &vec![0; 16 << 20]).unwrap_err();
    let said = "asked to have 18 MiB, and `memory` gives it 8 MiB): raise `memory` of the handler";
    assert!(failed.message.ends_with(said), "{failed:?}");
    harness.put(b"a", b"one").unwrap();
    assert_eq!(emitted(&harness).last().unwrap().1, "2");
}

#[test]
fn values_of_every_length_arrive_whole_also_where_the_memory_grows_between_them() {
    let mut harness = harness("Traps");
    let lengths = (0..200).chain([300 << 10, 1, 0, 1 << 20, 63, 2 << 20]).chain(0..200);
    // Many short ones come to the very end of what is there.
    let lengths = lengths.chain((0..60_000).map(|index| index % 40));
    let bytes = |len: usize, salt: usize| -> Vec<u8> { (0..len).map(|at| (at * 7 + salt) as u8).collect() };
    let all: Vec<(String, Vec<u8>)> =
        lengths.enumerate().map(|(index, len)| ("k".repeat(index % 150 + 1), bytes(len, index))).collect();
    let batch: Vec<(&[u8], &[u8])> = all.iter().map(|(key, value)| (key.as_bytes(), &value[..])).collect();
    // The second time the memory is there already, and so is what the first time has left in it.
    for turn in 1..=2 {
        harness.batch(&batch).unwrap();
        let emitted = harness.emitted();
        let last = emitted.iter().rev().filter(|one| one.key != b"seen").take(all.len());
        let mut count = 0;
        for (found, (key, value)) in last.zip(all.iter().rev()) {
            assert!(
                found.key == key.as_bytes() && found.value == *value,
                "{} bytes in turn {turn}",
                value.len()
            );
            count += 1;
        }
        assert_eq!(count, all.len());
    }
}

/// What is told of a batch whose first object ends the instance, of a handler that has said what it is.
fn trapped_at_first(class: &str) -> Failed {
    let mut instance = made(&spec(class));
    upcall_host::describe(&mut instance).unwrap();
    let mut harness = Harness::of(instance).emits(&["/out"]);
    harness.batch(&[(b"a", b"bounds"), (b"b", b"two"), (b"c", b"three")]).unwrap_err()
}

#[test]
fn a_handler_of_objects_that_traps_at_the_first_of_a_batch_is_told_by_it() {
    let failed = trapped_at_first("Traps");
    assert_eq!((failed.done, failed.item), (0, Some(0)), "{failed:?}");
}

#[test]
fn a_batch_handler_that_traps_before_a_report_is_told_by_none() {
    let failed = trapped_at_first("TrapsInBatches");
    assert_eq!((failed.done, failed.item), (0, None), "{failed:?}");
}

#[test]
fn of_a_batch_handler_what_was_reported_counts() {
    let mut harness = harness("TrapsInBatches");
    let failed = harness.batch(&[(b"a", b"one"), (b"b", b"two"), (b"c", b"panic")]).unwrap_err();
    assert_eq!(failed.item, None);
    let all = [("a", "one"), ("b", "two")];
    assert_eq!(emitted(&harness), all.map(|(key, value)| (key.to_owned(), value.to_owned())));
}

#[test]
fn the_instance_after_a_trap_is_told_what_the_one_before_was() {
    let mut harness = harness("Settled").setting("colour", "blue");
    for _ in 0..3 {
        harness.put(b"a", b"x").unwrap();
        assert_eq!(harness.emitted().last().unwrap().value, b"handler blue 2");
        harness.put(b"a", b"unreachable").unwrap_err();
    }
    assert_eq!(harness.logged().len(), 3, "opened once, and again when it was called after a trap");
}

#[test]
fn a_handler_that_is_not_there_is_told_with_the_nearest() {
    let error = wasm().load(&spec("Trap")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::HandlerMissing);
    let said = error.to_string();
    assert!(
        said.contains("it exports no such handler; it holds Spread, Raises")
            && said.ends_with("did you mean Traps?"),
        "{said}"
    );
}

#[test]
fn a_constructor_that_panics_is_told() {
    let error = wasm().load(&spec("Unmakable")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
    assert!(error.to_string().ends_with("its constructor failed: no handler today"), "{error}");
}

#[test]
fn several_threads_have_an_instance_each() {
    let module = wasm().load(&spec("Traps")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
                for round in 0..50 {
                    let value: &[u8] = if round % 10 == 9 { b"bounds" } else { b"x" };
                    assert_eq!(harness.put(b"a", value).is_err(), round % 10 == 9);
                }
                harness.put(b"a", b"x").unwrap();
                assert_eq!(emitted(&harness).last().unwrap().1, "1");
            });
        }
    });
}

/// An echo, for tests that compile it again and again.
fn echo() -> HandlerSpec {
    HandlerSpec { file: handlers().with_file_name("echo.wasm"), ..spec("echo") }
}

#[test]
fn a_compiled_module_is_kept_and_a_damaged_one_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = || {
        let files = std::fs::read_dir(folder.path()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        files.pop().unwrap()
    };
    let works = || {
        let module = cache(folder.path()).load(&echo()).unwrap();
        let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
        harness.put(b"a", b"x").unwrap();
        assert_eq!(emitted(&harness), [("a".to_owned(), "x".to_owned())]);
    };
    works();
    let whole = std::fs::read(kept()).unwrap();
    works();
    assert!(std::fs::read(kept()).unwrap() == whole);
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for wrong in [&damaged[..], &whole[..whole.len() - 1], b""] {
        std::fs::write(kept(), wrong).unwrap();
        works();
        assert!(std::fs::read(kept()).unwrap() == whole, "it was compiled again");
    }
}

#[test]
fn nothing_is_kept_where_others_may_write() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    cache(folder.path()).load(&echo()).unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
