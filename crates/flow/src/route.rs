//! From records in a worker's output to parcels for the owners of their keys.

use crate::apply::apply;
use crate::call::Written as Part;
use crate::chunk::Chunk;
use crate::conditional::{ALONE, Conditional, Conditions, Goes};
use crate::hash::Look;
use crate::inbox::Message;
use crate::lane::Lane;
use crate::parcel::{Parcel, Times, weight};
use crate::plan::{HandlerPlan, Plan, PoolPlan};
use crate::shared::Shared;
use crate::spare::Spare;
use crate::spec::ValueType;
use std::collections::VecDeque;
use std::sync::Arc;
use upcall_abi::{Item, Record, Rel};

/// Why a record was refused: the index of its item ([`Record::NO_ITEM`] where the handler did not say) and
/// what is wrong.
pub(crate) struct Refused {
    pub(crate) item: u32,
    pub(crate) why: String,
}

/// The call whose records are sorted.
pub(crate) struct Origin<'a> {
    pub(crate) handler: &'a HandlerPlan,
    /// The handler's id as who puts.
    pub(crate) sender: u32,
    pub(crate) items: &'a [Item],
    /// Of them, those that are done.
    pub(crate) done: usize,
}

/// A worker's sorting table: a bucket for each pool and owner.
pub(crate) struct Router {
    /// By pool.
    lanes: Vec<Lane>,
    buckets: Vec<Bucket>,
    touched: Vec<usize>,
    pub(crate) spare: Spare,
    /// Owners of a pool's buckets: the workers, and last whoever puts.
    owners: usize,
    /// Of the call whose records are sorted.
    conditions: Conditions,
}

#[derive(Default)]
struct Bucket {
    items: Vec<Item>,
    bytes: u64,
    /// Those that the items lie in.
    chunks: Vec<Arc<Chunk>>,
    /// How many items lie in chunks that it holds.
    held: usize,
    /// Whether it is listed; an item that was refused may have left it empty.
    touched: bool,
}

impl Router {
    pub(crate) fn new(shared: &Shared) -> Router {
        let owners = shared.plan.workers.len() + 1;
        let buckets = (0..owners * shared.plan.pools.len()).map(|_| Bucket::default()).collect();
        let lanes = (0..shared.plan.pools.len()).map(|pool| Lane::of(&shared.plan, pool, owners)).collect();
        Router {
            lanes,
            buckets,
            touched: Vec::new(),
            spare: Spare::default(),
            owners,
            conditions: Conditions::default(),
        }
    }

    /// Sorts the records that a handler has written, of those items that are done. The records of an item with a refused
    /// one are dropped, and those of one that emits on condition are put aside. Returns how many were sorted.
    pub(crate) fn sort(
        &mut self,
        shared: &Shared,
        origin: &Origin<'_>,
        filled: &[Part],
        refused: &mut Vec<Refused>,
    ) -> u64 {
        let plan = &shared.plan;
        let (done, sender) = (origin.done, origin.sender);
        let mut sorted = 0;
        // Most records go where the one before them went.
        let (mut pool, mut lane) = (u32::MAX, Lane::NONE);
        for part in filled {
            let mut records = part.records();
            while let Some(record) = records.next_whole() {
                let Ok((head, whole)) = record else {
                    let why = "its output holds a record that does not fit".to_owned();
                    refused.push(Refused { item: Record::NO_ITEM, why });
                    break;
                };
                if head.pool != pool {
                    (pool, lane) = (head.pool, self.lane(origin.handler, head.pool));
                }
                let look = plan.keys.look_at_end(whole, head.key_len as usize);
                // `NO_ITEM` becomes 0.
                let is_done = head.item.wrapping_add(1) as usize <= done;
                let ordinary = refused.is_empty() && self.conditions.is_empty();
                let plain = ordinary && is_done && look.ascii && lane.takes(head.value_len);
                let goes = if plain {
                    Goes::On
                } else {
                    self.look_closer(plan, origin, (head, whole), look, refused, &mut sorted)
                };
                if let Goes::Nowhere = goes {
                    continue;
                }
                let (value_at, value_len) =
                    (whole.as_ptr() as u64 + size_of::<Record>() as u64, u64::from(head.value_len));
                let item = Item {
                    key: Rel::new(value_at + value_len, u64::from(head.key_len)),
                    value: Rel::new(value_at, value_len),
                    // Until the owner gives it a version: which item of the call it came from.
                    version: u64::from(head.item),
                    time: 0,
                    pool: head.pool,
                    sender,
                    tag: look.hash,
                };
                if let Goes::Aside = goes {
                    self.conditions.add(item);
                    continue;
                }
                self.push(lane.bucket(look.hash), item);
                sorted += 1;
            }
            self.hold(&part.chunk);
        }
        sorted - self.abandoned(None, refused)
    }

    /// Refuses an item whose condition is followed by a record of another one, or of none.
    fn abandoned(&mut self, next: Option<u32>, refused: &mut Vec<Refused>) -> u64 {
        let Some(item) = self.conditions.awaited().filter(|item| next != Some(*item)) else { return 0 };
        refused.push(Refused { item, why: ALONE.into() });
        self.forget(item)
    }

