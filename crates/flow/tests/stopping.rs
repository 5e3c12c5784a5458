//! Stopping, draining and starting a flow while it is at work: everybody who waits comes back.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use upcall::{Emit, Failure, Object};
use upcall_flow::{Credit, ErrorKind, Event, Flow, OnSpec, Order, Pool};

/// Runs `body` on a thread of its own: what hangs fails.
fn within<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(body()));
    receive.recv_timeout(Duration::from_secs(40)).expect("it hangs or has panicked")
}

/// With as many retries as there may be it goes on for longer than any test waits.
fn fails_slowly(_: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
    std::thread::sleep(Duration::from_millis(50));
    Err(Failure::new("always"))
}

fn nothing(_: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
    Ok(())
}

#[test]
fn in_a_hurry_what_waits_for_a_retry_is_tried_at_once_and_then_buried() {
    let on = OnSpec::new("fails", "/in").retry(5).retry_delay(Duration::from_secs(3600));
    static TRIED: AtomicU64 = AtomicU64::new(0);
    let flow = Flow::builder().workers(2).pool(Pool::trigger("/in")).handler(on, || {
        |_: Object<'_>, _: &mut Emit<'_>| {
            TRIED.fetch_add(1, SeqCst);
            Err(Failure::new("never"))
        }
    });
    let flow = flow.start().unwrap();
    let input = flow.pool("/in").unwrap();
    ["a", "b", "a"].iter().for_each(|key| input.put_and_forget(key, "").unwrap());
    // The first of each key; the other one waits behind its own.
    within(|| {
        while TRIED.load(SeqCst) < 2 {
            std::thread::yield_now();
        }
    });
    flow.hurry();
    flow.drain().unwrap();
    assert_eq!(TRIED.load(SeqCst), 18);
    let letters = flow.dead_letters("/in").unwrap();
    assert!(letters.iter().all(|letter| letter.attempts == 6), "{letters:?}");
    assert_eq!(letters.len(), 3);
}

#[test]
fn a_stop_is_never_missed_by_a_worker_that_falls_asleep() {
    within(|| {
        for round in 0..3000 {
            let flow = Flow::builder().workers(2).pool(Pool::trigger("/in"));
            let flow = flow.handler(OnSpec::new("idle", "/in"), || nothing).start().unwrap();
            if round % 2 == 0 {
                flow.pool("/in").unwrap().put_and_forget(b"k", b"").unwrap();
            }
            flow.stop().unwrap();
        }
    });
}

#[test]
fn a_stop_does_not_wait_for_retries() {
    for order in [Order::Key, Order::Any, Order::Single] {
        within(move || {
            let tried = Arc::new(AtomicBool::new(false));
            let seen = tried.clone();
            let on = OnSpec::new("fails", "/in").order(order).retry(1000);
            let flow = Flow::builder().pool(Pool::trigger("/in")).handler(on, move || {
                let seen = seen.clone();
                move |object: Object<'_>, emit: &mut Emit<'_>| {
                    seen.store(true, SeqCst);
                    fails_slowly(object, emit)
                }
            });
            let flow = flow.start().unwrap();
            flow.pool("/in").unwrap().put_and_forget(b"k", b"").unwrap();
            while !tried.load(SeqCst) {
                std::thread::yield_now();
            }
            flow.stop().unwrap();
        });
    }
}

