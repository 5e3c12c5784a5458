//! Handlers in processes of their own, as the engine sees them: workers of their own, each with an instance.

use crate::bare::{Answer, BARE, Bare, echo, first, items, key, opened, within};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use upcall::{Emit, Object};
use upcall_abi::Status;
use upcall_flow::{ErrorKind, Flow, FlowBuilder, Isolation, OnSpec, Order, Pool};

/// What stands for the host that starts processes.
const PROCESS: Bare = Bare { guest: "process", ..BARE };

fn isolated(workers: usize) -> OnSpec {
    let isolation = Isolation { workers, ..Isolation::default() };
    OnSpec::new("apart", "/in").to("/out").code("bare", "bare", "bare").isolation(isolation)
}

/// Two general workers, a handler of this program that puts its objects on to /in, and the isolated one from there to /out.
fn flow(on: OnSpec, guest: Bare) -> FlowBuilder {
    Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/start"))
        .pool(Pool::new("/in").keep(100))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("spread", "/start").to("/in"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                object.value().split(|byte| *byte == b' ').for_each(|key| emit.put(key, b""));
                Ok(())
            }
        })
        .host(Arc::new(guest))
        .on_guest(on)
}

/// Which instance has seen which key at which version.
type Seen = Mutex<Vec<(u32, String, u64)>>;

fn note(seen: &Seen, frame: &upcall_abi::FlowFrame) {
    let key = |item| String::from_utf8_lossy(key(item)).into_owned();
    let (worker, _) = opened();
    seen.lock().unwrap().extend(items(frame).iter().map(|item| (worker, key(item), item.version)));
}

fn until(so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !so() && begin.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn each_key_belongs_to_one_process_and_comes_in_order() {
    static SEEN: Seen = Mutex::new(Vec::new());
    static FLUSHED: Mutex<Vec<(u32, u32)>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        note(&SEEN, frame);
        echo(frame)
    };
    let flush: Answer = |_| {
        FLUSHED.lock().unwrap().push(opened());
        Status::OK
    };
    let report = within(move || {
        let flow = flow(isolated(3), Bare { answer, flush, ..PROCESS }).start().unwrap();
        let (start, input) = (flow.pool("/start").unwrap(), flow.pool("/in").unwrap());
        let keys: Vec<String> = (0..40).map(|key| format!("key-{key}")).collect();
        for _ in 0..20 {
            start.put_and_forget(b"", keys.join(" ")).unwrap();
            keys.iter().for_each(|key| input.put_and_forget(key, b"").unwrap());
        }
        flow.drain().unwrap();
        flow.report()
    });
    let seen = SEEN.lock().unwrap();
    let mut of_key: HashMap<&str, (u32, u64)> = HashMap::new();
    for (worker, key, version) in &*seen {
        let (owner, last) = of_key.entry(key).or_insert((*worker, 0));
        assert_eq!(owner, worker, "{key}");
        assert!(*last < *version, "{key}: {version} after {last}");
        *last = *version;
    }
    assert_eq!((seen.len(), of_key.len()), (1600, 40));
    let mut flushed = FLUSHED.lock().unwrap().clone();
    flushed.sort_unstable();
    assert_eq!(flushed, [(0, 3), (1, 3), (2, 3)], "each instance once");
    let apart = &report.handlers[1];
    assert_eq!((apart.guest.as_str(), apart.items, report.workers), ("bare, isolated", 1600, 5));
    let shares: Vec<(usize, bool)> =
        apart.by_worker.iter().map(|share| (share.worker, share.items > 0)).collect();
    assert_eq!(shares, [(2, true), (3, true), (4, true)], "workers of its own, behind the general ones");
}

#[test]
fn without_an_order_an_item_goes_to_the_process_that_is_free_first() {
    static OTHERS: AtomicUsize = AtomicUsize::new(0);
    static SLOW: AtomicUsize = AtomicUsize::new(usize::MAX);
    static WITH_SLOW: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        let me = opened().0 as usize;
        if first(frame) == b"slow" {
            SLOW.store(me, SeqCst);
            until(|| OTHERS.load(SeqCst) == 60);
            return echo(frame);
        }
        WITH_SLOW.fetch_add(usize::from(SLOW.load(SeqCst) == me), SeqCst);
        OTHERS.fetch_add(1, SeqCst);
        echo(frame)
    };
    let arrived = within(move || {
        let on = isolated(2).order(Order::Any).batch(1);
        let flow = flow(on, Bare { answer, ..PROCESS }).start().unwrap();
        let keys: Vec<String> = (0..60).map(|key| key.to_string()).collect();
        let start = flow.pool("/start").unwrap();
        start.put_and_forget(b"", "slow").unwrap();
        until(|| SLOW.load(SeqCst) != usize::MAX);
        start.put_and_forget(b"", keys.join(" ")).unwrap();
        flow.drain().unwrap();
        flow.pool("/out").unwrap().list(b"").unwrap().len()
    });
    assert_eq!((arrived, OTHERS.load(SeqCst), WITH_SLOW.load(SeqCst)), (61, 60, 0));
}

