//! Callbacks that are called where they cannot be: the native call that returns next throws it.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Whether that has happened since it was thrown last.
pub struct Misuse(AtomicBool);

impl Misuse {
    /// It has not.
    #[must_use]
    pub const fn new() -> Misuse {
        Misuse(AtomicBool::new(false))
    }

    /// It has. The message is printed, once until it is thrown: perhaps no native call returns any more.
    #[cold]
    pub fn note(&self, message: &str) {
        if !self.0.swap(true, Relaxed) {
            say(message);
        }
    }

    /// Whether it has.
    #[inline(always)]
    pub fn noted(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Whether it has; from now on it has not. Asked after every call with callbacks: a swap alone would take 6 ns.
    #[inline]
    pub fn take(&self) -> bool {
        self.noted() && self.0.swap(false, Relaxed)
    }
}

impl Default for Misuse {
    fn default() -> Misuse {
        Misuse::new()
    }
}

/// Prints a line. If it cannot be printed, the program must not end.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}
