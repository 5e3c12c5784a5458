//! A handler that answers later, on the bare boundary: each item has a thread, which does what the value says.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;
use upcall_abi::{
    CancelFrame, DescribeFrame, Entry, FlowFrame, FlowOpen, FrameHead, Instance, Item, OpenFrame,
    PoolServices, Query, Rel, Services, Status, Writer, about, access, as_of, base, cancelled, kind, missing,
};
use upcall_host::Error;

pub(crate) struct Module;

impl upcall_host::Module for Module {
    fn instantiate(&self) -> Result<Instance, Error> {
        // SAFETY: `call` answers every frame, and needs no state.
        Ok(unsafe { Instance::new(Entry { call, state: std::ptr::null_mut(), release: None }) })
    }
}

/// What OPEN says, which is there until CLOSE.
#[derive(Clone, Copy)]
struct Opened {
    common: &'static Services,
    pools: &'static PoolServices,
    out: u32,
    read: Option<u32>,
}

// SAFETY: services of a handler that answers later may be used on any thread.
unsafe impl Send for Opened {}
// SAFETY: as above.
unsafe impl Sync for Opened {}

static OPENED: OnceLock<Opened> = OnceLock::new();
static SEEN: AtomicUsize = AtomicUsize::new(0);
/// Calls that are open now, and at most.
static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// By their address: frames that are open, and whether something else than their thread answers them.
static OPEN: Mutex<Option<HashMap<usize, Ends>>> = Mutex::new(None);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    ByItself,
    WhenCancelled,
    AtClose,
}

fn open() -> MutexGuard<'static, Option<HashMap<usize, Ends>>> {
    OPEN.lock().unwrap()
}

unsafe extern "C" fn call(_: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: the host passes whole frames of their kind.
    unsafe {
        match (*frame).kind {
            kind::DESCRIBE => {
                let mut writer = Writer::new(frame, &raw mut (*frame.cast::<DescribeFrame>()).out);
                for (what, key, value) in
                    [(about::KIND, "FLOW", "16"), (about::FORM, "object", ""), (about::ANSWERS_LATER, "", "")]
                {
                    writer.put(what, 0, key.as_bytes(), value.as_bytes()).expect("there is room");
                }
                Status::OK
            }
            kind::OPEN => opened(&*frame.cast()),
            kind::FLOW => item(&mut *frame.cast()),
            kind::FLUSH => {
                let seen = SEEN.load(SeqCst).to_string();
                put(&mut *frame.cast(), b"flushed", &vec![b'.'; 3 << 20], upcall_abi::Record::NO_ITEM);
                put(&mut *frame.cast(), b"seen", seen.as_bytes(), upcall_abi::Record::NO_ITEM);
                Status::OK
            }
            kind::CANCEL => {
                let cancel = &*frame.cast::<CancelFrame>();
                let why = if cancel.why == cancelled::TIMED_OUT { "timed out" } else { "from outside" };
                end(cancel.call, why, |ends| ends == Ends::WhenCancelled);
                Status::OK
            }
            kind::CLOSE => {
                let frames: Vec<usize> = open().iter().flat_map(|open| open.keys().copied()).collect();
                frames.into_iter().for_each(|at| end(at as *mut FrameHead, "closed", |_| true));
                Status::OK
            }
            _ => Status::OK,
        }
    }
}

/// Fails a frame, if it is open and ends so.
unsafe fn end(frame: *mut FrameHead, why: &str, so: impl Fn(Ends) -> bool) {
    let mut open = open();
    let frames = open.get_or_insert_default();
    if frames.get(&frame.addr()).is_some_and(|ends| so(*ends)) {
        frames.remove(&frame.addr());
        drop(open);
        // SAFETY: it was open, and is completed here alone.
        unsafe { complete(frame, Err(why.to_owned())) };
    }
}

fn opened(open: &OpenFrame) -> Status {
    // SAFETY: the host passes a whole frame; services are there until CLOSE.
    let opened = unsafe {
        let added = FlowOpen::of(open).expect("it is as long");
        let pools = added.pools.get(open.head.base[base::BATCH]);
        let with = |may: u32| pools.iter().find(|pool| pool.access & may != 0).map(|pool| pool.id);
        let (out, read) = (with(access::EMIT).expect("it emits"), with(access::READ));
        Opened { common: &*open.services, pools: &*added.pool_services, out, read }
    };
    log(&opened, "opened");
    OPENED.set(opened).map_or(Status::FAILED, |()| Status::OK)
}

fn log(opened: &Opened, text: &str) {
    let common = opened.common;
    // SAFETY: services of OPEN, with text of its own.
    unsafe { (common.log)(common.context, 2, text.as_ptr(), text.len() as u64) };
}

/// Who else may have a frame now.
struct Sent(*mut FlowFrame);

// SAFETY: a frame that is answered later may be used on any thread.
unsafe impl Send for Sent {}

impl Sent {
    fn frame(&self) -> *mut FlowFrame {
        self.0
    }
}

