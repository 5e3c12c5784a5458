//! Emissions on condition (`put_if` of a handler): the owner of the key decides, and until then nothing counts of what
//! the item has emitted.

use crate::chunk::Chunk;
use crate::parcel::{Parcel, Times, key, weight};
use crate::plan::{PoolPlan, Stores};
use crate::shared::Shared;
use crate::spec::Order;
use crate::ticket::{Asker, Claim};
use std::sync::Arc;
use upcall_abi::{Item, Record};

/// What an item has emitted that emits on condition.
pub(crate) struct Conditional {
    /// The item's index in its call.
    pub(crate) item: u32,
    /// The version that its key must be at, 0 for none.
    pub(crate) expect: u64,
    /// What is emitted on condition. `None` while the record is awaited.
    pub(crate) emission: Option<Item>,
    /// All else, which is sent when the owner has accepted.
    pub(crate) others: Vec<Item>,
    /// Those that all of it lies in.
    pub(crate) chunks: Vec<Arc<Chunk>>,
}

impl Conditional {
    /// What is sent to the owner, for it to decide and tell `asker`.
    pub(crate) fn parcel(&self, asker: Asker, times: Times) -> Option<Parcel> {
        let item = self.emission?;
        Some(Parcel {
            pool: item.pool,
            store: true,
            items: vec![item],
            chunks: self.chunks.clone(),
            bytes: weight(&item),
            claims: vec![Claim { index: 0, asker, expect: Some(self.expect), remove: false }],
            times,
            queued: false,
        })
    }
}

impl Conditional {
    /// Says that the owner has found another version.
    pub(crate) fn conflict(&self, shared: &Shared, found: u64) -> String {
        let Some(item) = &self.emission else { return String::new() };
        // SAFETY: its chunks hold the key.
        let key = String::from_utf8_lossy(unsafe { key(item) });
        let pool = &shared.plan.pools[item.pool as usize].path;
        let at = |version| if version == 0 { "no version".to_owned() } else { format!("version {version}") };
        format!(
            "{key} of {pool} has {} now, and was to be put if it had {}; with `retry` the item is handled again, and \
             can read the key again",
            at(found),
            at(self.expect)
        )
    }
}

/// Where a record goes in a call in which something is emitted on condition.
pub(crate) enum Goes {
    /// To its owner, as any other.
    On,
    /// Nowhere, or it is a condition itself.
    Nowhere,
    /// It waits with the item's emission on condition, if the pool takes it.
    Aside,
}

/// The items of one call that emit on condition.
#[derive(Default)]
pub(crate) struct Conditions(Vec<Conditional>);

impl Conditions {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a record goes. `items` are those of the call, in `order`; `emitted` takes what the item has emitted so far.
    #[cold]
    pub(crate) fn goes(
        &mut self,
        head: Record,
        value: &[u8],
        items: &[Item],
        order: Order,
        emitted: impl FnOnce() -> Vec<Item>,
    ) -> Result<Goes, &'static str> {
        let condition = head.pool == Record::CONDITION;
        match self.0.last() {
            Some(last) if last.item == head.item => {
                return if condition { Err(TWICE) } else { Ok(Goes::Aside) };
            }
            _ if self.behind(head.item, items, order) => return Ok(Goes::Nowhere),
            _ if !condition => return Ok(Goes::On),
            _ => {}
        }
        if head.item as usize >= items.len() {
            return Err(NO_ITEM);
        }
        let Ok(expect) = value.try_into().map(u64::from_le_bytes) else { return Err(ALONE) };
        self.0.push(Conditional {
            item: head.item,
            expect,
            emission: None,
            others: emitted(),
            chunks: Vec::new(),
        });
        Ok(Goes::Nowhere)
    }

    /// Adds what the item has emitted that emits on condition: first of all that.
    pub(crate) fn add(&mut self, item: Item) {
        let Some(last) = self.0.last_mut() else { return };
        match last.emission {
            None => last.emission = Some(item),
            Some(_) => last.others.push(item),
        }
    }

    /// The item whose condition has not been followed by what it is about.
    pub(crate) fn awaited(&self) -> Option<u32> {
        self.0.last().filter(|last| last.emission.is_none()).map(|last| last.item)
    }

    /// Whether a pool has versions to compare with, if the next record is on condition.
    pub(crate) fn compares(&self, pool: &PoolPlan) -> bool {
        self.awaited().is_none() || !matches!(pool.stores, Stores::Nothing)
    }

    /// Whether the item waits for an earlier one of its call.
    fn behind(&self, item: u32, items: &[Item], order: Order) -> bool {
        match (order, items.get(item as usize)) {
            (Order::Single, _) => !self.0.is_empty(),
            (Order::Any, _) | (_, None) => false,
            (Order::Key, Some(item)) => {
                self.0.iter().any(|earlier| items[earlier.item as usize].tag == item.tag)
            }
        }
    }

    /// Forgets what the item has emitted, if it emits on condition. Items are handled one after the other, so it is
    /// last.
    pub(crate) fn forget(&mut self, item: u32) {
        self.0.pop_if(|last| last.item == item);
    }

    /// All of the call, which lie in `chunks`.
    pub(crate) fn take(&mut self, chunks: &[Arc<Chunk>]) -> Vec<Conditional> {
        let mut all = std::mem::take(&mut self.0);
        all.iter_mut().for_each(|one| one.chunks = chunks.to_vec());
        all
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

const TWICE: &str =
    "it emits on condition twice, and two owners cannot decide together: emit on condition once for an item";
pub(crate) const ALONE: &str =
    "its output holds a condition without the emission that it is about: build the handler again";
const NO_ITEM: &str = "it emits on condition for no item in particular, so there is none that could fail: emit on \
                       condition from a handler that is called object by object";
