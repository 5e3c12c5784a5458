use crate::accepts::{check, check_key};
use crate::apply::apply;
use crate::clock;
use crate::dead::{self, Cause, DeadLetter};
use crate::flow::Workers;
use crate::inbox::Incoming;
use crate::object::{Seen, Stored};
use crate::parcel::{Parcel, Times, weight_of};
use crate::plan::{Plan, PoolPlan};
use crate::shared::{Shared, in_handler};
use crate::state::PoolState;
use crate::table::{AsOf, Table};
use crate::ticket::{Asker, Cell, Claim, Condition, Ticket};
use crate::typed::TypedPool;
use crate::{Error, ErrorKind};
use std::sync::Arc;
use upcall_abi::{Item, Rel};
use upcall_handler::Owned;

/// A pool of a running flow, for any thread. Keys are UTF-8.
///
/// Puts of one thread to one key keep their order. A put waits while the flow has no credit, so a handler of
/// the same flow must not call it: it emits, or calls [`PoolHandle::try_put`]. Reads go to the pool's table and
/// never wait for a handler.
#[derive(Clone)]
pub struct PoolHandle {
    pub(crate) shared: Arc<Shared>,
    pub(crate) id: u32,
}

/// What to do with an object from outside.
#[derive(Clone, Copy)]
struct How {
    store: bool,
    expect: Option<u64>,
    remove: bool,
    wait: bool,
    /// Whether it is a letter of our own, for a dead pool.
    letter: bool,
}

impl How {
    fn verb(self) -> &'static str {
        match self {
            How { remove: true, .. } => "remove from",
            How { store: false, .. } => "trigger",
            _ => "put into",
        }
    }
}

const PUT: How = How { store: true, expect: None, remove: false, wait: true, letter: false };

