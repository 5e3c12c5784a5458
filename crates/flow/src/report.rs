//! What a flow has done: counted by the workers, one writer a counter, summed when somebody asks.

use crate::parcel::Times;
use crate::plan::PoolPlan;
use crate::shared::Shared;
use hdrhistogram::Histogram;
use serde::Serialize;
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
    /// Nanoseconds from a put to the end of the batch that handled what it led to; locked once a batch.
    latency: Mutex<Latency>,
    /// Batches by the bits of their size: index 3 counts sizes 4 to 7.
    sizes: [AtomicU64; 32],
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

    /// Counts items of one time that a batch has handled which ended at `end`.
    pub(crate) fn waited(&self, times: &Times, end: u64, items: usize) {
        let Latency(histogram) = &mut *self.latency.lock().unwrap_or_else(PoisonError::into_inner);
        // It grows with what it sees, so that nothing is beyond it.
        let _ = histogram.record_n(end.saturating_sub(times.put), items as u64);
    }
}

struct Latency(Histogram<u64>);

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
    peak: AtomicU64,
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

/// What a flow has done so far.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The flow's name.
    pub flow: String,
    /// Seconds since the start.
    pub seconds: f64,
    /// Worker threads.
    pub workers: usize,
    /// The most bytes that were in flight at a time.
    pub peak_in_flight_bytes: u64,
    /// The most bytes that the flow held at a time, as far as it looked (once a batch): the chunks that objects
    /// travel in, records of objects in flight, and what its pools store. `memory` bounds it.
    pub peak_held_bytes: u64,
    /// Bytes that its pools store now, dead letters among them.
    pub stored_bytes: u64,
    /// The pools, in order of declaration; dead pools only where something was buried.
    pub pools: Vec<PoolReport>,
    /// The handlers, in order of declaration.
    pub handlers: Vec<HandlerReport>,
}

/// What happened to a pool.
#[derive(Clone, Debug, Serialize)]
pub struct PoolReport {
    /// Its path.
    pub path: String,
    /// Objects put, emitted or triggered into it.
    pub objects: u64,
    /// Of a dead pool: what became of the letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_letters: Option<DeadLetterReport>,
}

/// What became of the letters of a dead pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DeadLetterReport {
    /// Letters that it keeps now.
    pub kept: u64,
    /// Bytes that they take.
    pub bytes: u64,
    /// Letters that were dropped because the pool keeps no more.
    pub dropped: u64,
}

/// What a handler did, on all its workers together.
#[derive(Clone, Debug, Serialize)]
pub struct HandlerReport {
    /// Its name.
    pub name: String,
    /// Its guest.
    pub guest: &'static str,
    /// Items that it handled, repeated tries included.
    pub items: u64,
    /// Upcalls with items.
    pub batches: u64,
    /// Objects that it emitted.
    pub emitted: u64,
    /// Failures, before retries.
    pub failed: u64,
    /// Items that became dead letters, kept or not.
    pub buried: u64,
    /// Seconds between the first upcall and the end of the last.
    pub active_seconds: f64,
    /// Items a second of `active_seconds`.
    pub items_per_second: f64,
    /// Seconds inside upcalls, over all workers.
    pub inside_seconds: f64,
    /// Seconds that crossing the boundary took: batches times an empty crossing, as measured at the start.
    pub boundary_seconds: f64,
    /// `boundary_seconds` as a share of `inside_seconds`, 0 to 1.
    pub boundary_share: f64,
    /// Items in a batch: mean.
    pub batch_mean: f64,
    /// Items in a batch: the power of two that half of the batches are below.
    pub batch_median_below: u64,
    /// Batches by size: each pair is the smallest size of a class (powers of two) and how many.
    pub batch_sizes: Vec<(u64, u64)>,
}

const NANOS: f64 = 1e9;

pub(crate) fn report(shared: &Shared) -> Report {
    let plan = &shared.plan;
    let pools = plan.pools.iter().map(|pool| (pool, pool.puts.load(Relaxed)));
    let shown = pools.filter(|(pool, objects)| pool.dead.is_some() || *objects > 0);
    Report {
        flow: plan.name.clone(),
        seconds: shared.elapsed() as f64 / NANOS,
        workers: plan.workers.len(),
        peak_in_flight_bytes: shared.in_flight.peak(),
        peak_held_bytes: shared.held().max(shared.memory.peak()),
        stored_bytes: shared.stored(),
        pools: shown.map(|(pool, objects)| of_pool(pool, objects)).collect(),
        handlers: plan
            .handlers
            .iter()
            .map(|handler| summed(&handler.spec.name, handler.guest, &handler.stats))
            .collect(),
    }
}

fn of_pool(pool: &PoolPlan, objects: u64) -> PoolReport {
    let dead_letters = pool.letters.as_ref().map(|letters| DeadLetterReport {
        kept: letters.kept(),
        bytes: pool.table.as_ref().map_or(0, |table| table.bytes()),
        dropped: letters.dropped(),
    });
    PoolReport { path: pool.path.clone(), objects, dead_letters }
}

fn summed(name: &str, guest: &'static str, stats: &[Stats]) -> HandlerReport {
    let sum = |counter: fn(&Stats) -> &AtomicU64| stats.iter().map(|s| counter(s).load(Relaxed)).sum::<u64>();
    let (items, batches, inside) = (sum(|s| &s.items), sum(|s| &s.batches), sum(|s| &s.inside));
    let started = stats.iter().map(|s| s.first.load(Relaxed)).filter(|first| *first > 0);
    let ended = stats.iter().map(|s| s.last.load(Relaxed)).max().unwrap_or(0);
    let active = ended.saturating_sub(started.min().unwrap_or(ended)) as f64 / NANOS;
    let crossing: u64 = stats.iter().map(|s| s.crossing.load(Relaxed) * s.batches.load(Relaxed)).sum();
    let per = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
    let sizes: Vec<u64> =
        (0..32).map(|bits| stats.iter().map(|s| s.sizes[bits].load(Relaxed)).sum()).collect();
    let mut half = batches.div_ceil(2);
    let median = sizes.iter().position(|count| {
        half = half.saturating_sub(*count);
        half == 0
    });
    let classes = sizes.iter().enumerate().filter(|(_, count)| **count > 0);
    HandlerReport {
        name: name.to_owned(),
        guest,
        items,
        batches,
        emitted: sum(|s| &s.emitted),
        failed: sum(|s| &s.failed),
        buried: sum(|s| &s.buried),
        active_seconds: active,
        items_per_second: per(items as f64, active),
        inside_seconds: inside as f64 / NANOS,
        boundary_seconds: crossing as f64 / NANOS,
        boundary_share: per(crossing as f64, inside as f64).min(1.0),
        batch_mean: per(items as f64, batches as f64),
        batch_median_below: median.map_or(0, |bits| 1 << bits),
        batch_sizes: classes.map(|(bits, count)| ((1 << bits) / 2, *count)).collect(),
    }
}
