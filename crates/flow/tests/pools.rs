//! Pools as a program outside a handler uses them.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use upcall::{Emit, Object};
use upcall_flow::{Error, ErrorKind, Event, Flow, OnSpec, Pool, PoolHandle, ValueType};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn a_put_returns_a_ticket_that_becomes_its_version() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = flow.pool("/p")?;
    let first = pool.put(b"k", b"1")?.wait()?;
    let second = pool.put(b"k", b"2")?.wait()?;
    assert!(second > first && first >= 1);
    let object = pool.get(b"k")?.unwrap();
    assert_eq!((&*object.value, object.version), (&b"2"[..], second));
    assert_eq!(pool.get(b"other")?, None);
    Ok(())
}

#[test]
fn older_versions_are_read_as_they_were_until_they_are_compacted() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").keep(3)).start()?;
    let pool = flow.pool("/p")?;
    let mut versions = Vec::new();
    for value in 0..5u8 {
        versions.push(pool.put(b"k", [value])?.wait()?);
    }
    assert_eq!(pool.get_at(b"k", versions[3])?.unwrap().value[0], 3);
    assert_eq!(pool.get_at(b"k", u64::MAX)?.unwrap().value[0], 4);
    let error = pool.get_at(b"k", versions[1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Compacted);
    assert!(error.to_string().contains("raise its `keep`"), "{error}");
    let kept: Vec<u64> = pool.versions(b"k")?.iter().map(|seen| seen.version).collect();
    assert_eq!(kept, versions[2..]);
    let time = pool.get_at(b"k", versions[2])?.unwrap().time;
    assert_eq!(pool.get_by_time(b"k", time)?.unwrap().version, versions[2]);
    Ok(())
}

#[test]
fn put_if_takes_effect_on_the_version_that_was_read_only() -> Done {
    let flow = Flow::builder()
        .pool(Pool::new("/p"))
        .handler(OnSpec::new("look", "/p"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(()))
        .start()?;
    let pool = flow.pool("/p")?;
    let first = pool.put_if(b"k", b"1", 0)?.wait()?;
    let error = pool.put_if(b"k", b"2", 0)?.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    let expected = format!(
        "put_if k into pool {} if it had no version: it has version {first} now; read the key again and retry",
        pool.path()
    );
    assert_eq!(error.to_string(), expected);
    let second = pool.put_if(b"k", b"2", first)?.wait()?;
    assert_eq!(pool.get(b"k")?.unwrap().version, second);
    Ok(())
}

#[test]
fn of_many_threads_that_increment_with_put_if_each_succeeds_in_the_end() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").values(ValueType::U64)).start()?;
    let pool = flow.pool("/p")?;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    loop {
                        let now = pool.get(b"n").unwrap();
                        let (count, version) = now.map_or((0, 0), |object| {
                            (u64::from_le_bytes(object.value[..].try_into().unwrap()), object.version)
                        });
                        let next = (count + 1).to_le_bytes();
                        if pool.put_if(b"n", next, version).unwrap().wait().is_ok() {
                            break;
                        }
                    }
                }
            });
        }
    });
    assert_eq!(pool.get(b"n")?.unwrap().value[..], 2000u64.to_le_bytes());
    Ok(())
}

#[test]
fn a_removed_key_is_gone_and_its_older_versions_are_not() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").keep(4)).start()?;
    let pool = flow.pool("/p")?;
    let put = pool.put(b"k", b"1")?.wait()?;
    let removed = pool.remove(b"k")?.wait()?;
    assert!(removed > put);
    assert_eq!(pool.get(b"k")?, None);
    assert_eq!(pool.list(b"")?.len(), 0);
    assert_eq!(&*pool.get_at(b"k", put)?.unwrap().value, b"1");
    assert!(pool.versions(b"k")?[1].removed);
    assert!(pool.put_if(b"k", b"2", 0)?.wait()? > removed);
    Ok(())
}

