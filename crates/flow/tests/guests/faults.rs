//! Guests that break the boundary's rules, and threads that die: the flow says so, it never hangs.

use crate::bare::{Answer, BARE, Bare, bare, emit, first, listed, on, refused, run, within};
use upcall_abi::{FlowFrame, Record, Status, Writer, about, as_of, missing};
use upcall_flow::ErrorKind;

#[test]
fn a_guest_that_fails_after_its_last_item_loses_nothing() {
    let answer: Answer = |frame| {
        emit(frame, 0, first(frame));
        frame.done = u32::MAX;
        frame.head.error.item = 0;
        Status::FAILED
    };
    let (out, dead) = run(on().retry(1), answer, "a b");
    assert_eq!((out, dead), (vec!["a".to_owned()], vec![]));
}

#[test]
fn a_read_as_of_what_the_flow_does_not_know_is_refused_as_such_and_not_as_a_pool() {
    let answer: Answer = |frame| {
        let (out, start) = (2, 0);
        for (pool, as_of) in [(out, as_of::TIME), (out, as_of::TIME + 1), (start, as_of::TIME + 1)] {
            emit(frame, 0, format!("pool {pool} as of {as_of}: {}", refused(pool, as_of)).as_bytes());
        }
        Status::OK
    };
    let (known, unknown, undeclared) = (0, missing::UNKNOWN_AS_OF, missing::NOT_DECLARED);
    let expected = [
        format!("pool 0 as of 3: {undeclared}"),
        format!("pool 2 as of 2: {known}"),
        format!("pool 2 as of 3: {unknown}"),
    ];
    assert_eq!(run(on().read("/out"), answer, "a"), (expected.to_vec(), vec![]));
}

#[test]
fn a_guest_that_copies_what_it_is_given_lists_thousands_of_times_in_a_call_and_the_flow_goes_on() {
    let answer: Answer = |frame| {
        let keys = (0..4000).map(|_| listed(2)).sum::<usize>();
        emit(frame, 0, format!("listed {keys}").as_bytes());
        Status::OK
    };
    let flow =
        bare(on().read("/out"), Bare { answer, copies: true, ..BARE }).memory(16 << 20).start().unwrap();
    let out = flow.pool("/out").unwrap();
    (0..100).for_each(|key: u32| out.put_and_forget([key as u8; 100], b"").unwrap());
    flow.drain().unwrap();
    flow.pool("/in").unwrap().put_and_forget(b"a", b"").unwrap();
    flow.drain().unwrap();
    assert!(out.get(b"listed 400000").unwrap().is_some());
}

#[test]
fn a_guest_that_answers_with_an_unknown_status_has_failed() {
    let (out, dead) = run(on(), |_| Status(-7), "a b");
    assert_eq!((out.len(), dead.len()), (0, 2));
}

#[test]
fn a_guest_that_is_pending_keeps_nothing_that_it_emitted() {
    let answer: Answer = |frame| {
        emit(frame, 0, first(frame));
        frame.done = frame.items.len as u32;
        Status::PENDING
    };
    let (out, dead) = run(on(), answer, "a b");
    assert_eq!((out.len(), dead.len()), (0, 2));
    assert!(dead[0].contains("PENDING"), "{dead:?}");
}

#[test]
fn what_a_failed_item_emitted_is_forgotten_even_if_its_driver_does_not() {
    // The first item is done, the second fails once it has emitted; nothing is truncated.
    let answer: Answer = |frame| {
        if first(frame) == b"b" {
            return Status::OK;
        }
        emit(frame, 0, b"from a");
        emit(frame, 1, b"from b");
        (frame.done, frame.head.error.item) = (1, 1);
        Status::FAILED
    };
    let (out, dead) = run(on().retry(1), answer, "a b");
    assert_eq!((out, dead), (vec!["from a".to_owned()], vec![]));
}

#[test]
fn a_record_of_an_item_that_is_not_there_fails_the_call() {
    let answer: Answer = |frame| {
        emit(frame, 2, b"k");
        Status::OK
    };
    let (out, dead) = run(on(), answer, "a b");
    assert_eq!(out.len(), 0);
    assert_eq!(dead.len(), 2);
    assert!(dead[0].contains("a record of item 2, counted from 0, but only 1 of them are done"), "{dead:?}");
}

/// Emits into /out on condition that there is no such key, as a driver does.
fn emit_if(frame: &mut FlowFrame, item: u32, key: &[u8]) {
    let start: *mut FlowFrame = frame;
    // SAFETY: the frame is valid, and its output used by this writer alone.
    let mut writer = unsafe { Writer::new(start.cast(), &raw mut (*start).out) };
    writer.condition(item, 0).expect("there is memory");
    emit(frame, item, key);
}

