//! Calls that are open at the same time, without an engine: each frame is completed once, with what the guest has made of
//! it.

#[path = "support/instance.rs"]
mod instance;

use instance::instance;
use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use upcall_abi::{
    CallFailed, CancelFrame, Chained, ErrorSlot, FlowFrame, FlowOpen, FrameHead, Instance, Item, OpenFrame,
    PoolEntry, PoolServices, Query, Rel, Services, Status, access, cancelled, kind, missing,
};
use upcall_host::{Isolation, describe};

/// An instance that is open, and what is completed of it.
struct Engine {
    instance: Instance,
    completed: Receiver<(usize, Status)>,
}

/// A frame of one item, with all that it points to.
struct Call {
    frame: Box<Chained<FlowFrame>>,
    _text: Box<[u8]>,
    _items: Box<[Item]>,
    _bytes: Box<[u8]>,
}

/// Who hears of what is completed. Each test is a process of its own.
static COMPLETED: Mutex<Option<Sender<(usize, Status)>>> = Mutex::new(None);

unsafe extern "C" fn complete(frame: *mut FrameHead, status: Status) {
    let completed = COMPLETED.lock().unwrap();
    completed.as_ref().unwrap().send((frame.addr(), status)).unwrap();
}

unsafe extern "C" fn log(_: *mut c_void, _: u32, _: *const u8, _: u64) {}

unsafe extern "C" fn read(_: *mut c_void, _: *const Query, found: *mut Item) -> Status {
    // SAFETY: a place for an item.
    unsafe { found.write(Item { tag: missing::NOT_DECLARED, ..Item::ABSENT }) };
    Status::FAILED
}

unsafe extern "C" fn list(_: *mut c_void, _: *const Query, _: *mut Rel<Rel<u8>>) -> Status {
    Status::FAILED
}

static COMMON: Shared<Services> =
    Shared(Services { size: size_of::<Services>() as u32, reserved: 0, context: std::ptr::null_mut(), log });
static POOLS: Shared<PoolServices> = Shared(PoolServices {
    size: size_of::<PoolServices>() as u32,
    reserved: 0,
    context: std::ptr::null_mut(),
    read,
    list,
});

struct Shared<T>(T);

// SAFETY: functions that need no context.
unsafe impl<T> Sync for Shared<T> {}

impl Engine {
    fn open(isolation: Isolation) -> Engine {
        let (send, completed) = channel();
        *COMPLETED.lock().unwrap() = Some(send);
        let mut instance = instance("rust", "Later", isolation).unwrap();
        assert!(describe(&mut instance).unwrap().answers_later);
        let pool = PoolEntry {
            path: Rel::of(b"/out"),
            value_type: Rel::EMPTY,
            value_size: 0,
            id: 1,
            access: access::EMIT,
            reserved: 0,
        };
        let added = FlowOpen {
            size: size_of::<FlowOpen>() as u32,
            reserved: 0,
            pools: Rel::of(std::slice::from_ref(&pool)),
            senders: Rel::EMPTY,
            pool_services: &POOLS.0,
        };
        let mut frame = OpenFrame::new(kind::FLOW, "later", &COMMON.0, &added);
        // SAFETY: the frame and all it points to live until the call returns.
        unsafe { instance.ask(&mut frame) }.unwrap();
        Engine { instance, completed }
    }

    fn call(&mut self, value: &[u8]) -> Call {
        let bytes: Box<[u8]> = [value, b"key"].concat().into();
        let (value, key) = bytes.split_at(value.len());
        let items: Box<[Item]> =
            [Item { key: Rel::of(key), value: Rel::of(value), version: 1, ..Item::ABSENT }].into();
        let mut text = vec![0u8; 4096].into_boxed_slice();
        let mut frame = Chained::new(FlowFrame { items: Rel::of(&items), ..FlowFrame::new(kind::FLOW) });
        let head = &mut frame.frame.head;
        head.error = ErrorSlot {
            text: Rel::new(text.as_mut_ptr().expose_provenance() as u64, 4096),
            ..ErrorSlot::EMPTY
        };
        head.complete = Some(complete);
        let mut call = Call { frame, _text: text, _items: items, _bytes: bytes };
        // SAFETY: the frame and all it points to stay until it is completed.
        let status = unsafe { self.instance.call(call.frame.start()) };
        assert_eq!(status, Status::PENDING, "{:?}", call.failed());
        call
    }

    fn cancel(&mut self, call: &mut Call) {
        let mut frame = CancelFrame::new(call.frame.start(), cancelled::TIMED_OUT);
        // SAFETY: a whole frame.
        unsafe { self.instance.ask(&mut frame) }.unwrap();
    }

