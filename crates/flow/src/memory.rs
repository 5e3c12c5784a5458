//! What a flow holds in memory: the chunks that objects travel in, each counted once however many objects
//! and parcels share it, and the records of objects in flight. What pools store is counted by their tables.

use crate::shared::Shared;
use crate::{Error, ErrorKind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use upcall_abi::Item;

/// Bytes of all chunks that are allocated, and of all that the pools store: one number each, as it is asked for
/// with every batch, however many pools there are.
#[derive(Default)]
pub(crate) struct Memory {
    chunks: AtomicU64,
    stored: AtomicU64,
    peak: AtomicU64,
}

impl Memory {
    pub(crate) fn allocated(&self, bytes: usize) {
        self.chunks.fetch_add(bytes as u64, Relaxed);
    }

    pub(crate) fn freed(&self, bytes: usize) {
        self.chunks.fetch_sub(bytes as u64, Relaxed);
    }

    /// A table has changed by so many bytes.
    pub(crate) fn stored(&self, change: i64) {
        self.stored.fetch_add(change as u64, Relaxed);
    }

    /// The most that [`Shared::held`] has found.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }
}

impl Shared {
    /// Bytes that the flow holds now: what `memory` bounds.
    pub(crate) fn held(&self) -> u64 {
        let records = self.in_flight.items() * size_of::<Item>() as u64;
        let held = self.memory.chunks.load(Relaxed) + records + self.stored();
        if held > self.memory.peak.load(Relaxed) {
            self.memory.peak.fetch_max(held, Relaxed);
        }
        held
    }

    /// Bytes that the pools store, dead letters among them.
    pub(crate) fn stored(&self) -> u64 {
        self.memory.stored.load(Relaxed)
    }

    /// Whether it holds so much, of what its pools do not store for good, that what leads to more should wait.
    pub(crate) fn crowded(&self) -> bool {
        self.held() > (self.plan.memory + self.stored()) / 2
    }

    /// Stops the flow when it holds more than its `memory`; `why` says what made it grow.
    #[inline]
    pub(crate) fn bound_memory(&self, why: impl FnOnce() -> String) {
        if self.held() > self.plan.memory {
            self.outgrown(&why());
        }
    }

    #[cold]
    pub(crate) fn outgrown(&self, why: &str) {
        let (stored, flow, memory) = (self.stored(), &self.plan.name, self.plan.memory);
        let pools = self.plan.pools.iter().zip(&self.pools);
        let largest = pools.filter_map(|(plan, pool)| Some((pool.table.as_ref()?.bytes(), &plan.path)));
        let stored = match largest.max() {
            // Emitting less would not help.
            Some((bytes, path)) if stored > memory / 2 => {
                format!("; its pools store {stored} bytes, {path} the most with {bytes}")
            }
            _ => String::new(),
        };
        let message = format!(
            "flow {flow} outgrew its memory of {memory} bytes {why}{stored}; emit or store less, or raise `memory`"
        );
        self.stop(Some(Error::new(ErrorKind::OutOfMemory, message)));
    }
}
