mod call;
mod later;
mod lent;
mod stored;

use super::Encode;
use crate::body::IntoBody;
use crate::{Ended, driver};
use call::{Answers, OwnedCall, TEXT, outcome};
pub use later::Started;
use lent::Lent;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};
use upcall_abi::{
    Blit, FlowFrame, FlowOpen, Instance, Item, OpenFrame, PoolEntry, Progress, Record, Rel, Setting, Status,
    access, kind,
};

/// Runs a handler without an engine, for its tests: the real driver, the real frames, one worker.
///
/// Pool 0 is the watched one, `/in`; the pools of [`Harness::emits`] and [`Harness::reads`] follow.
pub struct Harness {
    // The first to be dropped: what follows is what it points to.
    instance: Instance,
    pools: Vec<Declared>,
    settings: Vec<(String, String)>,
    emitted: Vec<Emitted>,
    logged: Vec<(u32, String)>,
    // One, in a `Vec`, because an address into a `Box` may not be used once the box has moved.
    lent: Vec<Lent>,
    next_version: u64,
    opened: bool,
    closed: bool,
    /// Whether the handler takes one object in a frame.
    later: bool,
    deadline: Option<Duration>,
    /// By their numbers: calls that have not been waited for.
    open: HashMap<u64, OwnedCall>,
    next_call: u64,
    answers: Arc<Answers>,
}

/// A pool of the harness.
struct Declared {
    path: String,
    value_type: String,
    value_size: usize,
    /// Bits of [`access`].
    access: u32,
}

impl Declared {
    fn bytes(path: &str, access: u32) -> Declared {
        Declared { path: path.into(), value_type: String::new(), value_size: 0, access }
    }
}

/// One object that the handler emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Emitted {
    /// The pool's path.
    pub pool: String,
    /// The key.
    pub key: Vec<u8>,
    /// The value.
    pub value: Vec<u8>,
    /// For an emission on condition: the version that its key must have, 0 for none.
    pub previous: Option<u64>,
}

impl Emitted {
    /// The value as a blittable `T`, when it has the size of one.
    #[must_use]
    pub fn value_as<T: Blit>(&self) -> Option<T> {
        let place = self.value.as_ptr().cast::<T>();
        // SAFETY: as many bytes as a `T` has, any of which are one.
        (self.value.len() == size_of::<T>()).then(|| unsafe { place.read_unaligned() })
    }

    /// The value as a packed `T`, which may borrow from it.
    ///
    /// # Errors
    /// It is not a packed `T`.
    #[cfg(feature = "pack")]
    pub fn unpack<'a, T: upcall_pack::Unpack<'a>>(&'a self) -> Result<T, upcall_pack::Error> {
        upcall_pack::from_slice(&self.value)
    }
}

/// How a handler failed, or its driver: then `type_name` is `driver`, and nothing of that call was emitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The type of the error.
    pub type_name: String,
    /// Its message.
    pub message: String,
    /// Where it happened, as the language tells it.
    pub stack: String,
    /// How many objects of the batch were done before it.
    pub done: usize,
    /// The object that failed; `None` when everything beyond `done` did.
    pub item: Option<usize>,
    /// Why it was no longer waited for; `None` when the handler has failed by itself.
    pub ended: Option<Ended>,
}

impl Harness {
    /// A harness for an instance made in this process.
    pub fn new(handler: impl IntoBody) -> Harness {
        let body = handler.into_body();
        let later = body.answers_later();
        let mut harness = Harness::of(driver::drive(body));
        harness.later = later;
        harness
    }

    /// A harness for an instance that any host has made.
    #[must_use]
    pub fn of(instance: Instance) -> Harness {
        let mut lent = vec![Lent::new()];
        lent[0].services.context = lent.as_mut_ptr().cast();
        lent[0].pools.context = lent[0].services.context;
        Harness {
            instance,
            pools: vec![Declared::bytes("/in", access::WATCH)],
            settings: Vec::new(),
            emitted: Vec::new(),
            logged: Vec::new(),
            lent,
            next_version: 1,
            opened: false,
            closed: false,
            later: false,
            deadline: None,
            open: HashMap::new(),
            next_call: 0,
            answers: Arc::default(),
        }
    }

    /// Pools that the handler may emit to. Before the first call.
    #[must_use]
    pub fn emits(mut self, paths: &[&str]) -> Harness {
        paths.iter().for_each(|path| _ = self.declared(path, access::EMIT));
        self
    }

