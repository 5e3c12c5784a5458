//! Older versions: what `get_at` answers is true, or it says that it does not know; and it stays so.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use upcall::{Emit, Object};
use upcall_flow::{ErrorKind, Flow, OnSpec, Pool};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn a_version_before_a_key_was_removed_and_put_again_is_compacted() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = flow.pool("/p")?;
    let put = pool.put(b"k", b"1")?.wait()?;
    let removed = pool.remove(b"k")?.wait()?;
    assert_eq!(pool.get_at(b"k", put).unwrap_err().kind(), ErrorKind::Compacted);
    assert_eq!(pool.get_at(b"k", removed)?, None);
    let again = pool.put(b"k", b"2")?.wait()?;
    let error = pool.get_at(b"k", put).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compacted);
    assert!(error.to_string().contains("keeps 1 version of a key"), "{error}");
    assert_eq!(pool.get_at(b"k", removed)?, None);
    assert_eq!(&*pool.get_at(b"k", again)?.unwrap().value, b"2");
    Ok(())
}

#[test]
fn removing_a_key_again_keeps_what_it_was() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").keep(2)).start()?;
    let pool = flow.pool("/p")?;
    let put = pool.put(b"k", b"1")?.wait()?;
    pool.remove(b"k")?.wait()?;
    let again = pool.remove(b"k")?.wait()?;
    assert_eq!(&*pool.get_at(b"k", put)?.unwrap().value, b"1");
    assert_eq!(pool.get_at(b"k", again)?, None);
    Ok(())
}

/// A put of a value, or a removal.
type Step = (u8, Option<u8>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..4u8, prop::option::weighted(0.7, any::<u8>())), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn every_version_reads_as_it_was_or_is_compacted(steps in steps(), keep in 1..4usize, owned: bool) {
        let builder = Flow::builder().workers(2).pool(Pool::new("/p").keep(keep));
        let builder = if owned {
            builder.handler(OnSpec::new("look", "/p"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(()))
        } else {
            builder
        };
        let flow = builder.start().unwrap();
        let pool = flow.pool("/p").unwrap();
        // By key: its versions and values, as they were.
        let mut model: BTreeMap<u8, BTreeMap<u64, Option<u8>>> = BTreeMap::new();
        let mut newest = 0;
        for (key, value) in steps {
            let ticket = match value {
                Some(value) => pool.put([b'a' + key], [value]),
                None => pool.remove([b'a' + key]),
            };
            newest = ticket.unwrap().wait().unwrap();
            model.entry(key).or_default().insert(newest, value);
        }
        for (key, history) in &model {
            for asked in 1..=newest {
                let was = history.range(..=asked).next_back();
                let last = was.map(|(version, _)| *version) == history.keys().next_back().copied();
                match pool.get_at(&[b'a' + key], asked) {
                    Ok(object) => {
                        let value = object.map(|object| object.value[0]);
                        prop_assert_eq!(value, was.and_then(|(_, value)| *value), "key {} at {}", key, asked);
                    }
                    Err(error) => {
                        prop_assert_eq!(error.kind(), ErrorKind::Compacted);
                        // One that keeps a single version forgets a removed key, and cannot tell whether it was there
                        // before another that was removed later.
                        let forgotten = keep == 1 && was.is_some_and(|(_, value)| value.is_none());
                        prop_assert!(
                            !last || forgotten,
                            "key {}: what it is now is not compacted at {}",
                            key,
                            asked
                        );
                        // Whoever keeps more than one version knows all about a key that has no more.
                        prop_assert!(keep == 1 || history.len() > keep, "key {} at {}", key, asked);
                    }
                }
            }
        }
    }
}

#[test]
fn what_was_read_at_a_version_that_was_seen_is_read_again() -> Done {
    const KEYS: u32 = 64;
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/p").keep(1 << 20))
        .handler(OnSpec::new("spread", "/in").to("/p"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                for number in 0..1000 {
                    emit.put(format!("{}", number % KEYS).as_bytes(), object.key());
                }
                Ok(())
            }
        })
        .handler(OnSpec::new("look", "/p"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(()))
        .start()?;
    let (input, pool, ended) = (flow.pool("/in")?, flow.pool("/p")?, AtomicBool::new(false));
    let read = |key: u32, at: u64| {
        let object = pool.get_at(format!("{key}").as_bytes(), at).unwrap();
        object.map(|object| object.version)
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2u32)
            .map(|reader| {
                let (pool, ended, read) = (&pool, &ended, &read);
                scope.spawn(move || {
                    let mut seen = Vec::new();
                    let mut turn = reader;
                    while !ended.load(SeqCst) {
                        turn = (turn + 7) % KEYS;
                        let newest = pool.get(format!("{turn}").as_bytes()).unwrap();
                        let Some(at) = newest.map(|object| object.version) else { continue };
                        seen.extend((0..KEYS).step_by(5).map(|key| (key, at, read(key, at))));
                    }
                    seen
                })
            })
            .collect();
        for number in 0..200u32 {
            input.put_and_forget(number.to_string().as_bytes(), b"").unwrap();
        }
        flow.drain().unwrap();
        ended.store(true, SeqCst);
        for reader in readers {
            for (key, at, before) in reader.join().unwrap() {
                assert_eq!(read(key, at), before, "key {key} at version {at}");
            }
        }
    });
    Ok(())
}
