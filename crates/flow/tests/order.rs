//! Per-key order, retries, dead letters: what a flow promises, under failures chosen at random.

use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use upcall::{Batch, BatchHandler, Emit, Failure, Object};
use upcall_flow::{ErrorKind, Flow, FlowBuilder, OnSpec, Order, Pool};

/// One object of a run: its key and how often its handler fails on it.
#[derive(Clone, Debug)]
struct Put {
    key: u8,
    failures: u32,
}

fn puts() -> impl Strategy<Value = Vec<Put>> {
    let failures = prop_oneof![6 => Just(0u32), 1 => 1..=2u32, 1 => Just(99u32)];
    prop::collection::vec((0..6u8, failures).prop_map(|(key, failures)| Put { key, failures }), 1..300)
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Key), Just(Order::Any), Just(Order::Single)]
}

/// Fails on each object as often as its value says, after it has emitted.
#[derive(Default)]
struct Fails {
    tries: HashMap<u32, u32>,
}

impl Fails {
    fn handle(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let index = u32::from_le_bytes(object.value()[..4].try_into()?);
        let failures = u32::from_le_bytes(object.value()[4..].try_into()?);
        emit.put(object.key(), object.value());
        let tries = self.tries.entry(index).or_default();
        *tries += 1;
        if *tries <= failures { Err(Failure::new(format!("failure {tries}"))) } else { Ok(()) }
    }
}

impl upcall::Handler for Fails {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.handle(object, emit)
    }
}

impl BatchHandler for Fails {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        for index in 0..batch.len() {
            self.handle(batch.get(index), emit)?;
            if index % 3 == 0 {
                batch.done(index + 1, emit);
            }
        }
        Ok(())
    }
}

type Arrived = Arc<Mutex<Vec<(u8, u32)>>>;

/// Puts all, drains, and returns what arrived behind the failing handler, as key and index of the put.
fn run(puts: &[Put], retry: u32, order: Order, workers: usize, batch: bool) -> (Vec<(u8, u32)>, Vec<u32>) {
    let arrived = Arrived::default();
    let seen = arrived.clone();
    let on = OnSpec::new("fails", "/in").to("/out").retry(retry).order(order);
    let builder = Flow::builder().workers(workers).batch(16).pool(Pool::trigger("/in"));
    let builder = builder.pool(Pool::trigger("/out"));
    let builder: FlowBuilder = match batch {
        true => builder.handler(on, || upcall::batch(Fails::default())),
        false => builder.handler(on, Fails::default),
    };
    let flow = builder
        .handler(OnSpec::new("seen", "/out").order(Order::Single), move || {
            let seen = seen.clone();
            move |object: Object<'_>, _: &mut Emit<'_>| {
                let index = u32::from_le_bytes(object.value()[..4].try_into()?);
                seen.lock().unwrap().push((object.key()[0] - b'a', index));
                Ok(())
            }
        })
        .start()
        .unwrap();
    let pool = flow.pool("/in").unwrap();
    for (index, put) in (0u32..).zip(puts) {
        let value = [index.to_le_bytes(), put.failures.to_le_bytes()].concat();
        pool.put_and_forget([b'a' + put.key], &value).unwrap();
    }
    flow.drain().unwrap();
    let index = |value: &[u8]| u32::from_le_bytes(value[..4].try_into().unwrap());
    let mut dead: Vec<u32> = flow.dead_letters("/in").unwrap().iter().map(|l| index(&l.value)).collect();
    dead.sort_unstable();
    let arrived = arrived.lock().unwrap().clone();
    (arrived, dead)
}

/// What must be: an object arrives once unless it fails more often than it is retried; then it is dead.
fn expected(puts: &[Put], retry: u32) -> (Vec<u32>, Vec<u32>) {
    (0..puts.len() as u32).partition(|index| puts[*index as usize].failures <= retry)
}

fn check(puts: &[Put], retry: u32, order: Order, workers: usize, batch: bool) {
    let (arrived, dead) = run(puts, retry, order, workers, batch);
    let (alive, buried) = expected(puts, retry);
    assert_eq!(dead, buried, "buried");
    let mut all: Vec<u32> = arrived.iter().map(|(_, index)| *index).collect();
    if order != Order::Any {
        for key in 0..6 {
            let of_key: Vec<u32> = arrived.iter().filter(|(k, _)| *k == key).map(|(_, i)| *i).collect();
            assert!(of_key.is_sorted(), "key {key}: {of_key:?}");
        }
    }
    if order == Order::Single {
        assert!(all.is_sorted(), "{all:?}");
    }
    all.sort_unstable();
    assert_eq!(all, alive, "each arrives once");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn each_object_arrives_once_and_in_order_of_its_key(puts in puts(), retry in 0..3u32, workers in 1..4usize) {
        check(&puts, retry, Order::Key, workers, false);
    }

    #[test]
    fn a_single_handler_keeps_the_order_of_all(puts in puts(), retry in 0..3u32, workers in 1..4usize) {
        check(&puts, retry, Order::Single, workers, false);
    }

    #[test]
    fn without_order_each_object_still_arrives_once(puts in puts(), retry in 0..3u32, workers in 1..4usize) {
        check(&puts, retry, Order::Any, workers, false);
    }

    #[test]
    fn a_batch_handler_that_reports_progress_loses_nothing(puts in puts(), order in order(), workers in 1..4usize) {
        check(&puts, 3, order, workers, true);
    }

    #[test]
    fn without_retries_only_the_culprits_of_a_batch_are_buried(
        mut puts in puts(),
        order in order(),
        workers in 1..4usize,
    ) {
        // What fails once succeeds when it is handed over alone, which is not counted.
        puts.iter_mut().filter(|put| put.failures == 1).for_each(|put| put.failures = 0);
        puts.iter_mut().filter(|put| put.failures == 2).for_each(|put| put.failures = 99);
        check(&puts, 0, order, workers, true);
    }
}

