//! Guests that break the boundary's rules, and threads that die: the flow says so, it never hangs.

use std::ffi::c_void;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use upcall::{Emit, Object};
use upcall_abi::{DescribeFrame, Entry, FlowFrame, FrameHead, Status, Writer, about, kind};
use upcall_flow::{Code, ErrorKind, Flow, FlowBuilder, OnSpec, Pool};
use upcall_host::{Capabilities, HandlerSpec, Host, Instance, Module, Threads};

/// Answers the frames with items; all others but DESCRIBE are answered with OK.
type Answer = fn(&mut FlowFrame) -> Status;

/// A guest whose handlers are written against the bare boundary.
#[derive(Clone, Copy)]
struct Bare {
    answer: Answer,
    /// What it says of itself: each record's subject, key and value.
    says: &'static [(u32, &'static str, &'static str)],
    instantiate: fn(),
    attach: fn() -> bool,
}

const BARE: Bare = Bare {
    answer: |_| Status::OK,
    says: &[(about::KIND, "FLOW", "16")],
    instantiate: || (),
    attach: || true,
};

impl Host for Bare {
    fn guest(&self) -> &'static str {
        "bare"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { threads: Threads::Own, killable: false, sees_native_memory: true, good_batch: 1 }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        if (self.attach)() {
            body();
        }
    }

    fn load(&self, _: &HandlerSpec) -> Result<Box<dyn Module>, upcall_host::Error> {
        Ok(Box::new(Loaded(*self)))
    }
}

struct Loaded(Bare);

impl Module for Loaded {
    fn instantiate(&self) -> Result<Instance, upcall_host::Error> {
        (self.0.instantiate)();
        let state = Box::into_raw(Box::new(self.0)).cast();
        // SAFETY: `call` answers every frame, and the state is its own.
        Ok(unsafe { Instance::new(Entry { call, state, release: Some(release) }) })
    }
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: the state is the guest; the frame is of the type that its kind tells.
    unsafe {
        match (*frame).kind {
            kind::FLOW => ((*state.cast::<Bare>()).answer)(&mut *frame.cast()),
            kind::DESCRIBE => {
                let out = &raw mut (*frame.cast::<DescribeFrame>()).out;
                let mut writer = Writer::new(frame, out);
                for (what, key, value) in (*state.cast::<Bare>()).says {
                    writer.put(*what, 0, key.as_bytes(), value.as_bytes()).expect("there is room");
                }
                Status::OK
            }
            _ => Status::OK,
        }
    }
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: made by `instantiate`, released once.
    drop(unsafe { Box::from_raw(state.cast::<Bare>()) });
}

/// Emits into /out as a driver does.
fn emit(frame: &mut FlowFrame, item: u32, key: &[u8]) {
    let frame: *mut FlowFrame = frame;
    // SAFETY: the frame is valid, and its output used by this writer alone.
    let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
    writer.put(2, item, key, b"").expect("there is memory");
}

/// The key of the first item.
fn first(frame: &FlowFrame) -> &'static [u8] {
    // SAFETY: a batch has items; the tests use the key during the call only.
    unsafe { frame.items.get(0)[0].key.get(0) }
}

/// A flow on one worker: /start, whose objects hold the keys of one batch, to /in, and the bare handler from
/// there to /out.
fn bare(on: OnSpec, bare: Bare) -> FlowBuilder {
    let handler = HandlerSpec { name: on.name.clone(), file: "bare".into(), class: "bare".into() };
    let code = Some(Code { guest: "bare".into(), handler });
    Flow::builder()
        .workers(1)
        .pool(Pool::trigger("/start"))
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("spread", "/start").to("/in"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                object.value().split(|byte| *byte == b' ').for_each(|key| emit.put(key, b""));
                Ok(())
            }
        })
        .host(Arc::new(bare))
        .on_guest(OnSpec { code, ..on })
}

fn on() -> OnSpec {
    OnSpec::new("bare", "/in").to("/out")
}

/// Runs `body` on a thread of its own: what hangs fails.
fn within<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(body()));
    receive.recv_timeout(Duration::from_secs(20)).expect("it hangs or has panicked")
}

/// Hands `keys` over as one batch, drains, and returns the keys in /out and the causes in /dead/in.
fn run(on: OnSpec, answer: Answer, keys: &'static str) -> (Vec<String>, Vec<String>) {
    within(move || {
        let flow = bare(on, Bare { answer, ..BARE }).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", keys.as_bytes()).unwrap();
        flow.drain().unwrap();
        let out = flow.pool("/out").unwrap().list(b"").unwrap();
        let out = out.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
        let letters = flow.dead_letters("/in").unwrap().into_iter();
        (out, letters.map(|letter| format!("{}: {}", letter.key, letter.cause.message)).collect())
    })
}

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
