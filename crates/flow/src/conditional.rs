//! Emissions on condition (`put_if` of a handler): the owner of the key decides, and until then nothing counts of what
//! the item has emitted.

use crate::chunk::Chunk;
use crate::parcel::key;
use crate::plan::{PoolPlan, Stores};
use crate::shared::Shared;
use crate::spec::Order;
use crate::ticket::at;
use foldhash::fast::RandomState;
use std::collections::HashSet;
use std::sync::Arc;
use upcall_abi::{Item, Record};

/// What an item has emitted that emits on condition.
pub(crate) struct Conditional {
    /// The item's index in its call.
    pub(crate) item: u32,
    /// The version that its key must be at, 0 for none.
    pub(crate) expect: u64,
    /// What is emitted on condition.
    pub(crate) emission: Item,
    /// All else, which is sent when the owner has accepted.
    pub(crate) others: Vec<Item>,
    /// Those that all of it lies in.
    pub(crate) chunks: Vec<Arc<Chunk>>,
}

impl Conditional {
    /// Says that the owner has found another version.
    pub(crate) fn conflict(&self, shared: &Shared, found: u64) -> String {
        // SAFETY: its chunks hold the key.
        let key = String::from_utf8_lossy(unsafe { key(&self.emission) });
        let pool = &shared.plan.pools[self.emission.pool as usize].path;
        format!(
            "{key} of {pool} has {} now, and was to be put if it had {}; with `retry` the item is handled again, and \
             can read the key again",
            at(found),
            at(self.expect)
        )
    }
}

/// Where a record goes.
pub(crate) enum Place {
    /// To the owner of its key.
    Owner,
    /// Nowhere: its item is handled again, or it is refused, or it is a condition itself.
    Nowhere,
    /// It waits with what its item emits on condition.
    Aside,
}

/// A condition of an item, and what the item has emitted before it.
struct Awaited {
    item: u32,
    expect: u64,
    others: Vec<Item>,
    chunks: Vec<Arc<Chunk>>,
}

/// The items of one call that emit on condition.
#[derive(Default)]
pub(crate) struct Conditions {
    all: Vec<Conditional>,
    /// The item whose condition has come, but not what it is about.
    awaited: Option<Awaited>,
    /// The keys of those items, by their hash.
    keys: HashSet<u64, RandomState>,
}

impl Conditions {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.awaited.is_none()
    }

    /// The item whose condition has not been followed by what it is about.
    pub(crate) fn awaited(&self) -> Option<u32> {
        self.awaited.as_ref().map(|awaited| awaited.item)
    }

    /// Where a record goes, of a call with these `items` in this `order`.
    pub(crate) fn place(&self, head: Record, items: &[Item], order: Order) -> Result<Place, &'static str> {
        let condition = head.pool == Record::CONDITION;
        let last = self.awaited().or(self.all.last().map(|last| last.item));
        match last {
            Some(last) if last == head.item => return if condition { Err(TWICE) } else { Ok(Place::Aside) },
            Some(last) if last > head.item => return Err(OUT_OF_ORDER),
            _ => {}
        }
        match items.get(head.item as usize) {
            Some(item) if order == Order::Key && self.keys.contains(&item.tag) => Ok(Place::Nowhere),
            _ if order == Order::Single && last.is_some() => Ok(Place::Nowhere),
            None if condition => Err(NO_ITEM),
            _ => Ok(Place::Owner),
        }
    }

    /// A condition has come. What its item has emitted before lies in `chunks`.
    pub(crate) fn begin(
        &mut self,
        head: Record,
        value: &[u8],
        items: &[Item],
        (others, chunks): (Vec<Item>, Vec<Arc<Chunk>>),
    ) -> Result<(), &'static str> {
        let expect = value.try_into().map(u64::from_le_bytes).map_err(|_| ALONE)?;
        self.keys.insert(items[head.item as usize].tag);
        self.awaited = Some(Awaited { item: head.item, expect, others, chunks });
        Ok(())
    }

    /// Adds what the item has emitted that emits on condition: first of all that. It lies in `chunk`.
    pub(crate) fn add(&mut self, emission: Item, chunk: &Arc<Chunk>) {
        match self.awaited.take() {
            Some(Awaited { item, expect, others, chunks }) => {
                self.all.push(Conditional { item, expect, emission, others, chunks });
            }
            None => self.all.last_mut().into_iter().for_each(|last| last.others.push(emission)),
        }
        if let Some(last) = self.all.last_mut()
            && !last.chunks.last().is_some_and(|last| Arc::ptr_eq(last, chunk))
        {
            last.chunks.push(chunk.clone());
        }
    }

    /// Whether a pool has versions to compare with, if the next record is on condition.
    pub(crate) fn compares(&self, pool: &PoolPlan) -> bool {
        self.awaited.is_none() || !matches!(pool.stores, Stores::Nothing)
    }

    /// Forgets what the item has emitted, if it emits on condition. Items are handled one after the other, so it is
    /// last.
    pub(crate) fn forget(&mut self, item: u32, items: &[Item]) {
        let awaited = self.awaited.take_if(|awaited| awaited.item == item).is_some();
        if awaited || self.all.pop_if(|last| last.item == item).is_some() {
            self.keys.remove(&items[item as usize].tag);
        }
    }

    /// All of the call.
    pub(crate) fn take(&mut self) -> Vec<Conditional> {
        self.keys.clear();
        std::mem::take(&mut self.all)
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
        self.awaited = None;
        self.keys.clear();
    }
}

const TWICE: &str =
    "it emits on condition twice, and two owners cannot decide together: emit on condition once for an item";
pub(crate) const ALONE: &str =
    "its output holds a condition without the emission that it is about: build the handler again";
const OUT_OF_ORDER: &str =
    "its output holds a record of an item behind a condition of a later one: build the handler again";
const NO_ITEM: &str = "it emits on condition for no item in particular, so there is none that could fail: emit on \
                       condition from a handler that is called object by object";
