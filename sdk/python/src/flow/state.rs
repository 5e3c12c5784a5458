//! What an instance's Python objects share: its pools, names, caches and views.

use super::call::{Call, Place};
use super::form::Forms;
use super::keys::Keys;
use super::object;
use crate::ffi;
use crate::number::Number;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::view::Views;
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use upcall_abi::{FlowOpen, PoolEntry, PoolServices, access};

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
    /// Whether each type that the handler's `Emit` names may be emitted into it.
    pub agrees: Box<[bool]>,
}

/// What OPEN told.
struct Opened {
    /// The pools, in the engine's order.
    pools: Vec<Pool>,
    /// Index of the first pool that may be emitted to.
    default: Option<usize>,
    /// Names by sender id, each a `str`.
    senders: Vec<Ref>,
}

/// Of one instance, or of one item of a handler that answers later. Python's objects hold it by a count of its [`Rc`], as a
/// thread of the handler may still use one when the instance has been let go; the interpreter's lock guards the count and
/// all cells.
pub struct State {
    /// The current call.
    pub call: Call,
    /// The views of the current call.
    pub views: Views,
    /// The objects that a batch handed out in the current call.
    pub handed: RefCell<Vec<Ref>>,
    shared: Rc<Shared>,
}

/// What is the same for all calls of an instance.
pub struct Shared {
    opened: OnceCell<Opened>,
    /// The key cache.
    pub keys: Keys,
    /// What the handler reads of its objects.
    pub reads: object::Reads,
    /// What the handler's values are.
    pub forms: Forms,
    /// What the flow does for the handler; null before OPEN and after CLOSE.
    pub services: Cell<*const PoolServices>,
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl Shared {
    /// Nothing yet.
    pub fn new(forms: Forms) -> Shared {
        Shared {
            opened: OnceCell::new(),
            keys: Keys::new(),
            reads: object::Reads::default(),
            forms,
            services: Cell::new(std::ptr::null()),
        }
    }

    /// Takes over what the flow adds to OPEN, once.
    ///
    /// # Safety
    /// What `added` points to must be valid relative to `base`, its services until CLOSE.
    pub unsafe fn open(&self, added: &FlowOpen, base: u64) -> Outcome<()> {
        // SAFETY: the caller's promise.
        let opened = unsafe {
            let pool = |entry: &PoolEntry| {
                let value_type = String::from_utf8_lossy(entry.value_type.get(base)).into_owned();
                let mut pool = Pool {
                    path: py::text(entry.path.get(base))?,
                    id: entry.id,
                    access: entry.access,
                    value_size: entry.value_size as usize,
                    number: Number::named(&value_type),
                    value_type,
                    agrees: Box::default(),
                };
                pool.agrees = self.forms.emits.iter().map(|form| form.agrees(&pool)).collect();
                Ok(pool)
            };
            let pools: Vec<Pool> = added.pools.get(base).iter().map(pool).collect::<Outcome<_>>()?;
            let senders = added.senders.get(base).iter();
            let senders = senders.map(|name| py::text(name.get(base))).collect::<Outcome<_>>()?;
            let default = pools.iter().position(|pool| pool.access & access::EMIT != 0);
            Opened { pools, default, senders }
        };
        self.opened.get_or_init(|| opened);
        self.services.set(added.pool_services);
        if self.forms.takes.is_some() {
            self.reads.typed();
        }
        self.forms.check(self.pools())
    }

    /// The pools, in the engine's order; none before OPEN.
    pub fn pools(&self) -> &[Pool] {
        self.opened.get().map_or(&[], |opened| &opened.pools)
    }

    /// Names by sender id, each a `str`; none before OPEN.
    pub fn senders(&self) -> &[Ref] {
        self.opened.get().map_or(&[], |opened| &opened.senders)
    }

    /// The pool with this id.
    pub fn pool_by_id(&self, id: u32) -> Option<&Pool> {
        self.pools().iter().find(|pool| pool.id == id)
    }

    /// The first pool that may be emitted to.
    #[inline]
    pub fn default_pool(&self) -> Option<&Pool> {
        let opened = self.opened.get()?;
        opened.default.map(|index| &opened.pools[index])
    }

    /// The pool of this path, for what `access` allows.
    ///
    /// # Safety
    /// `path` must be alive.
    pub unsafe fn pool_by_path(&self, path: *mut PyObject, wanted: u32) -> Outcome<&Pool> {
        let allowed = |pool: &&Pool| pool.access & wanted != 0;
        let same = self.pools().iter().filter(allowed).find(|pool| pool.path.as_ptr() == path);
        if let Some(pool) = same {
            return Ok(pool);
        }
        // SAFETY: the caller's promise.
        let text = unsafe { py::utf8(path) }?;
        let found =
            self.pools().iter().filter(allowed).find(|pool| pool.path.text().is_ok_and(|p| p == text));
        found.ok_or_else(|| self.undeclared(text, wanted))
    }

    #[cold]
    fn undeclared(&self, path: &str, wanted: u32) -> Raised {
        let list = if wanted == access::READ { "read" } else { "to" };
        let known = self.known(wanted);
        let message = format!(
            "pool {path} is not declared by this handler; it has {known}: add {path} to its `{list}`"
        );
        py::raise(Kind::Value, message)
    }

    /// The paths of the pools with one of the bits of `wanted`, for messages.
    pub fn known(&self, wanted: u32) -> String {
        let known = self.pools().iter().filter(|pool| pool.access & wanted != 0);
        let known: Vec<&str> = known.filter_map(|pool| pool.path.text().ok()).collect();
        if known.is_empty() { "none".to_owned() } else { known.join(", ") }
    }

    /// The name of a sender.
    pub fn sender(&self, id: u32) -> Outcome<Ref> {
        match self.senders().get(id as usize) {
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

impl State {
    /// Outside of any call.
    pub fn new(shared: Rc<Shared>, call: Call) -> State {
        State { call, views: Views::default(), handed: RefCell::new(Vec::new()), shared }
    }

    /// Of the same instance, and in no call, ever.
    pub fn never(&self) -> State {
        State::new(self.shared.clone(), Call::new())
    }

    /// The key of an item.
    #[inline]
    pub fn key(&self, place: Place) -> Outcome<Ref> {
        self.call.key(&self.keys, place)
    }

    /// The value of an item: of the type that the handler takes, or its bytes.
    #[inline]
    pub fn value(&self, place: Place) -> Outcome<Ref> {
        match &self.forms.takes {
            None => self.bytes_or_view(place),
            Some(form) => form.read(self, place),
        }
    }

    /// The value of an item: `bytes`, or a view of a large one, unless it is answered later: nobody knows who still looks
    /// through a view when its item is over.
    #[inline]
    pub fn bytes_or_view(&self, place: Place) -> Outcome<Ref> {
        let from = if self.call.is_later() { usize::MAX } else { VIEW_FROM };
        self.call.value_or_view(&self.views, place, from)
    }

    /// Ends what a call left: the objects of its batch, then its views.
    #[inline]
    pub fn end(&self) -> Outcome<()> {
        let mut handed = self.handed.take();
        for object in handed.drain(..) {
            // SAFETY: objects of ours.
            unsafe { object::end(object.as_ptr().cast()) };
        }
        self.handed.replace(handed);
        if self.views.is_empty() { Ok(()) } else { self.views.end() }
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
