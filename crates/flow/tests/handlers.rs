//! What a handler sees and what happens when it goes wrong.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock};
use upcall::{Batch, BatchHandler, Emit, Failure, Handler, Object, Open, PoolId};
use upcall_flow::{Credit, ErrorKind, Flow, FlowBuilder, OnSpec, Order, Pool, PoolHandle, ValueType};

type Done = Result<(), Box<dyn std::error::Error>>;
type Seen = Arc<Mutex<Vec<String>>>;

/// Notes sender, pool and key of what it gets.
#[derive(Clone, Default)]
struct Notes {
    seen: Seen,
}

impl Handler for Notes {
    fn on_object(&mut self, object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let note = format!("{} {} {}", object.sender_name(), object.pool_path(), object.key_str());
        self.seen.lock().unwrap().push(note);
        Ok(())
    }
}

fn one(on: OnSpec, handler: fn(Object<'_>, &mut Emit<'_>) -> Result<(), Failure>) -> FlowBuilder {
    let builder = Flow::builder().workers(1).pool(Pool::trigger("/in")).pool(Pool::new("/out"));
    builder.pool(Pool::new("/other").values(ValueType::U64)).handler(on, move || handler)
}

#[test]
fn a_panic_buries_its_item_with_the_place() -> Done {
    let flow = one(OnSpec::new("panics", "/in").to("/out"), |object, emit| {
        emit.put(object.key(), b"lost");
        assert!(object.key() != b"bad", "no such key: {}", object.key_str());
        Ok(())
    })
    .start()?;
    let pool = flow.pool("/in")?;
    pool.put_and_forget(b"good", b"")?;
    pool.put_and_forget(b"bad", b"value")?;
    flow.drain()?;
    assert_eq!(flow.pool("/out")?.list(b"")?, [Box::from(*b"good")]);
    let letters = flow.dead_letters("/in")?;
    let [letter] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!((&*letter.key, &*letter.value, letter.attempts), ("bad", &b"value"[..], 1));
    assert_eq!(letter.trace, ["input", "/in", "panics"]);
    assert_eq!((&*letter.cause.type_name, &*letter.cause.message), ("panic", "no such key: bad"));
    assert!(letter.cause.stack.contains("handlers.rs"), "{}", letter.cause.stack);
    Ok(())
}

#[test]
fn emitting_to_a_pool_that_is_not_declared_buries_the_item() -> Done {
    let flow = one(OnSpec::new("strays", "/in").to("/out"), |object, emit| {
        emit.put_to("/other", object.key(), &[0; 8]);
        Ok(())
    })
    .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    let message = &flow.dead_letters("/in")?[0].cause.message;
    assert!(message.contains("/other") && message.contains("`to`"), "{message}");
    assert_eq!(flow.pool("/other")?.list(b"")?.len(), 0);
    Ok(())
}

#[test]
fn emitting_a_key_that_is_not_utf_8_buries_the_item_and_all_it_emitted() -> Done {
    let flow = one(OnSpec::new("garbles", "/in").to("/out").retry(2), |object, emit| {
        emit.put(&[object.key(), b"-before"].concat(), b"");
        emit.put(if object.key() == b"2" { b"\xff" } else { object.key() }, b"");
        emit.put(&[object.key(), b"-after"].concat(), b"");
        Ok(())
    })
    .start()?;
    for key in ["1", "2", "3"] {
        flow.pool("/in")?.put_and_forget(key.as_bytes(), b"")?;
    }
    flow.drain()?;
    let keys = flow.pool("/out")?.list(b"")?;
    let keys: Vec<&str> = keys.iter().map(|key| std::str::from_utf8(key).unwrap()).collect();
    assert_eq!(keys, ["1", "1-after", "1-before", "3", "3-after", "3-before"]);
    let letter = &flow.dead_letters("/in")?[0];
    assert_eq!((&*letter.key, &*letter.cause.type_name), ("2", "bad emission"));
    assert!(letter.cause.message.contains(r"\xff"), "{}", letter.cause.message);
    Ok(())
}

