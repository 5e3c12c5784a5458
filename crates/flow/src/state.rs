//! What changes while a flow runs, of each pool and each handler. What was resolved at the start is in the
//! [`Plan`](crate::plan::Plan), under the same index.

use crate::any_queue::AnyQueue;
use crate::clock::Versions;
use crate::dead::Letters;
use crate::memory::Memory;
use crate::plan::{HandlerPlan, Plan, PoolPlan, Stores};
use crate::rate::Rate;
use crate::slots::Slots;
use crate::spec::OnSpec;
use crate::stats::{Queue, Stats};
use crate::table::Table;
use crate::watch::Watchers;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A pool while the flow runs.
pub(crate) struct PoolState {
    pub(crate) table: Option<Table>,
    pub(crate) versions: Versions,
    pub(crate) watchers: Watchers,
    pub(crate) puts: AtomicU64,
    /// Of a dead pool.
    pub(crate) letters: Option<Letters>,
}

impl PoolState {
    /// A pool with nothing in it; what it will store is counted in `memory`.
    pub(crate) fn new(plan: &Plan, pool: &PoolPlan, memory: &Arc<Memory>) -> PoolState {
        let (table, letters) = match pool.stores {
            Stores::Nothing => (None, None),
            Stores::Versions(keep) => (Some(Table::new(keep, memory)), None),
            Stores::Letters(limit) => (Some(Table::of_letters(memory)), Some(Letters::new(limit))),
        };
        PoolState {
            table,
            versions: Versions::new(plan.general.count),
            watchers: Watchers::default(),
            puts: AtomicU64::new(0),
            letters,
        }
    }
}

/// A handler while the flow runs, on all its workers.
pub(crate) struct HandlerState {
    pub(crate) queue: Queue,
    /// What waits for any of its workers, where its items have no order.
    pub(crate) any: AnyQueue,
    /// Nanoseconds of an item, as some worker found last; 0 when nothing is known.
    pub(crate) nanos: AtomicU64,
    /// Where it answers later.
    pub(crate) slots: Slots,
    pub(crate) rate: Option<Rate>,
    /// By worker.
    pub(crate) stats: Vec<Stats>,
}

impl HandlerState {
    /// A handler that has done nothing yet.
    pub(crate) fn new(plan: &Plan, handler: &HandlerPlan) -> HandlerState {
        HandlerState {
            queue: Queue::default(),
            any: AnyQueue::default(),
            nanos: AtomicU64::new(0),
            slots: Slots::new(handler.spec.in_flight.unwrap_or(OnSpec::IN_FLIGHT)),
            rate: Rate::of(&handler.spec),
            stats: plan.workers.iter().map(|_| Stats::default()).collect(),
        }
    }
}
