mod kept;
mod put_if;

#[cfg(feature = "async")]
pub(crate) use kept::Kept;
#[cfg(not(feature = "async"))]
use kept::Kept;

use super::form::{Decode, Shape, no_memory, text};
use super::open::{AsPool, Names, known, undeclared};
use super::{Encode, PoolId};
use crate::Failure;
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use upcall_abi::{
    Blit, FlowFrame, FrameHead, Item, Mark, Query, Record, Rel, Status, Writer, access, as_of, base, missing,
};

/// Writes what a handler emits into the frame's output, and reads pools. Ends with the object.
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
    item: u32,
    /// The last item that has emitted on condition, of those of this call.
    conditional: u32,
    failure: Option<Failure>,
    /// Where what is read is copied to, of an item that is answered later.
    kept: Option<&'a Kept>,
}

/// What an instance was found to emit where, for as long as it lives: pools and shapes, each at its pool's
/// number. Two shapes at one address say the same.
#[derive(Default)]
pub(crate) struct Agreed([Cell<(u32, usize)>; 16]);

impl Agreed {
    #[inline]
    fn place(&self, pool: PoolId) -> &Cell<(u32, usize)> {
        &self.0[pool.0 as usize % self.0.len()]
    }

    #[inline]
    fn holds(&self, pool: PoolId, shape: fn() -> Shape) -> bool {
        self.place(pool).get() == (pool.0, shape as usize)
    }

    /// Keeps that values of the shape are of the type that the pool declares.
    pub(crate) fn keep(&self, pool: PoolId, shape: fn() -> Shape) {
        self.place(pool).set((pool.0, shape as usize));
    }
}

impl To<'_> {
    /// Whether a pool's declared type agrees with the shape; if not, that is what fails the object.
    #[cold]
    fn agree(&mut self, id: PoolId, shape: fn() -> Shape) -> bool {
        let pool = self.names.pools.iter().find(|pool| pool.id == id);
        let wrong = pool.and_then(|pool| shape().disagrees(pool, "emits"));
        let agrees = wrong.is_none();
        match wrong {
            Some(wrong) => _ = self.failure.get_or_insert_with(|| Failure::new(wrong)),
            None => self.names.agreed.keep(id, shape),
        }
        agrees
    }
}

impl<'a> Emit<'a> {
    /// # Safety
    /// `frame` must be a valid flow frame for `'a` whose output is used by this emitter alone.
    pub(crate) unsafe fn new(frame: *mut FlowFrame, names: &'a Names) -> Emit<'a> {
        // SAFETY: the caller's promise.
        let writer = unsafe { Writer::new(frame.cast::<FrameHead>(), &raw mut (*frame).out) };
        let none = Record::NO_ITEM;
        let to = To { writer, names, item: none, conditional: none, failure: None, kept: None };
        Emit { to, form: PhantomData }
    }

    /// For an item that is answered later: what it reads is kept there.
    ///
    /// # Safety
    /// As [`Emit::new`].
    #[cfg(feature = "async")]
    pub(crate) unsafe fn later(frame: *mut FlowFrame, names: &'a Names, kept: &'a Kept) -> Emit<'a> {
        // SAFETY: the caller's promise.
        let mut emit = unsafe { Emit::new(frame, names) };
        emit.to.kept = Some(kept);
        emit
    }

    pub(crate) fn mark(&self) -> Mark {
        self.to.writer.mark()
    }

    /// Forgets what was emitted since `mark`.
    ///
    /// # Safety
    /// As [`Writer::truncate`].
    pub(crate) unsafe fn truncate(&mut self, mark: Mark) {
        // SAFETY: the caller's promise.
        unsafe { self.to.writer.truncate(mark) };
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

    /// Whether all that was emitted since the last time could be written.
    ///
    /// # Errors
    /// The first that could not. Who does not ask fails the object by it.
    #[inline]
    pub fn check(&mut self) -> Result<(), Failure> {
        self.to.failure.take().map_or(Ok(()), Err)
    }
}

impl<'a, O: Encode + ?Sized> Emit<'a, O> {
    /// Emits an object into the handler's first pool.
    #[inline]
    pub fn put(&mut self, key: &[u8], value: &O::Value) {
        match self.to.names.default {
            Some(pool) => self.write(pool, key, value),
            None => self.fail(NO_POOL.into()),
        }
    }

