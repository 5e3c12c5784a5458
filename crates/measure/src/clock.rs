use std::time::{Duration, Instant};

/// How long one number is measured.
const BUDGET: Duration = Duration::from_millis(40);
/// The time between two looks at the clock: far more than the clock costs, far less than the
/// time after which a thread loses its core.
const WINDOW: Duration = Duration::from_micros(40);

/// Nanoseconds per call, the least mean of all windows: whatever else runs on the machine only adds.
pub fn nanos(mut call: impl FnMut()) -> f64 {
    let started = Instant::now();
    let (mut calls, mut least) = (1u32, f64::INFINITY);
    let mut windows = 0;
    while windows < 10 || started.elapsed() < BUDGET {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        let took = start.elapsed();
        if took < WINDOW / 2 && calls < 1 << 20 {
            calls *= 2;
            least = f64::INFINITY;
            continue;
        }
        least = least.min(took.as_secs_f64() * 1e9 / f64::from(calls));
        windows += 1;
    }
    least
}