#[test]
fn a_key_removed_from_a_pool_of_one_version_is_forgotten() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = flow.pool("/p")?;
    let put = pool.put(b"k", b"1")?.wait()?;
    let removed = pool.remove(b"k")?.wait()?;
    assert_eq!((pool.get(b"k")?, pool.versions(b"k")?), (None, vec![]));
    assert!(put < removed && removed < pool.put_if(b"k", b"2", 0)?.wait()?);
    Ok(())
}

#[test]
fn list_returns_the_keys_with_a_prefix_in_order() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = flow.pool("/p")?;
    for key in ["b/2", "a/1", "b/1", "c"] {
        pool.put_and_forget(key.as_bytes(), b"")?;
    }
    flow.settle()?;
    let keys: Vec<_> =
        pool.list(b"b/")?.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
    assert_eq!(keys, ["b/1", "b/2"]);
    Ok(())
}

#[test]
fn a_put_with_a_key_that_is_not_utf_8_fails() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let error = flow.pool("/p")?.put_and_forget(b"\xff\xfe", b"").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadKey);
    assert!(error.to_string().contains(r"\xff\xfe") && error.to_string().contains("/p"), "{error}");
    Ok(())
}

#[test]
fn a_put_of_another_size_than_the_pools_type_fails() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").values(ValueType::U64)).start()?;
    let error = flow.pool("/p")?.put_and_forget(b"k", b"1").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadValue);
    assert!(error.to_string().contains("u64 takes 8"), "{error}");
    Ok(())
}

#[test]
fn a_trigger_runs_the_handlers_and_stores_nothing() -> Done {
    let flow = Flow::builder()
        .pool(Pool::new("/in"))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("copy", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                Ok(())
            }
        })
        .start()?;
    flow.pool("/in")?.trigger(b"k", b"v")?;
    flow.drain()?;
    assert_eq!(flow.pool("/in")?.get(b"k")?, None);
    assert_eq!(&*flow.pool("/out")?.get(b"k")?.unwrap().value, b"v");
    Ok(())
}

#[test]
fn reading_a_trigger_pool_is_an_error_that_says_so() -> Done {
    let flow = Flow::builder().pool(Pool::trigger("/t")).start()?;
    let error = flow.pool("/t")?.get(b"k").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StoresNothing);
    let error = flow.pool("/t")?.put_if("k", "", 0).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::StoresNothing);
    let expected = "put_if into pool /t: it is a trigger pool and stores nothing: `put` it instead, or make the pool's \
                    `kind` \"volatile\"";
    assert_eq!(error.to_string(), expected);
    Ok(())
}

#[test]
fn a_pool_that_is_not_there_is_named_with_those_that_are_and_the_nearest() -> Done {
    let flow = Flow::builder().pool(Pool::new("/in")).pool(Pool::new("/out")).start()?;
    let said = |error: Option<Error>| {
        let error = error.expect("there is no such pool");
        assert_eq!(error.kind(), ErrorKind::NoPool);
        error.to_string()
    };
    let open = |path| said(flow.pool(path).err());
    assert_eq!(
        open("/ou"),
        "open pool /ou: there is no such pool; the flow has /in, /out; did you mean /out?"
    );
    assert_eq!(open("/other"), "open pool /other: there is no such pool; the flow has /in, /out");
    assert!(open("/dead/ou").ends_with("did you mean /dead/out?"));
    assert_eq!(
        said(flow.watch("/nosuch").err()),
        "watch /nosuch: no pool is there or below; the flow has /in, /out"
    );
    assert_eq!(said(flow.watch("").err()), "watch an empty path: `/` is all pools; the flow has /in, /out");
    let letters = |pool| said(flow.dead_letters(pool).err());
    assert_eq!(
        letters("/ou"),
        "read dead letters of /ou: there is no such pool; the flow has /in, /out; did you mean /out?"
    );
    assert_eq!(
        letters("/dead/out"),
        "read dead letters of /dead/out: it is a dead pool itself, so name the pool that the items were put into; the \
         flow has /in, /out; did you mean /out?"
    );
    Ok(())
}

