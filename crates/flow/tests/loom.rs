//! The parking, the waiting and the counting of a flow, in every order in which its threads can be interleaved.
//!
//! The four files are compiled a second time here, over loom's primitives.

use loom::sync::Arc;
use loom::thread;

/// As the crate's `sync`, by loom. Loom takes sequentially consistent accesses for weaker than they are, but
/// knows the fences: with one before and one behind, each is what the standard library's is.
mod sync {
    pub(crate) use loom::sync::{Condvar, Mutex};
    pub(crate) use loom::thread::{Thread, current, park};
    pub(crate) use std::sync::atomic::Ordering;
    use std::time::Duration;

    /// Loom knows no time: a wake-up that does not come is a fault.
    pub(crate) fn park_timeout(_: Duration) {
        park();
    }

    macro_rules! atomics {
        ($($name:ident($value:ty): $($method:ident($($arg:ident),*) -> $back:ty),*;)*) => {$(
            #[derive(Default)]
            pub(crate) struct $name(loom::sync::atomic::$name);

            impl $name {
                pub(crate) fn new(value: $value) -> Self {
                    Self(loom::sync::atomic::$name::new(value))
                }
                $(pub(crate) fn $method(&self, $($arg: $value,)* ordering: Ordering) -> $back {
                    loom::sync::atomic::fence(Ordering::SeqCst);
                    let back = self.0.$method($($arg,)* ordering);
                    loom::sync::atomic::fence(Ordering::SeqCst);
                    back
                })*
            }
        )*};
    }
    atomics! {
        AtomicBool(bool): load() -> bool, swap(to) -> bool;
        AtomicU64(u64): load() -> u64, swap(to) -> u64, fetch_add(by) -> u64, fetch_sub(by) -> u64, fetch_max(to) -> u64;
        AtomicUsize(usize): load() -> usize, fetch_add(by) -> usize, fetch_sub(by) -> usize;
    }

    impl AtomicUsize {
        pub(crate) fn fetch_update(
            &self,
            set: Ordering,
            fetch: Ordering,
            to: impl FnMut(usize) -> Option<usize>,
        ) -> Result<usize, usize> {
            loom::sync::atomic::fence(Ordering::SeqCst);
            let back = self.0.fetch_update(set, fetch, to);
            loom::sync::atomic::fence(Ordering::SeqCst);
            back
        }
    }
}

mod spec {
    pub(crate) use upcall_flow::Credit;
}

#[path = "../src/credit.rs"]
mod credit;
#[path = "../src/slots.rs"]
mod slots;
#[path = "../src/waiters.rs"]
mod waiters;
#[path = "../src/wakeup.rs"]
mod wakeup;

use credit::InFlight;
use slots::Slots;
use std::future::poll_fn;
use std::task::{Context, Waker};
use sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst, Thread};
use upcall_flow::Credit;
use waiters::{Place, Waiters};
use wakeup::Wakeup;

/// A worker and its inbox, as `worker.rs` and `inbox.rs` have them.
#[derive(Default)]
struct Sleeper {
    queued: AtomicU64,
    stopped: AtomicBool,
    wakeup: Wakeup,
}

impl Sleeper {
    fn send(&self) {
        // Who has put the first of them wakes the worker.
        if self.queued.fetch_add(1, SeqCst) == 0 {
            self.wakeup.wake();
        }
    }

    fn stop(&self) {
        self.stopped.swap(true, SeqCst);
        self.wakeup.wake();
    }

    /// Works until `enough` messages have come or it is stopped.
    fn work(&self, enough: u64) {
        self.wakeup.register();
        let mut taken = 0;
        while taken < enough && !self.stopped.load(SeqCst) {
            if self.wakeup.take() {
                taken += self.queued.swap(0, SeqCst);
            }
            if taken < enough {
                self.wakeup.sleep(|| self.stopped.load(SeqCst), None);
            }
        }
    }
}

