//! What a driver calls during a frame, or on any thread of a handler that answers later: each asks the host, and waits.

use super::connection::{Connection, leave, say};
use super::kept;
use super::lanes::{Lanes, lane_of};
use crate::protocol::{SCRATCH, to_host};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::{DescribeFrame, missing};
use upcall_abi::{FlowFrame, FrameHead, Item, Output, PoolServices, Query, Rel, Services, Status, kind};
use upcall_crossing::NO_ROOM;
use upcall_segment::Message;

/// The services that a handler is given in place of the engine's.
pub(super) struct Given {
    pub(super) common: Services,
    pub(super) pools: PoolServices,
}

impl Given {
    pub(super) fn new(connection: &'static Connection) -> Given {
        connection.publish();
        let (common, pools) = (size_of::<Services>() as u32, size_of::<PoolServices>() as u32);
        let context = std::ptr::null_mut();
        Given {
            common: Services { size: common, reserved: 0, context, log },
            pools: PoolServices { size: pools, reserved: 0, context, read, list },
        }
    }
}

/// More output, where one call is open at a time.
pub(super) unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    let Some(connection) = Connection::only() else { return Status::FAILED };
    // SAFETY: a driver calls it during a call, with the frame of it.
    unsafe { grown(frame, connection.ask(to_host::GROW, [need, 0, 0])) }
}

/// More output of the call on lane 0, on whatever thread.
pub(super) unsafe extern "C" fn grow_first(frame: *mut FrameHead, need: u64) -> Status {
    let Some(lanes) = Lanes::used() else { return Status::FAILED };
    // SAFETY: as in `grow`.
    unsafe { grown(frame, lanes.ask(0, to_host::GROW, [need, 0, 0])) }
}

/// More output of a call on a lane of its own, on whatever thread.
pub(super) unsafe extern "C" fn grow_lane(frame: *mut FrameHead, need: u64) -> Status {
    let Some(lanes) = Lanes::used() else { return Status::FAILED };
    // SAFETY: as in `grow`; the frame is marked, and its call open.
    unsafe { grown(frame, lanes.ask(lane_of(frame), to_host::GROW, [need, 0, 0])) }
}

/// # Safety
/// The answer must be about this frame, which has an output.
unsafe fn grown(frame: *mut FrameHead, answer: Message) -> Status {
    let [status, at, end, ..] = answer.with;
    let status = Status(status as u32 as i32);
    if status == Status::OK {
        // SAFETY: the caller's promise; one that has been given `grow` has an output.
        unsafe {
            let out: &mut Output = match (*frame).kind {
                kind::DESCRIBE => &mut (*frame.cast::<DescribeFrame>()).out,
                _ => &mut (*frame.cast::<FlowFrame>()).out,
            };
            (out.at, out.end, out.chunk) = (at, end, out.chunk + 1);
        }
    }
    status
}

unsafe extern "C" fn log(_: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: a handler calls it, with text of its own.
    let text = unsafe { Rel::<u8>::new(text as u64, len).get(0) };
    let text = String::from_utf8_lossy(text);
    if let Some(lanes) = Lanes::used() {
        let _service = lanes.service();
        let bytes = say(lanes.segment(), &text);
        lanes.ask_service(to_host::LOG, [level.into(), bytes, 0]);
        return;
    }
    match Connection::only() {
        Some(connection) => tell(connection, level, &text),
        None => {
            let mut aside = aside();
            if aside.len() < MOST {
                aside.push((level, text.into_owned()));
            }
        }
    }
}

/// Lines of other threads that are kept at most.
const MOST: usize = 1000;

/// What other threads than the handler's have logged since its last call.
static ASIDE: Mutex<Vec<(u32, String)>> = Mutex::new(Vec::new());

fn aside() -> MutexGuard<'static, Vec<(u32, String)>> {
    ASIDE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes on what other threads have logged. On the handler's thread, before it returns.
pub(super) fn pass_on(connection: &Connection) {
    let lines = std::mem::take(&mut *aside());
    lines.iter().for_each(|(level, text)| tell(connection, *level, text));
}

fn tell(connection: &Connection, level: u32, text: &str) {
    let bytes = say(connection.segment(), text);
    connection.ask(to_host::LOG, [level.into(), bytes, 0]);
}

unsafe extern "C" fn read(_: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    let answered = |answer: Message, base: u64| {
        let [status, at, ..] = answer.with;
        // SAFETY: where there is an offset, the host has put an item there.
        let item = if at == 0 { NO_ROOM } else { unsafe { ((base + at) as *const Item).read() } };
        (Status(status as u32 as i32), item)
    };
    // SAFETY: as in `log`; query, key and the place for an item are the handler's. What the host has found is there.
    unsafe {
        let answer = asked(to_host::READ, &*query, |answer, from| match from {
            Source::Turn(connection) => {
                let (status, item) = answered(answer, connection.base());
                // As it was asked for.
                let key = if item.version == 0 { Rel::EMPTY } else { Rel::new(SCRATCH, (*query).key_len) };
                (status, Item { key, ..item })
            }
            Source::Lane(lanes) => {
                let (status, item) = answered(answer, lanes.base());
                let key = Rel::new((*query).key as u64, (*query).key_len);
                (status, if item.version == 0 { item } else { kept::item(item, key, lanes.base()) })
            }
        });
        let none = || (Status::FAILED, Item { tag: missing::NOT_DECLARED, ..Item::ABSENT });
        let (status, item) = answer.unwrap_or_else(none);
        found.write(item);
        status
    }
}

unsafe extern "C" fn list(_: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as in `read`.
    unsafe {
        let answer = asked(to_host::LIST, &*query, |answer, from| {
            let [status, at, len, ..] = answer.with;
            let found = Rel::new(at, len);
            let status = Status(status as u32 as i32);
            let found = match from {
                Source::Lane(lanes) if status == Status::OK => kept::list(found, lanes.base()),
                _ => found,
            };
            (status, found)
        });
        let Some((status, found)) = answer else { return Status::FAILED };
        keys.write(found);
        status
    }
}

/// Whence an answer comes.
enum Source {
    /// While this thread has the turn: what it points to stays until the call ends.
    Turn(&'static Connection),
    /// What it points to is to be copied.
    Lane(Lanes),
}

/// Asks the host about a key; nothing where it is longer than any that fits.
///
/// # Safety
/// As `log`, for the query and its key.
unsafe fn asked<T>(what: u64, query: &Query, answered: impl FnOnce(Message, Source) -> T) -> Option<T> {
    // SAFETY: the caller's promise.
    let key = unsafe { Rel::new(query.key as u64, query.key_len).get(0) };
    let pool = u64::from(query.pool) | u64::from(query.as_of) << 32;
    if let Some(lanes) = Lanes::used() {
        let _service = lanes.service();
        let bytes = leave(lanes.segment(), key)?;
        let answer = lanes.ask_service(what, [pool, query.at, bytes]);
        return Some(answered(answer, Source::Lane(lanes)));
    }
    let connection = Connection::only()?;
    let bytes = leave(connection.segment(), key)?;
    let answer = connection.ask(what, [pool, query.at, bytes]);
    Some(answered(answer, Source::Turn(connection)))
}
