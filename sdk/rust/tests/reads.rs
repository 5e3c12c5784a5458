//! What the harness lets a handler read of pools: now, at a version, by time, and which keys there are.

use upcall::{Emit, Failure, Handler, Harness, Object, Open, PoolId};

/// Reads its key as its value says.
#[derive(Default)]
struct Joins {
    names: Option<PoolId>,
}

impl Handler for Joins {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.names = Some(open.pool("/names")?);
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let (names, key) = (self.names.expect("it is opened first"), object.key());
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
    for when in ["at 2", "by 2"] {
        let failed = harness.put(b"2", when.as_bytes()).unwrap_err();
        assert_eq!(failed.message, "read 2 as it was: that is no longer kept; raise `keep` of the pool");
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
