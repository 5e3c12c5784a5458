//! How a command ends: its exit code, and on standard error why.

use crate::output;
use std::fmt;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use upcall_config::ConfigError;

/// The flow or a guest failed.
pub(crate) const FAILED: u8 = 1;
/// The command line or the flow's file is wrong.
const USAGE: u8 = 2;
/// Whoever read our output has gone: what a shell reports of a filter that SIGPIPE has ended.
pub(crate) const CLOSED: u8 = 128 + libc::SIGPIPE as u8;

/// A mistake in what was asked for: nothing was started.
#[derive(Debug)]
pub(crate) struct Usage(String);

/// An error about the command line.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    Usage(message.into()).into()
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The error of a command whose reader another process found gone.
pub(crate) fn closed() -> anyhow::Error {
    io::Error::from(io::ErrorKind::BrokenPipe).into()
}

/// Prints what went wrong. The code of a command that ended by itself is its outcome.
pub(crate) fn code(outcome: anyhow::Result<u8>) -> ExitCode {
    ExitCode::from(outcome.unwrap_or_else(|error| tell(&error)))
}

/// What has gone wrong on the way to an end that is reached all the same. Each failure is told when it is met.
#[derive(Default)]
pub(crate) struct Failures {
    first: Option<u8>,
    closed: bool,
}

impl Failures {
    /// Tells of a failure.
    pub(crate) fn note<T>(&mut self, outcome: anyhow::Result<T>) -> Option<T> {
        let error = match outcome {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        match tell(&error) {
            CLOSED => self.closed = true,
            code => self.first = self.first.or(Some(code)),
        }
        None
    }

    /// Whether something failed that is more than a reader who has gone.
    pub(crate) fn any(&self) -> bool {
        self.first.is_some()
    }

    /// The exit code of a command that these failures, or a signal, have not kept from its end.
    pub(crate) fn code(&self, signal: Option<u8>) -> u8 {
        self.first.or(signal).unwrap_or(if self.closed { CLOSED } else { 0 })
    }
}

/// Prints what went wrong, unless whoever would read it has seen enough. Returns the exit code.
fn tell(error: &anyhow::Error) -> u8 {
    if let Some(config) = error.downcast_ref::<ConfigError>() {
        let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        output::error(config.render(colours));
        return USAGE;
    }
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe) {
        return CLOSED;
    }
    output::error(format!("error: {}", output::escaped(&format!("{error:#}"))));
    if error.is::<Usage>() { USAGE } else { FAILED }
}
