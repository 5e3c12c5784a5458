//! What a guest asks for while it is called: its log, and pools. The engine answers as it answers a guest beside it.

use crate::frames::Services;
use crate::protocol::to_guest::answer;
use crate::protocol::to_host;
use crate::room::Room;
use upcall_abi::{Item, Query, Rel, Status, missing};
use upcall_segment::Message;

impl Services {
    /// Answers a message, where it asks for a service.
    ///
    /// # Safety
    /// The services must be those of the current OPEN: on the thread of its worker, during a call; of a handler that answers
    /// later on any thread, until they are taken away.
    pub(crate) unsafe fn answer(&self, room: &mut Room, asked: Message) -> Option<Message> {
        // SAFETY: the caller's promise.
        unsafe {
            match asked.what {
                to_host::LOG => Some(self.log(room, asked)),
                to_host::READ => Some(self.read(room, asked)),
                to_host::LIST => Some(self.list(room, asked)),
                _ => None,
            }
        }
    }

    /// # Safety
    /// As [`Services::answer`].
    unsafe fn log(&self, room: &Room, Message { with: [level, bytes, ..], .. }: Message) -> Message {
        let text = room.scratch(bytes);
        if !self.common.is_null() {
            // SAFETY: the caller's promise; the text is this process's own.
            unsafe {
                let services = &*self.common;
                (services.log)(services.context, level as u32, text.as_ptr(), text.len() as u64);
            }
        }
        answer(Status::OK, [0; 2])
    }

    /// # Safety
    /// As [`Services::answer`].
    unsafe fn read(&self, room: &mut Room, asked: Message) -> Message {
        let mut found = Item { tag: missing::NOT_DECLARED, ..Item::ABSENT };
        let mut status = Status::FAILED;
        let key = room.scratch(asked.with[2]);
        if !self.pools.is_null() {
            // SAFETY: the caller's promise; key and query are this process's own.
            status = unsafe {
                let services = &*self.pools;
                (services.read)(services.context, &query(&key, asked), &mut found)
            };
        }
        // SAFETY: what the engine has found is there until this upcall ends, or this thread asks again; its bases are 0.
        let value = unsafe { found.value.get(0) };
        let copied = room.put_once(value).and_then(|at| {
            room.put_one(Item { key: Rel::EMPTY, value: Rel::new(at, value.len() as u64), ..found })
        });
        match copied {
            Ok(at) => answer(status, [at, 0]),
            Err(_) => answer(Status::FAILED, [0; 2]),
        }
    }

    /// # Safety
    /// As [`Services::answer`].
    unsafe fn list(&self, room: &mut Room, asked: Message) -> Message {
        let refused = answer(Status::FAILED, [0; 2]);
        if self.pools.is_null() {
            return refused;
        }
        let prefix = room.scratch(asked.with[2]);
        let mut found = Rel::EMPTY;
        // SAFETY: as in `read`; and so is what is found.
        let keys = unsafe {
            let services = &*self.pools;
            if (services.list)(services.context, &query(&prefix, asked), &mut found) != Status::OK {
                return refused;
            }
            found.get(0)
        };
        let copied = keys
            .iter()
            // SAFETY: as above.
            .map(|key| Ok(Rel::new(room.put(unsafe { key.get(0) })?, key.len)))
            .collect::<Result<Vec<Rel<u8>>, _>>()
            .and_then(|keys| room.put_all(&keys));
        copied.map_or(refused, |at| answer(Status::OK, [at, keys.len() as u64]))
    }
}

/// The query that a message speaks of: pool and `as_of` in one number, `at` in the next.
fn query(key: &[u8], Message { with: [what, at, ..], .. }: Message) -> Query {
    Query { key: key.as_ptr(), key_len: key.len() as u64, pool: what as u32, as_of: (what >> 32) as u32, at }
}