/// Each call that waits, by the name that its refusal says first.
type Waits = (&'static str, fn(&PoolHandle) -> Result<(), Error>);

#[test]
fn what_may_not_wait_in_a_handler_is_named_with_its_pool() -> Done {
    const WAITS: [Waits; 4] = [
        ("put into pool /in, `try_put`", |pool| pool.put_and_forget("k", "")),
        ("put into pool /in, `try_put_if`", |pool| pool.put_if("k", "", 0).map(drop)),
        ("trigger pool /in, `try_trigger`", |pool| pool.trigger("k", "")),
        ("remove from pool /in, `try_remove`", |pool| pool.remove("k").map(drop)),
    ];
    let (own, said) = (Arc::new(OnceLock::<PoolHandle>::new()), Arc::new(Mutex::new(Vec::new())));
    let (pool, refused) = (own.clone(), said.clone());
    let handle = move |_: Object<'_>, _: &mut Emit<'_>| {
        let pool = pool.get().expect("it is set before the put");
        let refusals = WAITS.map(|(_, wait)| wait(pool).expect_err("it would wait").to_string());
        refused.lock().unwrap().extend(refusals);
        Ok(())
    };
    let flow = Flow::builder()
        .pool(Pool::new("/in"))
        .handler(OnSpec::new("waits", "/in"), move || handle.clone())
        .start()?;
    let _ = own.set(flow.pool("/in")?);
    flow.pool("/in")?.put_and_forget("k", "")?;
    flow.drain()?;
    let expected = WAITS.map(|(call, _)| {
        let (call, instead) = call.split_once(", ").expect("two parts");
        format!(
            "{call} from inside a handler of the same flow: it would wait for itself; use `emit`, or {instead}, which \
             never waits"
        )
    });
    assert_eq!(*said.lock().unwrap(), expected);
    Ok(())
}

#[test]
fn a_slow_watcher_is_told_what_it_missed_and_does_not_stall_the_flow() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p/a")).pool(Pool::new("/p/b")).start()?;
    let watch = flow.watch("/p")?;
    let pool = flow.pool("/p/a")?;
    flow.pool("/p/b")?.put_and_forget(b"first", b"")?;
    for number in 0..5000u32 {
        pool.put_and_forget(number.to_string().as_bytes(), b"v")?;
    }
    pool.remove(b"0")?.wait()?;
    let (mut seen, mut missed) = (0, 0);
    while let Some(event) = watch.next(Duration::from_millis(200)) {
        match event {
            Event::Put { .. } => seen += 1,
            Event::Removed { .. } => unreachable!("it is among the missed"),
            Event::Missed { pool, count, first, last } => {
                assert_eq!(&*pool, "/p/a");
                assert_eq!(last - first + 1, count);
                missed += count;
            }
        }
    }
    assert!(missed > 0);
    assert_eq!(seen + missed, 5002);
    pool.put_and_forget(b"again", b"")?;
    assert!(matches!(watch.next(Duration::from_secs(5)), Some(Event::Put { .. })));
    Ok(())
}

#[test]
fn what_a_watcher_misses_in_a_row_is_one_event() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let (watch, pool) = (flow.watch("/p")?, flow.pool("/p")?);
    for number in 0..4200u32 {
        pool.put_and_forget(number.to_string().into_bytes(), b"")?;
    }
    assert!(watch.next(Duration::ZERO).is_some());
    pool.put_and_forget(b"late", b"")?;
    let events: Vec<Event> = std::iter::from_fn(|| watch.next(Duration::ZERO)).collect();
    assert_eq!(events.len(), 4096);
    assert!(matches!(events.last(), Some(Event::Missed { count: 105, first: 4097, last: 4201, .. })));
    Ok(())
}

#[test]
fn a_million_distinct_keys_are_kept_and_found() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").values(ValueType::U32)).start()?;
    let pool = flow.pool("/p")?;
    for number in 0..1_000_000u32 {
        pool.put_and_forget(format!("key-{number}").as_bytes(), number.to_le_bytes())?;
    }
    flow.drain()?;
    assert_eq!(pool.list(b"key-")?.len(), 1_000_000);
    for number in [0, 1, 77_777, 999_999u32] {
        assert_eq!(pool.get(format!("key-{number}").as_bytes())?.unwrap().value[..], number.to_le_bytes());
    }
    Ok(())
}