impl PoolHandle {
    /// The pool's path.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.plan().path
    }

    /// What its values are.
    #[must_use]
    pub fn value_type(&self) -> &crate::ValueType {
        &self.plan().value
    }

    fn plan(&self) -> &PoolPlan {
        &self.shared.plan.pools[self.id as usize]
    }

    fn state(&self) -> &PoolState {
        &self.shared.pools[self.id as usize]
    }

    /// The same pool through values of one type: `flow.pool("/lengths")?.of::<u64>()?`. A pool that declares no type
    /// takes any.
    ///
    /// # Errors
    /// The pool declares another type.
    pub fn of<T: Owned + ?Sized>(&self) -> Result<TypedPool<T>, Error> {
        TypedPool::new(self)
    }

    /// Puts an object; both slices are copied. The ticket becomes its version.
    ///
    /// Waits for credit. A handler may put into another flow; two flows whose handlers put into each other may use up
    /// each other's credit and wait until one is stopped: use [`PoolHandle::try_put`] there.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::BadKey`] or [`ErrorKind::BadValue`] when the pool does not take the object, of
    /// [`ErrorKind::DeadPool`] for a dead pool, of [`ErrorKind::InHandler`] on a worker of the same flow; the failure that has
    /// stopped the flow, or [`ErrorKind::Stopped`].
    pub fn put(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<Ticket, Error> {
        self.claim(key.as_ref(), value.as_ref(), PUT)
    }

    /// Puts an object without a ticket.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::put`].
    pub fn put_and_forget(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), Error> {
        self.enter(key.as_ref(), value.as_ref(), PUT, None::<fn(usize) -> Claim>)
    }

    /// As [`PoolHandle::put_and_forget`], but an error instead of a wait when there is no credit. A handler may call it, for its
    /// own flow too; unlike what it emits, the object stays put when the item fails.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::put`], without [`ErrorKind::InHandler`]; of kind [`ErrorKind::WouldBlock`] when there is no credit.
    pub fn try_put(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), Error> {
        self.enter(key.as_ref(), value.as_ref(), How { wait: false, ..PUT }, None::<fn(usize) -> Claim>)
    }

    /// As [`PoolHandle::try_put`], with a ticket.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::try_put`].
    pub fn try_put_with_ticket(
        &self,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
    ) -> Result<Ticket, Error> {
        self.claim(key.as_ref(), value.as_ref(), How { wait: false, ..PUT })
    }

    /// Ends when a put would not have to wait for credit, for a task that calls [`PoolHandle::try_put`] then: others may
    /// have been quicker.
    ///
    /// # Errors
    ///
    /// The failure that has stopped the flow, or [`ErrorKind::Stopped`].
    pub fn has_credit(&self) -> impl Future<Output = Result<(), Error>> + Send + use<> {
        crate::tasks::credit(self.shared.clone())
    }

    /// Puts an object if `previous` is still the newest version of its key (0: the key has none). The ticket
    /// becomes its version, or an error of kind [`ErrorKind::Conflict`].
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::put`]; of kind [`ErrorKind::StoresNothing`] for a trigger pool. The conflict is an error of
    /// [`Ticket::wait`].
    pub fn put_if(
        &self,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
        previous: u64,
    ) -> Result<Ticket, Error> {
        self.compares()?;
        self.claim(key.as_ref(), value.as_ref(), How { expect: Some(previous), ..PUT })
    }

    /// As [`PoolHandle::put_if`], but an error instead of a wait when there is no credit.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::put_if`], without [`ErrorKind::InHandler`]; of kind [`ErrorKind::WouldBlock`] when there is no
    /// credit.
    pub fn try_put_if(
        &self,
        key: impl AsRef<[u8]>,
        value: impl AsRef<[u8]>,
        previous: u64,
    ) -> Result<Ticket, Error> {
        self.compares()?;
        self.claim(key.as_ref(), value.as_ref(), How { expect: Some(previous), wait: false, ..PUT })
    }

    /// As [`PoolHandle::trigger`], but an error instead of a wait when there is no credit.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::try_put`].
    pub fn try_trigger(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), Error> {
        let how = How { store: false, wait: false, ..PUT };
        self.enter(key.as_ref(), value.as_ref(), how, None::<fn(usize) -> Claim>)
    }

    /// Runs the handlers and stores nothing.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::put`].
    pub fn trigger(&self, key: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> Result<(), Error> {
        self.enter(key.as_ref(), value.as_ref(), How { store: false, ..PUT }, None::<fn(usize) -> Claim>)
    }

    /// Buries what came for this pool and is no object of it: a letter in its dead pool, of no attempt.
    ///
    /// # Errors
    ///
    /// This is a dead pool itself, the caller is on a worker of the same flow, or the flow has been stopped.
    pub fn bury(&self, key: &[u8], value: &[u8], cause: Cause) -> Result<(), Error> {
        let plan = self.plan();
        let Some(dead) = plan.dead else {
            return Err(self.refused(key, PUT, "it is a dead pool, whose letters are not buried again"));
        };
        let key = String::from_utf8_lossy(key).into_owned();
        let Cause { type_name, message, .. } = &cause;
        tracing::warn!(target: "upcall::flow", key, "buried in /dead{}: {type_name}: {message}", plan.path);
        let letter = DeadLetter {
            pool: plan.path.clone(),
            key,
            value: value.to_vec(),
            version: 0,
            time: clock::now(),
            trace: vec!["input".into(), plan.path.clone()],
            attempts: 0,
            cause,
        };
        let text = serde_json::to_vec(&letter).expect("a letter is text and numbers");
        let dead = PoolHandle { shared: self.shared.clone(), id: dead };
        dead.enter(letter.key.as_bytes(), &text, How { letter: true, ..PUT }, None::<fn(usize) -> Claim>)
    }

    /// Removes a key, in order with the puts to it. Handlers are not called; watchers are told. The ticket
    /// becomes the version that removed it. A pool that keeps one version forgets the key altogether; one that
    /// keeps more remembers the removal as a version; a dead pool clears all letters of the key.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool, of [`ErrorKind::BadKey`] for a key that is not UTF-8, of
    /// [`ErrorKind::InHandler`] on a worker of the same flow; the failure that has stopped the flow, or
    /// [`ErrorKind::Stopped`].
    pub fn remove(&self, key: impl AsRef<[u8]>) -> Result<Ticket, Error> {
        self.table("remove from")?;
        self.claim(key.as_ref(), &[], How { remove: true, ..PUT })
    }

    /// As [`PoolHandle::remove`], for a handler of the same flow too, which must not wait for the ticket.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::remove`], without [`ErrorKind::InHandler`]; of kind [`ErrorKind::WouldBlock`] when there is no credit.
    pub fn try_remove(&self, key: impl AsRef<[u8]>) -> Result<Ticket, Error> {
        self.table("remove from")?;
        self.claim(key.as_ref(), &[], How { remove: true, wait: false, ..PUT })
    }

    /// The workers of its flow, for code that must not wait for the flow on one of them.
    #[must_use]
    pub fn workers(&self) -> Workers {
        Workers::of(&self.shared)
    }

    /// The newest version of a key.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<Stored>, Error> {
        let key = key.as_ref();
        Ok(self.table("get from")?.get(self.shared.plan.hash(key), key))
    }

    /// A key as it was at a version of the pool: its newest version that is not after it. `None` when the
    /// key was not there then.
    ///
    /// For a version that some put, read or event has returned, the answer is the same each time, until what
    /// it asks for is no longer kept. To that end it waits for batches that are being stored, never for a
    /// handler.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool; [`ErrorKind::Compacted`] when what the key was then is no longer kept. A pool that keeps one version
    /// forgets removed keys, and fails like this also where it cannot tell whether the key was ever there.
    pub fn get_at(&self, key: &[u8], version: u64) -> Result<Option<Stored>, Error> {
        self.get_as_of(key, AsOf::Version(version), version)
    }

    /// A key as it was at a time, in nanoseconds since the Unix epoch; as [`PoolHandle::get_at`].
    /// The answer is settled once the pool has given a later time to some object.
    ///
    /// # Errors
    ///
    /// As [`PoolHandle::get_at`].
    pub fn get_by_time(&self, key: &[u8], time: u64) -> Result<Option<Stored>, Error> {
        self.get_as_of(key, AsOf::Time(time), u64::MAX)
    }

    fn get_as_of(&self, key: &[u8], as_of: AsOf, seen: u64) -> Result<Option<Stored>, Error> {
        let table = self.table("get from")?;
        self.state().versions.wait_until_stored(seen);
        table.get_as_of(self.shared.plan.hash(key), key, as_of)
    }

    /// The versions of a key that are kept, oldest first.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool.
    pub fn versions(&self, key: &[u8]) -> Result<Vec<Seen>, Error> {
        Ok(self.table("read versions of")?.versions(self.shared.plan.hash(key), key))
    }

    /// The keys that begin with `prefix`, sorted. Walks the whole pool.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool.
    pub fn list(&self, prefix: &[u8]) -> Result<Vec<Box<[u8]>>, Error> {
        Ok(self.table("list")?.list(prefix))
    }

    /// All versions of all keys that are kept, oldest first, without removals: of a dead pool, every letter. Walks
    /// the whole pool.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool.
    pub fn all_versions(&self) -> Result<Vec<Stored>, Error> {
        Ok(self.table("read versions of")?.all())
    }

    /// The letters of a dead pool that are kept, oldest first; none of any other pool.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::StoresNothing`] for a trigger pool.
    pub fn letters(&self) -> Result<Vec<DeadLetter>, Error> {
        if self.plan().dead.is_some() {
            return self.table("read letters of").map(|_| Vec::new());
        }
        let letters = self.all_versions()?;
        Ok(letters.iter().filter_map(|letter| serde_json::from_slice(&letter.value).ok()).collect())
    }

    /// Whether there are versions that `put_if` can compare with.
    fn compares(&self) -> Result<(), Error> {
        self.table("put_if into").map(drop).map_err(|error| {
            let message = format!("{error}: `put` it instead, or make the pool's `kind` \"volatile\"");
            Error::new(error.kind(), message)
        })
    }

    fn table(&self, what: &str) -> Result<&Table, Error> {
        self.state().table.as_ref().ok_or_else(|| {
            let message = format!("{what} pool {}: it is a trigger pool and stores nothing", self.path());
            Error::new(ErrorKind::StoresNothing, message)
        })
    }

    fn claim(&self, key: &[u8], value: &[u8], how: How) -> Result<Ticket, Error> {
        let cell = Arc::<Cell>::default();
        let condition = |expect| Arc::new(Condition { pool: self.id, key: key.into(), expect });
        let condition = how.expect.map(condition);
        let ticket = Ticket { cell: cell.clone(), shared: self.shared.clone(), condition };
        let claim =
            |index| Claim { index, asker: Asker::Ticket(cell), expect: how.expect, remove: how.remove };
        self.enter(key, value, how, Some(claim))?;
        Ok(ticket)
    }

    fn enter(
        &self,
        key: &[u8],
        value: &[u8],
        how: How,
        claim: Option<impl FnOnce(usize) -> Claim>,
    ) -> Result<(), Error> {
        let (shared, pool) = (&*self.shared, self.plan());
        if how.wait && shared.is_here() {
            return Err(self.in_handler(how));
        }
        if pool.dead.is_none() && !how.remove && !how.letter {
            return Err(self.only_letters(how));
        }
        let look = shared.plan.keys.look(key);
        let checked = if how.remove { check_key(pool, look, key) } else { check(pool, look, key, value) };
        checked.map_err(|why| self.refused(key, how, &why))?;
        if u32::try_from(key.len()).is_err() || u32::try_from(value.len()).is_err() {
            return Err(self.refused(key, how, "key and value must be smaller than 4 GiB"));
        }
        if !shared.in_flight.open() {
            if !how.wait {
                let message = format!("put into pool {}: no credit now; try again later", pool.path);
                return Err(Error::new(ErrorKind::WouldBlock, message));
            }
            shared.in_flight.waiters.wait(|| shared.in_flight.open() || shared.stopped());
        }
        if shared.stopped() {
            return Err(shared.why_stopped());
        }
        let hash = look.hash;
        if let Some(owner) = Plan::owner(pool, hash) {
            let object = Incoming { pool: self.id, store: how.store, hash, key, value };
            shared.inboxes[owner].put(object, claim, shared);
        } else {
            self.apply(key, value, how, hash, claim.map(|claim| claim(0)));
        }
        Ok(())
    }

    /// Does what a worker does elsewhere, where nobody but the thread that puts waits for the object.
    #[inline(never)]
    fn apply(&self, key: &[u8], value: &[u8], how: How, hash: u64, claim: Option<Claim>) {
        let shared = &*self.shared;
        let bytes = weight_of(key.len(), value.len());
        shared.in_flight.add(1, bytes);
        let item =
            Item { key: Rel::of(key), value: Rel::of(value), pool: self.id, tag: hash, ..Item::ABSENT };
        let mut parcel = Parcel {
            pool: self.id,
            store: how.store,
            items: vec![item],
            chunks: Vec::new(),
            bytes,
            claims: claim.into_iter().collect(),
            times: Times::default(),
            queued: true,
        };
        apply(shared, &mut parcel, clock::now());
        shared.in_flight.sub(parcel.items.len() as u64, parcel.bytes);
    }

    #[cold]
    fn in_handler(&self, how: How) -> Error {
        let call = match how {
            How { remove: true, .. } => "try_remove",
            How { store: false, .. } => "try_trigger",
            How { expect: Some(_), .. } => "try_put_if",
            _ => "try_put",
        };
        let what = format!("{} pool {}", how.verb(), self.path());
        in_handler(&what, &format!("`emit`, or `{call}`, which never waits"))
    }

    #[cold]
    fn only_letters(&self, how: How) -> Error {
        let path = self.path();
        let (verb, of) = (how.verb(), path.strip_prefix(dead::ROOT).unwrap_or_default());
        let message = format!(
            "{verb} pool {path}: only the flow itself puts dead letters there; put into {of}, or into a pool of your \
             own"
        );
        Error::new(ErrorKind::DeadPool, message)
    }

    #[cold]
    fn refused(&self, key: &[u8], how: How, why: &str) -> Error {
        let kind = if std::str::from_utf8(key).is_err() { ErrorKind::BadKey } else { ErrorKind::BadValue };
        Error::new(kind, format!("{} pool {}: {why}", how.verb(), self.plan().path))
    }
}
