//! What an instance's Python objects share: its pools, names, caches and views.

use crate::ffi;
use crate::form::Forms;
use crate::keys::Keys;
use crate::number::Number;
use crate::object;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::view::Views;
use upcall_abi::{Item, OpenFrame, PoolEntry, Rel, Services, access, base};

/// Values of this size and more are given as views; below it a copy is cheaper.
const VIEW_FROM: usize = 4096;

/// A pool that the handler has to do with.
pub struct Pool {
    /// Its path, a `str`.
    pub path: Ref,
    /// Its id.
    pub id: u32,
    /// Bits of [`access`].
    pub access: u32,
    /// The name of its value type, empty for bytes.
    pub value_type: String,
    /// Bytes of a value when the type is blittable, else 0.
    pub value_size: usize,
    /// What its values are, when they are numbers.
    pub number: Option<Number>,
}

/// Of one instance, at an address that does not change.
pub struct State {
    /// What offsets of the current frame's batch are relative to.
    pub base: u64,
    /// The pools, in the engine's order.
    pub pools: Vec<Pool>,
    /// Names by sender id, each a `str`.
    pub senders: Vec<Ref>,
    /// The key cache.
    pub keys: Keys,
    /// The views of the current call.
    pub views: Views,
    /// The objects that a batch handed out in the current call.
    pub handed: Vec<Ref>,
    /// What the handler reads of its objects.
    pub reads: object::Reads,
    /// What the handler's values are.
    pub forms: Forms,
    /// What the engine does for the handler; null before OPEN and after CLOSE.
    pub services: *const Services,
}

impl State {
    /// Nothing yet.
    pub fn new(exporter: Ref, forms: Forms) -> State {
        State {
            base: 0,
            pools: Vec::new(),
            senders: Vec::new(),
            keys: Keys::new(),
            views: Views::new(exporter),
            handed: Vec::new(),
            reads: object::Reads::default(),
            forms,
            services: std::ptr::null(),
        }
    }

    /// Takes over what OPEN tells.
    pub fn open(&mut self, frame: &OpenFrame) -> Outcome<()> {
        let base = frame.head.base[base::BATCH];
        self.services = frame.services;
        // SAFETY: the engine's entries and names are valid during OPEN.
        unsafe {
            let pool = |entry: &PoolEntry| {
                let value_type = String::from_utf8_lossy(entry.value_type.get(base)).into_owned();
                Ok(Pool {
                    path: py::text(entry.path.get(base))?,
                    id: entry.id,
                    access: entry.access,
                    value_size: entry.value_size as usize,
                    number: Number::named(&value_type),
                    value_type,
                })
            };
            self.pools = frame.pools.get(base).iter().map(pool).collect::<Outcome<_>>()?;
            let senders = frame.senders.get(base).iter();
            self.senders = senders.map(|name| py::text(name.get(base))).collect::<Outcome<_>>()?;
        }
        if self.forms.takes.is_some() {
            self.reads.typed();
        }
        self.forms.check(&self.pools)
    }

    /// The key of an item of the current frame.
    ///
    /// # Safety
    /// The item must be one.
    #[inline]
    pub unsafe fn key(&mut self, item: *const Item) -> Outcome<Ref> {
        // SAFETY: the caller's promise.
        self.keys.get(unsafe { (*item).key.get(self.base) })
    }

    /// The value of an item of the current frame: of the type that the handler takes, or its bytes.
    ///
    /// # Safety
    /// The item must be one.
    #[inline]
    pub unsafe fn value(&mut self, item: *const Item) -> Outcome<Ref> {
        let state: *mut State = self;
        // SAFETY: the caller's promise; reading a form changes the views only.
        unsafe {
            match &(*state).forms.takes {
                None => (*state).bytes_or_view(item),
                Some(form) => form.read(state, item),
            }
        }
    }

    /// The value of an item of the current frame: `bytes`, or a view of a large one.
    ///
    /// # Safety
    /// The item must be one.
    #[inline]
    pub unsafe fn bytes_or_view(&mut self, item: *const Item) -> Outcome<Ref> {
        // SAFETY: the caller's promise; the value stays until the views are ended, which the driver does.
        unsafe {
            let value = (*item).value.get(self.base);
            if value.len() < VIEW_FROM { py::bytes(value) } else { self.views.of(value) }
        }
    }

    /// The bytes of a slice of the current frame.
    ///
    /// # Safety
    /// It must be one, and not be used once the frame has ended.
    pub unsafe fn bytes<'a>(&self, slice: Rel<u8>) -> &'a [u8] {
        // SAFETY: the caller's promise.
        unsafe { slice.get(self.base) }
    }

    /// The pool with this id.
    pub fn pool_by_id(&self, id: u32) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    /// Index of the pool of this path, for what `access` allows.
    ///
    /// # Safety
    /// `path` must be alive.
    pub unsafe fn pool_by_path(&self, path: *mut PyObject, wanted: u32) -> Outcome<usize> {
        if let Some(index) = self.pools.iter().position(|pool| pool.path.as_ptr() == path)
            && self.pools[index].access & wanted != 0
        {
            return Ok(index);
        }
        // SAFETY: the caller's promise.
        let text = unsafe { py::utf8(path) }?;
        let allowed = |pool: &&Pool| pool.access & wanted != 0;
        let found =
            self.pools.iter().position(|pool| allowed(&pool) && pool.path.text().is_ok_and(|p| p == text));
        found.ok_or_else(|| self.undeclared(text, wanted))
    }

    /// Index of the first pool that may be emitted to.
    pub fn default_pool(&self) -> Option<usize> {
        self.pools.iter().position(|pool| pool.access & access::EMIT != 0)
    }

    #[cold]
    fn undeclared(&self, path: &str, wanted: u32) -> Raised {
        let list = if wanted == access::READ { "read" } else { "to" };
        let known = self.pools.iter().filter(|pool| pool.access & wanted != 0);
        let known: Vec<&str> = known.filter_map(|pool| pool.path.text().ok()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let message = format!(
            "pool {path} is not declared by this handler; it has {known}: add {path} to its `{list}`"
        );
        py::raise(Kind::Value, message)
    }

    /// Ends what a call left: the objects of its batch, then its views.
    #[inline]
    pub fn end(&mut self) -> Outcome<()> {
        for handed in self.handed.drain(..) {
            // SAFETY: objects of ours.
            unsafe { object::end(handed.as_ptr().cast()) };
        }
        if self.views.is_empty() { Ok(()) } else { self.views.end() }
    }

    /// The name of a sender.
    pub fn sender(&self, id: u32) -> Outcome<Ref> {
        match self.senders.get(id as usize) {
            Some(name) => Ok(name.clone()),
            None => py::text(b"?"),
        }
    }

    /// The path of a pool.
    pub fn path(&self, id: u32) -> Outcome<Ref> {
        match self.pool_by_id(id) {
            Some(pool) => Ok(pool.path.clone()),
            None => py::text(b"?"),
        }
    }
}

/// Drops the reference in a field and leaves it empty.
///
/// # Safety
/// The field must be null or own its reference.
#[inline(always)]
pub unsafe fn clear(field: *mut *mut PyObject) {
    // SAFETY: the caller's promise; emptied first, as dropping may run Python.
    unsafe {
        let object = field.replace(std::ptr::null_mut());
        if !object.is_null() {
            ffi::decref(object);
        }
    }
}