    /// A pool that the handler may read, with what was put there, in this order: versions 1, 2 and so on, at as many
    /// nanoseconds since the Unix epoch. What the handler emits is not added. Before the first call.
    ///
    /// ```
    /// use upcall::{Emit, Failure, Harness, Object, Open, PoolId};
    ///
    /// #[derive(Default)]
    /// struct Named(PoolId);
    ///
    /// impl upcall::Handler for Named {
    ///     fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
    ///         self.0 = open.pool("/names")?;
    ///         Ok(())
    ///     }
    ///
    ///     fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
    ///         let name = emit.read(self.0, object.key())?.ok_or_else(|| Failure::new("no such name"))?;
    ///         emit.put(object.key(), name.value);
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let harness = Harness::new(Named::default()).emits(&["/out"]);
    /// let mut harness = harness.reads("/names", &[(b"1", b"Ada"), (b"2", b"Grace"), (b"1", b"Ada L.")]);
    /// harness.put(b"1", b"").unwrap();
    /// assert_eq!(harness.emitted()[0].value, b"Ada L.");
    /// assert_eq!(harness.put(b"3", b"").unwrap_err().message, "no such name");
    /// ```
    #[must_use]
    pub fn reads(mut self, path: &str, objects: &[(&[u8], &[u8])]) -> Harness {
        let id = self.declared(path, access::READ);
        let pool = self.lent[0].stored.entry(id).or_default();
        objects.iter().for_each(|(key, value)| pool.add(key, value));
        self
    }

    /// What keys of a pool were before this version or time is no longer kept, as when a flow's `keep` is too small.
    ///
    /// # Panics
    /// When the path is none of [`Harness::reads`].
    #[must_use]
    pub fn forgets(mut self, path: &str, before: u64) -> Harness {
        let id = (0u32..).zip(&self.pools).find(|(_, pool)| pool.path == path).map(|(id, _)| id);
        let pool = id.and_then(|id| self.lent[0].stored.get_mut(&id));
        pool.unwrap_or_else(|| panic!("{path} is none of those of `reads`")).oldest = before;
        self
    }

    /// The number of a pool, which the handler may also use like this.
    fn declared(&mut self, path: &str, access: u32) -> u32 {
        let index = self.pools.iter().position(|pool| pool.path == path).unwrap_or_else(|| {
            self.pools.push(Declared::bytes(path, 0));
            self.pools.len() - 1
        });
        self.pools[index].access |= access;
        index as u32
    }

    /// Declares the type of a pool's values, and the bytes of one where it is blittable, else 0. The watched
    /// pool is `/in`. Before the first call.
    ///
    /// # Panics
    /// When the path is neither `/in` nor one of [`Harness::emits`] or [`Harness::reads`].
    #[must_use]
    pub fn declares(mut self, path: &str, value_type: &str, value_size: usize) -> Harness {
        let pool = self.pools.iter_mut().find(|pool| pool.path == path);
        let pool =
            pool.unwrap_or_else(|| panic!("{path} is neither /in nor one of those of `emits` or `reads`"));
        (pool.value_type, pool.value_size) = (value_type.into(), value_size);
        self
    }

    /// A setting. Before the first call.
    #[must_use]
    pub fn setting(mut self, name: &str, value: &str) -> Harness {
        self.settings.push((name.into(), value.into()));
        self
    }

