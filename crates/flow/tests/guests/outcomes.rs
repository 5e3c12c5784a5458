//! Calls that are answered later, and guests that die with a batch.

use crate::bare::{Answer, BARE, Bare, bare, echo, emit, first, on, run, run_bare, within};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};
use upcall_abi::{FlowFrame, FrameHead, Status, about, kind};
use upcall_flow::Order;

/// A guest that says that it answers later.
pub fn later(answer: Answer) -> Bare {
    Bare { answer, says: &[(about::KIND, "FLOW", "16"), (about::ANSWERS_LATER, "", "")], ..BARE }
}

/// Answers a frame from another thread, after a while.
pub fn elsewhere(frame: &mut FlowFrame, millis: u64, answer: Answer) -> Status {
    let place = (&raw mut *frame).expose_provenance();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(millis));
        // SAFETY: the call owns its frame until it is completed, once, here.
        unsafe {
            let frame = &mut *std::ptr::with_exposed_provenance_mut::<FlowFrame>(place);
            let complete = frame.head.complete.expect("the flow takes answers that come later");
            let status = answer(frame);
            complete((&raw mut *frame).cast::<FrameHead>(), status);
        }
    });
    Status::PENDING
}

/// Waits until something is so; what never is lets the test fail by its assertions.
pub fn until(so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !so() && begin.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_answer_that_comes_later_counts_as_one_that_comes_at_once() {
    let (out, dead) = run_bare(on(), later(|frame| elsewhere(frame, 5, echo)), "a b c");
    assert_eq!((out.len(), dead), (3, vec![]));
}

#[test]
fn an_answer_may_come_before_the_call_has_returned() {
    let answer: Answer = |frame| {
        let status = echo(frame);
        let complete = frame.head.complete.expect("the flow takes it");
        // SAFETY: once, and the frame is not used afterwards.
        unsafe { complete((&raw mut *frame).cast(), status) };
        Status::PENDING
    };
    assert_eq!(run_bare(on(), later(answer), "a b"), (vec!["a".into(), "b".into()], vec![]));
}

#[test]
fn while_an_answer_is_awaited_its_key_waits_and_others_go_on() {
    static AT_ONCE: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    static OTHERS: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        if first(frame) != b"slow" {
            OTHERS.fetch_add(1, SeqCst);
            return echo(frame);
        }
        MOST.fetch_max(AT_ONCE.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 0, |frame| {
            until(|| OTHERS.load(SeqCst) == 3);
            AT_ONCE.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    let versions = within(move || {
        let flow = bare(on().batch(1), later(answer)).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", b"slow a slow b slow c").unwrap();
        flow.drain().unwrap();
        let out = flow.pool("/out").unwrap();
        ["a", "b", "c", "slow"].map(|key| out.get(key).unwrap().unwrap().version)
    });
    assert_eq!(MOST.load(SeqCst), 1, "one call at a time for a key");
    assert_eq!(versions, [1, 2, 3, 6]);
}

#[test]
fn where_the_order_is_single_all_wait_for_an_answer() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    let answer: Answer = |frame| {
        assert!(!OPEN.swap(true, SeqCst), "one call at a time");
        elsewhere(frame, 5, |frame| {
            OPEN.store(false, SeqCst);
            echo(frame)
        })
    };
    let (out, dead) = run_bare(on().batch(1).order(Order::Single), later(answer), "a b c d");
    assert_eq!((out.len(), dead), (4, vec![]));
}

#[test]
fn where_there_is_no_order_the_same_key_may_be_awaited_many_times() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        OPEN.fetch_add(1, SeqCst);
        elsewhere(frame, 0, |frame| {
            until(|| OPEN.load(SeqCst) == 3);
            echo(frame)
        })
    };
    let (out, dead) = run_bare(on().batch(1).order(Order::Any), later(answer), "a a a");
    assert_eq!((out.len(), dead), (1, vec![]));
    assert_eq!(OPEN.load(SeqCst), 3);
}

#[test]
fn an_item_that_fails_later_is_retried_and_then_buried() {
    static TRIES: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        elsewhere(frame, 1, |frame| {
            // SAFETY: the frame's items are there until it is answered.
            let items = unsafe { frame.items.get(0) };
            for (index, item) in (0u32..).zip(items) {
                // SAFETY: as above.
                let key = unsafe { item.key.get(0) };
                if key == b"bad" {
                    TRIES.fetch_add(1, SeqCst);
                    (frame.done, frame.head.error.item) = (index, index);
                    return Status::FAILED;
                }
                emit(frame, index, key);
            }
            Status::OK
        })
    };
    let (out, dead) = run_bare(on().retry(2), later(answer), "a bad b bad c");
    assert_eq!((out, dead.len()), (vec!["a".to_owned(), "b".into(), "c".into()], 2));
    assert_eq!(TRIES.load(SeqCst), 6, "each of the two once, and twice more");
}

