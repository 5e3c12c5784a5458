//! How a command ends: its exit code, and on standard error why.

use std::fmt;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use upcall_flow::ConfigError;

/// The flow or a guest failed.
const FAILED: u8 = 1;
/// The command line or the flow's file is wrong.
const USAGE: u8 = 2;

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

/// Prints what went wrong. The code of a command that ended by itself is its outcome.
pub(crate) fn code(outcome: anyhow::Result<u8>) -> ExitCode {
    let error = match outcome {
        Ok(code) => return ExitCode::from(code),
        Err(error) => error,
    };
    if let Some(config) = error.downcast_ref::<ConfigError>() {
        let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        eprintln!("{}", config.render(colours));
        return ExitCode::from(USAGE);
    }
    // Whoever read our output has seen enough.
    let pipe = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    if pipe.into_iter().any(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error:#}");
    ExitCode::from(if error.is::<Usage>() { USAGE } else { FAILED })
}
