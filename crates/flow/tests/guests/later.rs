//! Handlers that answer later: how many items they are at, how often they get one, and what cancels it.

use crate::bare::{Answer, BARE, Bare, bare, echo, first, on, run_bare, within};
use crate::outcomes::{elsewhere, numbers, until};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use upcall::{Emit, Object};
use upcall_abi::{CancelFrame, FlowFrame, FrameHead, Status, about, cancelled};
use upcall_flow::{Credit, Flow, OnSpec, Order, Pool};

/// A guest that answers later, item by item.
fn items_later(answer: Answer) -> Bare {
    let says = &[(about::KIND, "FLOW", "16"), (about::FORM, "object", ""), (about::ANSWERS_LATER, "", "")];
    Bare { answer, says, ..BARE }
}

/// Answers a frame that is no longer waited for with FAILED.
fn fails(cancel: &CancelFrame) -> Status {
    // SAFETY: the call is open, and completed once, here.
    unsafe {
        let complete = (*cancel.call).complete.expect("the flow takes answers that come later");
        complete(cancel.call, Status::FAILED);
    }
    Status::OK
}

/// Items that a guest has taken and does not answer until they are cancelled.
struct Silent {
    taken: AtomicUsize,
    /// Why each was.
    cancelled: Mutex<Vec<u32>>,
}

impl Silent {
    const fn new() -> Silent {
        Silent { taken: AtomicUsize::new(0), cancelled: Mutex::new(Vec::new()) }
    }

    fn take(&self) -> Status {
        self.taken.fetch_add(1, SeqCst);
        Status::PENDING
    }

    fn cancel(&self, cancel: &CancelFrame) -> Status {
        self.cancelled.lock().unwrap().push(cancel.why);
        fails(cancel)
    }
}

#[test]
fn each_item_has_a_call_of_its_own_and_so_many_are_open() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        assert_eq!(frame.items.len, 1);
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 1, |frame| {
            until(|| MOST.load(SeqCst) >= 3);
            OPEN.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    let (out, dead) = run_bare(on().in_flight(3), items_later(answer), numbers(50));
    assert_eq!((out.len(), dead, MOST.load(SeqCst)), (50, vec![], 3));
}

#[test]
fn the_calls_of_all_workers_count_together() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 1, |frame| {
            OPEN.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    for order in [Order::Key, Order::Any] {
        within(move || {
            let on = on().in_flight(2).order(order).code("bare", "bare", "bare");
            let flow = Flow::builder()
                .workers(4)
                .pool(Pool::trigger("/start"))
                .pool(Pool::trigger("/in"))
                .pool(Pool::new("/out"))
                .host(Arc::new(items_later(answer)))
                .on_guest(on)
                .start()
                .unwrap();
            let input = flow.pool("/in").unwrap();
            (0..200).for_each(|key| input.put_and_forget(key.to_string(), b"").unwrap());
            flow.drain().unwrap();
            assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 200);
        });
    }
    assert!(MOST.load(SeqCst) <= 2, "{MOST:?}");
}

#[test]
fn an_item_that_takes_longer_than_its_deadline_has_timed_out() {
    static SILENT: Silent = Silent::new();
    let answer: Answer = |frame| if first(frame) == b"slow" { SILENT.take() } else { echo(frame) };
    let guest = Bare { cancel: |cancel| SILENT.cancel(cancel), ..items_later(answer) };
    let begin = Instant::now();
    let (out, dead) = run_bare(on().deadline(Duration::from_millis(30)).retry(1), guest, "a slow b slow c");
    assert!(begin.elapsed() >= Duration::from_millis(120), "two items, twice each");
    assert_eq!(out, ["a", "b", "c"]);
    assert_eq!(dead, ["slow: no answer within its `deadline` of 30ms"; 2]);
    assert_eq!(*SILENT.cancelled.lock().unwrap(), [cancelled::TIMED_OUT; 4]);
}

#[test]
fn an_answer_that_comes_before_its_deadline_cancels_nothing() {
    static CANCELLED: AtomicU32 = AtomicU32::new(0);
    let cancel = |_: &CancelFrame| {
        CANCELLED.fetch_add(1, SeqCst);
        Status::OK
    };
    let guest = Bare { cancel, ..items_later(|frame| elsewhere(frame, 1, echo)) };
    let (out, dead) = run_bare(on().deadline(Duration::from_secs(10)), guest, numbers(20));
    assert_eq!((out.len(), dead, CANCELLED.load(SeqCst)), (20, vec![], 0));
}

