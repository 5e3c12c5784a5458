//! A guest whose handlers are written against the bare boundary, and a flow around one of them.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use upcall::{Emit, Object};
use upcall_abi::{
    CancelFrame, DescribeFrame, Entry, FlowFrame, FlowOpen, FrameHead, Item, OpenFrame, PoolServices, Query,
    Rel, Status, Writer, about, kind,
};
use upcall_flow::{Flow, FlowBuilder, OnSpec, Pool};
use upcall_host::{Capabilities, HandlerSpec, Host, Instance, Module, Threads};

/// Answers the frames with items, or FLUSH; all others but DESCRIBE are answered with OK.
pub type Answer = fn(&mut FlowFrame) -> Status;

/// A guest whose handlers are written against the bare boundary.
#[derive(Clone, Copy)]
pub struct Bare {
    /// The name of its host.
    pub guest: &'static str,
    pub answer: Answer,
    pub flush: Answer,
    /// Told to cancel a call.
    pub cancel: fn(&CancelFrame) -> Status,
    /// What it says of itself: each record's subject, key and value.
    pub says: &'static [(u32, &'static str, &'static str)],
    pub instantiate: fn(),
    pub attach: fn() -> bool,
    /// Whether it copies what it is given, as what it asks for.
    pub copies: bool,
}

pub const BARE: Bare = Bare {
    guest: "bare",
    answer: |_| Status::OK,
    flush: |_| Status::OK,
    cancel: |_| Status::OK,
    says: &[(about::KIND, "FLOW", "16")],
    instantiate: || (),
    attach: || true,
    copies: false,
};

impl Host for Bare {
    fn guest(&self) -> &'static str {
        self.guest
    }

    fn capabilities(&self) -> Capabilities {
        let sees_native_memory = !self.copies;
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory,
            maps_lent: false,
            good_batch: 1,
        }
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

thread_local! {
    /// What OPEN lends the bare handler of this worker.
    static SERVICES: Cell<*const PoolServices> = const { Cell::new(ptr::null()) };
    /// As which of how many OPEN has made it known there.
    static OPENED: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Which instance of the handler runs on this thread, of how many.
pub fn opened() -> (u32, u32) {
    OPENED.get()
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: the state is the guest; the frame is of the type that its kind tells.
    unsafe {
        match (*frame).kind {
            kind::FLOW => ((*state.cast::<Bare>()).answer)(&mut *frame.cast()),
            kind::FLUSH => ((*state.cast::<Bare>()).flush)(&mut *frame.cast()),
            kind::CANCEL => ((*state.cast::<Bare>()).cancel)(&*frame.cast()),
            kind::DESCRIBE => {
                let out = &raw mut (*frame.cast::<DescribeFrame>()).out;
                let mut writer = Writer::new(frame, out);
                for (what, key, value) in (*state.cast::<Bare>()).says {
                    writer.put(*what, 0, key.as_bytes(), value.as_bytes()).expect("there is room");
                }
                Status::OK
            }
            kind::OPEN => {
                let open = &*frame.cast::<OpenFrame>();
                OPENED.set((open.worker, open.workers));
                let added = FlowOpen::of(open).expect("it is as long");
                SERVICES.set(added.pool_services);
                Status::OK
            }
            _ => Status::OK,
        }
    }
}

/// Why the flow refuses to read a key of a pool, as [`upcall_abi::missing`] says it; 0 when it does not.
pub fn refused(pool: u32, as_of: u32) -> u64 {
    let query = Query { key: b"k".as_ptr(), key_len: 1, pool, as_of, at: 1 };
    let mut found = Item::ABSENT;
    // SAFETY: the flow's from OPEN to CLOSE, on the handler's worker.
    let status = unsafe {
        let services = &*SERVICES.get();
        (services.read)(services.context, &query, &mut found)
    };
    if status == Status::OK { 0 } else { found.tag }
}

/// How many keys of a pool the flow lists.
pub fn listed(pool: u32) -> usize {
    let query = Query { key: b"".as_ptr(), key_len: 0, pool, as_of: 0, at: 0 };
    let mut keys = Rel::EMPTY;
    // SAFETY: as in `refused`.
    let status = unsafe {
        let services = &*SERVICES.get();
        (services.list)(services.context, &query, &mut keys)
    };
    assert_eq!(status, Status::OK);
    keys.len as usize
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: made by `instantiate`, released once.
    drop(unsafe { Box::from_raw(state.cast::<Bare>()) });
}

/// Emits into /out as a driver does.
pub fn emit(frame: &mut FlowFrame, item: u32, key: &[u8]) {
    writer(frame).put(2, item, key, b"").expect("there is memory");
}

/// Writes into the output of a frame.
pub fn writer(frame: &mut FlowFrame) -> Writer {
    let frame: *mut FlowFrame = frame;
    // SAFETY: the frame is valid, and its output used by this writer alone.
    unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) }
}

/// The items of a frame.
pub fn items(frame: &FlowFrame) -> &'static [Item] {
    // SAFETY: the frame's items are there until it is answered, and the tests use them no longer.
    unsafe { frame.items.get(0) }
}

/// The key of an item, during the call.
pub fn key(item: &Item) -> &'static [u8] {
    // SAFETY: as above.
    unsafe { item.key.get(0) }
}

/// Emits an object for each item, of its key.
pub fn echo(frame: &mut FlowFrame) -> Status {
    for (index, item) in (0u32..).zip(items(frame)) {
        emit(frame, index, key(item));
        frame.done = index + 1;
    }
    Status::OK
}

/// The key of the first item.
pub fn first(frame: &FlowFrame) -> &'static [u8] {
    key(&items(frame)[0])
}

/// A flow on one worker: /start, whose objects hold the keys of one batch, to /in, and the bare handler from
/// there to /out.
pub fn bare(on: OnSpec, bare: Bare) -> FlowBuilder {
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
        .on_guest(on.code("bare", "bare", "bare"))
}

pub fn on() -> OnSpec {
    OnSpec::new("bare", "/in").to("/out")
}

/// Runs `body` on a thread of its own: what hangs fails.
pub fn within<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || send.send(body()));
    receive.recv_timeout(Duration::from_secs(20)).expect("it hangs or has panicked")
}

/// Hands `keys` over as one batch, drains, and returns the keys in /out and the causes in /dead/in.
pub fn run(on: OnSpec, answer: Answer, keys: &'static str) -> (Vec<String>, Vec<String>) {
    run_bare(on, Bare { answer, ..BARE }, keys)
}

/// As [`run`], for any guest.
pub fn run_bare(on: OnSpec, guest: Bare, keys: &'static str) -> (Vec<String>, Vec<String>) {
    within(move || {
        let flow = bare(on, guest).start().unwrap();
        flow.pool("/start").unwrap().put_and_forget(b"", keys.as_bytes()).unwrap();
        flow.drain().unwrap();
        let out = flow.pool("/out").unwrap().list(b"").unwrap();
        let out = out.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect();
        let letters = flow.dead_letters("/in").unwrap().into_iter();
        (out, letters.map(|letter| format!("{}: {}", letter.key, letter.cause.message)).collect())
    })
}
