use super::emit::Agreed;
use crate::context::{Lent, unlent};
use crate::{Context, Failure};
use std::cell::UnsafeCell;
use std::ops::Deref;
use upcall_abi::{FlowOpen, PoolEntry, PoolServices, Rel, access};

/// A pool's id: from [`Open::pool`] or [`crate::Object::pool`].
///
/// The default is the id of no pool, for a field that [`crate::Handler::open`] fills. Whatever is emitted to it or read
/// by it fails the object, and the failure says so.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PoolId(pub(crate) u32);

impl PoolId {
    /// No pool has it; the number above is that of a condition among records.
    const NONE: PoolId = PoolId(u32::MAX - 1);
}

impl Default for PoolId {
    fn default() -> PoolId {
        PoolId::NONE
    }
}

/// A pool as a handler names it: by its [`PoolId`], or by its path, which is looked up each time and so is slower.
pub trait AsPool: sealed::Sealed {
    /// Its id, if it is one of `pools` that may be used as one of the bits of `may` says. What an id may be used for, the
    /// engine says.
    #[doc(hidden)]
    fn id(self, pools: &[Pool], may: u32) -> Result<PoolId, Failure>;
}

impl AsPool for PoolId {
    #[inline]
    fn id(self, _: &[Pool], may: u32) -> Result<PoolId, Failure> {
        if self == PoolId::NONE { Err(no_pool(may)) } else { Ok(self) }
    }
}

impl AsPool for &str {
    fn id(self, pools: &[Pool], may: u32) -> Result<PoolId, Failure> {
        find(pools, self, may)
    }
}

impl AsPool for &String {
    fn id(self, pools: &[Pool], may: u32) -> Result<PoolId, Failure> {
        find(pools, self, may)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::PoolId {}
    impl Sealed for &str {}
    impl Sealed for &String {}
}

#[cold]
fn no_pool(may: u32) -> Failure {
    let what = if may == access::READ { "read a pool" } else { "emit to a pool" };
    Failure::new(format!(
        "{what} by `PoolId::default()`, which no pool has: ask for its id in `open`, with `open.pool`"
    ))
}

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
pub(crate) struct Names {
    pub(crate) pools: Vec<Pool>,
    pub(crate) senders: Vec<String>,
    /// Where [`crate::Emit::put`] writes to.
    pub(crate) default: Option<PoolId>,
    /// What the handler was found to emit where.
    pub(crate) agreed: Agreed,
    /// What the flow does for the handler.
    pub(crate) services: Lent<PoolServices>,
    /// The values of a batch side by side: [`crate::Batch::values`]. In words, so that they are aligned.
    pub(crate) column: UnsafeCell<Vec<u64>>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            pools: Vec::new(),
            senders: Vec::new(),
            default: None,
            agreed: Agreed::default(),
            services: unlent(),
            column: UnsafeCell::default(),
        }
    }
}

impl Names {
    /// Bytes of a value, where the handler watches one pool and its type is blittable.
    pub(crate) fn column_size(&self) -> Option<usize> {
        let mut watched = self.pools.iter().filter(|pool| pool.access & access::WATCH != 0);
        let size = watched.next()?.value_size as usize;
        (size > 0 && watched.next().is_none()).then_some(size)
    }
}

impl Names {
    /// Takes over what OPEN tells.
    ///
    /// # Safety
    /// What `added` points to must be valid relative to `origin`, its services until CLOSE.
    pub(crate) unsafe fn open(&mut self, added: &FlowOpen, context: &Context<'_>, origin: u64) {
        // SAFETY: the caller's promise.
        let senders = unsafe {
            self.pools = pools(added.pools, origin);
            added.senders.get(origin)
        };
        self.senders = senders.iter().map(|name| context.text(*name).to_owned()).collect();
        self.default = first_emit(&self.pools);
        self.agreed = Agreed::default();
        self.services.set(added.pool_services);
    }
}

/// What a handler of a flow learns when it is opened: what every handler does, its pools and its senders.
pub struct Open<'a> {
    context: &'a Context<'a>,
    pub(crate) names: &'a Names,
}

impl<'a> Deref for Open<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        self.context
    }
}

impl<'a> Open<'a> {
    pub(crate) fn new(context: &'a Context<'a>, names: &'a Names) -> Open<'a> {
        Open { context, names }
    }

    /// The pools that the handler watches, may emit to or may read.
    #[must_use]
    pub fn pools(&self) -> &'a [Pool] {
        &self.names.pools
    }

    /// The pool with this path.
    ///
    /// # Errors
    /// It is not declared; the failure lists those that are.
    pub fn pool(&self, path: &str) -> Result<PoolId, Failure> {
        find(&self.names.pools, path, u32::MAX)
    }

    /// Names by [`crate::Object::sender`]: 0 is who puts from outside, the rest are handlers.
    #[must_use]
    pub fn senders(&self) -> &'a [String] {
        &self.names.senders
    }
}

/// The pool with this path among those with one of the bits of `may`.
pub(crate) fn find(pools: &[Pool], path: &str, may: u32) -> Result<PoolId, Failure> {
    let mut fit = pools.iter().filter(|pool| pool.access & may != 0);
    let found = fit.find(|pool| pool.path == path).map(|pool| pool.id);
    found.ok_or_else(|| undeclared(pools, path, may))
}

/// Says that the handler has not declared the pool with this path for one of the bits of `may`.
#[cold]
pub(crate) fn undeclared(pools: &[Pool], path: &str, may: u32) -> Failure {
    let list = match may {
        access::EMIT => "`to`",
        access::READ => "`read`",
        _ => "`to` or `read`",
    };
    Failure::new(format!(
        "pool {path} is not declared by this handler; it has {}: add {path} to its {list}",
        known(pools, may)
    ))
}

/// The paths of the pools with one of the bits of `may`, for messages.
pub(crate) fn known(pools: &[Pool], may: u32) -> String {
    let known: Vec<&str> = pools.iter().filter(|p| p.access & may != 0).map(|p| p.path.as_str()).collect();
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
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

/// Which pool [`crate::Emit::put`] writes to: the first that may be emitted to.
pub(crate) fn first_emit(pools: &[Pool]) -> Option<PoolId> {
    pools.iter().find(|pool| pool.access & access::EMIT != 0).map(|pool| pool.id)
}
