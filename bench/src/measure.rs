//! Clocks and minima.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What measures the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The wall clock.
    Wall,
    /// CPU time of the calling thread.
    Thread,
    /// CPU time of all threads of this process.
    Process,
}

impl Clock {
    /// The time since some point in the past.
    pub fn now(self) -> Duration {
        let clock = match self {
            Clock::Wall => libc::CLOCK_MONOTONIC,
            Clock::Thread => libc::CLOCK_THREAD_CPUTIME_ID,
            Clock::Process => libc::CLOCK_PROCESS_CPUTIME_ID,
        };
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is a place for one timespec.
        let refused = unsafe { libc::clock_gettime(clock, &mut time) };
        assert!(refused == 0, "the three clocks are there on every Linux since 2.6.12");
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
}

/// CPU time of the processes that this one has started and that have ended.
fn of_children() -> Duration {
    // SAFETY: a place for one of them, of which all zeroes are one.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        let refused = libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        assert!(refused == 0, "every Unix knows them");
        usage
    };
    let time = |time: libc::timeval| Duration::new(time.tv_sec as u64, 1000 * time.tv_usec as u32);
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// What one run took, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// On the wall.
    pub wall_seconds: f64,
    /// On all CPUs together.
    pub cpu_seconds: f64,
}

impl Sample {
    /// Wall time, and CPU time of this process and those that it has started and seen end, of `body`.
    pub fn of<T>(body: impl FnOnce() -> T) -> (Sample, T) {
        let all = || Clock::Process.now() + of_children();
        let (wall, cpu) = (Clock::Wall.now(), all());
        let value = body();
        let sample = Sample {
            wall_seconds: (Clock::Wall.now() - wall).as_secs_f64(),
            cpu_seconds: (all() - cpu).as_secs_f64(),
        };
        (sample, value)
    }

    /// The least wall time and the least CPU time, each by itself; zero of no samples.
    pub fn minimum(samples: &[Sample]) -> Sample {
        let least = |of: fn(&Sample) -> f64| samples.iter().map(of).reduce(f64::min).unwrap_or(0.0);
        Sample { wall_seconds: least(|s| s.wall_seconds), cpu_seconds: least(|s| s.cpu_seconds) }
    }
}

/// Nanoseconds per call: `body` is called with 0 to `batch` - 1 between two looks at the clock, `runs` times
/// (and once before, to warm up); the least mean counts.
///
/// For a batch of items in one call, divide by the items. For a first call use `runs` of 1 after a process
/// start of its own: nothing here is cold twice.
pub fn nanos_per_call(clock: Clock, runs: usize, batch: usize, mut body: impl FnMut(usize)) -> f64 {
    let mut least = f64::INFINITY;
    for run in 0..=runs {
        let start = clock.now();
        for index in 0..batch {
            body(index);
        }
        let mean = (clock.now() - start).as_secs_f64() * 1e9 / batch as f64;
        if run > 0 {
            least = least.min(mean);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clock_goes_forward_with_work() {
        for clock in [Clock::Wall, Clock::Thread, Clock::Process] {
            let start = clock.now();
            let mut sum = 0u64;
            while clock.now() == start {
                sum = std::hint::black_box(sum + 1);
            }
            assert!(clock.now() > start, "{clock:?}");
        }
    }

    #[test]
    fn cpu_time_does_not_pass_in_sleep() {
        let (sample, ()) = Sample::of(|| std::thread::sleep(Duration::from_millis(50)));
        assert!(sample.wall_seconds >= 0.05);
        let (wall, cpu) = (Clock::Wall.now(), Clock::Thread.now());
        std::thread::sleep(Duration::from_millis(50));
        assert!(Clock::Wall.now() - wall > Clock::Thread.now() - cpu);
    }

    #[test]
    fn the_minimum_takes_wall_and_cpu_from_different_runs() {
        let sample = |wall_seconds, cpu_seconds| Sample { wall_seconds, cpu_seconds };
        assert_eq!(Sample::minimum(&[sample(1.0, 4.0), sample(2.0, 3.0)]), sample(1.0, 3.0));
        assert_eq!(Sample::minimum(&[]), sample(0.0, 0.0));
    }

    #[test]
    fn a_batch_is_called_once_more_than_it_is_measured() {
        let mut calls = 0;
        nanos_per_call(Clock::Thread, 3, 10, |index| calls += usize::from(index < 10));
        assert_eq!(calls, 40);
    }
}