#[test]
fn where_the_order_is_single_one_process_sees_one_sequence_of_versions() {
    static SEEN: Seen = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        note(&SEEN, frame);
        echo(frame)
    };
    within(move || {
        let flow = flow(isolated(1).order(Order::Single), Bare { answer, ..PROCESS }).start().unwrap();
        let start = flow.pool("/start").unwrap();
        (0..50).for_each(|round| start.put_and_forget(round.to_string(), "a b c d e f").unwrap());
        flow.drain().unwrap();
    });
    let versions: Vec<u64> = SEEN.lock().unwrap().iter().map(|(_, _, version)| *version).collect();
    assert_eq!(versions, (1..=300).collect::<Vec<_>>());
}

#[test]
fn handlers_of_this_program_on_the_same_pool_see_the_same_objects() {
    static APART: Seen = Mutex::new(Vec::new());
    static HERE: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        note(&APART, frame);
        echo(frame)
    };
    within(move || {
        let flow = flow(isolated(2), Bare { answer, ..PROCESS })
            .handler(OnSpec::new("here", "/in"), || {
                |_: Object<'_>, _: &mut Emit<'_>| {
                    HERE.fetch_add(1, SeqCst);
                    Ok(())
                }
            })
            .start()
            .unwrap();
        let start = flow.pool("/start").unwrap();
        (0..50).for_each(|round| start.put_and_forget(round.to_string(), "a b c d e f").unwrap());
        flow.drain().unwrap();
    });
    assert_eq!((APART.lock().unwrap().len(), HERE.load(SeqCst)), (300, 300));
}

#[test]
fn neither_versions_nor_reads_wait_for_a_process_that_hangs() {
    static GO_ON: AtomicBool = AtomicBool::new(false);
    let answer: Answer = |frame| {
        until(|| GO_ON.load(SeqCst));
        echo(frame)
    };
    within(move || {
        let flow = flow(isolated(1), Bare { answer, ..PROCESS }).start().unwrap();
        let input = flow.pool("/in").unwrap();
        for version in 1..=10 {
            assert_eq!(input.put(b"k", b"v").unwrap().wait().unwrap(), version);
        }
        assert_eq!(input.get(b"k").unwrap().unwrap().version, 10);
        GO_ON.store(true, SeqCst);
        flow.drain().unwrap();
    });
}

#[test]
fn an_item_is_buried_after_as_many_deaths_as_its_handler_says() {
    let dead = within(move || {
        let isolation = Isolation { restarts: 1, ..Isolation::default() };
        let guest = Bare { answer: |_| Status::LOST, ..PROCESS };
        let flow = flow(isolated(1).isolation(isolation), guest).start().unwrap();
        flow.pool("/in").unwrap().put_and_forget(b"k", b"").unwrap();
        flow.drain().unwrap();
        flow.dead_letters("/in").unwrap().remove(0).cause
    });
    assert_eq!(dead.type_name, "lost");
    assert_eq!(dead.message, "the guest died once with this item alone");
}

#[test]
fn without_a_host_for_processes_the_flow_does_not_start() {
    let error = flow(isolated(1), BARE).start().err().expect("there is none").to_string();
    let expected = "load handler apart: no host for handlers in processes of their own; pass the one named process to \
                    `host`, or leave `isolation` out";
    assert_eq!(error, expected);
}

#[test]
fn code_of_this_program_has_no_process_to_run_in() {
    let closure = || |_: Object<'_>, _: &mut Emit<'_>| Ok(());
    for on in [isolated(1), OnSpec::new("apart", "/in").isolation(Isolation::default())] {
        let builder = Flow::builder().pool(Pool::new("/in")).pool(Pool::new("/out"));
        let error = builder.handler(on, closure).start().err().expect("it is refused");
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let expected = "handler apart has `isolation`, but is code of this program";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
