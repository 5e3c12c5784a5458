//! Emissions on condition, from a handler: the owner of the key decides.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use upcall::{Emit, Failure, Object, Open, PoolId};
use upcall_flow::{Flow, FlowBuilder, OnSpec, Order, Pool};

/// A closure over the pools that it names.
struct Named<F> {
    names: &'static [&'static str],
    pools: Vec<PoolId>,
    handle: F,
}

fn named<F>(names: &'static [&'static str], handle: F) -> Named<F>
where
    F: FnMut(&[PoolId], Object<'_>, &mut Emit<'_>) -> Result<(), Failure>,
{
    Named { names, pools: Vec::new(), handle }
}

impl<F> upcall::Handler for Named<F>
where
    F: FnMut(&[PoolId], Object<'_>, &mut Emit<'_>) -> Result<(), Failure> + 'static,
{
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.pools = self.names.iter().map(|name| open.pool(name)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        (self.handle)(&self.pools, object, emit)
    }
}

/// Adds one to the counter that each object names, read and put without any other lock.
#[derive(Default)]
struct Count {
    counts: Option<PoolId>,
    log: Option<PoolId>,
}

impl upcall::Handler for Count {
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        (self.counts, self.log) = (Some(open.pool("/counts")?), open.pool("/log").ok());
        Ok(())
    }

    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let counts = self.counts.expect("opened");
        let found = emit.read(counts, object.value())?;
        let (n, version) = found.map_or((0, 0), |found| {
            (u64::from_le_bytes(found.value.try_into().expect("a count")), found.version)
        });
        if let Some(log) = self.log {
            emit.put_to(log, object.key(), b"before");
        }
        emit.of::<u64>().put_to_if(counts, object.value(), &(n + 1), version);
        if let Some(log) = self.log {
            emit.put_to(log, object.key(), b"after");
        }
        Ok(())
    }
}

fn flow_of<H: upcall::Handler>(
    workers: usize,
    on: OnSpec,
    make: impl Fn() -> H + Send + Sync + 'static,
) -> Flow {
    Flow::builder()
        .workers(workers)
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/counts"))
        .handler(on, make)
        .start()
        .unwrap()
}

fn flow(workers: usize, on: OnSpec) -> FlowBuilder {
    Flow::builder()
        .workers(workers)
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/counts"))
        .pool(Pool::new("/log").keep(10_000))
        .handler(on, Count::default)
}

fn on() -> OnSpec {
    OnSpec::new("count", "/in").to("/counts").to("/log").read("/counts").retry(1000)
}

#[test]
fn counters_that_many_workers_add_to_lose_nothing() {
    for order in [Order::Key, Order::Any, Order::Single] {
        let flow = flow(4, on().order(order)).start().unwrap();
        let input = flow.pool("/in").unwrap();
        for n in 0..2000 {
            input.put(format!("k{}", n % 5), format!("counter {}", n % 3)).unwrap();
        }
        flow.drain().unwrap();
        let counts = flow.pool("/counts").unwrap().of::<u64>().unwrap();
        let sum: u64 = counts.entries().unwrap().into_iter().map(|(_, n)| n).sum();
        assert_eq!((sum, flow.dead_letters("/in").unwrap().len()), (2000, 0), "{order:?}");
        // Each object has emitted once, however often it was handled.
        let log = flow.pool("/log").unwrap();
        let logged: usize = log.list(b"").unwrap().iter().map(|key| log.versions(key).unwrap().len()).sum();
        assert_eq!(logged, 4000, "{order:?}");
    }
}

#[test]
fn a_handler_that_emits_on_condition_is_called_about_once_for_each_object() {
    for order in [Order::Key, Order::Single] {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        CALLS.store(0, SeqCst);
        let counts = || {
            named(&["/counts"], |pools, object, emit| {
                CALLS.fetch_add(1, SeqCst);
                let version = emit.read(pools[0], object.key())?.map_or(0, |found| found.version);
                emit.of::<u64>().put_to_if(pools[0], object.key(), &1, version);
                Ok(())
            })
        };
        let flow = flow_of(1, OnSpec::new("count", "/in").to("/counts").read("/counts").order(order), counts);
        let input = flow.pool("/in").unwrap();
        (0..5000).for_each(|n| input.put_and_forget(["a", "b", "c"][n % 3], b"").unwrap());
        flow.drain().unwrap();
        assert_eq!(flow.dead_letters("/in").unwrap().len(), 0);
        let calls = CALLS.load(SeqCst);
        // Until the first answer it is not known that all but the first of a key are in vain.
        assert!((5000..5300).contains(&calls), "{order:?}: {calls}");
    }
}

#[test]
fn a_conflict_fails_the_object_and_nothing_counts_that_it_has_emitted() {
    let stale = || {
        |object: Object<'_>, emit: &mut Emit<'_>| {
            emit.put_to("/log", object.key(), b"before");
            emit.of::<u64>().put_if(b"k", &1, 77);
            emit.put_to("/log", object.key(), b"after");
            Ok(())
        }
    };
    let on = OnSpec::new("stale", "/in").to("/counts").to("/log").retry(2);
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/counts"))
        .pool(Pool::new("/log"))
        .handler(on, stale)
        .start()
        .unwrap();
    flow.pool("/counts").unwrap().put("k", 5u64.to_le_bytes()).unwrap().wait().unwrap();
    flow.pool("/in").unwrap().put("a", "").unwrap();
    flow.drain().unwrap();
    let letters = flow.dead_letters("/in").unwrap();
    assert_eq!((letters.len(), letters[0].attempts, letters[0].cause.type_name.as_str()), (1, 3, "conflict"));
    assert_eq!(
        letters[0].cause.message,
        "k of /counts has version 1 now, and was to be put if it had version 77; with `retry` the item is handled \
         again, and can read the key again"
    );
    assert_eq!(flow.pool("/log").unwrap().list(b"").unwrap().len(), 0);
}