#[test]
fn an_answer_that_says_pending_again_is_a_failure() {
    let (out, dead) = run_bare(on(), later(|frame| elsewhere(frame, 1, |_| Status::PENDING)), "a");
    assert_eq!(out.len(), 0);
    assert!(dead[0].contains("PENDING"), "{dead:?}");
}

#[test]
fn many_calls_may_be_open_and_those_that_are_too_many_wait() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 0, |frame| {
            until(|| MOST.load(SeqCst) >= 64);
            OPEN.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    let (out, dead) = run_bare(on().batch(1).in_flight(64), later(answer), numbers(200));
    assert_eq!((out.len(), dead), (200, vec![]));
    assert_eq!(MOST.load(SeqCst), 64);
}

/// So many keys.
pub fn numbers(count: usize) -> &'static str {
    (0..count).map(|key| key.to_string()).collect::<Vec<_>>().join(" ").leak()
}

#[test]
fn no_more_calls_are_open_where_a_batch_has_failed_as_a_whole() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        if frame.items.len > 1 {
            return Status::FAILED;
        }
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 0, |frame| {
            until(|| MOST.load(SeqCst) >= 64);
            OPEN.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    let (out, dead) = run_bare(on().in_flight(64), later(answer), numbers(300));
    assert_eq!((out.len(), dead), (300, vec![]));
    assert_eq!(MOST.load(SeqCst), 64);
}

#[test]
fn the_time_until_an_answer_is_not_taken_for_a_queue_which_would_let_less_in() {
    static OPEN: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    let answer: Answer = |frame| {
        MOST.fetch_max(OPEN.fetch_add(1, SeqCst) + 1, SeqCst);
        elsewhere(frame, 100, |frame| {
            OPEN.fetch_sub(1, SeqCst);
            echo(frame)
        })
    };
    within(move || {
        let flow = bare(on().batch(1), later(answer)).start().unwrap();
        let input = flow.pool("/in").unwrap();
        for round in 0..4 {
            (0..64).for_each(|key| input.put_and_forget(format!("{round} {key}"), b"").unwrap());
            flow.drain().unwrap();
        }
    });
    assert!(MOST.load(SeqCst) >= 48, "{MOST:?} calls open at once");
}

#[test]
fn flush_may_be_answered_later() {
    static FLUSHED: AtomicBool = AtomicBool::new(false);
    let flush: Answer = |frame| {
        assert_eq!(frame.head.kind, kind::FLUSH);
        elsewhere(frame, 20, |frame| {
            emit(frame, u32::MAX, b"last");
            FLUSHED.store(true, SeqCst);
            Status::OK
        })
    };
    let guest = Bare { flush, ..later(|frame| elsewhere(frame, 1, echo)) };
    let (out, dead) = run_bare(on(), guest, "a");
    assert!(FLUSHED.load(SeqCst));
    assert_eq!((out, dead), (vec!["a".to_owned(), "last".into()], vec![]));
}

#[test]
fn a_flow_that_is_stopped_does_not_wait_for_answers() {
    static OPEN: AtomicBool = AtomicBool::new(false);
    let answer: Answer = |_| {
        OPEN.store(true, SeqCst);
        Status::PENDING
    };
    within(move || {
        let flow = bare(on(), later(answer)).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", b"a").unwrap();
        until(|| OPEN.load(SeqCst));
        assert!(OPEN.load(SeqCst));
        flow.stop().unwrap();
    });
}

#[test]
fn items_whose_guest_has_died_are_delivered_again_and_nobody_is_to_blame() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        let status = echo(frame);
        if CALLS.fetch_add(1, SeqCst) == 0 { Status::LOST } else { status }
    };
    // What the first call has emitted counts only once.
    let (out, dead) = within(move || {
        let flow = bare(on(), Bare { answer, ..BARE }).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", b"a b c").unwrap();
        flow.drain().unwrap();
        let out = flow.pool("/out").unwrap();
        let versions = ["a", "b", "c"].map(|key| out.get(key).unwrap().unwrap().version);
        (versions, flow.dead_letters("/in").unwrap().len())
    });
    assert_eq!((out, dead), ([1, 2, 3], 0));
}