/// Every order in which a thread is interrupted at most three times.
fn every_order(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

#[test]
fn a_worker_that_falls_asleep_misses_no_message() {
    every_order(|| {
        let sleeper = Arc::new(Sleeper::default());
        let other = sleeper.clone();
        // On a thread of its own: loom takes a late unpark of one that waits for an end for that end.
        let worker = thread::spawn(move || other.work(2));
        let other = sleeper.clone();
        let sender = thread::spawn(move || other.send());
        sleeper.send();
        sender.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn a_worker_that_falls_asleep_does_not_miss_that_it_is_stopped() {
    every_order(|| {
        let sleeper = Arc::new(Sleeper::default());
        let other = sleeper.clone();
        let worker = thread::spawn(move || other.work(u64::MAX));
        sleeper.stop();
        worker.join().unwrap();
    });
}

#[test]
fn who_wakes_a_sleeper_knows_that_it_slept() {
    every_order(|| {
        let wakeup = Arc::new(Wakeup::default());
        let other = wakeup.clone();
        let worker = thread::spawn(move || {
            other.register();
            while !other.take() {
                other.sleep(|| false, None);
            }
        });
        while !wakeup.wake_sleeper() {
            thread::yield_now();
        }
        worker.join().unwrap();
    });
}

#[test]
fn who_waits_for_credit_or_for_an_idle_flow_is_woken() {
    every_order(|| {
        let in_flight = Arc::new(InFlight::new(Credit { bytes: 100, items: 2 }, 0, 1));
        in_flight.add(2, 20);
        let worker = |in_flight: Arc<InFlight>| thread::spawn(move || in_flight.sub(1, 10));
        let workers = [in_flight.clone(), in_flight.clone()].map(worker);
        in_flight.waiters.wait(|| in_flight.open());
        in_flight.waiters.wait(|| in_flight.idle());
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        assert_eq!(in_flight.peak(), 20);
    });
}

#[test]
fn who_waits_for_credit_is_woken_when_the_limit_is_raised() {
    every_order(|| {
        let in_flight = Arc::new(InFlight::new(Credit { bytes: 1 << 20, items: 1 << 10 }, 1000, 1));
        // As many as may be in flight at first, of which none is counted out.
        in_flight.add(256, 0);
        let other = in_flight.clone();
        let worker = thread::spawn(move || other.waited(1, 1, 2, |_| true));
        in_flight.waiters.wait(|| in_flight.open());
        worker.join().unwrap();
    });
}

#[test]
fn who_waits_for_credit_is_woken_when_an_item_is_set_aside() {
    every_order(|| {
        let in_flight = Arc::new(InFlight::new(Credit { bytes: 1 << 20, items: 1 << 10 }, 1000, 1));
        in_flight.add(256, 0);
        let other = in_flight.clone();
        let worker = thread::spawn(move || other.set_aside(1));
        in_flight.waiters.wait(|| in_flight.open());
        worker.join().unwrap();
        in_flight.take_up(1);
        assert!(!in_flight.open());
        assert_eq!(in_flight.uncounted(), (2, 1024), "of its 256 items and 1 MiB");
    });
}

#[test]
fn who_waits_for_a_ticket_is_woken() {
    every_order(|| {
        let shared = Arc::new((Waiters::new(), AtomicBool::default()));
        let other = shared.clone();
        let owner = thread::spawn(move || {
            other.1.swap(true, SeqCst);
            other.0.wake();
        });
        shared.0.wait(|| shared.1.load(SeqCst));
        owner.join().unwrap();
    });
}

#[test]
fn a_task_that_waits_is_woken() {
    every_order(|| {
        let shared = Arc::new((Waiters::new(), AtomicBool::default()));
        let other = shared.clone();
        let owner = thread::spawn(move || {
            other.0.wake();
            other.1.swap(true, SeqCst);
            other.0.wake();
        });
        let mut place = Place::default();
        let ready = || shared.1.load(SeqCst);
        loom::future::block_on(poll_fn(|task| shared.0.poll(&mut place, task, ready)));
        owner.join().unwrap();
        assert!(!shared.0.any());
    });
}

#[test]
fn a_task_that_leaves_while_it_is_woken_is_counted_once() {
    every_order(|| {
        let shared = Arc::new(Waiters::new());
        let mut place = Place::default();
        let mut task = Context::from_waker(Waker::noop());
        assert!(shared.poll(&mut place, &mut task, || false).is_pending());
        let other = shared.clone();
        let owner = thread::spawn(move || other.wake());
        shared.leave(&mut place);
        owner.join().unwrap();
        assert!(!shared.any());
    });
}

/// A worker with the first object, of which two puts of its handlers come that are not counted before they are taken, as
/// `inbox.rs` and `shared.rs` have it.
#[derive(Default)]
struct Inboxes([sync::Mutex<u64>; 2]);

impl Inboxes {
    fn count_all(&self, in_flight: &InFlight) -> u64 {
        let queues = self.0.each_ref().map(|queue| queue.lock().unwrap());
        let [mut first, mut second] = queues;
        in_flight.add(std::mem::take(&mut *first) + std::mem::take(&mut *second), 0);
        in_flight.items()
    }
}

#[test]
fn who_waits_for_an_idle_flow_sees_a_put_that_is_not_counted_yet() {
    every_order(|| {
        let credit = Credit { bytes: 100, items: 2 };
        let shared = Arc::new((InFlight::new(credit, 0, 1), Inboxes::default(), AtomicU64::default()));
        shared.0.add(1, 0);
        let other = shared.clone();
        let worker = thread::spawn(move || {
            let (in_flight, Inboxes(inboxes), handled) = &*other;
            for inbox in inboxes {
                *inbox.lock().unwrap() += 1;
                in_flight.sub(1, 0);
                let mut queue = inbox.lock().unwrap();
                in_flight.add(std::mem::take(&mut *queue), 0);
                drop(queue);
                handled.fetch_add(1, SeqCst);
            }
            in_flight.sub(1, 0);
        });
        let (in_flight, inboxes, handled) = &*shared;
        while inboxes.count_all(in_flight) > 0 {
            in_flight.waiters.wait(|| in_flight.idle());
        }
        assert_eq!(handled.load(SeqCst), 2);
        worker.join().unwrap();
    });
}

#[test]
fn a_slot_that_is_wanted_is_told_of_when_it_is_free() {
    every_order(|| {
        let slots = Slots::new(2);
        assert!(slots.take(false) && !slots.full() && slots.take(false));
        assert!(!slots.take(false) && slots.full());
        assert!(slots.take(true), "one that is needed now is one too many");
        assert!(slots.give() && slots.full(), "somebody is to look, and finds none still");
        assert!(slots.give(), "somebody waits");
        assert!(!slots.full() && !slots.give(), "nobody does");
    });
}

/// Ends a call, as `later.rs` has it, for whoever waits.
fn give(slots: &Slots, waits: &Thread) {
    if slots.give() {
        waits.unpark();
    }
}

#[test]
fn who_finds_no_slot_is_told_of_the_next_that_is_given_back() {
    // One of two is enough, and of two where there is one too many it is the second.
    for forced in [false, true] {
        every_order(move || {
            let slots = Arc::new(Slots::new(if forced { 1 } else { 2 }));
            assert!(slots.take(false) && slots.take(forced) && slots.full());
            let other = slots.clone();
            let waits = thread::spawn(move || {
                // Asked once for each time that it was told.
                while other.full() {
                    sync::park();
                }
                assert!(other.take(false));
            });
            let (other, thread) = (slots.clone(), waits.thread().clone());
            let gives = thread::spawn(move || give(&other, &thread));
            give(&slots, waits.thread());
            gives.join().unwrap();
            waits.join().unwrap();
        });
    }
}

/// Workers of a handler that answers later, as `worker.rs` and `later.rs` have them.
struct Callers {
    slots: Slots,
    workers: [Wakeup; 2],
    /// Calls that are open.
    open: AtomicUsize,
}

impl Callers {
    /// With one slot.
    fn new() -> Callers {
        Callers { slots: Slots::new(1), workers: Default::default(), open: AtomicUsize::default() }
    }

    /// Opens one call when there is a slot, and ends it.
    fn call(&self, worker: usize) {
        let wakeup = &self.workers[worker];
        wakeup.register();
        loop {
            wakeup.take();
            if self.slots.full() {
                wakeup.sleep(|| !self.slots.full(), None);
            } else if self.slots.take(false) {
                break;
            }
        }
        assert_eq!(self.open.fetch_add(1, SeqCst), 0, "it has the only slot");
        self.open.fetch_sub(1, SeqCst);
        self.end();
    }

    fn end(&self) {
        if self.slots.give() {
            self.workers.iter().for_each(Wakeup::wake);
        }
    }
}

#[test]
fn workers_that_wait_for_the_only_slot_get_it_one_after_the_other() {
    every_order(|| {
        let callers = Arc::new(Callers::new());
        let worker = |worker| {
            let callers = callers.clone();
            thread::spawn(move || callers.call(worker))
        };
        [0, 1].map(worker).into_iter().for_each(|worker| worker.join().unwrap());
        assert!(callers.slots.take(false) && !callers.slots.take(false), "it was given back, once");
    });
}

#[test]
fn a_worker_that_falls_asleep_without_a_slot_is_woken_when_calls_end_elsewhere() {
    every_order(|| {
        let callers = Arc::new(Callers::new());
        assert!(callers.slots.take(false) && callers.slots.take(true));
        let other = callers.clone();
        let worker = thread::spawn(move || other.call(0));
        let other = callers.clone();
        let ends = thread::spawn(move || other.end());
        callers.end();
        ends.join().unwrap();
        worker.join().unwrap();
    });
}

#[test]
fn of_those_who_take_slots_at_once_no_more_have_one_than_there_are() {
    every_order(|| {
        let slots = Arc::new(Slots::new(2));
        let takes = |_| {
            let slots = slots.clone();
            thread::spawn(move || usize::from(slots.take(false)))
        };
        let taken: usize = [0, 1, 2].map(takes).into_iter().map(|taken| taken.join().unwrap()).sum();
        assert_eq!(taken, 2);
    });
}