    /// Emits an object into a pool that the handler declares, by its id or its path. One whose declared type is another
    /// one fails the object.
    #[inline]
    pub fn put_to(&mut self, pool: impl AsPool, key: &[u8], value: &O::Value) {
        if let Some(pool) = self.target(pool) {
            self.write(pool, key, value);
        }
    }

    /// The pool to emit to; if there is none, that is what fails the object.
    #[inline]
    fn target(&mut self, pool: impl AsPool) -> Option<PoolId> {
        let found = pool.id(&self.to.names.pools, access::EMIT);
        found.map_err(|failure| _ = self.to.failure.get_or_insert(failure)).ok()
    }

    #[inline]
    fn write(&mut self, pool: PoolId, key: &[u8], value: &O::Value) {
        if !O::ANY && !self.to.names.agreed.holds(pool, O::shape) && !self.to.agree(pool, O::shape) {
            return;
        }
        let To { writer, item, .. } = &mut self.to;
        if let Err(message) = O::encode(value, key, pool.0, *item, writer) {
            self.fail(message);
        }
    }

    #[cold]
    fn fail(&mut self, message: String) {
        self.to.failure.get_or_insert_with(|| Failure::new(message));
    }
}

const NO_POOL: &str = "this handler has no output pool: add one to its `to`";

impl<'a, O: ?Sized> Emit<'a, O> {
    /// The same emitter for values of another form: `emit.of::<f64>().put(key, &1.5)`.
    #[inline]
    pub fn of<P: ?Sized>(&mut self) -> &mut Emit<'a, P> {
        // SAFETY: both are a `To<'a>`, and the marker takes no part in it.
        unsafe { &mut *(&raw mut *self).cast::<Emit<'a, P>>() }
    }

    /// The newest version of a key in a pool that the handler may read, by its id or its path. The view ends with the
    /// object.
    ///
    /// # Errors
    /// The handler does not declare the pool.
    pub fn read(&mut self, pool: impl AsPool, key: &[u8]) -> Result<Option<Found<'a>>, Failure> {
        self.ask(pool, key, as_of::NOW, 0)
    }