    /// What was put aside, of the call that was sorted last, which has `filled` its chunks.
    pub(crate) fn conditional(&mut self, filled: &[Part]) -> Vec<Conditional> {
        if self.conditions.is_empty() {
            return Vec::new();
        }
        let chunks: Vec<Arc<Chunk>> = filled.iter().map(|part| part.chunk.clone()).collect();
        self.conditions.take(&chunks)
    }

    /// The lane of a pool that the handler may emit to.
    fn lane(&self, handler: &HandlerPlan, pool: u32) -> Lane {
        let may = handler.may_emit.get(pool as usize).is_some_and(|may| *may);
        if may { self.lanes[pool as usize] } else { Lane::NONE }
    }

    /// Looks closer at a record that is not as most are, and refuses it, and with it what its item has emitted before, or
    /// says where it goes.
    #[inline(never)]
    fn look_closer(
        &mut self,
        plan: &Plan,
        origin: &Origin<'_>,
        (head, whole): (Record, &[u8]),
        look: Look,
        refused: &mut Vec<Refused>,
        sorted: &mut u64,
    ) -> Goes {
        let &Origin { handler, items, done, .. } = origin;
        if refused.last().is_some_and(|bad| bad.item == head.item) {
            return Goes::Nowhere;
        }
        *sorted -= self.abandoned(Some(head.item), refused);
        let (value, key) = whole[size_of::<Record>()..].split_at(head.value_len as usize);
        let goes = if head.item as usize >= done && head.item != Record::NO_ITEM {
            // A driver takes back what an item emitted that is not done.
            Err(format!(
                "its output holds a record of item {}, counted from 0, but only {done} of them are done",
                head.item
            ))
        } else {
            self.on_condition(handler, head, value, items, sorted).map_err(str::to_owned)
        };
        let checked = goes.and_then(|goes| match plan.pools.get(head.pool as usize) {
            _ if matches!(goes, Goes::Nowhere) => Ok(goes),
            Some(pool) if !handler.may_emit[head.pool as usize] => Err(undeclared(Some(pool), handler, plan)),
            Some(pool) if !self.conditions.compares(pool) => Err(stores_nothing(pool)),
            Some(pool) => check(pool, look, key, value).map(|()| goes),
            None => Err(undeclared(None, handler, plan)),
        });
        checked.unwrap_or_else(|why| {
            *sorted -= self.forget(head.item);
            refused.push(Refused { item: head.item, why });
            Goes::Nowhere
        })
    }

    /// Where a record goes in a call in which something is emitted on condition, and of any other: on.
    fn on_condition(
        &mut self,
        handler: &HandlerPlan,
        head: Record,
        value: &[u8],
        items: &[Item],
        sorted: &mut u64,
    ) -> Result<Goes, &'static str> {
        if head.pool != Record::CONDITION && self.conditions.is_empty() {
            return Ok(Goes::On);
        }
        let Router { buckets, touched, conditions, .. } = self;
        conditions.goes(head, value, items, handler.spec.order, || {
            let mut emitted = Vec::new();
            take_last(buckets, touched, head.item, &mut |item| emitted.push(item));
            *sorted -= emitted.len() as u64;
            emitted.reverse();
            emitted
        })
    }

    /// Lets the buckets hold the chunk that the items lie in that were added since this was called last.
    fn hold(&mut self, chunk: &Arc<Chunk>) {
        for index in &self.touched {
            let bucket = &mut self.buckets[*index];
            if bucket.items.len() > bucket.held {
                bucket.held = bucket.items.len();
                bucket.chunks.push(chunk.clone());
            }
        }
    }

    /// Adds one object that was not just emitted. Its bytes are in `chunks`.
    pub(crate) fn add(&mut self, shared: &Shared, item: Item, chunks: &[Arc<Chunk>]) {
        let pool = &shared.plan.pools[item.pool as usize];
        let owner = shared.plan.owner(pool, item.tag).unwrap_or(self.owners - 1);
        let index = item.pool as usize * self.owners + owner;
        self.push(index, item);
        let bucket = &mut self.buckets[index];
        bucket.held = bucket.items.len();
        bucket.chunks.extend_from_slice(chunks);
    }

    #[inline]
    fn push(&mut self, index: usize, item: Item) {
        let bucket = &mut self.buckets[index];
        if !bucket.touched {
            bucket.touched = true;
            bucket.items = self.spare.take();
            self.touched.push(index);
        }
        bucket.bytes += weight(&item);
        bucket.items.push(item);
    }

    /// Drops what an item has emitted in this call. Items are handled one after the other, so it is last.
    fn forget(&mut self, item: u32) -> u64 {
        let mut forgotten = 0;
        self.conditions.forget(item);
        take_last(&mut self.buckets, &self.touched, item, &mut |_| forgotten += 1);
        forgotten
    }

    /// Drops all that was sorted.
    pub(crate) fn clear(&mut self) {
        self.conditions.clear();
        for index in self.touched.drain(..) {
            self.buckets[index] = Bucket::default();
        }
    }

    /// Sends what was sorted, counted as in flight, to its owners. What this worker owns goes to `mine`, in
    /// order. Returns the bytes that were sent.
    pub(crate) fn send(
        &mut self,
        shared: &Shared,
        me: usize,
        now: u64,
        times: Times,
        mine: &mut VecDeque<Parcel>,
    ) -> u64 {
        if self.touched.is_empty() {
            return 0;
        }
        let (items, bytes) = self.touched.iter().fold((0, 0), |(items, bytes), index| {
            let bucket = &self.buckets[*index];
            (items + bucket.items.len() as u64, bytes + bucket.bytes)
        });
        shared.in_flight.add(items, bytes);
        for index in self.touched.drain(..) {
            let bucket = std::mem::take(&mut self.buckets[index]);
            let Some(first) = bucket.items.first() else { continue };
            let parcel = Parcel {
                pool: first.pool,
                store: true,
                items: bucket.items,
                chunks: bucket.chunks,
                bytes: bucket.bytes,
                claims: Vec::new(),
                times,
                queued: true,
            };
            for handler in &shared.plan.pools[parcel.pool as usize].handlers {
                shared.handlers[*handler].queue.add(parcel.items.len());
            }
            let owner = Some(index % self.owners).filter(|owner| owner + 1 < self.owners);
            deliver(shared, parcel, owner, me, now, mine);
        }
        bytes
    }
}