#[test]
fn an_answer_that_comes_after_its_deadline_does_not_count_however_good() {
    let cancel = |cancel: &CancelFrame| {
        // SAFETY: the call is open, and completed once, here.
        unsafe {
            let frame: *mut FrameHead = cancel.call;
            echo(&mut *frame.cast());
            (*frame).complete.expect("the flow takes it")(frame, Status::OK);
        }
        Status::OK
    };
    let guest = Bare { cancel, ..items_later(|_| Status::PENDING) };
    let (out, dead) = run_bare(on().deadline(Duration::from_millis(5)), guest, "a b");
    assert_eq!(out, Vec::<String>::new());
    assert_eq!(dead, ["a", "b"].map(|key| format!("{key}: no answer within its `deadline` of 5ms")));
}

#[test]
fn a_flow_that_stops_cancels_from_outside_what_is_open() {
    static SILENT: Silent = Silent::new();
    let guest = Bare { cancel: |cancel| SILENT.cancel(cancel), ..items_later(|_| SILENT.take()) };
    within(move || {
        let flow = bare(on(), guest).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", b"a b c").unwrap();
        until(|| SILENT.taken.load(SeqCst) == 3);
        flow.stop().unwrap();
    });
    assert_eq!(*SILENT.cancelled.lock().unwrap(), [cancelled::FROM_OUTSIDE; 3]);
}

#[test]
fn of_calls_that_are_lost_together_none_was_alone() {
    static TRIES: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        TRIES.lock().unwrap().push(first(frame).to_vec());
        // The first three wait for each other.
        let all = OPEN.fetch_add(1, SeqCst) < 3;
        elsewhere(frame, 0, if all { together } else { |_| Status::LOST })
    };
    fn together(_: &mut FlowFrame) -> Status {
        until(|| OPEN.load(SeqCst) >= 3);
        Status::LOST
    }
    let (out, dead) = run_bare(on(), items_later(answer), "a b c");
    assert_eq!((out, dead.len()), (vec![], 3));
    let tries = TRIES.lock().unwrap().clone();
    let each = |key: &[u8]| tries.iter().filter(|tried| *tried == key).count();
    assert_eq!([each(b"a"), each(b"b"), each(b"c")], [4; 3], "once together, three times alone");
}

#[test]
fn a_handler_is_handed_over_no_more_items_than_its_rate() {
    let begin = Instant::now();
    let (out, dead) = run_bare(on().rate(500.0), items_later(echo), numbers(60));
    assert_eq!((out.len(), dead), (60, vec![]));
    // 10 ms are made up for, which is five of them.
    assert!(begin.elapsed() >= Duration::from_millis(100), "{:?}", begin.elapsed());
}

#[test]
fn the_rate_holds_for_handlers_that_answer_at_once_too_and_counts_tries() {
    static FAILED: Mutex<Vec<&[u8]>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        let mut failed = FAILED.lock().unwrap();
        if failed.contains(&first(frame)) {
            return echo(frame);
        }
        failed.push(first(frame).to_vec().leak());
        (frame.done, frame.head.error.item) = (0, 0);
        Status::FAILED
    };
    let begin = Instant::now();
    let (out, _) = run_bare(on().rate(500.0).retry(1).batch(1), Bare { answer, ..BARE }, numbers(30));
    assert_eq!((out.len(), FAILED.lock().unwrap().len()), (30, 30));
    assert!(begin.elapsed() >= Duration::from_millis(100), "{:?}", begin.elapsed());
}

#[test]
fn what_means_nothing_for_a_handler_that_answers_at_once_is_refused_at_the_start() {
    let refused = |on: OnSpec| bare(on, BARE).start().err().expect("it is refused").to_string();
    let said = refused(on().in_flight(3));
    assert!(said.contains("it has `in_flight`, and answers at once"), "{said}");
    let said = refused(on().deadline(Duration::from_secs(1)));
    assert!(said.contains("add `isolation = \"process\"`, or let it answer later"), "{said}");
    // Code of the program's own cannot be isolated.
    let given = Flow::builder()
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("given", "/in").deadline(Duration::from_secs(1)), || {
            |_: Object<'_>, _: &mut Emit<'_>| Ok(())
        })
        .start();
    let said = given.err().expect("it is refused").to_string();
    assert!(said.contains("nothing can stop it: remove `deadline`, or let it answer later"), "{said}");
}