    /// Gives the handler one object.
    ///
    /// # Errors
    /// The handler fails to open, or on the object.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), Failed> {
        self.batch(&[(key, value)])
    }

    /// Gives the handler one object with a value of the form `O`.
    ///
    /// # Panics
    /// When it is no value of that form.
    ///
    /// # Errors
    /// As [`Harness::put`].
    pub fn put_value<O: Encode>(&mut self, key: &[u8], value: &O::Value) -> Result<(), Failed> {
        self.put(key, &O::bytes(value).unwrap_or_else(|why| panic!("put a value: {why}")))
    }

    /// Gives the handler a batch of keys and values; one that answers later gets [`Harness::each`] by itself.
    ///
    /// # Errors
    /// The handler fails to open, or on an object; those before it were handled, and where it answers later all.
    pub fn batch(&mut self, objects: &[(&[u8], &[u8])]) -> Result<(), Failed> {
        if self.later {
            return self.each(objects).into_iter().collect();
        }
        let started = self.begin(kind::FLOW, objects, false)?;
        self.wait(started)
    }

    /// Tells the handler that the input has ended.
    ///
    /// # Errors
    /// The handler fails to open, or at its flush.
    pub fn flush(&mut self) -> Result<(), Failed> {
        let started = self.begin(kind::FLUSH, &[], false)?;
        self.wait(started)
    }

    /// What was emitted so far.
    #[must_use]
    pub fn emitted(&self) -> &[Emitted] {
        &self.emitted
    }

    /// What was logged until the last call ended: level and text.
    #[must_use]
    pub fn logged(&self) -> &[(u32, String)] {
        &self.logged
    }

    fn open(&mut self) -> Result<(), Failed> {
        if self.opened {
            return Ok(());
        }
        let bytes = |text: &str| Rel::of(text.as_bytes());
        let pools: Vec<PoolEntry> = (0u32..)
            .zip(&self.pools)
            .map(|(id, pool)| PoolEntry {
                path: bytes(&pool.path),
                value_type: bytes(&pool.value_type),
                value_size: pool.value_size as u32,
                id,
                access: pool.access,
                reserved: 0,
            })
            .collect();
        let settings: Vec<Setting> = self
            .settings
            .iter()
            .map(|(name, value)| Setting { name: bytes(name), value: bytes(value) })
            .collect();
        let senders = [bytes("harness")];
        let mut text = [0u8; TEXT];
        let lent = self.lent.as_ptr();
        // SAFETY: there is one.
        let (services, pool_services) = unsafe { (&raw const (*lent).services, &raw const (*lent).pools) };
        let added = FlowOpen {
            size: size_of::<FlowOpen>() as u32,
            reserved: 0,
            pools: Rel::of(&pools),
            senders: Rel::of(&senders),
            pool_services,
        };
        let mut frame = OpenFrame::new(kind::FLOW, "handler", services, &added);
        frame.settings = Rel::of(&settings);
        frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, text.len() as u64);
        // SAFETY: the frame and all it points to live until the call returns.
        let status = unsafe { self.instance.call((&raw mut frame).cast()) };
        self.opened = status == Status::OK;
        self.logged.extend(self.lent[0].logged());
        // SAFETY: the text is there.
        unsafe { outcome(status, &frame.head, 0, None) }
    }

    /// Gives the handler a frame. Its objects are to be there until it is answered, or are copied to be `kept`.
    fn begin(&mut self, kind: u16, objects: &[(&[u8], &[u8])], keep: bool) -> Result<Started, Failed> {
        self.open()?;
        let (mut items, mut kept) = (Vec::new(), Vec::new());
        let mut place = |bytes: &[u8]| {
            if !keep {
                return Rel::of(bytes);
            }
            kept.push(bytes.to_vec());
            kept.last().map_or(Rel::EMPTY, |copy| Rel::of(copy))
        };
        for (key, value) in objects {
            // An engine checks it when values are put.
            let size = self.pools[0].value_size;
            assert!(size == 0 || value.len() == size, "a value of /in has not the size of its type");
            let version = self.next_version;
            let mut tag = DefaultHasher::new();
            tag.write(key);
            let (key, value, tag) = (place(key), place(value), tag.finish());
            items.push(Item { key, value, version, tag, ..Item::ABSENT });
            self.next_version += 1;
        }
        let (id, due) = (self.next_call, self.deadline.map(|deadline| Instant::now() + deadline));
        self.next_call += 1;
        let call = OwnedCall::new(kind, items, kept, id, &self.answers, due);
        // SAFETY: the frame and all it points to are there until it is answered.
        let status = unsafe { self.instance.call(call.frame()) };
        self.open.insert(id, call);
        if status != Status::PENDING {
            self.answers.add(id, status);
        }
        Ok(Started(id))
    }

    /// Takes over what a call has come to.
    fn answered(&mut self, id: u64, status: Status) -> Result<(), Failed> {
        let mut owned = self.open.remove(&id).expect("each call is waited for once");
        if self.open.is_empty() {
            self.lent[0].unlist();
        }
        self.logged.extend(self.lent[0].logged());
        let ended = owned.ended;
        // SAFETY: it is answered.
        let call = unsafe { owned.get() };
        let is_batch = call.frame.frame.head.kind == kind::FLOW;
        let broken = |message: String| {
            let type_name = "driver".to_owned();
            Failed { type_name, message, stack: String::new(), done: 0, item: None, ended }
        };
        // SAFETY: a driver has written.
        let records = unsafe { call.frame.records() }.map_err(|why| broken(why.to_owned()))?;
        let (mut emitted, mut previous, mut whole) = (Vec::new(), None, false);
        for (Record { pool, item, .. }, key, value) in records {
            whole |= item == Record::NO_ITEM && is_batch;
            if pool == Record::CONDITION {
                previous = value.try_into().map(u64::from_le_bytes).ok();
                continue;
            }
            let Some(Declared { path, .. }) = self.pools.get(pool as usize) else {
                let declared = self.pools.len();
                return Err(broken(format!(
                    "the driver emitted to pool {pool}, and {declared} are declared"
                )));
            };
            let (pool, previous) = (path.clone(), previous.take());
            emitted.push(Emitted { pool, key: key.into(), value: value.into(), previous });
        }
        let FlowFrame { head, out, done, progress, .. } = &call.frame.frame;
        // Without it an engine whose guest has died would not know what was emitted for those that are done.
        let told = |progress: &Progress| {
            progress.done == *done && (progress.chunk, progress.at) <= (out.chunk, out.at)
        };
        if whole && *done > 0 && !progress.iter().any(told) {
            return Err(broken(format!("the driver has not said how far {done} items are")));
        }
        self.emitted.append(&mut emitted);
        // SAFETY: the call has the text.
        unsafe { outcome(status, head, *done as usize, ended) }
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        self.close();
    }
}