#[test]
fn a_driver_that_emits_on_condition_twice_or_without_an_item_is_refused() {
    let twice: Answer = |frame| {
        emit_if(frame, 0, b"first");
        if first(frame) == b"bad" {
            emit_if(frame, 0, b"second");
        }
        Status::OK
    };
    let (out, dead) = run(on().batch(1), twice, "bad a");
    let expected = "bad: it emits on condition twice, and two owners cannot decide together: emit on condition once for an \
                    item";
    assert_eq!((out, dead), (vec!["first".to_owned()], vec![expected.to_owned()]));

    let nowhere: Answer = |frame| {
        emit_if(frame, Record::NO_ITEM, b"k");
        Status::OK
    };
    let (out, dead) = run(on(), nowhere, "a");
    let expected = "it emits on condition for no item in particular, so there is none that could fail";
    assert!(out.is_empty() && dead.len() == 1 && dead[0].contains(expected), "{out:?} {dead:?}");

    let error = within(move || {
        let flow = bare(on(), Bare { flush: nowhere, ..BARE }).start().unwrap();
        flow.drain().unwrap_err().to_string()
    });
    assert!(error.contains(expected), "{error}");
}

#[test]
fn an_output_that_cannot_be_read_fails_the_call_and_spoils_no_later_one() {
    /// Emits and then leaves the output in a state that it cannot have.
    fn leave(frame: &mut FlowFrame, wrong: fn(&mut FlowFrame)) -> Status {
        emit(frame, 0, first(frame));
        if first(frame).starts_with(b"bad") {
            wrong(frame);
        }
        Status::OK
    }
    let answers: [Answer; 6] = [
        |frame| leave(frame, |frame| frame.out.at += 1 << 20),
        |frame| leave(frame, |frame| frame.out.at = 8),
        |frame| leave(frame, |frame| frame.out.at -= 8),
        |frame| leave(frame, |frame| frame.out.at += 4),
        |frame| leave(frame, |frame| frame.out.chunk = 7),
        |frame| {
            leave(frame, |frame| {
                frame.out.at -= 3;
                let grow = frame.out.grow.expect("it is there");
                // SAFETY: the frame is the engine's.
                assert_eq!(unsafe { grow(&raw mut frame.head, 8) }, Status::OK);
                frame.out.at += 12;
            })
        },
    ];
    for (index, answer) in answers.into_iter().enumerate() {
        let (out, dead) = within(move || {
            let flow = bare(on(), Bare { answer, ..BARE }).start().unwrap();
            for key in ["1", "bad1", "2", "bad2", "3"] {
                flow.pool("/in").unwrap().put_and_forget(key.as_bytes(), b"").unwrap();
                flow.settle().unwrap();
            }
            (flow.pool("/out").unwrap().list(b"").unwrap(), flow.dead_letters("/in").unwrap())
        });
        assert_eq!(out, [Box::from(*b"1"), Box::from(*b"2"), Box::from(*b"3")], "answer {index}");
        assert_eq!(dead.len(), 2, "answer {index}");
        assert_eq!(dead[0].cause.type_name, "bad emission");
    }
}

fn on_the_second_worker() -> bool {
    std::thread::current().name() == Some("upcall-1")
}

#[test]
fn a_handler_of_another_kind_is_refused_at_the_start_by_both_names() {
    let refused = |says| {
        let outcome = within(move || bare(on(), Bare { says, ..BARE }).start().map(drop));
        outcome.unwrap_err().to_string()
    };
    let combine = "open handler bare: it takes COMBINE frames, and a flow calls with FLOW frames: give it another handler";
    assert_eq!(refused(&[(about::KIND, "COMBINE", "17")]), combine);
    let newer = "open handler bare: it takes TILES frames, and a flow calls with FLOW frames: give it another handler";
    assert_eq!(refused(&[(99, "of a newer SDK", ""), (about::KIND, "TILES", "77")]), newer);
    assert_eq!(refused(&[]), "open handler bare: ask what it is: it does not say which kind it is");
}

#[test]
fn a_worker_that_dies_while_it_opens_its_handlers_fails_the_start() {
    let dies = Bare { instantiate: || assert!(!on_the_second_worker(), "no room"), ..BARE };
    let leaves = Bare { attach: || !on_the_second_worker(), ..BARE };
    for guest in [dies, leaves] {
        let error = within(move || bare(on(), guest).workers(2).start().err()).expect("a worker is missing");
        assert_eq!(error.kind(), ErrorKind::Internal);
        assert!(error.to_string().contains("worker 1"), "{error}");
    }
}
