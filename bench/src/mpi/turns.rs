//! Several ways to pass the same messages, in turn: two ranks in lockstep, many short batches, the least of each.
//!
//! `peers/rsmpi` has this file too.

use std::time::{Duration, Instant};

/// What a rank says where it cannot go on.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// Passes the messages of a case so many times.
pub type Batch<'a> = Box<dyn FnMut(u64) -> Result<(), Failed> + 'a>;

/// One way to pass them.
pub struct Way<'a> {
    /// Whose it is.
    pub who: &'static str,
    /// How it does it.
    pub how: &'static str,
    /// The messages.
    pub batch: Batch<'a>,
}

impl<'a> Way<'a> {
    /// A way of somebody's.
    pub fn new(
        who: &'static str,
        how: &'static str,
        batch: impl FnMut(u64) -> Result<(), Failed> + 'a,
    ) -> Way<'a> {
        Way { who, how, batch: Box::new(batch) }
    }
}

/// What one way took.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Whose it is.
    pub who: &'static str,
    /// How it does it.
    pub how: &'static str,
    /// Nanoseconds of one time, in the batch that took the least.
    pub nanos: f64,
    /// The same of the batch in the middle: how busy the machine was.
    pub median: f64,
    /// Nanoseconds more than the first way, by the mean of the least tenth of the batches of each: where both are nearly alike,
    /// their minima differ by luck.
    pub more: f64,
    /// How many batches were timed.
    pub batches: usize,
    /// How many times each passed the messages.
    pub times: u64,
}

/// How a rank is told by rank 0 what comes next.
pub type Told<'a> = &'a dyn Fn(u64) -> Result<u64, Failed>;

/// A batch is as short as a clock allows, so that many of them are interrupted by nothing.
const BATCH: Duration = Duration::from_micros(100);
/// The least that a minimum is taken of.
const LEAST: u64 = 5;

/// Runs the ways in turn for `seconds` each, on all ranks; what it returns counts at rank 0.
///
/// # Errors
/// Those of the ways.
pub fn measure(told: Told<'_>, seconds: f64, ways: &mut [Way<'_>]) -> Result<Vec<Timing>, Failed> {
    let mut found = Vec::with_capacity(ways.len());
    for way in &mut *ways {
        found.push((fitting(told, &mut way.batch)?, Vec::new()));
    }
    let start = Instant::now();
    let budget = Duration::from_secs_f64(seconds * ways.len() as f64);
    let mut round = 0;
    while told(u64::from(round < LEAST || start.elapsed() < budget))? != 0 {
        for place in 0..ways.len() {
            // Each has each place in a round as often: whoever follows one that is slow finds other caches.
            let index = (place + round as usize) % ways.len();
            let (times, batches) = &mut found[index];
            let batch = &mut ways[index].batch;
            // The first time is not counted: the ranks meet in it, and the caches fill.
            batch(1)?;
            let start = Instant::now();
            batch(*times)?;
            batches.push(start.elapsed().as_secs_f64() * 1e9 / *times as f64);
        }
        round += 1;
    }
    for (_, batches) in &mut found {
        batches.sort_by(f64::total_cmp);
    }
    let first = found.first().map_or(0.0, |(_, batches)| least(batches));
    let timing = |(way, (times, batches)): (&Way<'_>, &(u64, Vec<f64>))| Timing {
        who: way.who,
        how: way.how,
        nanos: batches[0],
        more: least(batches) - first,
        batches: batches.len(),
        median: batches[batches.len() / 2],
        times: *times,
    };
    Ok(ways.iter().zip(&found).map(timing).collect())
}

/// The mean of the least tenth.
fn least(sorted: &[f64]) -> f64 {
    let tenth = &sorted[..sorted.len().div_ceil(10)];
    tenth.iter().sum::<f64>() / tenth.len() as f64
}

/// How many times fit a batch, by the least of a few looks, or fewer where others have the machine.
fn fitting(told: Told<'_>, batch: &mut Batch<'_>) -> Result<u64, Failed> {
    const LOOKS: u64 = 20;
    const LONG: Duration = Duration::from_millis(50);
    let (begun, mut looks, mut least) = (Instant::now(), 0, BATCH);
    while told(u64::from(looks < LOOKS && begun.elapsed() < LONG))? != 0 {
        let start = Instant::now();
        batch(2)?;
        least = least.min(start.elapsed() / 2);
        looks += 1;
    }
    told((BATCH.as_nanos() / least.as_nanos().max(1)).clamp(1, 10_000) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_has_its_turn_and_is_compared_with_the_first() {
        let spin = |times: u64, each: Duration| {
            let start = Instant::now();
            while start.elapsed() < each * times as u32 {}
            Ok(())
        };
        let mut ways = [
            Way::new("C", "quick", move |times| spin(times, Duration::from_micros(10))),
            Way::new("Upcall", "slow", move |times| spin(times, Duration::from_micros(30))),
        ];
        let found = measure(&Ok, 0.01, &mut ways).unwrap();
        assert_eq!((found[0].more, found[0].batches), (0.0, found[1].batches));
        assert!(found[0].batches as u64 >= LEAST && found[0].nanos >= 10_000.0, "{found:?}");
        assert!(found[1].nanos >= 30_000.0 && found[1].median >= found[1].nanos, "{found:?}");
        assert!((1..=10).contains(&found[0].times) && found[1].times <= 4, "{found:?}");
    }

    #[test]
    fn a_way_that_fails_ends_it() {
        let mut ways = [Way::new("C", "bytes", |_| Err("no room".into()))];
        assert_eq!(measure(&Ok, 1.0, &mut ways).unwrap_err().to_string(), "no room");
    }
}
