//! Signals of a program that was there first: what ends it is its own, whatever runtimes start beside it.

use crate::program::keeps_handlers;
use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

/// What CoreCLR takes from whoever came before. Python and Java are started so that they take none.
const SIGNALS: [c_int; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

/// The libraries whose handlers of these signals are CoreCLR's.
const THEIRS: [&[u8]; 2] = [b"libcoreclr.so", b"libSystem.Native.so"];

/// Starts CoreCLR, and puts back the program's handlers that it has replaced. One that the program itself installs meanwhile,
/// behind CoreCLR, stays.
pub(super) fn kept<R>(start: impl FnOnce() -> R) -> R {
    keeps_handlers(&SIGNALS, |_, now| is_theirs(now), start)
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
        // SAFETY: as above.
        let now = unsafe { libc::signal(libc::SIGHUP, before) };
        assert_eq!(now, ours);
    }
}
