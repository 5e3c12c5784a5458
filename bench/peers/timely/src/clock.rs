//! The wall clock, and CPU time of all threads of this process.

use std::time::Duration;

pub fn wall() -> Duration {
    now(libc::CLOCK_MONOTONIC)
}

pub fn cpu() -> Duration {
    now(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn now(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a place for one timespec.
    let refused = unsafe { libc::clock_gettime(clock, &mut time) };
    assert!(refused == 0, "both clocks are there on every Linux");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