/// Hands a parcel that is counted as in flight to the worker that owns its keys: the worker `me` finds its own in
/// `mine`. Where nobody owns them, this thread puts them.
pub(crate) fn deliver(
    shared: &Shared,
    mut parcel: Parcel,
    owner: Option<usize>,
    me: usize,
    now: u64,
    mine: &mut VecDeque<Parcel>,
) {
    match owner {
        Some(owner) if owner == me => mine.push_back(parcel),
        Some(owner) => shared.inboxes[owner].send(Message::Parcel(parcel)),
        None => {
            apply(shared, &mut parcel, now);
            shared.in_flight.sub(parcel.items.len() as u64, parcel.bytes);
        }
    }
}

/// Takes back what an item has emitted, of each bucket the last first.
fn take_last(buckets: &mut [Bucket], touched: &[usize], item: u32, taken: &mut dyn FnMut(Item)) {
    for index in touched {
        let bucket = &mut buckets[*index];
        while let Some(last) = bucket.items.pop_if(|last| last.version == u64::from(item)) {
            bucket.bytes -= weight(&last);
            taken(last);
        }
        bucket.held = bucket.held.min(bucket.items.len());
    }
}

/// What every pool takes: a key of UTF-8.
#[inline]
pub(crate) fn check_key(pool: &PoolPlan, look: Look, key: &[u8]) -> Result<(), String> {
    if look.ascii { Ok(()) } else { check_utf8(pool, key) }
}

/// Apart, as what is inlined for every object is to be small.
#[inline(never)]
fn check_utf8(pool: &PoolPlan, key: &[u8]) -> Result<(), String> {
    if std::str::from_utf8(key).is_ok() {
        return Ok(());
    }
    let (pool, key) = (&pool.path, key.escape_ascii());
    Err(format!("a key for {pool} is not UTF-8: {key}; put the bytes into the value, or encode them"))
}

/// What a pool takes: a key of UTF-8, a value of its type.
#[inline]
pub(crate) fn check(pool: &PoolPlan, look: Look, key: &[u8], value: &[u8]) -> Result<(), String> {
    check_key(pool, look, key)?;
    match &pool.value {
        ValueType::Bytes | ValueType::Packed { .. } => Ok(()),
        typed => check_value(typed, pool, key, value),
    }
}

/// Apart, as [`check_utf8`].
#[inline(never)]
fn check_value(typed: &ValueType, pool: &PoolPlan, key: &[u8], value: &[u8]) -> Result<(), String> {
    let key = || String::from_utf8_lossy(key);
    match typed {
        ValueType::Text if std::str::from_utf8(value).is_ok() => Ok(()),
        ValueType::Text => {
            Err(format!("a value of {} for {} is not UTF-8, and the pool's type is text", key(), pool.path))
        }
        typed if typed.size() == Some(value.len()) => Ok(()),
        typed => Err(format!(
            "a value of {} for {} has {} bytes, and the pool's type {typed} takes {}",
            key(),
            pool.path,
            value.len(),
            typed.size().unwrap_or(0)
        )),
    }
}

#[cold]
fn stores_nothing(pool: &PoolPlan) -> String {
    format!(
        "it emitted to {} on condition, a trigger pool, which stores no version to compare with",
        pool.path
    )
}

#[cold]
fn undeclared(pool: Option<&PoolPlan>, handler: &HandlerPlan, plan: &Plan) -> String {
    let what = pool.map_or("a pool that is not there".to_owned(), |pool| format!("pool {}", pool.path));
    let to = plan.pools.iter().zip(&handler.may_emit).filter(|(_, may)| **may);
    let to: Vec<&str> = to.map(|(pool, _)| pool.path.as_str()).collect();
    format!("it emitted to {what}, which is not in its `to` ({})", to.join(", "))
}
