//! Ctrl-C, SIGTERM and SIGHUP: the first stops the input, the second the process.

use anyhow::Context;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::OnceLock;

const STOPPING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// Those that we were started to ignore, as `nohup` does with SIGHUP.
static IGNORED: OnceLock<Vec<i32>> = OnceLock::new();

/// The exit code of a command that a signal has stopped, as shells have it.
pub(crate) fn exit_code(signal: i32) -> u8 {
    128 + signal as u8
}

/// Looks which signals are ignored. To be called before a guest is started, which may change that.
pub(crate) fn look() {
    let ignored = |signal: &i32| {
        // SAFETY: asking for a disposition, into a place for one; all zeroes are one too.
        unsafe {
            let mut now = std::mem::zeroed::<libc::sigaction>();
            libc::sigaction(*signal, std::ptr::null(), &mut now) == 0 && now.sa_sigaction == libc::SIG_IGN
        }
    };
    IGNORED.get_or_init(|| STOPPING.into_iter().filter(ignored).collect());
}

/// Whether a signal counts: we were not started to ignore it.
pub(crate) fn heeded(signal: i32) -> bool {
    !IGNORED.get().is_some_and(|ignored| ignored.contains(&signal))
}

/// Lets the signals do what they did before the guests started: CoreCLR takes SIGTERM from whoever came before, and ends
/// the process by `exit`.
pub(crate) fn restore() {
    for signal in STOPPING {
        let disposition = if heeded(signal) { libc::SIG_DFL } else { libc::SIG_IGN };
        // SAFETY: setting a disposition, to none of ours.
        unsafe { libc::signal(signal, disposition) };
    }
}

/// A process that a handler forks, as Python's `multiprocessing` does, has our dispositions, but no thread that hears of its
/// signals: it would live through every SIGTERM, and who terminates it and waits would wait for ever.
extern "C" fn forked() {
    restore();
}

/// Calls `first` with the first signal, on a thread of its own. To be called when the guests have started, whose handlers
/// would be called behind ours.
pub(crate) fn listen(first: impl Fn(i32) + Send + 'static) -> anyhow::Result<()> {
    restore();
    // SAFETY: `forked` only sets dispositions, which a process may do before it does anything else.
    unsafe { libc::pthread_atfork(None, None, Some(forked)) };
    let mut signals = Signals::new(STOPPING.into_iter().filter(|signal| heeded(*signal)))
        .context("listen to Ctrl-C, SIGTERM and SIGHUP")?;
    std::thread::Builder::new()
        .name("upcall-signals".into())
        .spawn(move || {
            let mut stopping = false;
            for signal in signals.forever() {
                // A terminal that goes away sends SIGHUP, and so may the shell in it: that is one wish, not two.
                if std::mem::replace(&mut stopping, true) && signal != SIGHUP {
                    signal_hook::low_level::exit(exit_code(signal).into());
                }
                first(signal);
            }
        })
        .context("start a thread for signals")?;
    Ok(())
}
