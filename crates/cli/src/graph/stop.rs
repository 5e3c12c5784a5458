//! Whether a signal wants the command to stop.

use crate::{output, signals};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::SeqCst};

/// Set when one came.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Listens to the signals that stop a command.
pub(super) fn listen() -> anyhow::Result<()> {
    signals::listen(|signal| {
        SIGNAL.store(signal, SeqCst);
        STOP.store(true, SeqCst);
    })
}

/// Whether one came.
pub(super) fn wanted() -> bool {
    STOP.load(SeqCst)
}

/// The exit code of the command that was stopped before it had ended.
pub(super) fn stopped(left: &str) -> u8 {
    output::error(format!("stopped: {left}"));
    signals::exit_code(SIGNAL.load(SeqCst))
}
