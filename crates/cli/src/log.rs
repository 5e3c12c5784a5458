//! Logs on standard error, above the progress bar where there is one.

use crate::exit::usage;
use crate::progress;
use std::io::{self, IsTerminal, Write};
use tracing_subscriber::EnvFilter;

/// Warnings, and what handlers think worth telling.
const DEFAULT: &str = "warn,upcall::handler=info";

/// Starts the log.
pub(crate) fn start(asked: Option<&str>) -> anyhow::Result<()> {
    let from_environment = std::env::var("RUST_LOG").ok();
    let directives = asked.or(from_environment.as_deref()).unwrap_or(DEFAULT);
    let filter = EnvFilter::try_new(directives).map_err(|error| {
        usage(format!(
            "--log {directives}: {error}; give error, warn, info, debug or trace, or TARGET=LEVEL,…"
        ))
    })?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| Line)
        .with_ansi(io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
        .init();
    Ok(())
}

struct Line;

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Who logs cannot help it that nobody reads: the subscriber panics when it is told.
        let _ = progress::above(|| io::stderr().write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