#[test]
fn what_waits_to_be_tried_again_holds_up_neither_other_keys_nor_a_stop() {
    for order in [Order::Key, Order::Any, Order::Single] {
        within(move || {
            let (handled, failed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
            let seen = (handled.clone(), failed.clone());
            let on = OnSpec::new("fails", "/in").order(order).retry(3).retry_delay(Duration::from_secs(3600));
            let flow = Flow::builder().pool(Pool::trigger("/in")).handler(on, move || {
                let (handled, failed) = seen.clone();
                move |object: Object<'_>, _: &mut Emit<'_>| {
                    if object.key() == b"bad" {
                        failed.fetch_add(1, SeqCst);
                        return Err(Failure::new("not now"));
                    }
                    handled.fetch_add(1, SeqCst);
                    Ok(())
                }
            });
            // A handler on the same workers.
            let (others, done) = (Arc::new(AtomicU64::new(0)), handled.clone());
            let counted = others.clone();
            let flow = flow.handler(OnSpec::new("other", "/in").order(Order::Single), move || {
                let others = counted.clone();
                move |_: Object<'_>, _: &mut Emit<'_>| {
                    others.fetch_add(1, SeqCst);
                    Ok(())
                }
            });
            let flow = flow.start().unwrap();
            let pool = flow.pool("/in").unwrap();
            for number in 0..50u32 {
                let key = if number == 10 { "bad".to_owned() } else { number.to_string() };
                pool.put(key.as_bytes(), b"").unwrap().wait().unwrap();
            }
            // All but the one; or those before it, where all wait for each other.
            let enough = if order == Order::Single { 10 } else { 49 };
            while others.load(SeqCst) < 50 || done.load(SeqCst) < enough || failed.load(SeqCst) < 1 {
                std::thread::yield_now();
            }
            flow.stop().unwrap();
            assert_eq!((done.load(SeqCst), failed.load(SeqCst)), (enough, 1));
        });
    }
}

#[test]
fn what_is_tried_again_after_a_wait_is_handled_in_order_and_drained() {
    for order in [Order::Key, Order::Single] {
        within(move || {
            let seen = Arc::new(Mutex::new((Vec::new(), 0)));
            let inner = seen.clone();
            let on = OnSpec::new("fails", "/in").order(order).retry(5).retry_delay(Duration::from_millis(1));
            let flow = Flow::builder().pool(Pool::trigger("/in")).handler(on, move || {
                let seen = inner.clone();
                move |object: Object<'_>, _: &mut Emit<'_>| {
                    let mut seen = seen.lock().unwrap();
                    if object.value() == b"20" && seen.1 < 4 {
                        seen.1 += 1;
                        return Err(Failure::new("not now"));
                    }
                    seen.0.push(object.version());
                    Ok(())
                }
            });
            let flow = flow.start().unwrap();
            let pool = flow.pool("/in").unwrap();
            for number in 0..100u32 {
                pool.put_and_forget(b"k", number.to_string().as_bytes()).unwrap();
            }
            flow.drain().unwrap();
            let seen = seen.lock().unwrap();
            assert_eq!((seen.0.as_slice(), seen.1), ((1..=100).collect::<Vec<_>>().as_slice(), 4));
        });
    }
}

#[test]
fn puts_and_tickets_that_wait_are_told_that_the_flow_has_stopped() {
    let kinds = within(|| {
        let flow = Flow::builder()
            .workers(1)
            .credit(Credit { bytes: 1 << 20, items: 2 })
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("fails", "/in").order(Order::Single).retry(1000), || fails_slowly)
            .start()
            .unwrap();
        let pool = flow.pool("/in").unwrap();
        pool.put_and_forget(b"k", b"").unwrap();
        let putters: Vec<_> = (0..4)
            .map(|_| {
                let pool = pool.clone();
                std::thread::spawn(move || {
                    loop {
                        if let Err(error) = pool.put(b"k", b"").and_then(|ticket| ticket.wait()) {
                            return error.kind();
                        }
                    }
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(20));
        drop(flow);
        putters.into_iter().map(|putter| putter.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(kinds, [ErrorKind::Stopped; 4]);
}

#[test]
fn a_flow_may_be_drained_by_several_threads_at_once() {
    within(|| {
        let flow = Flow::builder().workers(2).pool(Pool::trigger("/a")).pool(Pool::trigger("/b"));
        let flow =
            flow.handler(OnSpec::new("x", "/a"), || nothing).handler(OnSpec::new("y", "/b"), || nothing);
        let flow = flow.start().unwrap();
        let pool = flow.pool("/a").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        pool.put_and_forget(b"k", b"").unwrap();
                        flow.drain().unwrap();
                    }
                });
            }
        });
        flow.stop().unwrap();
    });
}

#[test]
fn a_handler_that_retries_does_not_keep_those_before_it_from_working() {
    // What it waits for comes from a handler upstream on the same worker.
    within(|| {
        let open = Arc::new(AtomicBool::new(false));
        let (opens, asks) = (open.clone(), open.clone());
        let flow = Flow::builder()
            .workers(1)
            .batch(1)
            .pool(Pool::trigger("/a"))
            .pool(Pool::trigger("/b"))
            .handler(OnSpec::new("up", "/a").to("/b"), move || {
                let opens = opens.clone();
                move |object: Object<'_>, emit: &mut Emit<'_>| {
                    if object.key() == b"open" {
                        opens.store(true, SeqCst);
                    } else {
                        emit.put(object.key(), b"");
                    }
                    Ok(())
                }
            })
            .handler(OnSpec::new("down", "/b").retry(1000), move || {
                let asks = asks.clone();
                move |_: Object<'_>, _: &mut Emit<'_>| {
                    std::thread::sleep(Duration::from_millis(1));
                    if asks.load(SeqCst) { Ok(()) } else { Err(Failure::new("not open")) }
                }
            })
            .start()
            .unwrap();
        let pool = flow.pool("/a").unwrap();
        pool.put_and_forget(b"k", b"").unwrap();
        pool.put_and_forget(b"open", b"").unwrap();
        flow.drain().unwrap();
        assert_eq!(flow.dead_letters("/b").unwrap(), []);
    });
}

