//! What a task awaits: tickets, credit, an idle flow, a drained one, events.

use std::future::{Future, IntoFuture};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;
use upcall_flow::{Credit, ErrorKind, Event, Flow, FlowBuilder, Pool, PoolHandle};

/// Counts how often it is woken.
#[derive(Default)]
struct Woken(AtomicUsize);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// A flow whose handler says that it is called and waits for the barrier, once per object of /in.
fn held(builder: FlowBuilder) -> (Flow, Arc<Barrier>, mpsc::Receiver<()>) {
    let barrier = Arc::new(Barrier::new(2));
    let (call, called) = mpsc::channel();
    let inside = barrier.clone();
    let builder =
        builder.pool(Pool::new("/in")).pool(Pool::new("/out")).on("/in", "/out", move |object, out| {
            call.send(()).unwrap();
            inside.wait();
            out.put(object.key(), "")
        });
    (builder.workers(1).start().unwrap(), barrier, called)
}

#[test]
fn a_ticket_a_drain_and_an_event_are_awaited() {
    let (flow, barrier, _called) = held(Flow::builder());
    let watch = flow.watch("/out").unwrap();
    let ticket = flow.pool("/in").unwrap().put("k", "v").unwrap();
    let drained = flow.drained();
    barrier.wait();
    let version = pollster::block_on(ticket.into_future()).unwrap();
    assert_eq!(flow.pool("/in").unwrap().get("k").unwrap().unwrap().version, version);
    pollster::block_on(drained).unwrap();
    let event = pollster::block_on(watch.event());
    assert!(matches!(event, Some(Event::Put { object, .. }) if &*object.key == b"k"));
}

#[test]
fn a_task_waits_for_credit_without_a_thread() {
    let (flow, barrier, _called) = held(Flow::builder().credit(Credit { items: 1, bytes: 1 << 20 }));
    let pool = flow.pool("/in").unwrap();
    pool.put("1", "").unwrap();
    let refused = pool.try_put_with_ticket("2", "").map(drop).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::WouldBlock);
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    let mut credit = Box::pin(pool.has_credit());
    assert!(credit.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    barrier.wait();
    flow.settle().unwrap();
    assert!(woken.0.load(SeqCst) > 0);
    assert!(matches!(credit.as_mut().poll(&mut Context::from_waker(&waker)), Poll::Ready(Ok(()))));
    pool.try_trigger("3", "").unwrap();
    barrier.wait();
    flow.settle().unwrap();
    let conflict = pollster::block_on(pool.try_put_if("1", "", 77).unwrap().into_future()).unwrap_err();
    assert_eq!(conflict.kind(), ErrorKind::Conflict);
}

#[test]
fn a_flow_that_stops_ends_what_is_awaited() {
    let (flow, barrier, called) = held(Flow::builder());
    let watch = flow.watch("/in").unwrap();
    let pool = flow.pool("/in").unwrap();
    pool.put_and_forget("1", "").unwrap();
    called.recv().unwrap();
    // Its owner is in the handler, and will never decide it.
    let ticket = pool.put("2", "").unwrap();
    let woken = Arc::new(Woken::default());
    let waker = Waker::from(woken.clone());
    let mut task = Context::from_waker(&waker);
    let mut version = ticket.into_future();
    assert!(std::pin::Pin::new(&mut version).poll(&mut task).is_pending());
    let mut drained = Box::pin(flow.drained());
    assert!(drained.as_mut().poll(&mut task).is_pending());
    let stopping = std::thread::spawn(move || flow.stop());
    while woken.0.load(SeqCst) < 2 {
        std::thread::yield_now();
    }
    barrier.wait();
    stopping.join().unwrap().unwrap();
    let stopped = |error: upcall_flow::Error| assert_eq!(error.kind(), ErrorKind::Stopped);
    stopped(pollster::block_on(version).unwrap_err());
    stopped(pollster::block_on(drained).unwrap_err());
    assert!(matches!(watch.next(Duration::from_secs(60)), Some(Event::Put { .. })));
    assert!(pollster::block_on(watch.event()).is_none() && watch.has_ended());
    assert!(watch.next(Duration::from_secs(3600)).is_none());
}