#[test]
fn a_handler_that_waits_for_those_behind_it_cancels_what_is_late_all_the_same() {
    static CANCELLED: Mutex<Option<Instant>> = Mutex::new(None);
    static BEHIND: AtomicUsize = AtomicUsize::new(0);
    let cancel = |cancel: &CancelFrame| {
        CANCELLED.lock().unwrap().get_or_insert(Instant::now());
        fails(cancel)
    };
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |_| {
        OPEN.fetch_add(1, SeqCst);
        Status::PENDING
    };
    let guest = Bare { cancel, ..items_later(answer) };
    within(move || {
        let on = on().deadline(Duration::from_millis(100)).code("bare", "bare", "bare");
        let flow = Flow::builder()
            .workers(2)
            .memory(4 << 20)
            .credit(Credit { bytes: 1 << 20, items: 100 })
            .pool(Pool::trigger("/start"))
            .pool(Pool::trigger("/in"))
            .pool(Pool::trigger("/out"))
            .host(Arc::new(guest))
            .on_guest(on)
            .handler(OnSpec::new("fill", "/start").to("/out"), || {
                |_: upcall::Object<'_>, emit: &mut upcall::Emit<'_>| {
                    ["a", "b"].iter().for_each(|key| emit.put(key.as_bytes(), &vec![0; 1 << 20]));
                    Ok(())
                }
            })
            .handler(OnSpec::new("behind", "/out").order(Order::Single), || {
                |_: upcall::Object<'_>, _: &mut upcall::Emit<'_>| {
                    BEHIND.fetch_add(1, SeqCst);
                    std::thread::sleep(Duration::from_millis(400));
                    Ok(())
                }
            })
            .start()
            .unwrap();
        let begin = Instant::now();
        // Some of them on the worker that the one behind does not sleep on.
        (0..8).for_each(|key| flow.pool("/in").unwrap().put_and_forget(format!("{key}"), b"").unwrap());
        until(|| OPEN.load(SeqCst) == 8);
        // More than half of the memory, for a while.
        flow.pool("/start").unwrap().put_and_forget("", b"").unwrap();
        flow.drain().unwrap();
        assert_eq!(BEHIND.load(SeqCst), 2);
        let cancelled = CANCELLED.lock().unwrap().expect("it was cancelled");
        assert!(cancelled - begin < Duration::from_millis(390), "{:?}", cancelled - begin);
    });
}

#[test]
fn a_flush_has_no_deadline() {
    let guest = Bare {
        flush: |frame| elsewhere(frame, 100, |_| Status::OK),
        cancel: |_| panic!("nothing is late"),
        ..items_later(echo)
    };
    let (out, dead) = run_bare(on().deadline(Duration::from_millis(20)), guest, "a");
    assert_eq!((out, dead), (vec!["a".to_owned()], vec![]));
}

#[test]
fn in_a_hurry_what_is_not_answered_within_five_seconds_is_cancelled() {
    static SILENT: Silent = Silent::new();
    let guest = Bare { cancel: |cancel| SILENT.cancel(cancel), ..items_later(|_| SILENT.take()) };
    let (took, causes) = within(move || {
        let on = on().deadline(Duration::from_secs(3600));
        let flow = bare(on, guest).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", b"a b").unwrap();
        until(|| SILENT.taken.load(SeqCst) == 2);
        let begin = Instant::now();
        flow.hurry();
        flow.drain().unwrap();
        let causes = flow.dead_letters("/in").unwrap().into_iter().map(|letter| letter.cause.type_name);
        (begin.elapsed(), causes.collect::<Vec<_>>())
    });
    assert!(took >= Duration::from_secs(5), "{took:?}");
    assert_eq!(causes, ["cancelled", "cancelled"]);
    assert_eq!(*SILENT.cancelled.lock().unwrap(), [cancelled::FROM_OUTSIDE; 2]);
}