#[test]
fn a_handler_that_fails_on_the_7th_item_of_a_batch_loses_nothing_and_repeats_nothing() {
    let mut puts: Vec<Put> = (0..20).map(|index| Put { key: index % 3, failures: 0 }).collect();
    puts[6].failures = 1;
    check(&puts, 1, Order::Key, 1, false);
    check(&puts, 0, Order::Key, 1, false);
}

#[test]
fn items_that_wait_for_a_retry_keep_no_others_out() -> Result<(), Box<dyn std::error::Error>> {
    let on = OnSpec::new("fails", "/in").retry(3).retry_delay(Duration::from_secs(3600));
    let flow = Flow::builder().workers(1).pool(Pool::trigger("/in")).handler(on, || {
        |object: Object<'_>, _: &mut Emit<'_>| match object.value() {
            b"bad" => Err(Failure::new("not yet")),
            _ => Ok(()),
        }
    });
    let flow = flow.start()?;
    let pool = flow.pool("/in")?;
    let began = Instant::now();
    // More than may be in flight when nothing is known of a handler.
    for number in 0..1000 {
        // All of one key, so that most wait behind the first, and then each of its own.
        let key = if number < 500 { "one".to_owned() } else { format!("key {number}") };
        while let Err(error) = pool.try_put(key.as_bytes(), b"bad") {
            assert_eq!(error.kind(), ErrorKind::WouldBlock);
            assert!(
                began.elapsed() < Duration::from_secs(20),
                "{number} wait for a retry, and no other comes in"
            );
            std::thread::yield_now();
        }
    }
    Ok(())
}

#[test]
fn where_there_is_no_order_an_idle_worker_takes_what_waits_for_a_busy_one()
-> Result<(), Box<dyn std::error::Error>> {
    static WORKERS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let on = OnSpec::new("slow", "/in").order(Order::Any).batch(1);
    let flow = Flow::builder().workers(3).pool(Pool::trigger("/in")).handler(on, || {
        |_: Object<'_>, _: &mut Emit<'_>| {
            let begin = Instant::now();
            WORKERS.lock().unwrap().insert(format!("{:?}", std::thread::current().id()));
            // A worker that takes one is busy until all have taken one.
            while WORKERS.lock().unwrap().len() < 3 && begin.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        }
    });
    let flow = flow.start()?;
    let pool = flow.pool("/in")?;
    // All of one key, and so of one owner.
    (0..60).try_for_each(|_| pool.put_and_forget("k", ""))?;
    flow.drain()?;
    assert_eq!(WORKERS.lock().unwrap().len(), 3);
    Ok(())
}

#[test]
fn what_has_no_order_does_not_wait_for_another_handler_of_its_worker()
-> Result<(), Box<dyn std::error::Error>> {
    static DONE: AtomicBool = AtomicBool::new(false);
    let slow = OnSpec::new("slow", "/keyed");
    let free = OnSpec::new("free", "/any").order(Order::Any);
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/start"))
        .pool(Pool::trigger("/keyed"))
        .pool(Pool::trigger("/any"))
        .handler(OnSpec::new("both", "/start").to("/keyed").to("/any"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                ["/keyed", "/any"].iter().for_each(|path| emit.put_to(*path, object.key(), b""));
                Ok(())
            }
        })
        .handler(free, || {
            |_: Object<'_>, _: &mut Emit<'_>| {
                DONE.store(true, SeqCst);
                Ok(())
            }
        })
        .handler(slow, || {
            |_: Object<'_>, _: &mut Emit<'_>| {
                let begin = Instant::now();
                while !DONE.load(SeqCst) && begin.elapsed() < Duration::from_secs(10) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                DONE.load(SeqCst).then_some(()).ok_or_else(|| Failure::new("the other one has not come"))
            }
        })
        .start()?;
    // Of one key, and so of one worker, in one go.
    for round in 0..10 {
        DONE.store(false, SeqCst);
        // The other worker is to sleep by then: one that is still awake would find it by itself.
        std::thread::sleep(Duration::from_millis(5));
        flow.pool("/start")?.put_and_forget(round.to_string(), "")?;
        flow.settle()?;
    }
    assert_eq!(flow.dead_letters("/keyed")?.len(), 0);
    Ok(())
}
