//! Handlers in C by `upcall_guest.h`, of every kind: the same as `sdk/c/tests/test_kinds.c` looks at without a module.
#![cfg(feature = "wasm")]

mod wasm_support;

use upcall::{CombineHarness, Harness};
use upcall_host::{ErrorKind, HandlerSpec, Host, Instance, describe};
use wasm_support::{handlers, made, spec, wasm};

/// A class of `sdk/c/tests/kinds.c`.
fn kinds(class: &str) -> HandlerSpec {
    let file = handlers().with_file_name("kinds.wasm");
    assert!(file.is_file(), "there is no {}: run cargo xtask build --wasm", file.display());
    HandlerSpec { file, ..spec(class) }
}

fn instance(class: &str) -> Instance {
    made(&kinds(class))
}

fn harness(class: &str) -> Harness {
    Harness::of(instance(class)).emits(&["/out"])
}

fn keys(harness: &Harness) -> Vec<&str> {
    harness.emitted().iter().map(|one| std::str::from_utf8(&one.key).unwrap()).collect()
}

/// A `struct reading` of the handlers.
fn reading(celsius: f64) -> Vec<u8> {
    [7u64.to_le_bytes(), celsius.to_le_bytes()].concat()
}

#[test]
fn a_batch_is_handed_over_at_once_and_what_was_reported_counts() {
    let mut harness = harness("batches");
    let failed = harness.batch(&[(b"a", b"report"), (b"b", b""), (b"c", b"fail")]).unwrap_err();
    assert_eq!((failed.message.as_str(), failed.done, failed.item), ("not this one", 1, None));
    harness.batch(&[(b"a", b""), (b"b", b"")]).unwrap();
    assert_eq!(keys(&harness), ["a", "a", "b"]);
    harness.flush().unwrap();
    assert_eq!(harness.emitted()[3].value_as::<u32>(), Some(2), "calls");
    let failed = harness.batch(&[(b"a", b"report"), (b"b", b""), (b"c", b"panic")]).unwrap_err();
    assert_eq!((failed.type_name.as_str(), failed.message.as_str(), failed.done), ("panic", "no more", 1));
    assert_eq!(keys(&harness)[4..], ["a"]);
    harness.put(b"d", b"").unwrap();
    assert_eq!(harness.emitted()[5].value_as::<u32>(), Some(1), "another instance");
}

#[test]
fn a_handler_says_its_form_its_types_and_its_settings() {
    let described = |class| describe(&mut instance(class)).unwrap();
    assert_eq!(described("batches").form, "batch");
    let typed = described("fahrenheit");
    let (takes, gives) = (typed.takes.unwrap(), &typed.gives);
    assert_eq!((takes.name.as_str(), takes.size), ("Reading", Some(16)));
    assert_eq!((gives.len(), gives[0].name.as_str(), gives[0].size), (1, "f64", Some(8)));
    let sum = described("sum");
    assert_eq!((sum.kind_name.as_str(), sum.commutative), ("COMBINE", true));
    let settings = described("life").parameters;
    let settings: Vec<_> = settings
        .iter()
        .map(|one| (one.name.as_str(), one.of.as_str(), one.default.as_deref(), one.range.as_deref()))
        .collect();
    assert_eq!(settings, [("colour", "text", None, None), ("size", "u64", Some("10"), Some("1..=100"))]);
}

#[test]
fn types_are_compared_with_those_of_the_pools() {
    let mut harness = harness("fahrenheit").declares("/out", "f64", 8);
    harness.put(b"roof", &reading(20.0)).unwrap();
    assert_eq!(harness.emitted()[0].value_as::<f64>(), Some(68.0));
    let failed = harness.put(b"roof", b"abc").unwrap_err();
    assert_eq!(failed.message, "read the value of roof as Reading: it has 3 bytes, not 16");
    assert_eq!(failed.item, Some(0));

    let mut other = Harness::of(instance("fahrenheit")).declares("/in", "Order", 24);
    let failed = other.put(b"roof", &[0; 24]).unwrap_err();
    assert!(
        failed.message.starts_with(
            "pool /in has the type Order of 24 bytes, and the handler takes Reading of 16 bytes: change the"
        ),
        "{failed:?}"
    );
    let mut gives = Harness::of(instance("fahrenheit")).emits(&["/out"]).declares("/out", "u64", 8);
    let failed = gives.put(b"roof", &reading(20.0)).unwrap_err();
    assert!(failed.message.contains("has the type u64 of 8 bytes, and the handler emits f64"), "{failed:?}");
}

