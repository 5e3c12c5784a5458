//! Signals of a program that was there first: what ends it is its own, whatever runtimes start beside it.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Mutex;

/// What CoreCLR takes from whoever came before. Python and Java are started so that they take none.
const SIGNALS: [c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// The libraries whose handlers of these signals are CoreCLR's.
const THEIRS: [&[u8]; 2] = [b"libcoreclr.so", b"libSystem.Native.so"];

/// Starts CoreCLR, and puts back the program's handlers that it has replaced. One that the program itself installs meanwhile,
/// behind CoreCLR, stays; one that CoreCLR replaces within this call cannot be known, and is lost.
pub(crate) fn kept<R>(start: impl FnOnce() -> R) -> R {
    static STARTING: Mutex<()> = Mutex::new(());
    // Of two at once, the second would take for the program's what the first one's runtime has installed.
    let _starting = STARTING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = SIGNALS.map(installed);
    let started = start();
    for (signal, action) in SIGNALS.into_iter().zip(&before) {
        let now = installed(signal);
        if now.sa_sigaction != action.sa_sigaction && is_theirs(now.sa_sigaction) {
            // SAFETY: what was installed for this signal.
            unsafe { libc::sigaction(signal, action, ptr::null_mut()) };
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

/// Whether a handler is a function of CoreCLR's.
fn is_theirs(handler: libc::sighandler_t) -> bool {
    if matches!(handler, libc::SIG_DFL | libc::SIG_IGN) {
        return false;
    }
    let mut about = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: only looks for the library that the address is in, and writes to the place for the answer.
    let about = unsafe {
        if libc::dladdr(handler as *const _, about.as_mut_ptr()) == 0 {
            return false;
        }
        about.assume_init()
    };
    if about.dli_fname.is_null() {
        return false;
    }
    // SAFETY: the name of a library that is loaded, which ends with zero.
    let file = unsafe { CStr::from_ptr(about.dli_fname) }.to_bytes();
    THEIRS.contains(&file.rsplit(|byte| *byte == b'/').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn handler(_: c_int) {}

    #[test]
    fn a_handler_that_the_program_installs_during_a_start_stays() {
        let ours = handler as *const () as libc::sighandler_t;
        // SAFETY: a handler that does nothing, and what was there before it.
        let before = kept(|| unsafe { libc::signal(libc::SIGHUP, ours) });
        let now = installed(libc::SIGHUP).sa_sigaction;
        // SAFETY: as above.
        unsafe { libc::signal(libc::SIGHUP, before) };
        assert_eq!(now, ours);
    }
}
