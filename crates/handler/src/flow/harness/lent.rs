//! What the harness does for a handler in place of an engine: its log, and reading pools.

use super::stored::StoredPool;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};
use upcall_abi::{Item, PoolServices, Query, Rel, Services, Status, as_of, missing};

/// What the handler's services are, and what they use.
pub(super) struct Lent {
    pub(super) services: Services,
    pub(super) pools: PoolServices,
    /// What a handler that answers later says on its own thread.
    logged: Mutex<Vec<(u32, String)>>,
    /// The pools that may be read, by their numbers. None changes once the handler is open.
    pub(super) stored: HashMap<u32, StoredPool>,
    /// Lists of keys that were asked for since the last call ended.
    listed: Mutex<Vec<Vec<Rel<u8>>>>,
}

impl Lent {
    /// Without the contexts, which are the address of this.
    pub(super) fn new() -> Lent {
        let context = std::ptr::null_mut();
        Lent {
            services: Services { size: size_of::<Services>() as u32, reserved: 0, context, log },
            pools: PoolServices { size: size_of::<PoolServices>() as u32, reserved: 0, context, read, list },
            logged: Mutex::default(),
            stored: HashMap::new(),
            listed: Mutex::default(),
        }
    }

    /// What was logged since this was last asked.
    pub(super) fn logged(&self) -> Vec<(u32, String)> {
        std::mem::take(&mut self.logged.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// No call is open any more that could use what it has listed.
    pub(super) fn unlist(&self) {
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: *const u8, len: u64) {
    // SAFETY: the context is what the harness lends; the handler passes text that it owns.
    unsafe {
        let text = std::slice::from_raw_parts(text, len as usize);
        let logged = &(*context.cast::<Lent>()).logged;
        let said = (level, String::from_utf8_lossy(text).into_owned());
        logged.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }
}

unsafe extern "C" fn read(context: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: the context is what the harness lends; the handler passes a query with a key of its own.
    let (stored, query, key) = unsafe { asked(context, query) };
    let item = match stored {
        None => Err(missing::NOT_DECLARED),
        Some(pool) if query.as_of != as_of::NOW && query.at < pool.oldest => Err(missing::COMPACTED),
        Some(pool) => {
            let until = if query.as_of == as_of::NOW { u64::MAX } else { query.at };
            Ok(pool.find(key, until).map_or(Item::ABSENT, |(value, version)| Item {
                value: Rel::of(value),
                version,
                time: version,
                ..Item::ABSENT
            }))
        }
    };
    let status = if item.is_ok() { Status::OK } else { Status::FAILED };
    // SAFETY: the handler passes a place for one item.
    unsafe { found.write(item.unwrap_or_else(|why| Item { tag: why, ..Item::ABSENT })) };
    status
}

unsafe extern "C" fn list(context: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as in `read`.
    let (stored, _, prefix) = unsafe { asked(context, query) };
    let Some(pool) = stored else { return Status::FAILED };
    let places: Vec<Rel<u8>> = pool.keys(prefix).into_iter().map(Rel::of).collect();
    // SAFETY: as in `read`, and a place for the list; what `places` points to stays where it is when it moves.
    unsafe {
        keys.write(Rel::of(&places));
        let listed = &(*context.cast::<Lent>()).listed;
        listed.lock().unwrap_or_else(PoisonError::into_inner).push(places);
    }
    Status::OK
}

/// The pool that is asked about, if it may be read.
///
/// # Safety
/// The context must be a [`Lent`], the query and its key valid for `'a`, during which no pool changes.
unsafe fn asked<'a>(
    context: *mut c_void,
    query: *const Query,
) -> (Option<&'a StoredPool>, &'a Query, &'a [u8]) {
    // SAFETY: the caller's promise.
    unsafe {
        let (stored, query) = (&(*context.cast::<Lent>()).stored, &*query);
        (stored.get(&query.pool), query, Rel::<u8>::new(query.key as u64, query.key_len).get(0))
    }
}
