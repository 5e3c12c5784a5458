use crate::Failure;
use crate::emit::Agreed;
use std::cell::{Cell, UnsafeCell};
use std::rc::Rc;
use upcall_abi::{OpenFrame, PoolEntry, Rel, Services, access, base, level};

/// A pool's id: from [`Open::pool`] or [`crate::Object::pool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PoolId(pub(crate) u32);

/// A pool that the handler watches, emits to or reads.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its id.
    pub id: PoolId,
    /// Its path.
    pub path: String,
    /// The name of its declared value type, empty for plain bytes.
    pub value_type: String,
    /// Bytes of a value when the type is blittable, else 0.
    pub value_size: u32,
    /// Bits of [`upcall_abi::access`].
    pub access: u32,
}

/// What an instance knows from OPEN on.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) pools: Vec<Pool>,
    pub(crate) senders: Vec<String>,
    /// Where [`crate::Emit::put`] writes to.
    pub(crate) default: Option<PoolId>,
    /// What the handler was found to emit where.
    pub(crate) agreed: Agreed,
    /// What the engine does for the handler.
    pub(crate) services: Lent,
    /// The values of a batch side by side: [`crate::Batch::values`]. In words, so that they are aligned.
    pub(crate) column: UnsafeCell<Vec<u64>>,
}

impl Names {
    /// Bytes of a value, where the handler watches one pool and its type is blittable.
    pub(crate) fn column_size(&self) -> Option<usize> {
        let mut watched = self.pools.iter().filter(|pool| pool.access & access::WATCH != 0);
        let size = watched.next()?.value_size as usize;
        (size > 0 && watched.next().is_none()).then_some(size)
    }
}

/// The engine's services while it lends them, for an instance and all that it has given away: null before OPEN
/// and after CLOSE. It is not `Send`, as they are for the instance's thread.
pub(crate) type Lent = Rc<Cell<*const Services>>;

/// What a handler learns when it is opened.
pub struct Open<'a> {
    frame: &'a OpenFrame,
    pub(crate) names: &'a Names,
}

impl<'a> Open<'a> {
    pub(crate) fn new(frame: &'a OpenFrame, names: &'a Names) -> Open<'a> {
        Open { frame, names }
    }

    fn text(&self, text: Rel<u8>) -> &'a str {
        // SAFETY: the engine's names and settings are valid during OPEN, and UTF-8 (checked here).
        let bytes = unsafe { text.get(self.frame.head.base[base::BATCH]) };
        std::str::from_utf8(bytes).unwrap_or("?")
    }

    /// The handler's name in the flow.
    pub fn name(&self) -> &'a str {
        self.text(self.frame.name)
    }

    /// The value of a setting; JSON text where it is not a plain value.
    pub fn setting(&self, name: &str) -> Option<&'a str> {
        // SAFETY: valid during OPEN.
        let settings = unsafe { self.frame.settings.get(self.frame.head.base[base::BATCH]) };
        settings.iter().find(|s| self.text(s.name) == name).map(|s| self.text(s.value))
    }

    /// The pools that the handler watches, may emit to or may read.
    pub fn pools(&self) -> &'a [Pool] {
        &self.names.pools
    }

    /// The pool with this path; a failure that lists those there are when it is not declared.
    pub fn pool(&self, path: &str) -> Result<PoolId, Failure> {
        find(&self.names.pools, path, u32::MAX)
    }

    /// Names by [`crate::Object::sender`]: 0 is who puts from outside, the rest are handlers.
    pub fn senders(&self) -> Vec<String> {
        // SAFETY: valid during OPEN.
        let senders = unsafe { self.frame.senders.get(self.frame.head.base[base::BATCH]) };
        senders.iter().map(|name| self.text(*name).to_owned()).collect()
    }

    /// Index of this worker among those that run the handler, and how many they are.
    pub fn worker(&self) -> (u32, u32) {
        (self.frame.worker, self.frame.workers)
    }

    /// The flow's log, to be kept by the handler.
    pub fn log(&self) -> Log {
        Log { services: self.names.services.clone() }
    }
}

/// The pool with this path among those with one of the bits of `may`.
pub(crate) fn find(pools: &[Pool], path: &str, may: u32) -> Result<PoolId, Failure> {
    let mut fit = pools.iter().filter(|pool| pool.access & may != 0);
    fit.clone().find(|pool| pool.path == path).map(|pool| pool.id).ok_or_else(|| {
        let known: Vec<&str> = fit.by_ref().map(|pool| pool.path.as_str()).collect();
        let wanted = if may == access::EMIT { "`to`" } else { "`to` or `read`" };
        Failure::new(format!(
            "pool {path} is not declared by this handler; it has {}: add {path} to its {wanted}",
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        ))
    })
}

/// # Safety
/// `entries` must be valid relative to `base`.
pub(crate) unsafe fn pools(entries: Rel<PoolEntry>, base: u64) -> Vec<Pool> {
    // SAFETY: the caller's promise, for the entries and the text they point to.
    unsafe {
        let text = |rel: Rel<u8>| String::from_utf8_lossy(rel.get(base)).into_owned();
        let pool = |entry: &PoolEntry| Pool {
            id: PoolId(entry.id),
            path: text(entry.path),
            value_type: text(entry.value_type),
            value_size: entry.value_size,
            access: entry.access,
        };
        entries.get(base).iter().map(pool).collect()
    }
}

/// Logs under the handler's name, into the engine's log. For the handler's own thread. One that is kept for
/// longer than the handler says nothing any more.
#[derive(Clone, Debug)]
pub struct Log {
    services: Lent,
}

impl Log {
    /// Something failed.
    pub fn error(&self, text: &str) {
        self.write(level::ERROR, text);
    }

    /// Something looks wrong.
    pub fn warn(&self, text: &str) {
        self.write(level::WARN, text);
    }

    /// Something worth telling.
    pub fn info(&self, text: &str) {
        self.write(level::INFO, text);
    }

    /// For whoever debugs the handler.
    pub fn debug(&self, text: &str) {
        self.write(level::DEBUG, text);
    }

    fn write(&self, level: u32, text: &str) {
        // SAFETY: the engine's until CLOSE has returned, and null from then on; called on its thread, as `Log` is
        // not `Send`.
        unsafe {
            if let Some(services) = self.services.get().as_ref() {
                (services.log)(services.context, level, text.as_ptr(), text.len() as u64);
            }
        }
    }
}

/// Which pool [`crate::Emit::put`] writes to: the first that may be emitted to.
pub(crate) fn first_emit(pools: &[Pool]) -> Option<PoolId> {
    pools.iter().find(|pool| pool.access & access::EMIT != 0).map(|pool| pool.id)
}
