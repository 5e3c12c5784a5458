//! A worker's thread that dies: whoever waits is told. In a file of its own, as it needs a log that panics.

use std::sync::mpsc;
use std::time::Duration;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use upcall::{Emit, Failure, Object};
use upcall_flow::{Credit, ErrorKind, Flow, OnSpec, Pool};

/// A log that panics when a worker writes to it: the one piece of foreign Rust that runs in the loop itself.
struct Panics;

impl Subscriber for Panics {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {
        let on_worker = std::thread::current().name().is_some_and(|name| name.starts_with("upcall-"));
        assert!(!on_worker || std::thread::panicking(), "the log is full");
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[test]
fn a_worker_that_dies_stops_the_flow_and_all_who_wait_are_told() {
    tracing::subscriber::set_global_default(Panics).unwrap();
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let flow = Flow::builder()
            .workers(1)
            .credit(Credit { bytes: 1 << 20, items: 2 })
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("fails", "/in"), || {
                |_: Object<'_>, _: &mut Emit<'_>| Err::<(), _>(Failure::new("always"))
            })
            .start()
            .unwrap();
        let pool = flow.pool("/in").unwrap();
        // Its letter is logged, which kills the worker; later puts wait for credit that nobody gives back.
        let put = (0..4).find_map(|_| pool.put_and_forget(b"k", b"").err());
        send.send([put.expect("the worker is dead"), flow.drain().unwrap_err(), flow.stop().unwrap_err()])
    });
    let errors = receive.recv_timeout(Duration::from_secs(20)).expect("it hangs or has panicked");
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(error.to_string().contains("worker 0"), "{error}");
    }
}
