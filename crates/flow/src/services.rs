//! What the engine does for a handler: its log, and reading pools.

use crate::memory::Memory;
use crate::shared::Shared;
use crate::table::{AsOf, Table};
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_abi::{Item, PoolServices, Query, Rel, Services, Status, as_of, level, missing};

/// Behind [`Services::context`]: one a runner, on the heap, dropped after the handler's CLOSE.
pub(crate) struct Context {
    pub(crate) shared: Arc<Shared>,
    pub(crate) handler: usize,
    lent: Lent,
}

/// How long a handler has what it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lent {
    /// Until its upcall ends.
    ForTheCall,
    /// Until the same thread asks again: of one that answers later, which may ask on any thread; and where the guest does not
    /// see the engine's memory, as what it is given is copied there at once.
    UntilAsked,
}

thread_local! {
    /// What handlers on this worker have read in the current upcall; views of it end with it. Of a handler that has it no longer
    /// than until it asks again: what was read last.
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { values: Vec::new(), lists: Vec::new() }) };
}

/// Each with the address of the context that it was given out by: what goes on when another handler answers may run on that
/// one's worker, inside its upcall.
struct Kept {
    values: Vec<(usize, Arc<[u8]>)>,
    lists: Vec<(usize, Listed)>,
}

/// Keys, and where they are.
struct Listed {
    _keys: Vec<Box<[u8]>>,
    _places: Vec<Rel<u8>>,
    /// What both take, which the flow's memory counts meanwhile.
    bytes: usize,
    counted: Arc<Memory>,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.counted.freed(self.bytes);
    }
}

impl Context {
    pub(crate) fn new(shared: Arc<Shared>, handler: usize, lent: Lent) -> Box<Context> {
        Box::new(Context { shared, handler, lent })
    }

    pub(crate) fn services(&self) -> Services {
        Services { size: size_of::<Services>() as u32, reserved: 0, context: self.address(), log }
    }

    pub(crate) fn pool_services(&self) -> PoolServices {
        let size = size_of::<PoolServices>() as u32;
        PoolServices { size, reserved: 0, context: self.address(), read, list }
    }

    fn address(&self) -> *mut c_void {
        (self as *const Context).cast_mut().cast()
    }

    /// The table of a pool that the handler may read.
    fn readable(&self, pool: u32) -> Option<&Table> {
        let plan = &self.shared.plan;
        let may_read = plan.handlers[self.handler].may_read.get(pool as usize).copied().unwrap_or(false);
        self.shared.pools.get(pool as usize).filter(|_| may_read)?.table.as_ref()
    }

    /// The handler asks: what it was given before may end with that.
    fn asks(&self) {
        if self.lent == Lent::UntilAsked {
            self.release();
        }
    }

    /// Keeps what the handler is given, as long as it has it.
    fn keep(&self, keep: impl FnOnce(&mut Kept, usize)) {
        KEPT.with_borrow_mut(|kept| keep(kept, self.address().addr()));
    }

    /// The upcall has ended, and the views with it.
    pub(crate) fn release(&self) {
        KEPT.with_borrow_mut(|kept| kept.forget(self.address().addr()));
    }
}

impl Kept {
    fn forget(&mut self, of: usize) {
        if !self.values.is_empty() {
            self.values.retain(|(by, _)| *by != of);
        }
        if !self.lists.is_empty() {
            self.lists.retain(|(by, _)| *by != of);
        }
    }
}

unsafe extern "C" fn log(context: *mut c_void, at: u32, text: *const u8, len: u64) {
    // SAFETY: the context is the one given out by `services`, which outlives the handler; the handler calls
    // on its own thread with text of its own.
    let (context, text) = unsafe { (&*context.cast::<Context>(), Rel::<u8>::new(text as u64, len).get(0)) };
    let handler = context.shared.plan.handlers[context.handler].spec.name.as_str();
    let text = String::from_utf8_lossy(text);
    match at {
        level::ERROR => tracing::error!(target: "upcall::handler", handler, "{text}"),
        level::WARN => tracing::warn!(target: "upcall::handler", handler, "{text}"),
        level::INFO => tracing::info!(target: "upcall::handler", handler, "{text}"),
        level::DEBUG => tracing::debug!(target: "upcall::handler", handler, "{text}"),
        _ => tracing::trace!(target: "upcall::handler", handler, "{text}"),
    }
}