    /// A key of such a pool as it was at a version of the pool: its newest version that is not after it.
    ///
    /// # Errors
    /// The handler does not declare the pool, or what the key was then is no longer kept: raise the pool's `keep`.
    pub fn read_at(
        &mut self,
        pool: impl AsPool,
        key: &[u8],
        version: u64,
    ) -> Result<Option<Found<'a>>, Failure> {
        self.ask(pool, key, as_of::VERSION, version)
    }

    /// A key of such a pool as it was at a time, in nanoseconds since the Unix epoch.
    ///
    /// # Errors
    /// As [`Emit::read_at`].
    pub fn read_by_time(
        &mut self,
        pool: impl AsPool,
        key: &[u8],
        time: u64,
    ) -> Result<Option<Found<'a>>, Failure> {
        self.ask(pool, key, as_of::TIME, time)
    }

    /// The keys of a pool that begin with `prefix`, sorted, as they are now. Walks the whole pool; the views end with
    /// the object.
    ///
    /// # Errors
    /// The handler does not declare the pool.
    pub fn list(
        &mut self,
        pool: impl AsPool,
        prefix: &[u8],
    ) -> Result<impl ExactSizeIterator<Item = &'a [u8]>, Failure> {
        let pool = pool.id(&self.to.names.pools, access::READ)?;
        let (query, mut keys) = (query(pool, prefix, as_of::NOW, 0), Rel::EMPTY);
        // SAFETY: the engine's until CLOSE has returned, and null from then on.
        let status = match unsafe { self.to.names.services.get().as_ref() } {
            // SAFETY: as the field's docs say.
            Some(s) => unsafe { (s.list)(s.context, &query, &mut keys) },
            None => Status::FAILED,
        };
        if status != Status::OK {
            return Err(match keys.offset {
                missing::NO_ROOM => no_room("list keys", "them"),
                _ => self.unreadable(pool),
            });
        }
        let origin = self.to.writer.base(base::BATCH);
        // SAFETY: the engine keeps what it found until the frame ends, or this thread asks again.
        let keys: &'a [Rel<u8>] = unsafe { keys.get(origin) };
        // SAFETY: as above.
        let each = move |keys: &'a [Rel<u8>], origin| keys.iter().map(move |key| unsafe { key.get(origin) });
        Ok(match self.to.kept {
            Some(kept) => each(kept.list(each(keys, origin)), 0),
            None => each(keys, origin),
        })
    }

    fn ask(
        &mut self,
        pool: impl AsPool,
        key: &[u8],
        as_of: u32,
        at: u64,
    ) -> Result<Option<Found<'a>>, Failure> {
        let pool = pool.id(&self.to.names.pools, access::READ)?;
        let (query, mut found) = (query(pool, key, as_of, at), Item::ABSENT);
        // SAFETY: the engine's until CLOSE has returned, and null from then on.
        let status = match unsafe { self.to.names.services.get().as_ref() } {
            // SAFETY: as the field's docs say.
            Some(s) => unsafe { (s.read)(s.context, &query, &mut found) },
            None => Status::FAILED,
        };
        if status != Status::OK {
            return Err(self.refused(pool, key, (as_of, at), found.tag));
        }
        // SAFETY: the engine keeps what it found until the frame ends, or this thread asks again.
        let value: &'a [u8] = unsafe { found.value.get(self.to.writer.base(base::BATCH)) };
        let value = self.to.kept.filter(|_| found.version != 0).map_or(value, |kept| kept.bytes(value));
        Ok((found.version != 0).then_some(Found { value, version: found.version, time: found.time }))
    }

    /// Why a key cannot be read, by one of [`missing`].
    #[cold]
    fn refused(&self, pool: PoolId, key: &[u8], (as_of, at): (u32, u64), why: u64) -> Failure {
        let key = String::from_utf8_lossy(key);
        let why = match why {
            missing::NO_ROOM => return no_room(&format!("read {key}"), "it"),
            missing::COMPACTED => "that is no longer kept; raise `keep` of the pool",
            missing::UNKNOWN_AS_OF => "this engine does not know how; run it with one as new as the handler",
            _ => return self.unreadable(pool),
        };
        let of = self.to.names.pools.iter().find(|known| known.id == pool);
        let of = of.map_or(String::new(), |pool| format!(" of pool {}", pool.path));
        let when = match as_of {
            as_of::VERSION => format!(" at version {at}"),
            as_of::TIME => format!(" at time {at}"),
            _ => String::new(),
        };
        Failure::new(format!("read {key}{of} as it was{when}: {why}"))
    }

    #[cold]
    fn unreadable(&self, id: PoolId) -> Failure {
        let pools = &self.to.names.pools;
        if let Some(pool) = pools.iter().find(|pool| pool.id == id) {
            return undeclared(pools, &pool.path, access::READ);
        }
        Failure::new(format!(
            "read a pool that this handler does not declare; it has {}: add the pool to its `read`",
            known(pools, access::READ)
        ))
    }
}

/// The memory that the handler sees is full.
#[cold]
fn no_room(what: &str, of: &str) -> Failure {
    let why =
        format!("the handler's memory has no room for {of}; raise its `memory`, or read less in one call");
    Failure::new(format!("{what}: {why}"))
}

