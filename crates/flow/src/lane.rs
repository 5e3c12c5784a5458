//! What is asked of a pool for every record that is emitted into it: worked out once and kept side by side.

use crate::plan::{Home, Plan};
use crate::spec::ValueType;

/// A pool's way through a [`Router`](crate::route::Router).
#[derive(Clone, Copy)]
pub(crate) struct Lane {
    /// Its first bucket, and over how many from there on its keys are spread.
    first: usize,
    spread: u64,
    /// Lengths of a value that the pool takes without a look at its bytes: any, one, or none.
    lengths: (u32, u32),
}

impl Lane {
    /// Of no pool: takes nothing.
    pub(crate) const NONE: Lane = Lane { first: 0, spread: 0, lengths: (1, 0) };

    /// The lane of a pool among buckets for each pool and owner: the workers, and last whoever puts.
    pub(crate) fn of(plan: &Plan, pool: usize, owners: usize) -> Lane {
        let first = pool * owners;
        let (first, spread) = match plan.pools[pool].home {
            Home::Keys(workers) => (first + workers.first, workers.count as u64),
            Home::Putter => (first + owners - 1, 0),
        };
        let lengths = match &plan.pools[pool].value {
            ValueType::Bytes | ValueType::Packed { .. } => (0, u32::MAX),
            ValueType::Text => (1, 0),
            // One of 4 GiB or more fits into no record.
            sized => {
                sized.size().and_then(|size| u32::try_from(size).ok()).map_or((1, 0), |size| (size, size))
            }
        };
        Lane { first, spread, lengths }
    }

    #[inline]
    pub(crate) fn takes(&self, value_len: u32) -> bool {
        let (shortest, longest) = self.lengths;
        shortest <= value_len && value_len <= longest
    }

    /// The bucket of a key, by its hash: that of [`Plan::owner`].
    #[inline]
    pub(crate) fn bucket(&self, hash: u64) -> usize {
        self.first + Plan::share(hash, self.spread)
    }
}