fn item(frame: &mut FlowFrame) -> Status {
    SEEN.fetch_add(1, SeqCst);
    let at: *mut FlowFrame = frame;
    let value = String::from_utf8_lossy(value(frame)).into_owned();
    let (what, with) = value.split_once(' ').unwrap_or((&value, ""));
    if frame.head.complete.is_none() || what == "now" {
        put(frame, key(frame), b"at once", 0);
        frame.done = 1;
        return Status::OK;
    }
    let ends = match what {
        "never" => Ends::WhenCancelled,
        "deaf" => Ends::AtClose,
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
        "kill" => {
            // SAFETY: a signal to this process.
            unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
            Ends::AtClose
        }
        _ => Ends::ByItself,
    };
    open().get_or_insert_default().insert(at.addr(), ends);
    if ends == Ends::ByItself {
        let sent = Sent(at);
        MOST.fetch_max(NOW.fetch_add(1, SeqCst) + 1, SeqCst);
        let (what, with) = (what.to_owned(), with.to_owned());
        std::thread::spawn(move || {
            // SAFETY: it is open until it is completed, here, unless CLOSE has.
            let frame = unsafe { &mut *sent.frame() };
            let answered = answer(frame, &what, &with);
            NOW.fetch_sub(1, SeqCst);
            if open().as_mut().and_then(|open| open.remove(&sent.frame().addr())).is_some() {
                frame.done = u32::from(answered.is_ok());
                // SAFETY: as above.
                unsafe { complete(sent.frame().cast(), answered) };
            }
        });
    }
    Status::PENDING
}

unsafe fn complete(frame: *mut FrameHead, answered: Result<(), String>) {
    // SAFETY: the frame is open.
    unsafe {
        let status = match answered {
            Ok(()) => Status::OK,
            Err(why) => {
                let output = (*frame).base[base::OUTPUT];
                (*frame).error.write(output, 0, "Later", &why, "at later.rs");
                Status::FAILED
            }
        };
        (*frame).complete.expect("it is answered later")(frame, status);
    }
}

fn key(frame: &FlowFrame) -> &'static [u8] {
    // SAFETY: it is there until the frame is answered.
    unsafe { frame.items.get(frame.head.base[base::BATCH])[0].key.get(frame.head.base[base::BATCH]) }
}

fn value(frame: &FlowFrame) -> &'static [u8] {
    // SAFETY: as above.
    unsafe { frame.items.get(frame.head.base[base::BATCH])[0].value.get(frame.head.base[base::BATCH]) }
}

fn put(frame: &mut FlowFrame, key: &[u8], value: &[u8], item: u32) {
    let out = OPENED.get().expect("it is open").out;
    let frame: *mut FlowFrame = frame;
    // SAFETY: the frame is open, and its output used by this thread alone.
    let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
    writer.put(out, item, key, value).expect("there is memory");
}

/// Does what an item says, on a thread of its own.
fn answer(frame: &mut FlowFrame, what: &str, with: &str) -> Result<(), String> {
    let opened = OPENED.get().expect("it is open");
    let key = key(frame).to_vec();
    match what {
        "after" => {
            std::thread::sleep(Duration::from_millis(with.parse().unwrap_or(0)));
            put(frame, &key, b"", 0);
        }
        "most" => put(frame, &key, MOST.load(SeqCst).to_string().as_bytes(), 0),
        "pid" => put(frame, &key, std::process::id().to_string().as_bytes(), 0),
        "many" => {
            let (count, len) = with.split_once(' ').unwrap_or((with, "0"));
            let len = len.parse().unwrap_or(0);
            for number in 0..count.parse().unwrap_or(0usize) {
                put(frame, format!("{with} {number}").as_bytes(), &vec![number as u8; len], 0);
            }
        }
        "log" => log(opened, with),
        "read" => put(frame, &key, &read(opened, frame, with)?, 0),
        "list" => put(frame, &key, list(opened, frame, with)?.as_bytes(), 0),
        "fail" => return Err(with.to_owned()),
        _ => {
            let value = value(frame);
            // Some take longer than others.
            std::thread::sleep(Duration::from_micros(value.len() as u64 % 700));
            put(frame, &key, value, 0);
        }
    }
    Ok(())
}

fn query(pool: u32, key: &str) -> Query {
    Query { key: key.as_ptr(), key_len: key.len() as u64, pool, as_of: as_of::NOW, at: 0 }
}

fn read(opened: &Opened, frame: &FlowFrame, key: &str) -> Result<Vec<u8>, String> {
    let mut found = Item::ABSENT;
    // SAFETY: services of OPEN; what is found is there until this thread asks again.
    unsafe {
        let (pools, base) = (opened.pools, frame.head.base[base::BATCH]);
        let pool = opened.read.unwrap_or(u32::MAX);
        match (pools.read)(pools.context, &query(pool, key), &mut found) {
            Status::OK if found.version == 0 => Ok(b"nothing".to_vec()),
            Status::OK => {
                std::thread::yield_now();
                assert_eq!(found.key.get(base), key.as_bytes());
                Ok(found.value.get(base).to_vec())
            }
            _ if found.tag == missing::NOT_DECLARED => Err("it is not declared".to_owned()),
            _ => Err(format!("missing: {}", found.tag)),
        }
    }
}

fn list(opened: &Opened, frame: &FlowFrame, prefix: &str) -> Result<String, String> {
    let mut found = Rel::EMPTY;
    // SAFETY: as in `read`.
    unsafe {
        let (pools, base) = (opened.pools, frame.head.base[base::BATCH]);
        let pool = opened.read.unwrap_or(u32::MAX);
        if (pools.list)(pools.context, &query(pool, prefix), &mut found) != Status::OK {
            return Err("it may not be listed".to_owned());
        }
        std::thread::yield_now();
        let keys = found.get(base).iter();
        Ok(keys.map(|key| String::from_utf8_lossy(key.get(base)).into_owned()).collect::<Vec<_>>().join(","))
    }
}
