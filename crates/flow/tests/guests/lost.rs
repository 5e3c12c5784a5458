//! Guests that die when they have finished a part of what they were given.

use crate::bare::{Answer, BARE, Bare, bare, echo, emit, items, key, on, within, writer};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use upcall_abi::{FlowFrame, Record, Status};
use upcall_flow::{OnSpec, Order, Report};

/// What has come of some keys that were handed over as one batch.
struct Came {
    /// The keys in /out, sorted.
    out: Vec<String>,
    /// Objects that reached /out.
    arrived: u64,
    /// The causes in /dead/in.
    dead: Vec<String>,
    report: Report,
}

fn run(on: OnSpec, answer: Answer, keys: &'static str) -> Came {
    within(move || {
        let flow = bare(on, Bare { answer, ..BARE }).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", keys.as_bytes()).unwrap();
        flow.drain().unwrap();
        let out = flow.pool("/out").unwrap().list(b"").unwrap();
        let report = flow.report();
        let letters = flow.dead_letters("/in").unwrap().into_iter();
        Came {
            out: out.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect(),
            arrived: report.pools.iter().find(|pool| pool.path == "/out").unwrap().objects,
            dead: letters.map(|letter| format!("{}: {}", letter.key, letter.cause.message)).collect(),
            report,
        }
    })
}

/// Handles so many items as a driver does, and dies with the next, of which it has emitted half.
fn dies_after(frame: &mut FlowFrame, done: u32) -> Status {
    for (index, item) in (0u32..).zip(items(frame)) {
        emit(frame, index, key(item));
        if index == done {
            return Status::LOST;
        }
        frame.done = index + 1;
    }
    Status::LOST
}

#[test]
fn what_was_finished_before_counts_once_and_the_rest_is_delivered_again() {
    static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        SIZES.lock().unwrap().push(items(frame).len());
        if items(frame).len() == 4 { dies_after(frame, 2) } else { echo(frame) }
    };
    let came = run(on(), answer, "a b c d");
    assert_eq!((came.out.join(" ").as_str(), came.arrived, came.dead.len()), ("a b c d", 4, 0));
    assert_eq!(*SIZES.lock().unwrap(), [4, 1, 1], "with nothing else beside each");
    let handler = &came.report.handlers[1];
    assert_eq!((handler.items, handler.emitted, handler.failed, handler.queued), (4, 4, 0, 0));
}

#[test]
fn a_guest_that_dies_when_all_is_finished_has_handled_it() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        CALLS.fetch_add(1, SeqCst);
        echo(frame);
        Status::LOST
    };
    for keys in ["a b c", "a"] {
        CALLS.store(0, SeqCst);
        let came = run(on(), answer, keys);
        assert_eq!((came.out.join(" ").as_str(), came.dead.len(), CALLS.load(SeqCst)), (keys, 0, 1));
    }
}

#[test]
fn the_item_in_front_is_the_suspect_and_those_behind_it_are_handled() {
    static DEATHS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| match items(frame).iter().position(|item| key(item) == b"poison") {
        Some(at) => {
            DEATHS.fetch_add(1, SeqCst);
            dies_after(frame, at as u32)
        }
        None => echo(frame),
    };
    let came = run(on(), answer, "a poison b");
    assert_eq!((came.out.join(" ").as_str(), came.arrived), ("a b", 2));
    assert_eq!(came.dead, ["poison: the guest died 3 times with this item alone"]);
    assert_eq!(DEATHS.load(SeqCst), 4, "once with others, and three times alone");
}

#[test]
fn where_the_order_is_single_what_was_finished_is_not_handled_again() {
    static SEEN: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        let dies = SEEN.lock().unwrap().is_empty();
        let finished = if dies { 2 } else { items(frame).len() };
        SEEN.lock().unwrap().extend(items(frame)[..finished].iter().map(|item| item.version));
        if dies { dies_after(frame, 2) } else { echo(frame) }
    };
    let came = run(on().order(Order::Single), answer, "a b c a b");
    assert_eq!((came.arrived, came.dead.len()), (5, 0));
    assert_eq!(*SEEN.lock().unwrap(), [1, 2, 3, 4, 5]);
}

