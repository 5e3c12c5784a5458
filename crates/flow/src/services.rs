//! What the engine does for a handler: its log, and reading pools.

use crate::shared::Shared;
use std::cell::RefCell;
use std::ffi::c_void;
use std::sync::Arc;
use upcall_abi::{Item, Rel, Services, Status, level};

/// Behind [`Services::context`]: one a runner, on the heap, dropped after the handler's CLOSE.
pub(crate) struct Context {
    pub(crate) shared: Arc<Shared>,
    pub(crate) handler: usize,
    /// Values that were read in this upcall; views of them end with it.
    kept: RefCell<Vec<Arc<[u8]>>>,
}

impl Context {
    pub(crate) fn new(shared: Arc<Shared>, handler: usize) -> Box<Context> {
        Box::new(Context { shared, handler, kept: RefCell::default() })
    }

    pub(crate) fn services(&self) -> Services {
        Services { context: (self as *const Context).cast_mut().cast(), log, read }
    }

    /// The upcall has ended, and the views with it.
    pub(crate) fn release(&self) {
        if !self.kept.borrow().is_empty() {
            self.kept.borrow_mut().clear();
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

unsafe extern "C" fn read(
    context: *mut c_void,
    pool: u32,
    key: *const u8,
    key_len: u64,
    found: *mut Item,
) -> Status {
    // SAFETY: as in `log`; the handler passes a key of its own and a place for one item.
    let (context, key) = unsafe { (&*context.cast::<Context>(), Rel::<u8>::new(key as u64, key_len).get(0)) };
    let plan = &context.shared.plan;
    let may_read = plan.handlers[context.handler].may_read.get(pool as usize).copied().unwrap_or(false);
    let (true, Some(table)) = (may_read, plan.pools.get(pool as usize).and_then(|pool| pool.table.as_ref()))
    else {
        return Status::FAILED;
    };
    let object = table.get(plan.hash(key), key);
    let item = object.map_or(Item::ABSENT, |object| {
        let item = Item {
            key: Rel::of(key),
            value: Rel::of(&object.value),
            version: object.version,
            time: object.time,
            pool,
            ..Item::ABSENT
        };
        context.kept.borrow_mut().push(object.value);
        item
    });
    // SAFETY: as above.
    unsafe { found.write(item) };
    Status::OK
}
