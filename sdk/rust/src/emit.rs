use crate::open::{Names, find};
use crate::{Failure, PoolId};
use upcall_abi::{FlowFrame, FrameHead, Item, Mark, Record, Services, Status, Writer, access};

/// Writes what a handler emits into the frame's output, and reads pools. Ends with the call.
///
/// An emission that cannot be written fails the object once the handler returns.
pub struct Emit<'a> {
    writer: Writer,
    names: &'a Names,
    services: *const Services,
    pub(crate) item: u32,
    failure: Option<Failure>,
}

impl<'a> Emit<'a> {
    /// # Safety
    /// `frame` must be a valid flow frame for `'a` whose output is used by this emitter alone; `services`
    /// must be null or valid for `'a`.
    pub(crate) unsafe fn new(frame: *mut FlowFrame, names: &'a Names, services: *const Services) -> Emit<'a> {
        // SAFETY: the caller's promise.
        let writer = unsafe { Writer::new(frame.cast::<FrameHead>(), &raw mut (*frame).out) };
        Emit { writer, names, services, item: Record::NO_ITEM, failure: None }
    }

    /// Emits an object into the handler's first pool.
    #[inline]
    pub fn put(&mut self, key: &[u8], value: &[u8]) {
        match self.names.default {
            Some(pool) => self.put_to(pool, key, value),
            None => self.fail("it may emit to no pool: add one to its `to`".into()),
        }
    }

    /// Emits an object into a pool that the handler declares.
    #[inline]
    pub fn put_to(&mut self, pool: PoolId, key: &[u8], value: &[u8]) {
        if self.writer.put(pool.0, self.item, key, value).is_none() {
            self.fail(format!("no memory to emit a value of {} bytes", value.len()));
        }
    }

    /// Emits an object into the pool with this path; slower than [`Emit::put_to`], which is told where.
    pub fn put_path(&mut self, path: &str, key: &[u8], value: &[u8]) {
        match find(&self.names.pools, path, access::EMIT) {
            Ok(pool) => self.put_to(pool, key, value),
            Err(failure) => self.failure = Some(failure),
        }
    }

    /// The newest version of a key in a pool that the handler may read. The view ends with the call.
    pub fn read(&mut self, pool: PoolId, key: &[u8]) -> Result<Option<Found<'a>>, Failure> {
        let mut found = Item::ABSENT;
        // SAFETY: services are valid for 'a.
        let status = match unsafe { self.services.as_ref() } {
            // SAFETY: as the field's docs say.
            Some(s) => unsafe { (s.read)(s.context, pool.0, key.as_ptr(), key.len() as u64, &mut found) },
            None => Status::FAILED,
        };
        if status != Status::OK {
            let readable = self.names.pools.iter().filter(|p| p.access & access::READ != 0);
            let readable: Vec<&str> = readable.map(|p| p.path.as_str()).collect();
            return Err(Failure::new(format!(
                "not a pool it may read (add it to `read`); it has {readable:?}"
            )));
        }
        // SAFETY: the engine keeps what it found until the frame ends; what it hands out are addresses.
        let value = unsafe { found.value.get(0) };
        Ok((found.version != 0).then_some(Found { value, version: found.version, time: found.time }))
    }

    pub(crate) fn mark(&self) -> Mark {
        self.writer.mark()
    }

    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.writer.truncate(mark);
    }

    #[inline]
    pub(crate) fn check(&mut self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    #[cold]
    fn fail(&mut self, message: String) {
        self.failure.get_or_insert_with(|| Failure::new(message));
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
