//! Nanoseconds of this thread's CPU per call: the least mean of some windows.

use std::time::Duration;

/// How long a window is at least.
const WINDOW: Duration = Duration::from_micros(40);
/// How long it is measured.
const TOTAL: Duration = Duration::from_millis(400);

/// The least mean of many windows.
pub fn nanos(mut body: impl FnMut()) -> f64 {
    let mut calls = 1;
    while time(calls, &mut body) < WINDOW {
        calls *= 2;
    }
    let mut least = f64::INFINITY;
    let end = now() + TOTAL;
    while now() < end {
        least = least.min(time(calls, &mut body).as_secs_f64() * 1e9 / calls as f64);
    }
    least
}

fn time(calls: u32, body: &mut impl FnMut()) -> Duration {
    let start = now();
    (0..calls).for_each(|_| body());
    now() - start
}

fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a place for one timespec.
    let refused = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert!(refused == 0, "the clock is there on every Linux");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