unsafe extern "C" fn read(context: *mut c_void, query: *const Query, found: *mut Item) -> Status {
    // SAFETY: as in `log`; the handler passes a query with a key of its own.
    let (context, query, key) = unsafe { asked(context, query) };
    context.asks();
    let refuse = |why| {
        // SAFETY: as above, and a place for one item.
        unsafe { found.write(Item { tag: why, ..Item::ABSENT }) };
        Status::FAILED
    };
    let Some(table) = context.readable(query.pool) else { return refuse(missing::NOT_DECLARED) };
    let plan = &context.shared.plan;
    let as_of = match query.as_of {
        as_of::NOW => None,
        as_of::VERSION => Some((AsOf::Version(query.at), query.at)),
        as_of::TIME => Some((AsOf::Time(query.at), u64::MAX)),
        _ => return refuse(missing::UNKNOWN_AS_OF),
    };
    let object = match as_of {
        None => table.get(plan.hash(key), key),
        Some((as_of, seen)) => {
            // As a read from outside does; it waits for batches that are being stored, never for a handler.
            context.shared.pools[query.pool as usize].versions.wait_until_stored(seen);
            match table.get_as_of(plan.hash(key), key, as_of) {
                Ok(object) => object,
                Err(_) => return refuse(missing::COMPACTED),
            }
        }
    };
    let item = object.map_or(Item::ABSENT, |object| {
        let item = Item {
            key: query_key(query),
            value: Rel::of(&object.value),
            version: object.version,
            time: object.time,
            pool: query.pool,
            ..Item::ABSENT
        };
        context.keep(|kept, of| kept.values.push((of, object.value)));
        item
    });
    // SAFETY: as above.
    unsafe { found.write(item) };
    Status::OK
}

unsafe extern "C" fn list(context: *mut c_void, query: *const Query, keys: *mut Rel<Rel<u8>>) -> Status {
    // SAFETY: as in `read`.
    let (context, query, prefix) = unsafe { asked(context, query) };
    context.asks();
    let Some(table) = context.readable(query.pool) else { return Status::FAILED };
    let found = table.list(prefix);
    let places: Vec<Rel<u8>> = found.iter().map(|key| Rel::of(key)).collect();
    let list = Rel::of(&places);
    let bytes = size_of_val(&*places) + found.iter().map(|key| size_of_val(key) + key.len()).sum::<usize>();
    context.shared.memory.allocated(bytes);
    let name = &context.shared.plan.handlers[context.handler].spec.name;
    context
        .shared
        .bound_memory(|| format!("at handler {name}: it lists keys, which are held until its batch ends"));
    let counted = context.shared.memory.clone();
    context.keep(|kept, of| kept.lists.push((of, Listed { _keys: found, _places: places, bytes, counted })));
    // SAFETY: the handler passes a place for the list.
    unsafe { keys.write(list) };
    Status::OK
}

/// # Safety
/// The context must be one given out by [`Context::services`], the query and its key valid for `'a`.
unsafe fn asked<'a>(context: *mut c_void, query: *const Query) -> (&'a Context, &'a Query, &'a [u8]) {
    // SAFETY: the caller's promise.
    unsafe { (&*context.cast::<Context>(), &*query, query_key(&*query).get(0)) }
}

fn query_key(query: &Query) -> Rel<u8> {
    Rel::new(query.key as u64, query.key_len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks twice for a value and twice for a list, and returns how many of each are kept.
    fn kept_of(lent: Lent) -> (usize, usize) {
        use crate::{Flow, OnSpec, Pool};
        let flow = Flow::builder()
            .pool(Pool::new("/kept"))
            .pool(Pool::trigger("/in"))
            .handler(OnSpec::new("reads", "/in").read("/kept"), || {
                |_: upcall_handler::Object<'_>, _: &mut upcall_handler::Emit<'_>| Ok(())
            })
            .start()
            .unwrap();
        flow.pool("/kept").unwrap().put(b"a", b"value").unwrap().wait().unwrap();
        let context = Context::new(flow.pool("/kept").unwrap().shared.clone(), 0, lent);
        let query = Query { key: b"a".as_ptr(), key_len: 1, pool: 0, as_of: as_of::NOW, at: 0 };
        let (mut found, mut keys) = (Item::ABSENT, Rel::EMPTY);
        for _ in 0..2 {
            // SAFETY: the context lives, and so does all that is passed.
            unsafe {
                assert_eq!(read(context.address(), &query, &mut found), Status::OK);
                assert_eq!(found.value.get(0), b"value");
            }
        }
        let values = KEPT.with_borrow(|kept| kept.values.len());
        for _ in 0..2 {
            // SAFETY: as above.
            unsafe {
                assert_eq!(list(context.address(), &query, &mut keys), Status::OK);
                assert_eq!(keys.get(0)[0].get(0), b"a");
            }
        }
        let lists = KEPT.with_borrow(|kept| kept.lists.len());
        context.release();
        (values, lists)
    }

    #[test]
    fn of_what_is_copied_at_once_only_the_last_is_kept() {
        assert_eq!(kept_of(Lent::ForTheCall), (2, 2));
        assert_eq!(kept_of(Lent::UntilAsked), (1, 1));
    }

    #[test]
    fn what_one_handler_has_read_outlives_the_questions_of_another_on_the_same_thread() {
        let value: Arc<[u8]> = Arc::from(&b"read"[..]);
        let mut kept = Kept { values: vec![(1, value.clone())], lists: Vec::new() };
        kept.forget(2);
        assert_eq!(Arc::strong_count(&value), 2);
        kept.forget(1);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
