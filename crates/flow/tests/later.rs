//! Handlers of this program that answer later: futures in a flow.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};
use tokio::time::sleep;
use upcall::{AsyncHandler, Emit, Ended, Failure, Object, Open, PoolId, later};
use upcall_flow::{DeadLetter, Flow, FlowBuilder, OnSpec, Order, Pool};

type Done = Result<(), Failure>;

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn flow() -> FlowBuilder {
    Flow::builder().workers(2).pool(Pool::trigger("/in")).pool(Pool::new("/out"))
}

fn on() -> OnSpec {
    OnSpec::new("later", "/in").to("/out")
}

fn put(flow: &Flow, keys: impl IntoIterator<Item = String>) {
    let input = flow.pool("/in").unwrap();
    keys.into_iter().for_each(|key| input.put_and_forget(key, b"").unwrap());
}

/// What has come out, and what was buried.
fn drained(flow: &Flow) -> (Vec<String>, Vec<DeadLetter>) {
    flow.drain().unwrap();
    let keys = flow.pool("/out").unwrap().list(b"").unwrap();
    let keys = keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
    (keys, flow.dead_letters("/in").unwrap())
}

#[test]
fn items_that_wait_overlap_up_to_in_flight() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    async fn waits(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        sleep(ms(10)).await;
        OPEN.fetch_sub(1, SeqCst);
        emit.put(object.key(), b"");
        Ok(())
    }
    let flow = flow().handler(on(), || later(waits)).start().unwrap();
    let begin = Instant::now();
    put(&flow, (0..100).map(|key| key.to_string()));
    let (out, dead) = drained(&flow);
    assert!(begin.elapsed() < ms(900), "{:?}", begin.elapsed());
    assert_eq!((out.len(), dead.len()), (100, 0));
    assert!((20..=100).contains(&MOST.load(SeqCst)), "{MOST:?}");
}

#[test]
fn a_future_that_is_ready_is_answered_in_every_order() {
    for order in [Order::Key, Order::Any, Order::Single] {
        let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
            if object.key().ends_with(b"7") {
                tokio::task::yield_now().await;
            }
            emit.put(object.key(), &[0; 5000]);
            Ok(())
        };
        let flow = flow().handler(on().order(order), move || later(handler)).start().unwrap();
        put(&flow, (0..2000).map(|key| key.to_string()));
        let (out, dead) = drained(&flow);
        assert_eq!((out.len(), dead.len()), (2000, 0));
    }
}

#[test]
fn a_failure_and_a_panic_after_an_await_bury_their_items_with_what_they_said() {
    async fn fails(object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        emit.put(object.key(), b"");
        sleep(ms(1)).await;
        match object.key() {
            b"parses" => _ = str::parse::<u64>("no number")?,
            b"panics" => panic!("it panics"),
            b"long" => return Err(Failure::new("long ".repeat(4000))),
            _ => {}
        }
        Ok(())
    }
    let flow = flow().handler(on(), || later(fails)).start().unwrap();
    put(&flow, ["a", "parses", "panics", "long", "b"].map(str::to_owned));
    let (out, mut dead) = drained(&flow);
    assert_eq!(out, ["a", "b"]);
    dead.sort_by_key(|letter| letter.key.to_string());
    let [long, panics, parses] = &dead[..] else { panic!("{dead:?}") };
    assert!(long.cause.message.starts_with("long long"));
    assert_eq!((&*panics.cause.type_name, &*panics.cause.message), ("panic", "it panics"));
    assert!(panics.cause.stack.contains("tests/later.rs"), "{}", panics.cause.stack);
    assert_eq!(parses.cause.type_name, "core::num::error::ParseIntError");
}

#[test]
fn what_times_out_is_dropped_and_buried_so_and_its_own_timeout_is_not() {
    static WHY: Mutex<Vec<Option<Ended>>> = Mutex::new(Vec::new());
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            WHY.lock().unwrap().push(Ended::reason());
        }
    }
    async fn slow(object: Object<'_>, _: &mut Emit<'_>) -> Done {
        let _guard = Guard;
        match object.key() {
            b"slow" => sleep(Duration::from_secs(60)).await,
            b"own" => tokio::time::timeout(ms(1), std::future::pending()).await?,
            _ => {}
        }
        Ok(())
    }
    let flow = flow().handler(on().deadline(ms(300)), || later(slow)).start().unwrap();
    put(&flow, ["quick", "own", "slow"].map(str::to_owned));
    let (_, mut dead) = drained(&flow);
    dead.sort_by_key(|letter| letter.key.to_string());
    let [own, slow] = &dead[..] else { panic!("{dead:?}") };
    assert_eq!(own.cause.type_name, "tokio::time::error::Elapsed");
    assert_eq!(slow.cause.type_name, "timed out");
    assert!(slow.cause.stack.starts_with("upcall::Ended::TimedOut: "), "{}", slow.cause.stack);
    let mut why = WHY.lock().unwrap().clone();
    why.sort_by_key(Option::is_some);
    assert_eq!(why, [None, None, Some(Ended::TimedOut)]);
}

