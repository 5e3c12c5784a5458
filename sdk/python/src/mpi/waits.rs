//! Waiting that hears signals, as Ctrl-C: Python handles them between two looks.

use super::failure::raise;
use super::unlocked;
use crate::ffi;
use crate::py::{Outcome, Raised};
use std::time::{Duration, Instant};
use upcall_mpi::Error;

/// So long nothing is heard.
const DEAF: Duration = Duration::from_millis(50);
/// A clock is looked at once in so many looks.
const LOOKS: u32 = 64;

/// Waits, without the interpreter's lock, until something says that it has ended.
///
/// # Errors
/// What it raises, or what a signal's handler does: then it may be waited for again.
pub fn hearing(mut has_ended: impl FnMut() -> Result<bool, Error>) -> Outcome<()> {
    loop {
        let ended = unlocked(|| {
            let begun = Instant::now();
            loop {
                for _ in 0..LOOKS {
                    if has_ended()? {
                        return Ok(true);
                    }
                    std::thread::yield_now();
                }
                if begun.elapsed() > DEAF {
                    return Ok(false);
                }
            }
        });
        if ended.map_err(raise)? {
            return Ok(());
        }
        // SAFETY: this thread is attached.
        if unsafe { ffi::PyErr_CheckSignals() } != 0 {
            return Err(Raised);
        }
    }
}