#[test]
fn an_emission_that_is_refused_at_a_retry_says_how_often_the_item_was_tried() -> Done {
    let mut tries = 0;
    let flow = Flow::builder()
        .workers(1)
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("garbles", "/in").to("/out").retry(5), move || {
            move |_: Object<'_>, emit: &mut Emit<'_>| {
                tries += 1;
                if tries < 3 {
                    return Err(Failure::new("not yet"));
                }
                emit.put(b"\xff", b"");
                Ok(())
            }
        })
        .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    let letters = flow.dead_letters("/in")?;
    let [letter] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!((&*letter.cause.type_name, letter.attempts), ("bad emission", 3));
    Ok(())
}

#[test]
fn in_a_batch_that_fails_as_a_whole_the_culprit_was_tried_once() -> Done {
    struct Picky(Seen);
    impl BatchHandler for Picky {
        fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            for index in 0..batch.len() {
                if batch.get(index).key() == b"bad" {
                    return Err(Failure::new("bad"));
                }
            }
            let keys = (0..batch.len()).map(|index| batch.get(index).key_str().to_owned());
            self.0.lock().unwrap().extend(keys);
            Ok(())
        }
    }
    let seen = Seen::default();
    let inner = seen.clone();
    let flow = Flow::builder()
        .workers(1)
        .pool(Pool::trigger("/start"))
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("spread", "/start").to("/in"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                object.value().split(|byte| *byte == b' ').for_each(|key| emit.put(key, b""));
                Ok(())
            }
        })
        .handler(OnSpec::new("picky", "/in"), move || upcall::batch(Picky(inner.clone())))
        .start()?;
    flow.pool("/start")?.put_and_forget(b"", b"a b bad c bad d")?;
    flow.drain()?;
    let letters = flow.dead_letters("/in")?;
    let tried: Vec<_> = letters.iter().map(|letter| (&*letter.key, letter.attempts)).collect();
    assert_eq!(tried, [("bad", 1), ("bad", 1)]);
    assert_eq!(*seen.lock().unwrap(), ["a", "b", "c", "d"]);
    Ok(())
}

#[test]
fn emitting_a_value_of_another_size_than_the_pools_type_buries_the_item() -> Done {
    let flow = one(OnSpec::new("short", "/in").to("/other"), |object, emit| {
        emit.put(object.key(), b"1234");
        Ok(())
    })
    .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    let message = &flow.dead_letters("/in")?[0].cause.message;
    assert!(message.contains("has 4 bytes") && message.contains("u64 takes 8"), "{message}");
    Ok(())
}

/// A flow with /in and /p whose handler calls `put` with the pool in the cell.
fn puts(
    cell: &Arc<OnceLock<PoolHandle>>,
    put: fn(&PoolHandle, &[u8]) -> Result<(), upcall_flow::Error>,
) -> Result<Flow, upcall_flow::Error> {
    let cell = cell.clone();
    let on = OnSpec::new("puts", "/in").to("/p");
    let builder = Flow::builder().pool(Pool::trigger("/in")).pool(Pool::new("/p"));
    let flow = builder.credit(Credit { bytes: 1 << 20, items: 8 }).handler(on, move || {
        let cell = cell.clone();
        move |object: Object<'_>, _: &mut Emit<'_>| Ok(put(cell.wait(), object.key())?)
    });
    flow.start()
}

#[test]
fn a_put_from_inside_a_handler_of_the_same_flow_is_an_error_that_names_emit() -> Done {
    let own = Arc::default();
    let flow = puts(&own, |pool, key| pool.put_and_forget(key, b""))?;
    own.get_or_init(|| flow.pool("/p").expect("it is there"));
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    let message = &flow.dead_letters("/in")?[0].cause.message;
    assert!(message.contains("use `emit`, or `try_put`"), "{message}");
    Ok(())
}

