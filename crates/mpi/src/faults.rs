//! What the process's runtime does about its faults. A Java or a .NET virtual machine takes them for its own: a null pointer is
//! an exception. UCX, under MPICH, puts functions of its own in their place when it is loaded, which end the process.

use libc::{SIGBUS, SIGFPE, SIGILL, SIGSEGV, c_int, sigaction};
use std::mem::MaybeUninit;

const SIGNALS: [c_int; 4] = [SIGSEGV, SIGBUS, SIGFPE, SIGILL];

/// What there was, put back when this is dropped; where there was nothing, MPI's stays.
pub(crate) struct Kept([Option<sigaction>; 4]);

impl Kept {
    /// What there is, before MPI is loaded.
    pub(crate) fn now() -> Kept {
        Kept(SIGNALS.map(|signal| {
            let mut now = MaybeUninit::<sigaction>::uninit();
            // SAFETY: it is asked, and nothing is changed; it fills what it is given where it returns 0.
            let now = unsafe {
                (sigaction(signal, std::ptr::null(), now.as_mut_ptr()) == 0).then(|| now.assume_init())
            };
            now.filter(|now| now.sa_sigaction != libc::SIG_DFL && now.sa_sigaction != libc::SIG_IGN)
        }))
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        for (signal, kept) in SIGNALS.into_iter().zip(&self.0) {
            let Some(kept) = kept else { continue };
            // SAFETY: it was this process's a moment ago, and its function is still there.
            unsafe { sigaction(signal, kept, std::ptr::null_mut()) };
        }
    }
}
