//! Uses that are unusual and allowed, or refused with a reason.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use upcall::{Emit, Object};
use upcall_flow::{ErrorKind, Event, Flow, OnSpec, Pool, ValueType};

type Done = Result<(), Box<dyn std::error::Error>>;

#[test]
fn the_empty_key_is_a_key() -> Done {
    let flow = Flow::builder()
        .pool(Pool::new("/in").keep(2))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("copy", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                Ok(())
            }
        })
        .start()?;
    let (pool, out) = (flow.pool("/in")?, flow.pool("/out")?);
    let version = pool.put(b"", b"v")?.wait()?;
    pool.put(b"", b"")?.wait()?;
    flow.drain()?;
    assert_eq!(&*pool.get_at(b"", version)?.unwrap().value, b"v");
    assert_eq!(out.list(b"")?, [Box::from(*b"")]);
    assert!(out.get(b"")?.unwrap().value.is_empty());
    pool.remove(b"")?.wait()?;
    assert_eq!((pool.get(b"")?, pool.versions(b"")?.len()), (None, 2));
    Ok(())
}

#[test]
fn a_key_that_is_not_utf_8_is_found_nowhere_and_not_removed() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p").values(ValueType::U64)).start()?;
    let pool = flow.pool("/p")?;
    pool.put("ä".as_bytes(), [0; 8])?.wait()?;
    assert_eq!(pool.get(b"\xff")?, None);
    assert_eq!(pool.get_at(b"\xff", 1)?, None);
    // A prefix may end within a character.
    assert_eq!(pool.list(b"\xc3")?.len(), 1);
    let error = pool.remove(b"\xff").err().expect("refused");
    assert_eq!(error.kind(), ErrorKind::BadKey);
    assert!(error.to_string().starts_with("remove from pool /p: a key for /p is not UTF-8"), "{error}");
    Ok(())
}

#[test]
fn a_watcher_sees_puts_and_removals_of_a_key_in_order() -> Done {
    for handled in [false, true] {
        let builder = Flow::builder().workers(2).pool(Pool::new("/p"));
        let builder = match handled {
            true => builder.handler(OnSpec::new("look", "/p"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(())),
            false => builder,
        };
        let flow = builder.start()?;
        let (pool, watch) = (flow.pool("/p")?, flow.watch("/")?);
        let mut versions = Vec::new();
        for _ in 0..100 {
            versions.push((pool.put(b"k", b"v")?, false));
            versions.push((pool.remove(b"k")?, true));
        }
        for (ticket, removed) in versions {
            match watch.next(Duration::from_secs(20)) {
                Some(Event::Put { object, .. }) => {
                    assert_eq!((object.version, false), (ticket.wait()?, removed))
                }
                Some(Event::Removed { version, .. }) => {
                    assert_eq!((version, true), (ticket.wait()?, removed))
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(pool.get(b"k")?, None);
    }
    Ok(())
}

#[test]
fn a_handler_may_drop_its_own_flow_while_others_wait_for_it() {
    let own: Arc<Mutex<Option<Arc<Flow>>>> = Arc::default();
    let inner = own.clone();
    let flow = Flow::builder().workers(2).pool(Pool::trigger("/in")).handler(
        OnSpec::new("pill", "/in"),
        move || {
            let own = inner.clone();
            move |_: Object<'_>, _: &mut Emit<'_>| {
                // The last one, once the others have given theirs up.
                let mut flow = own.lock().unwrap().take();
                while let Some(shared) = flow.take() {
                    flow = Arc::try_unwrap(shared).map_or_else(
                        |shared| {
                            std::thread::yield_now();
                            Some(shared)
                        },
                        |flow| {
                            drop(flow);
                            None
                        },
                    );
                }
                Ok(())
            }
        },
    );
    let flow = Arc::new(flow.start().unwrap());
    let pool = flow.pool("/in").unwrap();
    let ticket = pool.put(b"k", b"");
    *own.lock().unwrap() = Some(flow);
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let told = loop {
            if let Err(error) = pool.put(b"k", b"").and_then(|ticket| ticket.wait()) {
                break error.kind();
            }
        };
        send.send((told, ticket.is_ok()))
    });
    assert_eq!(receive.recv_timeout(Duration::from_secs(20)), Ok((ErrorKind::Stopped, true)));
}

#[test]
fn a_pool_outlives_its_flow_for_reading() -> Done {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = flow.pool("/p")?;
    let version = pool.put(b"k", b"v")?.wait()?;
    drop(flow);
    assert_eq!(pool.put_and_forget(b"k", b"").unwrap_err().kind(), ErrorKind::Stopped);
    assert_eq!(pool.remove(b"k").err().map(|error| error.kind()), Some(ErrorKind::Stopped));
    assert_eq!(pool.get_at(b"k", version)?.unwrap().version, version);
    Ok(())
}

#[test]
fn a_flow_may_have_thousands_of_pools() -> Done {
    const POOLS: usize = 3000;
    let mut builder = Flow::builder().workers(2);
    for number in 0..POOLS {
        builder = builder.pool(Pool::new(format!("/p/{number}")));
    }
    let seen = Arc::new(Mutex::new(0));
    let inner = seen.clone();
    let on = OnSpec::new("counts", "/p").to("/p/7").cycle();
    let flow = builder.handler(on, move || {
        let seen = inner.clone();
        move |_: Object<'_>, _: &mut Emit<'_>| {
            *seen.lock().unwrap() += 1;
            Ok(())
        }
    });
    let flow = flow.start()?;
    let watch = flow.watch("/")?;
    for number in 0..POOLS {
        let pool = flow.pool(&format!("/p/{number}"))?;
        for key in ["a", "b", "c"] {
            pool.put_and_forget(key.as_bytes(), b"")?;
        }
    }
    flow.drain()?;
    assert_eq!(*seen.lock().unwrap(), 3 * POOLS);
    assert!(watch.next(Duration::ZERO).is_some());
    assert_eq!(flow.report().pools.len(), POOLS);
    Ok(())
}
