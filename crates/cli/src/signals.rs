//! Ctrl-C and SIGTERM: the first stops the input, the second the process.

use anyhow::Context;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The exit code of a command that a signal has stopped, as shells have it.
pub(crate) fn exit_code(signal: i32) -> u8 {
    128 + signal as u8
}

/// Calls `first` with the first signal, on a thread of its own. To be called when the guests have started:
/// CoreCLR takes SIGTERM from whoever came before.
pub(crate) fn listen(first: impl Fn(i32) + Send + 'static) -> anyhow::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // SAFETY: setting a disposition. What a guest has left there would be called after our handler and
        // end the process: CoreCLR's does.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("listen to Ctrl-C and SIGTERM")?;
    std::thread::Builder::new()
        .name("upcall-signals".into())
        .spawn(move || {
            let mut stopping = false;
            for signal in signals.forever() {
                if std::mem::replace(&mut stopping, true) {
                    signal_hook::low_level::exit(exit_code(signal).into());
                }
                first(signal);
            }
        })
        .context("start a thread for signals")?;
    Ok(())
}