#[test]
fn a_watcher_may_have_endless_patience() {
    within(|| {
        let flow = Flow::builder().pool(Pool::new("/p")).start().unwrap();
        let watch = flow.watch("/p").unwrap();
        flow.pool("/p").unwrap().put_and_forget(b"k", b"").unwrap();
        assert!(matches!(watch.next(Duration::MAX), Some(Event::Put { .. })));
    });
}

#[test]
fn the_report_has_bytes_waits_queues_and_the_share_of_each_worker() {
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("twice", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                std::thread::sleep(Duration::from_millis(1));
                emit.put(object.key(), b"abcd");
                emit.put(object.key(), b"efgh");
                Ok(())
            }
        })
        .handler(OnSpec::new("sink", "/out"), || nothing)
        .start()
        .unwrap();
    let pool = flow.pool("/in").unwrap();
    (0..100u32)
        .for_each(|number| pool.put_and_forget(format!("{number:03}").as_bytes(), b"0123456").unwrap());
    flow.drain().unwrap();
    let report = flow.report();
    let [twice, sink] = &report.handlers[..] else { panic!("two handlers") };
    assert_eq!((twice.bytes_in, twice.bytes_out, sink.bytes_in, sink.bytes_out), (1000, 1400, 1400, 0));
    assert_eq!((twice.queued, sink.queued), (0, 0));
    assert!((1..=100).contains(&twice.peak_queued) && (2..=200).contains(&sink.peak_queued));
    for (handler, items) in [(twice, 100), (sink, 200)] {
        assert_eq!(handler.by_worker.iter().map(|share| share.items).sum::<u64>(), items);
        assert_eq!(handler.by_worker.iter().map(|share| share.worker).collect::<Vec<_>>(), [0, 1]);
        let wait = handler.latency;
        // Each has waited for a handler that takes a millisecond.
        assert!(wait.p50 >= 0.001 && wait.p50 <= wait.p90 && wait.p90 <= wait.p99, "{wait:?}");
        assert!(wait.p99 <= wait.p99_9 && wait.p99_9 <= wait.max, "{wait:?}");
    }
    assert!(report.in_flight_limit >= 16);
    assert!(report.peak_held_bytes > 0);
}

#[test]
fn the_report_counts_an_item_as_often_as_it_was_tried() {
    within(|| {
        let tries = Arc::new(AtomicU64::new(0));
        let counts = tries.clone();
        let flow = Flow::builder()
            .workers(1)
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("fails", "/in").retry(2), move || {
                let counts = counts.clone();
                move |_: Object<'_>, _: &mut Emit<'_>| {
                    counts.fetch_add(1, SeqCst);
                    Err::<(), _>(Failure::new("always"))
                }
            })
            .start()
            .unwrap();
        for number in 0..100u32 {
            flow.pool("/in").unwrap().put_and_forget(number.to_string().as_bytes(), b"").unwrap();
        }
        flow.drain().unwrap();
        let report = &flow.report().handlers[0];
        assert_eq!(tries.load(SeqCst), 300);
        assert_eq!((report.items, report.failed, report.buried), (300, 300, 100));
    });
}

#[test]
fn a_handler_may_stop_its_own_flow() {
    within(|| {
        let own: Arc<Mutex<Option<Flow>>> = Arc::default();
        let inner = own.clone();
        let (send, receive) = mpsc::channel();
        let flow = Flow::builder()
            .workers(2)
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("pill", "/in"), move || {
                let (own, send) = (inner.clone(), send.clone());
                move |_: Object<'_>, _: &mut Emit<'_>| {
                    let flow = own.lock().unwrap().take().expect("one pill is enough");
                    send.send(flow.stop())?;
                    Ok(())
                }
            })
            .start()
            .unwrap();
        let pool = flow.pool("/in").unwrap();
        *own.lock().unwrap() = Some(flow);
        pool.put_and_forget(b"k", b"").unwrap();
        assert_eq!(receive.recv().unwrap(), Ok(()));
    });
}

