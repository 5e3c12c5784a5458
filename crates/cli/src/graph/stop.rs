//! Whether a signal wants the command to stop.

use crate::signals;
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

/// The exit code of a command that one has stopped before it had ended.
pub(super) fn code() -> u8 {
    signals::exit_code(SIGNAL.load(SeqCst))
}
