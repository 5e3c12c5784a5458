use rustix::fs::Timespec;
use rustix::io::Errno;
use rustix::thread::futex::{self, Flags};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

pub(crate) fn wake(word: &AtomicU32) {
    // It fails for no address that is mapped.
    let _ = futex::wake(word, Flags::empty(), ALL);
}

/// As many as may sleep: the kernel takes it for signed.
const ALL: u32 = i32::MAX as u32;

pub(crate) fn sleep(word: &AtomicU32, seen: u32, left: Option<Duration>) {
    let left = left.map(|left| Timespec {
        tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: left.subsec_nanos().into(),
    });
    match futex::wait(word, Flags::empty(), seen, left.as_ref()) {
        Ok(()) | Err(Errno::AGAIN | Errno::INTR | Errno::TIMEDOUT) => {}
        // A system that has no such call lets the other side run.
        Err(_) => std::thread::sleep(Duration::from_micros(50)),
    }
}
