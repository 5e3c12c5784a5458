//! Logs on standard error, above the progress bar where there is one.

mod bounded;

use crate::exit::usage;
use crate::{closed, output, progress};
use bounded::Bounded;
use std::io::{self, IsTerminal, Write};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt;
use tracing_subscriber::fmt::format::debug_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

pub(crate) use bounded::rest;

/// Warnings, and what handlers think worth telling. A module's section of names that cannot be read is no warning: what it is
/// for, a stack with names, says so itself.
const DEFAULT: &str = "warn,upcall::handler=info,wasmtime=error";

/// Starts the log.
pub(crate) fn start(asked: Option<&str>) -> anyhow::Result<()> {
    let from_environment = std::env::var("RUST_LOG").ok();
    let directives = asked.or(from_environment.as_deref()).unwrap_or(DEFAULT);
    let filter = EnvFilter::try_new(directives).map_err(|error| {
        usage(format!(
            "--log {directives}: {error}; give error, warn, info, debug or trace, or TARGET=LEVEL,…"
        ))
    })?;
    // A message may quote anything that a guest has said.
    let fields = debug_fn(|to, field, value| {
        if field.name() != "message" {
            write!(to, "{field}=")?;
        }
        let text = format!("{value:?}");
        to.write_str(&output::escaped(&text))
    });
    let layer = tracing_subscriber::fmt::layer()
        .fmt_fields(fields.delimited(" "))
        .with_writer(|| Line)
        .with_ansi(io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none());
    tracing_subscriber::registry().with(filter).with(Bounded).with(layer).init();
    Ok(())
}

struct Line;

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // That an item could not be printed is no news where nobody reads any more.
        let of_no_use = closed::output() && closed::is_cause(&String::from_utf8_lossy(bytes));
        if !of_no_use {
            // Who logs cannot help it that nobody reads: the subscriber panics when it is told.
            let _ = progress::above(|| io::stderr().write_all(bytes));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
