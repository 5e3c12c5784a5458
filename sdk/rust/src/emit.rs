use crate::form::Shape;
use crate::open::{Names, find};
use crate::{Encode, Failure, PoolId};
use std::marker::PhantomData;
use upcall_abi::{FlowFrame, FrameHead, Item, Mark, Record, Services, Status, Writer, access};

/// Writes what a handler emits into the frame's output, and reads pools. Ends with the call.
///
/// Values are bytes, or of the form `O` in a [`crate::TypedHandler`]. An emission that cannot be written
/// fails the object once the handler returns.
// Transparent, so that `of` may change `O`.
#[repr(transparent)]
pub struct Emit<'a, O: ?Sized = [u8]> {
    to: To<'a>,
    form: PhantomData<fn(&O)>,
}

struct To<'a> {
    writer: Writer,
    names: &'a Names,
    services: *const Services,
    item: u32,
    failure: Option<Failure>,
    /// Pools and shapes that were found to agree, each at its pool's number.
    agreed: [Option<(PoolId, usize)>; AGREED],
}

/// How many pools' agreement is remembered.
const AGREED: usize = 4;

impl To<'_> {
    /// Whether a pool's declared type agrees with the shape; if not, that is what fails the object.
    #[cold]
    fn agree(&mut self, id: PoolId, shape: fn() -> Shape) -> bool {
        let pool = self.names.pools.iter().find(|pool| pool.id == id);
        match pool.and_then(|pool| shape().disagrees(pool, "emits")) {
            Some(wrong) => {
                self.failure.get_or_insert_with(|| Failure::new(wrong));
                false
            }
            None => {
                self.agreed[id.0 as usize % AGREED] = Some((id, shape as usize));
                true
            }
        }
    }
}

impl<'a> Emit<'a> {
    /// # Safety
    /// `frame` must be a valid flow frame for `'a` whose output is used by this emitter alone; `services`
    /// must be null or valid for `'a`.
    pub(crate) unsafe fn new(frame: *mut FlowFrame, names: &'a Names, services: *const Services) -> Emit<'a> {
        // SAFETY: the caller's promise.
        let writer = unsafe { Writer::new(frame.cast::<FrameHead>(), &raw mut (*frame).out) };
        let to = To { writer, names, services, item: Record::NO_ITEM, failure: None, agreed: [None; AGREED] };
        Emit { to, form: PhantomData }
    }

    pub(crate) fn mark(&self) -> Mark {
        self.to.writer.mark()
    }

    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.to.writer.truncate(mark);
    }

    /// The item that is being handled.
    pub(crate) fn item(&self) -> u32 {
        self.to.item
    }

    /// Says which item is being handled.
    #[inline]
    pub(crate) fn begin(&mut self, item: u32) {
        self.to.item = item;
    }

    #[inline]
    pub(crate) fn check(&mut self) -> Result<(), Failure> {
        self.to.failure.take().map_or(Ok(()), Err)
    }
}

impl<'a, O: Encode + ?Sized> Emit<'a, O> {
    /// Emits an object into the handler's first pool.
    #[inline]
    pub fn put(&mut self, key: &[u8], value: &O::Value) {
        match self.to.names.default {
            Some(pool) => self.put_to(pool, key, value),
            None => self.fail("it may emit to no pool: add one to its `to`".into()),
        }
    }

    /// Emits an object into a pool that the handler declares. One whose declared type is another one fails the
    /// object.
    #[inline]
    pub fn put_to(&mut self, pool: PoolId, key: &[u8], value: &O::Value) {
        // Two functions at one address say the same.
        let shape: fn() -> Shape = O::shape;
        let agreed = self.to.agreed[pool.0 as usize % AGREED] == Some((pool, shape as usize));
        if !agreed && !self.to.agree(pool, shape) {
            return;
        }
        let To { writer, item, .. } = &mut self.to;
        if let Err(message) = O::encode(value, key, pool.0, *item, writer) {
            self.fail(message);
        }
    }

    /// Emits an object into the pool with this path; slower than [`Emit::put_to`], which is told where.
    pub fn put_path(&mut self, path: &str, key: &[u8], value: &O::Value) {
        match find(&self.to.names.pools, path, access::EMIT) {
            Ok(pool) => self.put_to(pool, key, value),
            Err(failure) => {
                self.to.failure.get_or_insert(failure);
            }
        }
    }

    #[cold]
    fn fail(&mut self, message: String) {
        self.to.failure.get_or_insert_with(|| Failure::new(message));
    }
}

impl<'a, O: ?Sized> Emit<'a, O> {
    /// The same emitter for values of another form: `emit.of::<f64>().put(key, &1.5)`.
    #[inline]
    pub fn of<P: ?Sized>(&mut self) -> &mut Emit<'a, P> {
        // SAFETY: both are a `To<'a>`, and the marker takes no part in it.
        unsafe { &mut *(&raw mut *self).cast::<Emit<'a, P>>() }
    }

    /// The newest version of a key in a pool that the handler may read. The view ends with the call.
    pub fn read(&mut self, pool: PoolId, key: &[u8]) -> Result<Option<Found<'a>>, Failure> {
        let mut found = Item::ABSENT;
        // SAFETY: services are valid for 'a.
        let status = match unsafe { self.to.services.as_ref() } {
            // SAFETY: as the field's docs say.
            Some(s) => unsafe { (s.read)(s.context, pool.0, key.as_ptr(), key.len() as u64, &mut found) },
            None => Status::FAILED,
        };
        if status != Status::OK {
            let readable = self.to.names.pools.iter().filter(|p| p.access & access::READ != 0);
            let readable: Vec<&str> = readable.map(|p| p.path.as_str()).collect();
            return Err(Failure::new(format!(
                "not a pool it may read (add it to `read`); it has {readable:?}"
            )));
        }
        // SAFETY: the engine keeps what it found until the frame ends; what it hands out are addresses.
        let value = unsafe { found.value.get(0) };
        Ok((found.version != 0).then_some(Found { value, version: found.version, time: found.time }))
    }
}

/// What [`Emit::read`] found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The value.
    pub value: &'a [u8],
    /// Its version.
    pub version: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: u64,
}
