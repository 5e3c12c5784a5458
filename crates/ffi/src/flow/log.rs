//! What the engine and handlers log, on the standard error of a program that asks for it.

use std::io;
use std::sync::Once;
use tracing_subscriber::EnvFilter;

/// Starts the log with the first flow, where `RUST_LOG` says what is shown. Otherwise nothing is: the standard error is the
/// program's own.
pub(super) fn start() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let Ok(filter) = EnvFilter::try_from_default_env() else { return };
        let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(false);
        // Nobody may read the standard error, and a program in Rust may have a log of its own.
        let _ = log.log_internal_errors(false).try_init();
    });
}
