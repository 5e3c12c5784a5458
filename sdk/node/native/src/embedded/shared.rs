//! What the worker and the event loop both have of an instance.

use super::open::Open;
use super::program::{Program, lock};
use super::talk::{Asked, Talk, Told};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use upcall_abi::{Query, Status};
use upcall_apart::Room;
use upcall_crossing::{Room as _, Services};
use upcall_segment::Segment;

pub(crate) struct Shared {
    pub(super) number: u32,
    pub(super) program: Arc<Program>,
    pub(super) segment: Arc<Segment>,
    /// Whether the handler answers later.
    pub(super) later: AtomicBool,
    /// The call that the worker waits for.
    pub(super) talk: Talk,
    /// Those that it does not wait for.
    pub(super) open: Open,
    /// Of a handler that answers later, which asks for them on the event loop's thread; and room for what it is told.
    pub(super) services: Mutex<(Services, Option<Room>)>,
}

impl Shared {
    /// The handler asks for something, on the event loop's thread. `None` where there is nobody to ask.
    pub(super) fn ask(&self, asked: Asked) -> Option<Told> {
        if let Asked::Grow { at, need } = asked
            && let Some(told) = self.open.grow(at, need)
        {
            return Some(told);
        }
        if matches!(asked, Asked::Grow { .. }) || !self.later.load(Relaxed) {
            return self.talk.ask(asked);
        }
        let mut held = lock(&self.services);
        let (services, room) = &mut *held;
        // What was told before ends with the next question.
        let room = room.as_mut()?;
        room.reset();
        // SAFETY: the services of OPEN, which CLOSE takes away; its handler says that it asks on any thread.
        Some(unsafe { answer(services, room, &asked) })
    }

    /// The handler has answered a frame.
    pub(super) fn complete(&self, at: u64, status: Status) {
        if !self.open.complete(at, status) {
            self.talk.answer(status);
        }
    }

    /// Nobody runs JavaScript any more: what is asked for fails for this reason.
    pub(super) fn end(&self, why: &str) {
        self.talk.end();
        self.open.end(why);
    }
}

/// Answers a question but for output.
///
/// # Safety
/// As [`Services::log`].
pub(super) unsafe fn answer(services: &Services, room: &mut Room, asked: &Asked) -> Told {
    let query = |key: &[u8], pool: u32, as_of: u32, at: u64| Query {
        key: key.as_ptr(),
        key_len: key.len() as u64,
        pool,
        as_of,
        at,
    };
    // SAFETY: the caller's promise; text, key and query are this process's own.
    unsafe {
        match asked {
            Asked::Log { level, text } => {
                services.log(*level, text);
                Told::YES
            }
            Asked::Read { pool, key, as_of, at } => {
                let found = services.read(room, &query(key, *pool, *as_of, *at));
                found.map_or(Told::NO, |(status, item)| Told { yes: status == Status::OK, with: [item, 0] })
            }
            Asked::List { pool, prefix } => {
                let keys = services.list(room, &query(prefix, *pool, 0, 0)).ok().flatten();
                keys.map_or(Told::NO, |keys| Told { yes: true, with: [keys.offset, keys.len] })
            }
            Asked::Grow { .. } => Told::NO,
        }
    }
}
