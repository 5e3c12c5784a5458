//! Counters of what a flow does: one writer each, summed when somebody asks for a report.

use crate::parcel::{OVERHEAD, Times};
use hdrhistogram::Histogram;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

/// The counters of one handler on one worker. Written by that worker only.
#[derive(Default)]
pub(crate) struct Stats {
    pub(crate) items: AtomicU64,
    pub(crate) batches: AtomicU64,
    pub(crate) emitted: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) buried: AtomicU64,
    /// Nanoseconds inside upcalls.
    pub(crate) inside: AtomicU64,
    /// Nanoseconds of one empty crossing.
    pub(crate) crossing: AtomicU64,
    /// When the first upcall began and the last one ended, in nanoseconds since the flow's start.
    pub(crate) first: AtomicU64,
    pub(crate) last: AtomicU64,
    /// Bytes of keys and values that were handled, and emitted.
    pub(crate) bytes_in: AtomicU64,
    pub(crate) bytes_out: AtomicU64,
    /// Nanoseconds from a put to the end of the batch that handled what it led to; locked once per batch.
    pub(crate) latency: Mutex<Latency>,
    /// Batches by the bits of their size: index 3 counts sizes 4 to 7.
    pub(crate) sizes: [AtomicU64; 32],
}

impl Stats {
    /// Counts one upcall with `items` items, `begin` and `end` in nanoseconds since the flow's start.
    /// How many of them were handled is counted apart, once it is known.
    pub(crate) fn batch(&self, items: usize, begin: u64, end: u64) {
        bump(&self.batches, 1);
        bump(&self.inside, end - begin);
        if self.first.load(Relaxed) == 0 {
            self.first.store(begin.max(1), Relaxed);
        }
        self.last.store(end, Relaxed);
        let bits = (usize::BITS - items.leading_zeros()) as usize;
        bump(&self.sizes[bits.min(31)], 1);
    }

    /// What was emitted weighs so much.
    pub(crate) fn weight_out(&self) -> u64 {
        self.bytes_out.load(Relaxed) + OVERHEAD * self.emitted.load(Relaxed)
    }

    /// Counts items of one time that a batch has handled which ended at `end`.
    pub(crate) fn waited(&self, times: &Times, end: u64, items: usize) {
        let Latency(histogram) = &mut *self.latency.lock().unwrap_or_else(PoisonError::into_inner);
        // It grows with what it sees, so that nothing is beyond it.
        let _ = histogram.record_n(end.saturating_sub(times.put), items as u64);
    }
}

pub(crate) struct Latency(pub(crate) Histogram<u64>);

impl Default for Latency {
    fn default() -> Latency {
        // Two digits, from nanoseconds on.
        Latency(Histogram::new(2).expect("2 is a number of digits"))
    }
}

/// Items of a handler that have been sent and not handled, on all workers.
#[derive(Default)]
pub(crate) struct Queue {
    now: AtomicU64,
    pub(crate) peak: AtomicU64,
}

impl Queue {
    pub(crate) fn add(&self, items: usize) {
        let now = self.now.fetch_add(items as u64, SeqCst) + items as u64;
        if now > self.peak.load(Relaxed) {
            self.peak.fetch_max(now, Relaxed);
        }
    }

    pub(crate) fn sub(&self, items: usize) {
        self.now.fetch_sub(items as u64, SeqCst);
    }

    pub(crate) fn now(&self) -> u64 {
        self.now.load(SeqCst)
    }
}

/// Adds without a locked instruction: there is one writer.
pub(crate) fn bump(counter: &AtomicU64, by: u64) {
    counter.store(counter.load(Relaxed) + by, Relaxed);
}