#[test]
fn a_drain_that_is_dropped_lets_the_next_one_begin() {
    let (flow, barrier, _called) = held(Flow::builder());
    flow.pool("/in").unwrap().put("1", "").unwrap();
    let mut first = Box::pin(flow.drained());
    assert!(first.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(first);
    barrier.wait();
    flow.drain().unwrap();
}

#[test]
fn each_clone_of_a_ticket_that_is_awaited_is_woken() {
    let (flow, barrier, called) = held(Flow::builder());
    let pool = flow.pool("/in").unwrap();
    pool.put_and_forget("1", "").unwrap();
    called.recv().unwrap();
    // Its owner is in the handler, and has not decided it.
    let ticket = pool.put("2", "").unwrap();
    let mut tasks: Vec<_> =
        [ticket.clone(), ticket].map(|ticket| (ticket.into_future(), Arc::default())).into();
    for (version, woken) in &mut tasks {
        let waker = Waker::from(Arc::<Woken>::clone(woken));
        assert!(std::pin::Pin::new(version).poll(&mut Context::from_waker(&waker)).is_pending());
    }
    barrier.wait();
    called.recv().unwrap();
    // Who waits for a ticket is told before the handlers are called.
    let woken: Vec<usize> = tasks.iter().map(|(_, woken)| woken.0.load(SeqCst)).collect();
    barrier.wait();
    assert_eq!(woken, [1, 1]);
}

/// Reads a key on another thread when it is woken, as a program does whose waker takes a lock that a reader holds.
struct Reads {
    pool: PoolHandle,
    key: &'static str,
    /// Whether the pool could be read before the waker returned.
    read: mpsc::Sender<bool>,
}

impl Wake for Reads {
    fn wake(self: Arc<Self>) {
        let (done, reads) = mpsc::channel();
        let (pool, key) = (self.pool.clone(), self.key);
        std::thread::spawn(move || {
            let _ = pool.get_at(key.as_bytes(), u64::MAX);
            let _ = done.send(());
        });
        let _ = self.read.send(reads.recv_timeout(Duration::from_secs(10)).is_ok());
    }
}

/// Whether the pool of this path can be read by who is woken by an event of it, which `put` causes.
fn is_read_when_woken(flow: &Flow, path: &str, key: &'static str, put: impl FnOnce()) -> bool {
    let watch = flow.watch(path).unwrap();
    let (read, was_read) = mpsc::channel();
    let waker = Waker::from(Arc::new(Reads { pool: flow.pool(path).unwrap(), key, read }));
    let mut event = Box::pin(watch.event());
    assert!(event.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    put();
    was_read.recv_timeout(Duration::from_secs(60)).unwrap()
}

#[test]
fn who_is_woken_by_an_event_may_read_its_pool() {
    let flow = Flow::builder()
        .pool(Pool::new("/in"))
        .pool(Pool::new("/out"))
        .on("/in", "/out", |object, out| {
            if object.key_str() == "fails" {
                return Err(upcall::Failure::new("always"));
            }
            out.put(object.key(), "")
        })
        .start()
        .unwrap();
    let (input, output) = (flow.pool("/in").unwrap(), flow.pool("/out").unwrap());
    let of = |path, key, put: &dyn Fn()| assert!(is_read_when_woken(&flow, path, key, put), "{path}");
    of("/out", "emitted", &|| input.put_and_forget("emitted", "").unwrap());
    of("/out", "put", &|| output.put_and_forget("put", "").unwrap());
    of("/out", "put", &|| drop(output.remove("put").unwrap()));
    of("/in", "batch", &|| input.put_and_forget("batch", "").unwrap());
    of("/in", "claimed", &|| drop(input.put_if("claimed", "", 0).unwrap()));
    of("/dead/in", "fails", &|| input.put_and_forget("fails", "").unwrap());
}