#[test]
fn objects_of_the_same_key_wait_for_the_owner_in_order() {
    // The counter lives behind the handler's own pool, and each object of a key appends to what was there.
    let flow = Flow::builder()
        .workers(3)
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/text").keep(1000))
        .handler(OnSpec::new("append", "/in").to("/text").read("/text").retry(1000), || {
            named(&["/text"], |pools, object, emit| {
                let text = pools[0];
                let found = emit.read(text, b"all of them")?;
                let (mut all, version) = found.map_or((Vec::new(), 0), |f| (f.value.to_vec(), f.version));
                all.extend_from_slice(object.key());
                all.extend_from_slice(object.value());
                all.push(b' ');
                emit.put_to_if(text, b"all of them", &all, version);
                Ok(())
            })
        })
        .start()
        .unwrap();
    let input = flow.pool("/in").unwrap();
    for n in 0..300 {
        input.put(["a", "b", "c"][n % 3], (n / 3).to_string()).unwrap();
    }
    flow.drain().unwrap();
    let all = flow.pool("/text").unwrap().get("all of them").unwrap().unwrap();
    let all = String::from_utf8(all.value.to_vec()).unwrap();
    for key in ["a", "b", "c"] {
        let seen: Vec<usize> =
            all.split(' ').filter_map(|word| word.strip_prefix(key)?.parse().ok()).collect();
        assert_eq!(seen, (0..100).collect::<Vec<_>>(), "{key}");
    }
}

#[test]
fn what_cannot_be_put_on_condition_is_refused_by_name() {
    static CASE: AtomicUsize = AtomicUsize::new(0);
    let cases = [
        "emit on condition twice for one object",
        "it emitted to /in on condition, a trigger pool, which stores no version to compare with: `put` it instead, or \
         make the pool's `kind` \"volatile\"",
        "a value of k for /counts has 1 bytes",
    ];
    for (case, expected) in cases.iter().enumerate() {
        CASE.store(case, SeqCst);
        let wrong = || {
            named(&["/in"], |pools, object, emit| {
                match (CASE.load(SeqCst), object.key()) {
                    (_, b"loop") | (_, b"fine") => {}
                    (0, _) => (0..2).for_each(|_| emit.of::<u64>().put_if(b"k", &1, 0)),
                    (1, _) => emit.put_to_if(pools[0], b"loop", b"", 0),
                    _ => emit.put_if(b"k", b"1", 0),
                }
                Ok(())
            })
        };
        let on = OnSpec::new("wrong", "/in").to("/counts").to("/in").cycle();
        let flow = Flow::builder()
            .pool(Pool::trigger("/in"))
            .pool(Pool::of::<u64>("/counts"))
            .handler(on, wrong)
            .start()
            .unwrap();
        let input = flow.pool("/in").unwrap();
        ["a", "fine"].iter().for_each(|key| _ = input.put(key, "").unwrap());
        flow.drain().unwrap();
        let letters = flow.dead_letters("/in").unwrap();
        assert_eq!(letters.len(), 1);
        assert!(letters[0].cause.message.contains(expected), "{:?}", letters[0].cause);
    }
}

#[test]
fn flush_emits_nothing_on_condition() {
    #[derive(Default)]
    struct AtTheEnd;
    static FLUSHES: AtomicU32 = AtomicU32::new(0);
    impl upcall::Handler for AtTheEnd {
        fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            Ok(())
        }

        fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
            FLUSHES.fetch_add(1, SeqCst);
            emit.of::<u64>().put_if(b"k", &1, 0);
            Ok(())
        }
    }
    let on = OnSpec::new("end", "/in").to("/counts");
    let flow = Flow::builder()
        .workers(1)
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/counts"))
        .handler(on, AtTheEnd::default)
        .start()
        .unwrap();
    let error = flow.drain().unwrap_err();
    assert!(error.to_string().contains("emit on condition for no object in particular"), "{error}");
    assert_eq!(FLUSHES.load(SeqCst), 1);
}

/// How many of 200 increments of one key are buried, where none is tried again.
fn buried(order: Order, key: impl Fn(usize) -> String) -> usize {
    let increments = || {
        named(&["/counts"], |pools, _, emit| {
            let found = emit.read(pools[0], b"n")?;
            let (count, version) = match found {
                Some(found) => (found.value_as::<u64>()?, found.version),
                None => (0, 0),
            };
            emit.of::<u64>().put_to_if(pools[0], b"n", &(count + 1), version);
            Ok(())
        })
    };
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/counts"))
        .handler(OnSpec::new("adds", "/in").to("/counts").read("/counts").order(order), increments)
        .start()
        .unwrap();
    let input = flow.pool("/in").unwrap();
    for n in 0..200 {
        input.put(key(n), "").unwrap();
    }
    flow.drain().unwrap();
    let buried = flow.dead_letters("/in").unwrap().len();
    let counted = flow.pool("/counts").unwrap().of::<u64>().unwrap().get("n").unwrap();
    assert_eq!(counted, Some(200 - buried as u64));
    buried
}

#[test]
fn objects_of_one_key_or_of_one_order_do_not_conflict_with_each_other() {
    assert_eq!(buried(Order::Key, |_| "one".to_owned()), 0);
    assert_eq!(buried(Order::Single, |n| n.to_string()), 0);
    // How many conflict depends on the batches; none is lost and none counts twice.
    assert!(buried(Order::Key, |n| n.to_string()) < 200);
}