#[test]
fn a_handler_may_put_into_another_flow_and_wait_for_it() -> Done {
    let other = Flow::builder().pool(Pool::new("/p")).start()?;
    let pool = Arc::new(OnceLock::from(other.pool("/p")?));
    let flow = puts(&pool, |pool, key| pool.put(key, b"")?.wait().map(drop))?;
    for number in 0..100u32 {
        flow.pool("/in")?.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    assert_eq!(flow.dead_letters("/in")?, []);
    assert_eq!(other.pool("/p")?.list(b"")?.len(), 100);
    Ok(())
}

#[test]
fn a_handler_may_try_to_put_into_its_own_flow_within_the_credit() -> Done {
    let own = Arc::default();
    // Each object leads to two more, as long as there is credit. A batch of all that is in flight leads to none.
    let flow = puts(&own, |pool, key| {
        for side in [b"l", b"r"] {
            match pool.try_put([key, side].concat(), b"") {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                result => result?,
            }
        }
        Ok(())
    })?;
    own.get_or_init(|| flow.pool("/in").expect("it is there"));
    while flow.report().handlers[0].items < 1000 {
        flow.pool("/in")?.put_and_forget(b"k", b"")?;
    }
    assert_eq!(flow.dead_letters("/in")?, []);
    flow.stop()?;
    Ok(())
}

#[test]
fn all_handlers_on_a_prefix_are_called_and_told_sender_and_pool() -> Done {
    let notes = Notes::default();
    let (first, second) = (notes.clone(), notes.clone());
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/a"))
        .pool(Pool::trigger("/a/b"))
        .pool(Pool::trigger("/ab"))
        .handler(OnSpec::new("copy", "/a/b").to("/ab"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), b"");
                Ok(())
            }
        })
        .handler(OnSpec::new("all", "/a").order(Order::Single), move || first.clone())
        .handler(OnSpec::new("rest", "/ab"), move || second.clone())
        .start()?;
    flow.pool("/a")?.put_and_forget(b"1", b"")?;
    flow.pool("/a/b")?.put_and_forget(b"2", b"")?;
    flow.drain()?;
    let mut seen = notes.seen.lock().unwrap().clone();
    seen.sort();
    assert_eq!(seen, ["copy /ab 2", "input /a 1", "input /a/b 2"]);
    Ok(())
}

#[test]
fn a_handler_may_read_a_pool() -> Done {
    struct Joins(Option<PoolId>);
    impl Handler for Joins {
        fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
            self.0 = Some(open.pool("/names")?);
            Ok(())
        }
        fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
            let name = emit.read(self.0.expect("set when opened"), object.value())?;
            emit.put(object.key(), name.map_or(b"nobody", |found| found.value));
            Ok(())
        }
    }
    let flow = Flow::builder()
        .pool(Pool::new("/names"))
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("join", "/in").to("/out").read("/names"), || Joins(None))
        .start()?;
    flow.pool("/names")?.put(b"7", b"Ruth")?.wait()?;
    flow.pool("/in")?.put_and_forget(b"x", b"7")?;
    flow.pool("/in")?.put_and_forget(b"y", b"8")?;
    flow.drain()?;
    assert_eq!(&*flow.pool("/out")?.get(b"x")?.unwrap().value, b"Ruth");
    assert_eq!(&*flow.pool("/out")?.get(b"y")?.unwrap().value, b"nobody");
    Ok(())
}

#[test]
fn the_values_of_a_blittable_pool_lie_side_by_side() -> Done {
    struct Sums(u64, Seen);
    impl BatchHandler for Sums {
        fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            let (bytes, stride) = batch.values().ok_or_else(|| Failure::new("scattered"))?;
            assert_eq!((bytes.len(), stride), (8 * batch.len(), 8));
            self.0 += bytes.chunks(8).map(|v| u64::from_le_bytes(v.try_into().unwrap())).sum::<u64>();
            Ok(())
        }
        fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
            self.1.lock().unwrap().push(self.0.to_string());
            Ok(())
        }
    }
    let seen = Seen::default();
    let inner = seen.clone();
    let flow = Flow::builder()
        .pool(Pool::new("/n").values(ValueType::U64))
        .handler(OnSpec::new("sum", "/n").order(Order::Single), move || upcall::batch(Sums(0, inner.clone())))
        .start()?;
    for number in 0..1000u64 {
        flow.pool("/n")?.put_and_forget(number.to_string().as_bytes(), number.to_le_bytes())?;
    }
    flow.drain()?;
    assert_eq!(*seen.lock().unwrap(), ["499500"]);
    Ok(())
}