fn query(pool: PoolId, key: &[u8], as_of: u32, at: u64) -> Query {
    Query { key: key.as_ptr(), key_len: key.len() as u64, pool: pool.0, as_of, at }
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

impl<'a> Found<'a> {
    /// The value as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub fn text(&self) -> Result<&'a str, Failure> {
        text(self.value).map_err(|why| self.undecodable(<str as Decode>::shape().name, &why))
    }

    /// The value as a blittable `T`, copied.
    ///
    /// # Errors
    /// It has not the size of one.
    #[inline]
    pub fn value_as<T: Blit>(&self) -> Result<T, Failure> {
        let decoded = <T as Decode>::decode(self.value, &mut MaybeUninit::uninit()).copied();
        decoded.map_err(|why| self.undecodable(T::NAME, &why))
    }

    /// The value as a packed `T`, which may borrow from it.
    ///
    /// # Errors
    /// It is not a packed `T`.
    #[cfg(feature = "pack")]
    pub fn unpack<T: upcall_pack::Unpack<'a>>(&self) -> Result<T, Failure> {
        upcall_pack::from_slice(self.value)
            .map_err(|error| self.undecodable(<super::Packed<T> as Decode>::shape().name, &error.to_string()))
    }

    #[cold]
    fn undecodable(&self, name: &str, why: &str) -> Failure {
        Failure::new(format!("read the value of version {} as {name}: {why}", self.version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Harness, Object, TypedHandler, typed};
    use upcall_abi::{PoolServices, kind};

    thread_local! {
        static ASKED: Cell<u32> = const { Cell::new(0) };
    }

    /// Refuses to read a key, for the reason that its `at` says.
    unsafe extern "C" fn refuses(_: *mut std::ffi::c_void, query: *const Query, found: *mut Item) -> Status {
        // SAFETY: `ask` passes both.
        unsafe { found.write(Item { tag: (*query).at, ..Item::ABSENT }) };
        Status::FAILED
    }

    unsafe extern "C" fn lists_nothing(
        _: *mut std::ffi::c_void,
        _: *const Query,
        _: *mut Rel<Rel<u8>>,
    ) -> Status {
        Status::FAILED
    }

    #[test]
    fn a_read_that_is_refused_says_why() {
        let services = PoolServices {
            size: size_of::<PoolServices>() as u32,
            reserved: 0,
            context: std::ptr::null_mut(),
            read: refuses,
            list: lists_nothing,
        };
        let names = Names::default();
        names.services.set(&services);
        let mut frame = FlowFrame::new(kind::FLOW);
        // SAFETY: the frame lives until the end of the test, and nothing is emitted.
        let mut emit = unsafe { Emit::new(&raw mut frame, &names) };
        let mut said = |why| emit.ask(PoolId(1), b"k", 99, why).unwrap_err().message().to_owned();
        for (why, expected) in [
            (missing::COMPACTED, "read k as it was: that is no longer kept; raise `keep` of the pool"),
            (
                missing::UNKNOWN_AS_OF,
                "read k as it was: this engine does not know how; run it with one as new as the handler",
            ),
            (
                missing::NO_ROOM,
                "read k: the handler's memory has no room for it; raise its `memory`, or read less in one call",
            ),
            (
                missing::NOT_DECLARED,
                "read a pool that this handler does not declare; it has none: add the pool to its `read`",
            ),
        ] {
            assert_eq!(said(why), expected);
        }
    }

    /// A number that counts how often it is asked what it is.
    struct Counted;

    impl Encode for Counted {
        type Value = u64;

        #[inline(never)]
        fn shape() -> Shape {
            ASKED.set(ASKED.get() + 1);
            <u64 as Encode>::shape()
        }

        fn encode(value: &u64, key: &[u8], pool: u32, item: u32, to: &mut Writer) -> Result<(), String> {
            <u64 as Encode>::encode(value, key, pool, item, to)
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a function has many addresses there")]
    fn what_a_handler_emits_is_compared_with_its_pools_once_and_not_in_every_call() {
        let handler = |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
            emit.of::<Counted>().put(object.key(), &1);
            emit.of::<Counted>().put_to("/second", object.key(), &2);
            Ok(())
        };
        let mut harness = Harness::new(handler).emits(&["/first", "/second"]).declares("/first", "u64", 8);
        for _ in 0..10 {
            harness.put(b"k", b"").unwrap();
        }
        assert_eq!((harness.emitted().len(), ASKED.get()), (20, 2));
    }

    #[test]
    #[cfg_attr(miri, ignore = "a function has many addresses there")]
    fn what_a_typed_handler_emits_is_compared_when_it_is_opened() {
        struct Counts;
        impl TypedHandler for Counts {
            type In<'a> = [u8];
            type Out = Counted;
            fn on_value(
                &mut self,
                object: Object<'_>,
                _: &[u8],
                emit: &mut Emit<'_, Counted>,
            ) -> Result<(), Failure> {
                assert_eq!(ASKED.get(), 1);
                emit.put(object.key(), &1);
                Ok(())
            }
        }
        let mut harness = Harness::new(typed(Counts)).emits(&["/out"]).declares("/out", "u64", 8);
        for _ in 0..10 {
            harness.put(b"k", b"").unwrap();
        }
        assert_eq!((harness.emitted().len(), ASKED.get()), (10, 1));
    }
}