    fn close(&mut self) {
        let mut frame = FrameHead::new::<FrameHead>(kind::CLOSE);
        // SAFETY: a whole frame.
        unsafe { self.instance.ask(&mut frame) }.unwrap();
    }

    fn next(&self) -> (usize, Status) {
        self.completed.recv_timeout(Duration::from_secs(10)).expect("it is completed")
    }
}

impl Call {
    fn at(&mut self) -> usize {
        self.frame.start().addr()
    }

    /// What was emitted: the value of the first record.
    fn emitted(&mut self) -> Vec<u8> {
        // SAFETY: it was completed.
        unsafe { self.frame.records() }.unwrap()[0].2.to_vec()
    }

    fn failed(&mut self) -> CallFailed {
        // SAFETY: nobody has it.
        unsafe { CallFailed::of(&self.frame.frame.head) }
    }
}

#[test]
fn each_is_completed_once_whatever_else_is_open() {
    let mut engine = Engine::open(Isolation::default());
    for round in 0..20u8 {
        let values: Vec<Vec<u8>> = (0..60).map(|n| vec![b'a' + round; n * n * 3]).collect();
        let mut calls: Vec<Call> = values.iter().map(|value| engine.call(value)).collect();
        let mut completed: Vec<usize> = calls
            .iter()
            .map(|_| engine.next())
            .map(|(at, status)| {
                assert_eq!(status, Status::OK);
                at
            })
            .collect();
        completed.sort_unstable();
        let mut wanted: Vec<usize> = calls.iter_mut().map(Call::at).collect();
        wanted.sort_unstable();
        assert_eq!(completed, wanted);
        for (call, value) in calls.iter_mut().zip(&values) {
            assert!(call.emitted() == *value && call.frame.frame.done == 1);
        }
    }
    engine.close();
    assert!(engine.completed.try_recv().is_err());
}

#[test]
fn close_completes_what_is_open_before_it_returns() {
    let mut engine = Engine::open(Isolation::default());
    let mut calls: Vec<Call> = (0..100).map(|n| engine.call([&b"never"[..], b"deaf"][n % 2])).collect();
    engine.cancel(&mut calls[0]);
    assert_eq!(engine.next(), (calls[0].at(), Status::FAILED));
    assert_eq!(calls[0].failed().message, "timed out");
    // It is open no longer.
    engine.cancel(&mut calls[0]);
    engine.close();
    let completed: Vec<_> = engine.completed.try_iter().collect();
    assert_eq!(completed.len(), 99);
    // Those that had not begun when CLOSE came are lost: it comes before them.
    let begun = completed.iter().filter(|(_, status)| *status == Status::FAILED).count();
    assert!(completed.iter().all(|(_, status)| [Status::FAILED, Status::LOST].contains(status)));
    let closed = calls[1..].iter_mut().filter_map(|call| (call.failed().message == "closed").then_some(()));
    assert_eq!(closed.count(), begun);
}

#[test]
fn all_that_are_open_are_lost_with_the_process_and_the_next_call_starts_another() {
    let mut engine = Engine::open(Isolation::default());
    for _ in 0..5 {
        let mut calls: Vec<Call> = (0..100).map(|_| engine.call(b"never")).collect();
        let mut last = engine.call(b"kill");
        for _ in 0..101 {
            assert_eq!(engine.next().1, Status::LOST);
        }
        let said = last.failed();
        assert_eq!(
            (said.type_name.as_str(), said.message.as_str()),
            ("process", "killed by SIGKILL, from outside")
        );
        engine.cancel(&mut calls[0]);
        let mut call = engine.call(b"anything");
        assert_eq!(engine.next(), (call.at(), Status::OK));
        assert_eq!(call.emitted(), b"anything");
    }
    let call = engine.call(b"never");
    drop(engine.instance);
    // Without CLOSE the process ends, and what was open is lost.
    assert_eq!(engine.completed.try_recv().unwrap().1, Status::LOST);
    drop(call);
}

#[test]
fn more_than_there_are_lanes_are_lost_one_by_one_and_harm_no_other() {
    let mut engine = Engine::open(Isolation::default());
    let calls: Vec<Call> = (0..1022).map(|_| engine.call(b"never")).collect();
    let begun = Instant::now();
    let mut frame = FlowFrame::new(kind::FLOW);
    frame.head.complete = Some(complete);
    let mut frame = Chained::new(frame);
    // SAFETY: a whole frame; nobody has it when it is lost.
    assert_eq!(unsafe { engine.instance.call(frame.start()) }, Status::LOST);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    engine.close();
    assert_eq!(engine.completed.try_iter().count(), calls.len());
}
