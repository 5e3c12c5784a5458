//! What a guest asks for while it is called: its log, and pools. The engine answers as it answers a guest beside it.

use crate::{Full, Room, Services};
use upcall_abi::{Item, Query, Rel, Status, missing};

/// What was found in a pool: the engine's answer, and where the item that says it was put.
pub type Found = Result<(Status, u64), Full>;

/// What is said of a read for which there was no room.
pub const NO_ROOM: Item = Item { tag: missing::NO_ROOM, ..Item::ABSENT };

/// The same of a list.
pub const NO_ROOM_FOR_KEYS: Rel<Rel<u8>> = Rel::new(missing::NO_ROOM, 0);

impl Services {
    /// A line for the log.
    ///
    /// # Safety
    /// The services must be those of the current OPEN: on the thread of its worker, during a call; of a handler that answers
    /// later on any thread, until they are taken away.
    pub unsafe fn log(&self, level: u32, text: &[u8]) {
        if !self.common.is_null() {
            // SAFETY: the caller's promise; the text is this process's own.
            unsafe {
                let services = &*self.common;
                (services.log)(services.context, level, text.as_ptr(), text.len() as u64);
            }
        }
    }

    /// What a pool has for a key, which is this process's own as the whole query is. The item's key is left empty.
    ///
    /// # Errors
    /// There is no room for what was found.
    ///
    /// # Safety
    /// As [`Services::log`].
    pub unsafe fn read(&self, room: &mut impl Room, query: &Query) -> Found {
        let mut found = Item { tag: missing::NOT_DECLARED, ..Item::ABSENT };
        let mut status = Status::FAILED;
        if !self.pools.is_null() {
            // SAFETY: the caller's promise; key and query are this process's own.
            status = unsafe {
                let services = &*self.pools;
                (services.read)(services.context, query, &mut found)
            };
        }
        // SAFETY: what the engine has found is there until this upcall ends, or this thread asks again.
        let value = unsafe { found.value.get(self.base) };
        let at = room.put_once(value, (query.pool, found.version))?;
        let found = Item { key: Rel::EMPTY, value: Rel::new(at, value.len() as u64), ..found };
        Ok((status, room.put_one(found)?))
    }

    /// The keys of a pool that begin with the query's: where the list of them was put. `None` where the engine refuses.
    ///
    /// # Errors
    /// As [`Services::read`].
    ///
    /// # Safety
    /// As [`Services::log`].
    pub unsafe fn list(&self, room: &mut impl Room, query: &Query) -> Result<Option<Rel<Rel<u8>>>, Full> {
        if self.pools.is_null() {
            return Ok(None);
        }
        let mut found = Rel::EMPTY;
        // SAFETY: as in `read`; and so is what is found.
        let keys = unsafe {
            let services = &*self.pools;
            if (services.list)(services.context, query, &mut found) != Status::OK {
                return Ok(None);
            }
            found.get(self.base)
        };
        let keys = keys
            .iter()
            // SAFETY: as above.
            .map(|key| Ok(Rel::new(room.put(unsafe { key.get(self.base) })?, key.len)))
            .collect::<Result<Vec<Rel<u8>>, Full>>()?;
        Ok(Some(Rel::new(room.put_all(&keys)?, keys.len() as u64)))
    }
}