#[test]
fn flush_runs_upstream_first_and_may_emit() -> Done {
    struct Counts(u32, Seen);
    impl Handler for Counts {
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            self.0 += 1;
            Ok(())
        }
        fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
            self.1.lock().unwrap().push(self.0.to_string());
            emit.put(b"total", self.0.to_string().as_bytes());
            Ok(())
        }
    }
    let seen = Seen::default();
    let (first, second) = (seen.clone(), seen.clone());
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/mid"))
        .pool(Pool::new("/out"))
        // Declared downstream first, so that the order of declaration is not what decides.
        .handler(OnSpec::new("down", "/mid").to("/out").order(Order::Single), move || {
            Counts(0, second.clone())
        })
        .handler(OnSpec::new("up", "/in").to("/mid").order(Order::Single), move || Counts(0, first.clone()))
        .start()?;
    for key in ["a", "b", "c"] {
        flow.pool("/in")?.put_and_forget(key.as_bytes(), b"")?;
    }
    flow.drain()?;
    assert_eq!(*seen.lock().unwrap(), ["3", "1"]);
    assert_eq!(&*flow.pool("/out")?.get(b"total")?.unwrap().value, b"1");
    Ok(())
}

#[test]
fn a_handler_that_fails_at_its_flush_fails_the_drain() -> Done {
    struct Fails;
    impl Handler for Fails {
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }
        fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
            Err(Failure::new("the disk is full"))
        }
    }
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("last", "/in").order(Order::Single), || Fails)
        .start()?;
    let error = flow.drain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Flush);
    let error = error.to_string();
    assert!(error.contains("handler last") && error.contains("the disk is full"), "{error}");
    Ok(())
}

#[test]
fn a_handler_that_cannot_be_opened_stops_the_start() {
    struct Refuses;
    impl Handler for Refuses {
        fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
            open.pool("/nowhere").map(drop)
        }
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }
    }
    let flow =
        Flow::builder().pool(Pool::trigger("/in")).handler(OnSpec::new("x", "/in"), || Refuses).start();
    let error = flow.err().expect("it refuses");
    assert_eq!(error.kind(), ErrorKind::Load);
    assert!(
        error.to_string().contains("open handler x") && error.to_string().contains("/nowhere"),
        "{error}"
    );
}

#[test]
fn keys_are_spread_over_the_workers() -> Done {
    for workers in [2, 3, 7] {
        let flow = Flow::builder()
            .workers(workers)
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("count", "/in"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(()))
            .start()?;
        let pool = flow.pool("/in")?;
        for number in 0..7000 {
            pool.put_and_forget(format!("key-{number}").as_bytes(), b"")?;
        }
        flow.drain()?;
        let shares: Vec<u64> = flow.report().handlers[0].by_worker.iter().map(|share| share.items).collect();
        let fair = 7000 / workers as u64;
        let even = |share: &u64| (fair * 4 / 5..=fair * 6 / 5).contains(share);
        assert!(shares.len() == workers && shares.iter().all(even), "{shares:?}");
    }
    Ok(())
}

#[test]
fn a_handler_is_given_the_same_hash_for_the_same_key_whoever_put_it() -> Done {
    let (known, wrong) = (Arc::new(Mutex::new(HashMap::new())), Arc::new(AtomicU64::new(0)));
    let inner = (known.clone(), wrong.clone());
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("pass", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.key());
                Ok(())
            }
        })
        .handler(OnSpec::new("compare", "/"), move || {
            let (known, wrong) = inner.clone();
            move |object: Object<'_>, _: &mut Emit<'_>| {
                let mut known = known.lock().map_err(|_| Failure::new("another handler panicked"))?;
                let hash = *known.entry(object.key().to_vec()).or_insert(object.key_hash());
                wrong.fetch_add(u64::from(hash != object.key_hash()), SeqCst);
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    for len in 0..40 {
        // Letters of two bytes too.
        pool.put_and_forget("a".repeat(len), b"")?;
        pool.put_and_forget("\u{e9}".repeat(len), b"")?;
    }
    flow.drain()?;
    assert_eq!((known.lock().unwrap().len(), wrong.load(SeqCst)), (79, 0));
    Ok(())
}