#[test]
fn another_pool_of_another_type_fails_the_object() {
    let declared =
        Harness::of(instance("second")).emits(&["/first", "/second"]).declares("/second", "f64", 8);
    let failed = { declared }.put(b"a", b"12345678").unwrap_err();
    assert!(failed.message.starts_with("pool /second has the type f64"), "{failed:?}");
    let mut harness = Harness::of(instance("second")).emits(&["/first", "/second"]);
    harness.put(b"a", b"12345678").unwrap();
    assert_eq!(harness.emitted()[0].pool, "/second");
}

#[test]
fn emissions_on_condition_say_the_version_that_was_read() {
    let sums =
        || Harness::of(instance("adds")).emits(&["/sums"]).reads("/sums", &[(b"a", &7u64.to_le_bytes())]);
    let mut harness = sums();
    let failed = harness.batch(&[(b"a", b""), (b"b", b"caught"), (b"c", b"twice"), (b"d", b"")]).unwrap_err();
    assert_eq!((failed.done, failed.item), (2, Some(2)));
    assert!(failed.message.starts_with("emit on condition twice for one object"), "{failed:?}");
    let emitted = harness.emitted().iter().map(|one| (one.value_as::<u64>(), one.previous));
    assert_eq!(emitted.collect::<Vec<_>>(), [(Some(8), Some(1)), (Some(1), Some(0))]);
    assert!(harness.logged()[0].1.starts_with("emit on condition twice"));
    let failed = sums().flush().unwrap_err();
    assert!(failed.message.starts_with("emit on condition for no object in particular"), "{failed:?}");
}

#[test]
fn a_key_is_read_as_it_was_and_keys_are_listed() {
    let names: [(&[u8], &[u8]); 4] = [(b"1", b"Ada"), (b"2", b"Grace"), (b"1", b"Ada L."), (b"10", b"Alan")];
    let mut harness = harness("history").reads("/names", &names).forgets("/names", 2);
    harness.batch(&[(b"1", b"2"), (b"1", b"3"), (b"2", b"2t"), (b"10", b"3"), (b"1", b"")]).unwrap();
    let values: Vec<&[u8]> = harness.emitted().iter().map(|one| &*one.value).collect();
    assert_eq!(values, [&b"Ada"[..], b"Ada L.", b"Grace", b"none", b"", b""]);
    assert_eq!(keys(&harness)[4..], ["1", "10"]);
    let failed = harness.put(b"1", b"1").unwrap_err();
    assert_eq!(failed.message, "read 1 as it was: that is no longer kept; raise `keep` of the pool");
}

#[test]
fn arrays_are_combined_of_the_type_that_both_say() {
    let mut harness = CombineHarness::<f64>::of(instance("sum")).unwrap();
    let mut into = [10.0, 20.0, 30.0];
    harness.combine(&[1.0, 2.0, 3.0], &mut into).unwrap();
    assert_eq!(into, [11.0, 22.0, 33.0]);
    harness.combine(&[], &mut []).unwrap();
    let failed = harness.combine(&[f64::NAN], &mut [1.0]).unwrap_err();
    assert_eq!(failed.message, "not a number");
    let refused = CombineHarness::<u32>::of(instance("sum")).err().unwrap();
    assert_eq!(
        refused.message,
        "the engine combines u32 of 4 bytes, and the handler f64 of 8 bytes: change one of them"
    );
}

#[test]
fn a_handler_that_combines_is_refused_by_an_engine_of_objects() {
    let failed = Harness::of(instance("sum")).put(b"a", b"").unwrap_err();
    assert!(failed.message.starts_with("it takes COMBINE frames"), "{failed:?}");
}

#[test]
fn a_handler_is_closed_and_more_than_a_chunk_is_emitted() {
    let mut harness = harness("life").setting("colour", "blue");
    harness.put(b"a", b"much").unwrap();
    assert_eq!(harness.emitted().iter().map(|one| one.value.len()).sum::<usize>(), 8 + (4 << 20));
    harness.put(b"a", b"panic").unwrap_err();
    harness.put(b"a", b"").unwrap();
    assert_eq!(harness.emitted().last().unwrap().value_as::<u64>(), Some(1));
    harness.close();
    let logged: Vec<&str> = harness.logged().iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(logged, ["opened", "opened", "closed"]);
}

#[test]
fn a_handler_of_two_kinds_is_refused_when_it_is_made() {
    let error = wasm().load(&kinds("both")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
    assert!(
        error.to_string().contains("more than one of on_object, on_batch, combine and a program"),
        "{error}"
    );
}
