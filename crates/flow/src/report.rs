//! What a flow has done: the workers' counters, summed.

use crate::plan::{HandlerPlan, PoolPlan};
use crate::shared::Shared;
use crate::state::{HandlerState, PoolState};
use crate::stats::{Latency, Stats};
use serde::Serialize;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a flow has done so far. `docs/report.md` has the fields as JSON.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The flow's name.
    pub flow: String,
    /// Seconds since the start.
    pub seconds: f64,
    /// Worker threads.
    pub workers: usize,
    /// Objects that may be in flight now: the credit, or what the handlers do in the flow's `delay`.
    pub in_flight_limit: u64,
    /// The most bytes of keys and values that were in flight at a time, with 80 for each object.
    pub peak_in_flight_bytes: u64,
    /// The most bytes that the flow held at a time, as far as it looked (once per batch): the chunks that objects
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct PoolReport {
    /// Its path.
    pub path: String,
    /// Objects put, emitted or triggered into it.
    pub objects: u64,
    /// Bytes that it stores: keys, values and what keeps them.
    pub stored_bytes: u64,
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
#[derive(Clone, Debug, Default, Serialize)]
pub struct HandlerReport {
    /// Its name.
    pub name: String,
    /// Its guest, as in `python`; `python, isolated` where it runs in processes of its own.
    pub guest: String,
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
    /// Bytes of keys and values that it handled, each item once.
    pub bytes_in: u64,
    /// Bytes of keys and values that it emitted.
    pub bytes_out: u64,
    /// Items that wait for it now, or are being handled.
    pub queued: u64,
    /// The most that did.
    pub peak_queued: u64,
    /// From the put from outside that an item goes back to until it was handled here.
    pub latency: LatencyReport,
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
    /// The workers that it runs on, by their number.
    pub by_worker: Vec<WorkerShare>,
}

/// Seconds, to two digits. Items of one parcel count with the time of the first of them, so that none is too short.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LatencyReport {
    /// Half of the items took no longer.
    pub p50: f64,
    /// 90 % took no longer.
    pub p90: f64,
    /// 99 % took no longer.
    pub p99: f64,
    /// 99.9 % took no longer.
    pub p99_9: f64,
    /// The longest.
    pub max: f64,
}

/// What a handler did on one worker; fields as in [`HandlerReport`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct WorkerShare {
    /// The worker's number.
    pub worker: usize,
    /// Items that it handled.
    pub items: u64,
    /// Upcalls with items.
    pub batches: u64,
    /// Objects that it emitted.
    pub emitted: u64,
    /// Failures.
    pub failed: u64,
    /// Items buried.
    pub buried: u64,
    /// Bytes of keys and values that it handled.
    pub bytes_in: u64,
    /// Bytes of keys and values that it emitted.
    pub bytes_out: u64,
    /// Seconds inside upcalls.
    pub inside_seconds: f64,
}

const NANOS: f64 = 1e9;

pub(crate) fn report(shared: &Shared) -> Report {
    let plan = &shared.plan;
    let pools =
        plan.pools.iter().zip(&shared.pools).map(|(plan, pool)| (plan, pool, pool.puts.load(Relaxed)));
    let shown = pools.filter(|(plan, _, objects)| plan.dead.is_some() || *objects > 0);
    let handlers = plan.handlers.iter().zip(&shared.handlers);
    Report {
        flow: plan.name.clone(),
        seconds: shared.elapsed() as f64 / NANOS,
        workers: plan.workers.len(),
        in_flight_limit: shared.in_flight.limit(),
        peak_in_flight_bytes: shared.in_flight.peak(),
        peak_held_bytes: shared.held().max(shared.memory.peak()),
        stored_bytes: shared.stored(),
        pools: shown.map(|(plan, pool, objects)| of_pool(plan, pool, objects)).collect(),
        handlers: handlers.map(|(handler, state)| summed(handler, state)).collect(),
    }
}

fn of_pool(plan: &PoolPlan, pool: &PoolState, objects: u64) -> PoolReport {
    let stored_bytes = pool.table.as_ref().map_or(0, |table| table.bytes());
    let dead_letters = pool.letters.as_ref().map(|letters| DeadLetterReport {
        kept: letters.kept(),
        bytes: stored_bytes,
        dropped: letters.dropped(),
    });
    PoolReport { path: plan.path.clone(), objects, stored_bytes, dead_letters }
}

fn summed(handler: &HandlerPlan, state: &HandlerState) -> HandlerReport {
    let stats = &state.stats;
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
        name: handler.spec.name.clone(),
        guest: handler.guest.clone(),
        items,
        batches,
        emitted: sum(|s| &s.emitted),
        failed: sum(|s| &s.failed),
        buried: sum(|s| &s.buried),
        bytes_in: sum(|s| &s.bytes_in),
        bytes_out: sum(|s| &s.bytes_out),
        queued: state.queue.now(),
        peak_queued: state.queue.peak.load(Relaxed),
        latency: latency(stats),
        active_seconds: active,
        items_per_second: per(items as f64, active),
        inside_seconds: inside as f64 / NANOS,
        boundary_seconds: crossing as f64 / NANOS,
        boundary_share: per(crossing as f64, inside as f64).min(1.0),
        batch_mean: per(items as f64, batches as f64),
        batch_median_below: median.map_or(0, |bits| 1 << bits),
        batch_sizes: classes.map(|(bits, count)| ((1 << bits) / 2, *count)).collect(),
        by_worker: handler.workers().all().map(|worker| share(worker, &stats[worker])).collect(),
    }
}

fn share(worker: usize, stats: &Stats) -> WorkerShare {
    WorkerShare {
        worker,
        items: stats.items.load(Relaxed),
        batches: stats.batches.load(Relaxed),
        emitted: stats.emitted.load(Relaxed),
        failed: stats.failed.load(Relaxed),
        buried: stats.buried.load(Relaxed),
        bytes_in: stats.bytes_in.load(Relaxed),
        bytes_out: stats.bytes_out.load(Relaxed),
        inside_seconds: stats.inside.load(Relaxed) as f64 / NANOS,
    }
}

fn latency(stats: &[Stats]) -> LatencyReport {
    let Latency(mut all) = Latency::default();
    for stats in stats {
        let one = stats.latency.lock().unwrap_or_else(PoisonError::into_inner);
        // It grows with what is added.
        let _ = all.add(&one.0);
    }
    let at = |quantile: f64| all.value_at_quantile(quantile) as f64 / NANOS;
    let max = all.max() as f64 / NANOS;
    LatencyReport {
        p50: at(0.5).min(max),
        p90: at(0.9).min(max),
        p99: at(0.99).min(max),
        p99_9: at(0.999).min(max),
        max,
    }
}