/// Emits as a batch handler does, for no item in particular.
fn for_all(frame: &mut FlowFrame, keys: std::ops::Range<usize>) {
    for item in &items(frame)[keys] {
        emit(frame, Record::NO_ITEM, key(item));
    }
}

#[test]
fn of_a_batch_handler_that_counts_which_was_emitted_before_it_reported() {
    static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        let (count, place) = (items(frame).len(), &raw mut *frame);
        SIZES.lock().unwrap().push(count);
        for_all(frame, 0..count.min(1));
        // SAFETY: a driver's part.
        unsafe { FlowFrame::report(place, 1) };
        if count == 1 {
            return Status::OK;
        }
        for_all(frame, 1..3);
        // SAFETY: as above.
        unsafe { FlowFrame::report(place, 3) };
        for_all(frame, 3..4);
        Status::LOST
    };
    let came = run(on(), answer, "a b c d e");
    assert_eq!((came.out.join(" ").as_str(), came.arrived, came.dead.len()), ("a b c d e", 5, 0));
    assert_eq!(*SIZES.lock().unwrap(), [5, 1, 1]);
}

#[test]
fn of_a_batch_handler_that_reported_nothing_nothing_counts() {
    static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        let count = items(frame).len();
        SIZES.lock().unwrap().push(count);
        for_all(frame, 0..count);
        frame.done = count as u32 - 1;
        if count > 1 { Status::LOST } else { Status::OK }
    };
    let came = run(on(), answer, "a b c");
    assert_eq!((came.out.join(" ").as_str(), came.arrived, came.dead.len()), ("a b c", 3, 0));
    assert_eq!(*SIZES.lock().unwrap(), [3, 1, 1, 1]);
}

#[test]
fn what_was_emitted_into_many_chunks_is_cut_where_the_guest_has_died() {
    static SIZES: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let answer: Answer = |frame| {
        SIZES.lock().unwrap().push(items(frame).len());
        let dies = items(frame).len() > 1;
        for (index, item) in (0u32..).zip(items(frame)) {
            let value = vec![index as u8; 50_000];
            writer(frame).put(2, index, key(item), &value).expect("there is memory");
            frame.done = if dies { (index + 1).min(2) } else { index + 1 };
        }
        if dies { Status::LOST } else { Status::OK }
    };
    let came = run(on(), answer, "a b c d e f");
    assert_eq!((came.out.join(" ").as_str(), came.arrived, came.dead.len()), ("a b c d e f", 6, 0));
    assert_eq!(*SIZES.lock().unwrap(), [6, 1, 1, 1, 1]);
}

#[test]
fn an_emission_on_condition_of_a_finished_item_is_decided_once() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        let dies = CALLS.fetch_add(1, SeqCst) == 0;
        for (index, item) in (0u32..).zip(items(frame)) {
            let mut writer = writer(frame);
            writer.condition(index, 0).expect("there is memory");
            writer.put(2, index, key(item), b"").expect("there is memory");
            frame.done = index + 1;
            if dies {
                return Status::LOST;
            }
        }
        Status::OK
    };
    let came = run(on(), answer, "a b c");
    assert_eq!((came.out.join(" ").as_str(), came.arrived, came.dead), ("a b c", 3, vec![]));
    assert_eq!(CALLS.load(SeqCst), 3, "the others alone");
}

#[test]
fn what_is_wrong_with_what_was_finished_buries_its_item() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let answer: Answer = |frame| {
        let dies = CALLS.fetch_add(1, SeqCst) == 0;
        if dies {
            writer(frame).put(99, 0, b"nowhere", b"").expect("there is memory");
            frame.done = 1;
            return Status::LOST;
        }
        echo(frame)
    };
    let came = run(on(), answer, "a b");
    assert_eq!((came.out.join(" ").as_str(), came.dead.len()), ("b", 1));
    assert!(came.dead[0].starts_with("a: "), "{:?}", came.dead);
}
