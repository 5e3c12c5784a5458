//! What is the program's own, whatever is loaded into it: its handlers of signals, and its environment.

use std::ffi::{c_char, c_int};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Mutex;

/// Calls what may replace the program's handlers of signals, as a runtime does that is started, and puts back those that
/// `is_replaced` says of: it is given what was there before and what is there now, as addresses, where these differ. What is
/// replaced and replaced again within the call cannot be known, and is lost.
pub fn keeps_handlers<R>(
    signals: &[c_int],
    is_replaced: impl Fn(usize, usize) -> bool,
    start: impl FnOnce() -> R,
) -> R {
    static STARTING: Mutex<()> = Mutex::new(());
    // Of two at once, the second would take for the program's what the first one's runtime has installed.
    let _starting = STARTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before: Vec<_> = signals.iter().map(|signal| (*signal, installed(*signal))).collect();
    let started = start();
    for (signal, action) in before {
        let now = installed(signal).sa_sigaction;
        if now != action.sa_sigaction && is_replaced(action.sa_sigaction, now) {
            // SAFETY: what was installed for this signal.
            unsafe { libc::sigaction(signal, &action, ptr::null_mut()) };
        }
    }
    started
}

fn installed(signal: c_int) -> libc::sigaction {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: only asks; zeroes are an action too.
    unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

/// Where the program has its environment, as C's `environ`; null where it has none.
///
/// The library that we are part of may have been opened so that it prefers its own symbols, as Node's addons open one. Then the
/// `environ` that Rust reads and writes is libc's, which is empty, and the one that libc's exec reads is the program's.
#[must_use]
pub fn environ() -> *mut *const *const c_char {
    // SAFETY: null is the program, in which a name is looked for, and then in its libraries.
    unsafe {
        let program = libc::dlopen(ptr::null(), libc::RTLD_NOW);
        if program.is_null() {
            return ptr::null_mut();
        }
        libc::dlsym(program, c"environ".as_ptr()).cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn handler(_: c_int) {}

    #[test]
    fn handlers_are_put_back_where_they_were_replaced() {
        let ours = handler as *const () as libc::sighandler_t;
        for (replaced, stays) in [(false, true), (true, false)] {
            // SAFETY: a handler that does nothing, and what was there before it.
            let before = keeps_handlers(
                &[libc::SIGHUP],
                |_, now| replaced && now == ours,
                || unsafe { libc::signal(libc::SIGHUP, ours) },
            );
            let now = installed(libc::SIGHUP).sa_sigaction;
            // SAFETY: as above.
            unsafe { libc::signal(libc::SIGHUP, before) };
            assert_eq!(now == ours, stays);
        }
    }
}
