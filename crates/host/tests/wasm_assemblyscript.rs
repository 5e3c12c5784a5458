//! Handlers in AssemblyScript by `sdk/assemblyscript`.
#![cfg(feature = "wasm")]

mod wasm_support;

use upcall::Harness;
use upcall_host::{HandlerSpec, Host, describe};
use wasm_support::{handlers, made, spec, wasm};

/// A class of `sdk/assemblyscript/tests/kinds.ts`.
fn kinds(class: &str) -> HandlerSpec {
    let file = handlers().with_file_name("assemblyscript.wasm");
    assert!(file.is_file(), "there is no {}: run cargo xtask build --wasm", file.display());
    HandlerSpec { file, ..spec(class) }
}

fn harness(class: &str) -> Harness {
    Harness::of(made(&kinds(class))).emits(&["/out"])
}

#[test]
fn a_handler_is_opened_called_flushed_and_closed() {
    let described = describe(&mut made(&kinds("life"))).unwrap();
    assert_eq!((described.kind_name.as_str(), described.form.as_str()), ("FLOW", "object"));
    let mut harness = harness("life").setting("colour", "blue");
    harness.batch(&[(b"a", b""), (b"b", b"garbage"), (b"c", b"much")]).unwrap();
    harness.flush().unwrap();
    harness.close();
    let emitted: Vec<_> = harness.emitted().iter().map(|one| (&*one.key, one.value_as::<u64>())).collect();
    let expected: [(&[u8], _); 9] = [
        (b"blue", Some(1)),
        (b"blue", Some(2)),
        (b"garbage", None),
        (b"blue", Some(3)),
        (b"much", None),
        (b"much", None),
        (b"much", None),
        (b"much", None),
        (b"end", Some(3)),
    ];
    assert_eq!(emitted, expected);
    assert!(harness.emitted()[2].value.starts_with(b"19999 19998 "));
    let logged: Vec<&str> = harness.logged().iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(logged, ["opened handler", "closed"]);
}

#[test]
fn a_failure_is_told_and_what_the_object_emitted_does_not_count() {
    let failed = harness("life").put(b"a", b"").unwrap_err();
    assert_eq!(failed.message, "the setting `colour` is missing");
    let mut harness = harness("life").setting("colour", "blue");
    let failed = harness.batch(&[(b"a", b""), (b"b", b"fail"), (b"c", b"")]).unwrap_err();
    assert_eq!((failed.message.as_str(), failed.done, failed.item), ("not this one", 1, Some(1)));
    harness.put(b"c", b"").unwrap();
    let seen: Vec<_> = harness.emitted().iter().map(|one| one.value_as::<u64>()).collect();
    assert_eq!(seen, [Some(1), Some(3)], "the instance is the same");
}

#[test]
fn what_is_thrown_ends_the_instance_with_its_text_and_place() {
    for (value, said) in [(&b"throw"[..], "no more"), (b"bounds", "Index out of range")] {
        let mut harness = harness("life").setting("colour", "blue");
        let failed = harness.batch(&[(b"a", b""), (b"b", value), (b"c", b"")]).unwrap_err();
        assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("panic", said));
        assert_eq!((failed.done, failed.item), (1, Some(1)));
        assert!(failed.stack.starts_with("at ") && failed.stack.contains(".ts:"), "{}", failed.stack);
        harness.put(b"c", b"").unwrap();
        assert_eq!(harness.emitted().last().unwrap().value_as::<u64>(), Some(1), "another instance");
    }
}

#[test]
fn pools_are_read_and_emitted_to_by_their_numbers() {
    let sums = [(&b"a"[..], &1.5f64.to_le_bytes()[..])];
    let mut adds = harness("adds").emits(&["/second"]).reads("/sums", &sums);
    adds.batch(&[(b"a", b"2"), (b"b", b"0.5")]).unwrap();
    let emitted = adds.emitted();
    assert_eq!((emitted[0].pool.as_str(), emitted[0].value_as::<f64>()), ("/second", Some(3.5)));
    assert_eq!(emitted[1].value, "ä1".as_bytes());
    assert_eq!(emitted[2].value_as::<f64>(), Some(0.5));
    let failed = harness("adds").put(b"a", b"2").unwrap_err();
    assert!(failed.message.starts_with("pool /sums is not declared by this handler"), "{failed:?}");
    let failed = harness("strays").put(b"a", b"2").unwrap_err();
    assert!(failed.message.starts_with("read a pool that this handler does not declare"), "{failed:?}");
}

#[test]
fn a_handler_that_is_not_there_is_told_with_those_that_are() {
    let said = wasm().load(&kinds("live")).err().unwrap().to_string();
    assert!(said.contains("it exports no such handler; it holds life, adds"), "{said}");
    assert!(said.ends_with("did you mean life?"), "{said}");
}
