//! What a driver calls during a frame: each asks the host, and waits.

use super::connection::Connection;
use crate::protocol::{SCRATCH, to_host};
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_abi::{DescribeFrame, missing};
use upcall_abi::{FlowFrame, FrameHead, Item, Output, PoolServices, Query, Rel, Services, Status, kind};

/// The services that a handler is given in place of the engine's.
pub(super) struct Given {
    pub(super) common: Services,
    pub(super) pools: PoolServices,
}

impl Given {
    pub(super) fn new(connection: &Connection) -> Box<Given> {
        // SAFETY: it is where the process is served, which ends with it.
        unsafe { connection.publish() };
        let (common, pools) = (size_of::<Services>() as u32, size_of::<PoolServices>() as u32);
        let context = std::ptr::null_mut();
        Box::new(Given {
            common: Services { size: common, reserved: 0, context, log },
            pools: PoolServices { size: pools, reserved: 0, context, read, list },
        })
    }
}

pub(super) unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    let Some(connection) = Connection::only() else { return Status::FAILED };
    let [status, at, end, ..] = connection.ask(to_host::GROW, [need, 0, 0]).with;
    let status = Status(status as u32 as i32);
    if status == Status::OK {
        // SAFETY: a driver calls it during a call, with the frame of it; one that has been given `grow` has an output.
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
    let bytes = connection.say(text);
    connection.ask(to_host::LOG, [level.into(), bytes, 0]);
}

unsafe extern "C" fn read(_: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: as in `log`; query, key and the place for an item are the handler's.
    let answer = unsafe { asked(to_host::READ, &*query) };
    let Some((connection, [status, at, ..])) = answer else {
        // SAFETY: as above.
        unsafe { found.write(Item { tag: missing::NOT_DECLARED, ..Item::ABSENT }) };
        return Status::FAILED;
    };
    // SAFETY: as above; where there is an offset, the host has put an item there.
    unsafe {
        let item = if at == 0 { Item::ABSENT } else { connection.place(at).cast::<Item>().read() };
        // As it was asked for.
        let key = if item.version == 0 { Rel::EMPTY } else { Rel::new(SCRATCH.start, (*query).key_len) };
        found.write(Item { key, ..item });
    }
    Status(status as u32 as i32)
}

unsafe extern "C" fn list(_: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as in `read`.
    let answer = unsafe { asked(to_host::LIST, &*query) };
    let Some((_, [status, at, len, ..])) = answer else { return Status::FAILED };
    // SAFETY: as above.
    unsafe { keys.write(Rel::new(at, len)) };
    Status(status as u32 as i32)
}

/// Asks the host about a key; nothing where it is longer than any that fits.
///
/// # Safety
/// As `log`, for the query and its key.
unsafe fn asked(what: u64, query: &Query) -> Option<(&'static Connection, [u64; 5])> {
    // SAFETY: the caller's promise.
    let (connection, key) =
        unsafe { (Connection::only()?, Rel::new(query.key as u64, query.key_len).get(0)) };
    let bytes = connection.leave(key)?;
    let pool = u64::from(query.pool) | u64::from(query.as_of) << 32;
    let answer = connection.ask(what, [pool, query.at, bytes]);
    Some((connection, answer.with))
}
