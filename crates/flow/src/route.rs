//! From records in a worker's output to parcels for the owners of their keys.

use crate::accepts::{check, stores_nothing, undeclared};
use crate::apply::apply;
use crate::call::Written as Part;
use crate::chunk::Chunk;
use crate::conditional::{ALONE, Conditional, Conditions, Place};
use crate::hash::Look;
use crate::inbox::Message;
use crate::lane::Lane;
use crate::parcel::{Parcel, Times, chunks_of, weight};
use crate::plan::{HandlerPlan, Plan};
use crate::shared::Shared;
use crate::spare::Spare;
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
    /// What was written.
    pub(crate) filled: &'a [Part],
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
    pub(crate) fn sort(&mut self, shared: &Shared, origin: &Origin<'_>, refused: &mut Vec<Refused>) -> u64 {
        let plan = &shared.plan;
        let (done, sender) = (origin.done, origin.sender);
        let mut sorted = 0;
        // Most records go where the one before them went.
        let (mut pool, mut lane) = (u32::MAX, Lane::NONE);
        // Nothing is refused yet, nor emitted on condition.
        let mut ordinary = true;
        for part in origin.filled {
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
                let plain = ordinary && is_done && look.ascii && lane.takes(head.value_len);
                let place = if plain {
                    Place::Owner
                } else {
                    let place = self.look_closer(plan, origin, (head, whole), look, refused, &mut sorted);
                    ordinary = refused.is_empty() && self.conditions.is_empty();
                    place
                };
                if let Place::Nowhere = place {
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
                if let Place::Aside = place {
                    self.conditions.add(item, &part.chunk);
                    continue;
                }
                self.push(lane.bucket(look.hash), item);
                sorted += 1;
            }
            self.hold(std::slice::from_ref(&part.chunk));
        }
        sorted - self.abandoned(origin, None, refused)
    }

    /// The lane of a pool that the handler may emit to.
    fn lane(&self, handler: &HandlerPlan, pool: u32) -> Lane {
        let may = handler.may_emit.get(pool as usize).is_some_and(|may| *may);
        if may { self.lanes[pool as usize] } else { Lane::NONE }
    }

    /// Looks closer at a record that is not as most are. It is refused, and with it what its item has emitted before, or
    /// has its place.
    #[inline(never)]
    fn look_closer(
        &mut self,
        plan: &Plan,
        origin: &Origin<'_>,
        (head, whole): (Record, &[u8]),
        look: Look,
        refused: &mut Vec<Refused>,
        sorted: &mut u64,
    ) -> Place {
        // A driver's records are in the order of their items; of any other's no more are refused than there are items.
        let enough = refused.len() > origin.items.len();
        if enough || refused.last().is_some_and(|bad| bad.item == head.item) {
            return Place::Nowhere;
        }
        *sorted -= self.abandoned(origin, Some(head.item), refused);
        let (value, key) = whole[size_of::<Record>()..].split_at(head.value_len as usize);
        let handler = origin.handler;
        let placed = self.place(origin, head, value, sorted).and_then(|place| {
            match plan.pools.get(head.pool as usize) {
                _ if matches!(place, Place::Nowhere) => {}
                Some(pool) if handler.may_emit[head.pool as usize] => {
                    if !self.conditions.compares(pool) {
                        return Err(stores_nothing(pool));
                    }
                    check(pool, look, key, value)?;
                }
                pool => return Err(undeclared(pool, handler, plan)),
            }
            Ok(place)
        });
        placed.unwrap_or_else(|why| {
            *sorted -= self.forget(origin, head.item);
            refused.push(Refused { item: head.item, why });
            Place::Nowhere
        })
    }

    /// Where a record goes whose pool may have it.
    fn place(
        &mut self,
        origin: &Origin<'_>,
        head: Record,
        value: &[u8],
        sorted: &mut u64,
    ) -> Result<Place, String> {
        let &Origin { handler, items, done, filled, .. } = origin;
        if head.item as usize >= done && head.item != Record::NO_ITEM {
            // A driver takes back what an item emitted that is not done.
            return Err(format!(
                "its output holds a record of item {}, counted from 0, but only {done} of them are done",
                head.item
            ));
        }
        if head.pool != Record::CONDITION && self.conditions.is_empty() {
            return Ok(Place::Owner);
        }
        let place = self.conditions.place(head, items, handler.spec.order)?;
        if head.pool != Record::CONDITION || matches!(place, Place::Nowhere) {
            return Ok(place);
        }
        let mut before = Vec::new();
        take_last(&mut self.buckets, &self.touched, head.item, &mut |item| before.push(item));
        *sorted -= before.len() as u64;
        before.reverse();
        let chunks = chunks_of(&before, filled.iter().map(|part| &part.chunk));
        self.conditions.begin(head, value, items, (before, chunks))?;
        Ok(Place::Nowhere)
    }

    /// Refuses an item whose condition is followed by a record of another one, or of none.
    fn abandoned(&mut self, origin: &Origin<'_>, next: Option<u32>, refused: &mut Vec<Refused>) -> u64 {
        let Some(item) = self.conditions.awaited().filter(|item| next != Some(*item)) else { return 0 };
        refused.push(Refused { item, why: ALONE.into() });
        self.forget(origin, item)
    }

    /// What was put aside, of the call that was sorted last.
    pub(crate) fn conditional(&mut self) -> Vec<Conditional> {
        if self.conditions.is_empty() { Vec::new() } else { self.conditions.take() }
    }

    /// Lets the buckets hold the chunks that the items lie in that were added since this was called last.
    fn hold(&mut self, chunks: &[Arc<Chunk>]) {
        for index in &self.touched {
            let bucket = &mut self.buckets[*index];
            if bucket.items.len() > bucket.held {
                bucket.held = bucket.items.len();
                bucket.chunks.extend_from_slice(chunks);
            }
        }
    }

    /// Adds objects that were not just emitted. Their bytes are in `chunks`.
    pub(crate) fn add(&mut self, shared: &Shared, items: &[Item], chunks: &[Arc<Chunk>]) {
        for item in items {
            let pool = &shared.plan.pools[item.pool as usize];
            let owner = Plan::owner(pool, item.tag).unwrap_or(self.owners - 1);
            self.push(item.pool as usize * self.owners + owner, *item);
        }
        self.hold(chunks);
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
    fn forget(&mut self, origin: &Origin<'_>, item: u32) -> u64 {
        let mut forgotten = 0;
        self.conditions.forget(item, origin.items);
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
            let items = self.spare.fit(bucket.items);
            let Some(first) = items.first() else { continue };
            let parcel = Parcel {
                pool: first.pool,
                store: true,
                items,
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
