//! What a guest asks for by messages while it is called: its log, and pools.

use crate::protocol::to_guest::answer;
use crate::protocol::to_host;
use crate::room::Room;
use upcall_abi::{Query, Rel, Status};
use upcall_crossing::{Full, NO_ROOM_FOR_KEYS, Services};
use upcall_segment::Message;

/// Answers a message, where it asks for a service.
///
/// # Safety
/// As [`Services::log`].
pub(crate) unsafe fn answer_service(services: &Services, room: &mut Room, asked: Message) -> Option<Message> {
    let [first, _, bytes, ..] = asked.with;
    // SAFETY: the caller's promise; text, key and query are this process's own.
    Some(unsafe {
        match asked.what {
            to_host::LOG => {
                services.log(first as u32, &room.scratch(asked.with[1]));
                answer(Status::OK, [0; 2])
            }
            to_host::READ => {
                let key = room.scratch(bytes);
                // Without an item where there is no room for what was found.
                let (status, at) = services.read(room, &query(&key, asked)).unwrap_or((Status::FAILED, 0));
                answer(status, [at, 0])
            }
            to_host::LIST => {
                let prefix = room.scratch(bytes);
                let (status, keys) = match services.list(room, &query(&prefix, asked)) {
                    Ok(Some(keys)) => (Status::OK, keys),
                    Ok(None) => (Status::FAILED, Rel::EMPTY),
                    Err(Full) => (Status::FAILED, NO_ROOM_FOR_KEYS),
                };
                answer(status, [keys.offset, keys.len])
            }
            _ => return None,
        }
    })
}

/// The answer to a guest that asks for another chunk of output.
pub(crate) fn grown(grown: upcall_crossing::Grown) -> Message {
    grown.map_or(answer(Status::FAILED, [0; 2]), |at| answer(Status::OK, at))
}

/// The query that a message speaks of: pool and `as_of` in one number, `at` in the next.
fn query(key: &[u8], Message { with: [what, at, ..], .. }: Message) -> Query {
    Query { key: key.as_ptr(), key_len: key.len() as u64, pool: what as u32, as_of: (what >> 32) as u32, at }
}