#[test]
fn items_of_one_key_with_which_a_guest_has_died_keep_their_order() {
    for order in [Order::Key, Order::Single] {
        static CALLS: AtomicU32 = AtomicU32::new(0);
        static SEEN: Mutex<Vec<u64>> = Mutex::new(Vec::new());
        CALLS.store(0, SeqCst);
        SEEN.lock().unwrap().clear();
        let answer: Answer = |frame| {
            match CALLS.fetch_add(1, SeqCst) {
                // All together, and then the first of them fails once.
                0 => return Status::LOST,
                1 => return Status::FAILED,
                _ => {}
            }
            // SAFETY: the frame's items are there during the call.
            let versions = unsafe { frame.items.get(0) }.iter().map(|item| item.version);
            SEEN.lock().unwrap().extend(versions);
            echo(frame)
        };
        let (out, dead) = run(on().retry(1).order(order), answer, "k k k k");
        assert_eq!((out.len(), dead), (1, vec![]));
        assert_eq!(*SEEN.lock().unwrap(), [1, 2, 3, 4], "{order:?}");
    }
}

#[test]
fn an_item_that_kills_its_guest_each_time_is_buried_in_the_end() {
    static DEATHS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        // SAFETY: the frame's items are there during the call.
        let poisoned = unsafe { frame.items.get(0).iter().any(|item| item.key.get(0) == b"poison") };
        if poisoned {
            DEATHS.fetch_add(1, SeqCst);
            return Status::LOST;
        }
        echo(frame)
    };
    let (out, dead) = run(on(), answer, "a poison b");
    assert_eq!(out, ["a", "b"]);
    assert_eq!(dead, ["poison: the guest died 3 times with this item alone"]);
    assert_eq!(DEATHS.load(SeqCst), 4, "once with others, and three times alone");
}

#[test]
fn those_that_were_open_when_a_guest_died_of_another_are_not_buried() {
    static DEATHS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        if first(frame) == b"poison" {
            DEATHS.fetch_add(1, SeqCst);
            return Status::LOST;
        }
        static BEFORE: AtomicU32 = AtomicU32::new(0);
        BEFORE.store(DEATHS.load(SeqCst), SeqCst);
        elsewhere(frame, 20, |frame| {
            // The guest that had it is gone, as long as the poisoned one is among those that are tried.
            let died = DEATHS.load(SeqCst) > BEFORE.load(SeqCst);
            if died { Status::LOST } else { echo(frame) }
        })
    };
    let (out, dead) = run_bare(on().batch(1), later(answer), "a b poison c d");
    assert_eq!(out, ["a", "b", "c", "d"]);
    assert_eq!(dead, ["poison: the guest died 3 times with this item alone"]);
}

#[test]
fn a_sample_has_to_be_answered_at_once() {
    let guest = later(elsewhere_without_answer);
    let flow = bare(on().warm("k", ""), guest);
    let error = flow.start().err().expect("it is refused").to_string();
    assert!(error.contains("the sample of its `warm` has to be answered at once"), "{error}");
}

/// Answers PENDING, and never more.
fn elsewhere_without_answer(frame: &mut FlowFrame) -> Status {
    assert!(frame.head.complete.is_none());
    Status::PENDING
}

#[test]
fn a_guest_that_dies_at_the_end_is_told_by_drain() {
    let message = within(|| {
        let flow = bare(on(), Bare { flush: |_| Status::LOST, ..BARE }).start().unwrap();
        flow.drain().unwrap_err().to_string()
    });
    let told = "handler bare was lost when the input had ended: its guest died 3 times";
    assert!(message.contains(told), "{message}");
}

#[test]
fn the_end_of_the_input_is_told_again_where_the_guest_has_died() {
    static ENDS: AtomicU32 = AtomicU32::new(0);
    let flush: Answer = |frame| {
        emit(frame, u32::MAX, b"last");
        if ENDS.fetch_add(1, SeqCst) < 2 { Status::LOST } else { Status::OK }
    };
    let (out, dead) = run_bare(on(), Bare { flush, answer: echo, ..BARE }, "a");
    assert_eq!((out, dead), (vec!["a".to_owned(), "last".into()], vec![]));
}

#[test]
fn a_guest_may_die_with_a_call_that_is_answered_later() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        let dies = CALLS.fetch_add(1, SeqCst) < 2;
        elsewhere(frame, 1, if dies { |_| Status::LOST } else { echo })
    };
    let (out, dead) = run_bare(on(), later(answer), "a b");
    assert_eq!((out.len(), dead), (2, vec![]));
}
