//! What the harness lets a handler read of pools: now, at a version, by time, and which keys there are.

use upcall::{Emit, Failure, Handler, Harness, Object, Open, PoolId};

/// Reads its key as its value says.
#[derive(Default)]
struct Joins {
    names: PoolId,
}

impl Handler for Joins {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.names = open.pool("/names")?;
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let (names, key) = (self.names, object.key());
        let found = match object.text()?.split_once(' ').unwrap_or((object.text()?, "")) {
            ("now", _) => emit.read(names, key)?,
            ("at", version) => emit.read_at(names, key, version.parse()?)?,
            ("by", time) => emit.read_by_time(names, key, time.parse()?)?,
            _ => {
                let keys: Vec<&[u8]> = emit.list(names, key)?.collect();
                emit.put(key, &keys.join(&b' '));
                return Ok(());
            }
        };
        let text = found.map_or("absent".to_owned(), |found| {
            format!("{} v{} at {}", String::from_utf8_lossy(found.value), found.version, found.time)
        });
        emit.put(key, text.as_bytes());
        Ok(())
    }
}

fn harness() -> Harness {
    Harness::new(Joins::default()).emits(&["/out"]).reads(
        "/names",
        &[(b"1", b"one"), (b"2", b"two"), (b"2", b"zwei"), (b"11", b"eleven"), (b"10", b"ten")],
    )
}

fn asked(harness: &mut Harness, key: &str, how: &str) -> String {
    harness.put(key.as_bytes(), how.as_bytes()).unwrap();
    String::from_utf8(harness.emitted().last().unwrap().value.clone()).unwrap()
}

#[test]
fn a_pool_can_be_read() {
    let mut harness = harness();
    assert_eq!(asked(&mut harness, "1", "now"), "one v1 at 1");
    assert_eq!(asked(&mut harness, "2", "now"), "zwei v3 at 3");
    assert_eq!(asked(&mut harness, "9", "now"), "absent");
}

#[test]
fn a_key_can_be_read_as_it_was_at_a_version_and_at_a_time() {
    let mut harness = harness();
    assert_eq!(asked(&mut harness, "2", "at 2"), "two v2 at 2");
    assert_eq!(asked(&mut harness, "2", "at 3"), "zwei v3 at 3");
    assert_eq!(asked(&mut harness, "2", "at 1"), "absent");
    assert_eq!(asked(&mut harness, "2", "by 2"), "two v2 at 2");
    assert_eq!(asked(&mut harness, "2", "by 1000"), "zwei v3 at 3");
}

#[test]
fn what_a_key_was_before_a_pool_keeps_it_fails_the_object() {
    let mut harness = harness().forgets("/names", 3);
    for (when, said) in [("at 2", "at version 2"), ("by 2", "at time 2")] {
        let failed = harness.put(b"2", when.as_bytes()).unwrap_err();
        let why = format!(
            "read 2 of pool /names as it was {said}: that is no longer kept; raise `keep` of the pool"
        );
        assert_eq!(failed.message, why);
    }
    assert_eq!(asked(&mut harness, "2", "at 3"), "zwei v3 at 3");
}

#[test]
fn the_keys_of_a_pool_are_listed_by_their_prefix() {
    let mut harness = harness();
    assert_eq!(asked(&mut harness, "1", "list"), "1 10 11");
    assert_eq!(asked(&mut harness, "", "list"), "1 10 11 2");
    assert_eq!(asked(&mut harness, "3", "list"), "");
}

#[test]
fn a_pool_that_may_not_be_read_fails_the_object() {
    let mut harness = Harness::new(Joins::default()).emits(&["/out", "/names"]).reads("/other", &[]);
    for how in ["now", "at 1", "by 1", "list"] {
        let failed = harness.put(b"1", how.as_bytes()).unwrap_err();
        let expected = "pool /names is not declared by this handler; it has /other: add /names to its `read`";
        assert_eq!(failed.message, expected);
    }
}

#[test]
fn a_pool_can_be_read_and_emitted_to() {
    let mut harness = Harness::new(Joins::default()).emits(&["/names"]).reads("/names", &[(b"1", b"one")]);
    harness.put(b"1", b"now").unwrap();
    let emitted = &harness.emitted()[0];
    assert_eq!((&*emitted.pool, &*emitted.value), ("/names", &b"one v1 at 1"[..]));
}

#[test]
fn an_id_that_was_never_asked_for_fails_the_object_and_says_so() {
    for (how, expected) in [
        ("read", "read a pool"),
        ("list", "read a pool"),
        ("put", "emit to a pool"),
        ("put_if", "emit to a pool"),
    ] {
        let handler = move |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
            let none = PoolId::default();
            match how {
                "read" => _ = emit.read(none, object.key())?,
                "list" => _ = emit.list(none, b"")?.len(),
                "put" => emit.put_to(none, object.key(), b""),
                _ => emit.put_to_if(none, object.key(), b"", 0),
            }
            Ok(())
        };
        let mut harness = Harness::new(handler).emits(&["/out"]).reads("/names", &[]);
        let failed = harness.put(b"k", b"").unwrap_err();
        let why = "by `PoolId::default()`, which no pool has: ask for its id in `open`, with `open.pool`";
        assert_eq!(failed.message, format!("{expected} {why}"));
        assert!(harness.emitted().is_empty());
    }
}

#[test]
fn pools_are_named_by_their_paths_too() {
    let handler = |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
        let path = String::from("/names");
        let (found, before) = (emit.read(&path, b"1")?, emit.read_at("/names", b"1", 1)?);
        let [found, before] = [found, before].map(|found| found.expect("it is there"));
        assert_eq!(emit.read_by_time(&path, b"1", 1)?.map(|found| found.version), Some(1));
        assert_eq!(emit.list("/names", b"")?.len(), 1);
        emit.put_to_if("/second", object.key(), found.value, found.version);
        emit.put_to("/out", object.key(), before.value);
        emit.read("/second", b"1").map(drop)
    };
    let harness = || {
        let harness = Harness::new(handler).emits(&["/out", "/second"]);
        harness.reads("/names", &[(b"1", b"one"), (b"1", b"uno")])
    };
    let expected = "pool /second is not declared by this handler; it has /names: add /second to its `read`";
    assert_eq!(harness().put(b"k", b"").unwrap_err().message, expected);
    let mut harness = harness().reads("/second", &[]);
    harness.put(b"k", b"").unwrap();
    let emitted = harness.emitted().iter().map(|one| (&*one.pool, &*one.value, one.previous));
    assert!(emitted.eq([("/second", &b"uno"[..], Some(2)), ("/out", b"one", None)]));
}

#[test]
fn what_was_found_is_read_as_a_type() {
    let handler = |_: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
        let mut found =
            |key: &str| emit.read("/kept", key.as_bytes()).map(|found| found.expect("it is there"));
        assert_eq!(found("number")?.value_as::<u64>()?, 7);
        assert_eq!(found("text")?.text()?, "seven");
        let why = found("text")?.value_as::<u64>().unwrap_err();
        assert_eq!(why.message(), "read the value of version 2 as u64: it has 5 bytes, not 8");
        let why = found("bytes")?.text().unwrap_err();
        assert_eq!(why.message(), "read the value of version 3 as text: it is not UTF-8 at byte 0");
        Ok(())
    };
    let kept: [(&[u8], &[u8]); 3] =
        [(b"number", &7u64.to_le_bytes()), (b"text", b"seven"), (b"bytes", b"\xff")];
    Harness::new(handler).reads("/kept", &kept).put(b"k", b"").unwrap();
}
