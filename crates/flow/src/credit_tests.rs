//! The credit's pace, on a clock of the tests' own. Apart from `credit`, which loom compiles for itself.

use crate::credit::InFlight;
use crate::spec::Credit;

const MILLI: u64 = 1_000_000;
const TARGET: u64 = 50 * MILLI;

/// One worker that takes `nanos` for an item, 16 at a time, while somebody puts as much as may be. Returns how
/// much may be in flight at last.
fn after(in_flight: &InFlight, nanos: u64, batches: usize, now: &mut u64) -> u64 {
    let mut queue = std::collections::VecDeque::new();
    for _ in 0..batches {
        while in_flight.open() {
            in_flight.add(1, 1);
            queue.push_back(*now);
        }
        let batch: Vec<u64> = queue.drain(..queue.len().min(16)).collect();
        let begun = *now;
        *now += nanos * batch.len() as u64;
        in_flight.waited(batch[0], begun, *now, |_| true);
        in_flight.sub(batch.len() as u64, batch.len() as u64);
    }
    in_flight.sub(queue.len() as u64, queue.len() as u64);
    in_flight.limit()
}

#[test]
fn what_may_be_in_flight_follows_the_pace_of_the_handlers() {
    let (in_flight, mut now) = (InFlight::new(Credit::default(), TARGET, 1), 1);
    assert_eq!(after(&in_flight, 100, 20_000, &mut now), 65_536, "quick handlers have it all");
    let slow = after(&in_flight, MILLI, 5000, &mut now);
    assert!((16..=50).contains(&slow), "50 objects take 50 ms, {slow} may be in flight");
    let quicker = after(&in_flight, 10_000, 20_000, &mut now);
    assert!((1000..=5000).contains(&quicker), "5000 objects take 50 ms, {quicker} may be in flight");
}

#[test]
fn a_few_objects_for_each_worker_may_always_be_in_flight() {
    let (in_flight, mut now) = (InFlight::new(Credit::default(), TARGET, 4), 1);
    assert_eq!(after(&in_flight, 1000 * MILLI, 100, &mut now), 32);
    let (in_flight, mut now) = (InFlight::new(Credit { items: 3, bytes: 99 }, TARGET, 4), 1);
    assert_eq!(after(&in_flight, 1000 * MILLI, 100, &mut now), 3, "never more than the credit");
}

#[test]
fn without_a_target_the_credit_is_what_may_be_in_flight() {
    let (in_flight, mut now) = (InFlight::new(Credit { items: 5000, bytes: 9999 }, 0, 4), 1);
    assert_eq!(after(&in_flight, 1000 * MILLI, 100, &mut now), 5000);
}
