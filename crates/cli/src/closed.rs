//! Whether somebody still reads standard output: `upcall run … | head` ends as a filter does, in good order.
//!
//! Handlers print by their own language's means, and a write that fails in one of them fails its item. So the first
//! write into a closed pipe sends all further ones nowhere, and tells the run.

use crate::signals;
use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGPIPE};
use std::fs::OpenOptions;
use std::os::fd::IntoRawFd;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

static OUTPUT: AtomicBool = AtomicBool::new(false);

/// Whether somebody wrote to standard output when nobody read it any more.
pub(crate) fn output() -> bool {
    OUTPUT.load(SeqCst)
}

/// Whether a message says, as one of our languages does, that a write found nobody reading.
pub(crate) fn is_cause(message: &str) -> bool {
    ["Broken pipe", "BrokenPipeError"].iter().any(|said| message.contains(said))
}

/// Starts to look. To be called when the guests have started, which ignore the signal. A terminal that goes away
/// is heard by its own.
pub(crate) fn listen() -> anyhow::Result<()> {
    // Open for as long as the process lives.
    let nowhere = OpenOptions::new().write(true).open("/dev/null").context("open /dev/null")?.into_raw_fd();
    for signal in [SIGPIPE, SIGHUP].into_iter().filter(|signal| signals::heeded(*signal)) {
        // SAFETY: `redirect` may run in a signal handler: it makes system calls that may, and stores a flag.
        unsafe { signal_hook::low_level::register(signal, move || redirect(nowhere)) }
            .context("listen to SIGPIPE and SIGHUP")?;
    }
    Ok(())
}

/// Lets standard output and standard error lead nowhere where nobody reads them. The signal may as well have come
/// from a pipe or a socket of a handler's.
fn redirect(nowhere: i32) {
    for file in [libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        let mut asked = libc::pollfd { fd: file, events: 0, revents: 0 };
        // SAFETY: one `pollfd`, and no waiting.
        let answered = unsafe { libc::poll(&mut asked, 1, 0) };
        if answered == 1 && asked.revents & (libc::POLLERR | libc::POLLHUP) != 0 {
            // SAFETY: both are open; what is written meanwhile goes to the one or the other.
            unsafe { libc::dup2(nowhere, file) };
            if file == libc::STDOUT_FILENO {
                OUTPUT.store(true, SeqCst);
            }
        }
    }
}