#[test]
fn a_flow_that_stops_cancels_what_is_open() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static WHY: Mutex<Vec<Option<Ended>>> = Mutex::new(Vec::new());
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            WHY.lock().unwrap().push(Ended::reason());
        }
    }
    async fn hangs(_: Object<'_>, _: &mut Emit<'_>) -> Done {
        let _guard = Guard;
        OPEN.fetch_add(1, SeqCst);
        std::future::pending().await
    }
    let flow = flow().handler(on(), || later(hangs)).start().unwrap();
    put(&flow, ["a", "b", "c"].map(str::to_owned));
    while OPEN.load(SeqCst) < 3 {
        std::thread::yield_now();
    }
    flow.stop().unwrap();
    assert_eq!(*WHY.lock().unwrap(), [Some(Ended::Cancelled); 3]);
}

/// Counts, reads what was counted, and emits on condition, with an await between.
#[derive(Default)]
struct Count {
    counts: PoolId,
    handled: Rc<Cell<u64>>,
}

impl AsyncHandler for Count {
    async fn open(&mut self, open: &Open<'_>) -> Done {
        sleep(ms(1)).await;
        self.counts = open.pool("/counts")?;
        Ok(())
    }

    async fn on_object(&self, word: Object<'_>, emit: &mut Emit<'_>) -> Done {
        let (count, version) = match emit.read(self.counts, b"count")? {
            Some(found) => (found.value_as::<u64>()?, found.version),
            None => (0, 0),
        };
        sleep(ms(1)).await;
        self.handled.set(self.handled.get() + u64::from(word.version() > 0));
        emit.of::<u64>().put_to_if(self.counts, b"count", &(count + 1), version);
        Ok(())
    }

    async fn flush(&self, emit: &mut Emit<'_>) -> Done {
        sleep(ms(1)).await;
        emit.of::<u64>().put(b"handled", &self.handled.get());
        Ok(())
    }
}

#[test]
fn a_pool_is_read_and_changed_on_condition_across_an_await_and_hooks_may_await() {
    let on = OnSpec::new("count", "/in").to("/counts").read("/counts").warm("sample", "").retry(1000);
    let builder = Flow::builder().workers(1).pool(Pool::trigger("/in")).pool(Pool::of::<u64>("/counts"));
    let flow = builder.handler(on, || later(Count::default)).start().unwrap();
    put(&flow, (0..50).map(|key| key.to_string()));
    flow.drain().unwrap();
    assert_eq!(flow.dead_letters("/in").unwrap().len(), 0);
    let counts = flow.pool("/counts").unwrap().of::<u64>().unwrap();
    let [(_, count), (_, handled)] = counts.entries().unwrap()[..] else { panic!("there are two") };
    // Many have found another version than they had read, and were handled again.
    assert!(count == 50 && handled >= 50, "{count} {handled}");
}

#[test]
fn a_handler_that_cannot_be_made_or_opened_fails_the_start() {
    struct Refuses;
    impl AsyncHandler for Refuses {
        async fn open(&mut self, _: &Open<'_>) -> Done {
            tokio::task::yield_now().await;
            Err(Failure::new("no service there"))
        }

        async fn on_object(&self, _: Object<'_>, _: &mut Emit<'_>) -> Done {
            Ok(())
        }
    }
    let start = |flow: FlowBuilder| flow.start().err().unwrap().to_string();
    let said = start(flow().handler(on(), || later(Refuses)));
    assert!(said.contains("no service there"), "{said}");
    let said = start(flow().handler(on(), || {
        later(|| -> Refuses {
            assert!(std::hint::black_box(false), "no constructor");
            Refuses
        })
    }));
    assert!(said.contains("its constructor panicked: no constructor"), "{said}");
}
