//! Signals of a program that was there first: what ends it is its own, whatever runtimes start beside it.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Mutex;

/// What CoreCLR takes from whoever came before.
const SIGNALS: [libc::c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// Starts runtimes, and puts the program's handlers of such signals back.
pub fn kept<R>(start: impl FnOnce() -> R) -> R {
    static STARTING: Mutex<()> = Mutex::new(());
    // Of two at once, the second would take for the program's what the first one's runtime has installed.
    let _starting = STARTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = SIGNALS.map(|signal| {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: only asks; zeroes are an action too.
        unsafe {
            libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
            action.assume_init()
        }
    });
    let started = start();
    for (signal, action) in SIGNALS.iter().zip(&before) {
        // SAFETY: what was installed for this signal.
        unsafe { libc::sigaction(*signal, action, ptr::null_mut()) };
    }
    started
}