#[test]
fn nothing_stays_in_flight_of_what_is_refused_removed_or_handled_by_several() {
    within(|| {
        // A single-file handler owns the pool, so what the other one gets is split by key.
        let seen = Arc::new(Mutex::new(Vec::new()));
        let notes = seen.clone();
        let flow = Flow::builder()
            .workers(3)
            .batch(7)
            .pool(Pool::new("/p"))
            .handler(OnSpec::new("one", "/p").order(Order::Single).retry(1), || fails_on_odd)
            .handler(OnSpec::new("keys", "/p").retry(2), move || {
                let notes = notes.clone();
                let mut tried = std::collections::HashSet::new();
                move |object: Object<'_>, emit: &mut Emit<'_>| {
                    if tried.insert(object.version()) {
                        fails_on_odd(object, emit)?;
                    }
                    notes.lock().unwrap().push((object.key().to_vec(), object.version()));
                    Ok(())
                }
            })
            .start()
            .unwrap();
        let pool = flow.pool("/p").unwrap();
        let mut refused = Vec::new();
        for number in 0..2000u32 {
            let key = (number % 13).to_string().into_bytes();
            match number % 5 {
                0 => drop(pool.remove(&key).unwrap()),
                1 => refused.push(pool.put_if(&key, b"", u64::MAX >> 1).unwrap()),
                2 => drop(pool.put_if(&key, b"", 0).unwrap()),
                _ => pool.put_and_forget(&key, b"").unwrap(),
            }
        }
        flow.drain().unwrap();
        assert!(refused.iter().all(|ticket| ticket.wait().unwrap_err().kind() == ErrorKind::Conflict));
        let seen = seen.lock().unwrap();
        assert!(seen.len() >= 800, "{}", seen.len());
        for key in 0..13u32 {
            let key = key.to_string().into_bytes();
            let of_key: Vec<u64> = seen.iter().filter(|(k, _)| *k == key).map(|(_, v)| *v).collect();
            assert!(of_key.is_sorted_by(|a, b| a < b), "key {key:?}: {of_key:?}");
        }
    });
}

fn fails_on_odd(object: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
    if object.version() % 2 == 1 { Err(Failure::new("odd")) } else { Ok(()) }
}

/// Says that it is there, and then waits until it is let go.
fn holds(here: &AtomicBool, go_on: &AtomicBool) {
    here.store(true, SeqCst);
    while !go_on.load(SeqCst) {
        std::thread::yield_now();
    }
}

#[test]
fn no_queue_counts_less_than_is_there_where_a_put_follows_what_a_handler_has_emitted() {
    static HELD: AtomicBool = AtomicBool::new(false);
    static GO_ON: AtomicBool = AtomicBool::new(false);
    let keys = || (0..20).map(|key: u32| key.to_string());
    let report = within(move || {
        let flow = Flow::builder()
            .workers(2)
            .pool(Pool::trigger("/go"))
            .pool(Pool::trigger("/hold"))
            .pool(Pool::trigger("/in"))
            // Each on a worker of its own.
            .handler(OnSpec::new("emits", "/go").to("/in").order(Order::Single), move || {
                move |_: Object<'_>, emit: &mut Emit<'_>| {
                    keys().for_each(|key| emit.put(key.as_bytes(), b""));
                    Ok(())
                }
            })
            .handler(OnSpec::new("holds", "/hold").order(Order::Single), || {
                |_: Object<'_>, _: &mut Emit<'_>| {
                    holds(&HELD, &GO_ON);
                    Ok(())
                }
            })
            .handler(OnSpec::new("counted", "/in"), || nothing)
            .start()
            .unwrap();
        let put = |pool: &str, key: &str| flow.pool(pool).unwrap().put_and_forget(key, "").unwrap();
        let wait = |so: &dyn Fn() -> bool| {
            while !so() {
                std::thread::yield_now()
            }
        };
        put("/hold", "k");
        wait(&|| HELD.load(SeqCst));
        put("/go", "k");
        // The part of the other worker is handled, so that of the one that is held is in its inbox.
        wait(&|| flow.report().handlers[2].items > 0);
        keys().for_each(|key| put("/in", &key));
        GO_ON.store(true, SeqCst);
        flow.drain().unwrap();
        flow.report()
    });
    let counted = &report.handlers[2];
    assert_eq!((counted.items, counted.queued), (40, 0));
}
