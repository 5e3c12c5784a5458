//! A bar on a terminal while a long input is read; nothing anywhere else.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::Duration;

static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// An input that is read sooner needs no bar.
const LONG: Duration = Duration::from_secs(1);

pub(crate) struct Progress {
    /// Bytes of all inputs, when all are files.
    total: Option<u64>,
    shown: bool,
}

impl Progress {
    pub(crate) fn new(total: Option<u64>) -> Progress {
        Progress { total, shown: std::io::stderr().is_terminal() }
    }

    /// How far the input is, from time to time.
    pub(crate) fn at(&self, bytes: u64, lines: u64, since: Duration) {
        if !self.shown || since < LONG {
            return;
        }
        let bar = BAR.get_or_init(|| bar(self.total));
        bar.set_position(bytes);
        bar.set_message(format!("{lines} lines"));
    }

    /// The input has ended.
    pub(crate) fn end(&self) {
        if let Some(bar) = BAR.get() {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {msg}, {eta} to go",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.with_style(style)
}

/// Writes with the bar out of the way.
pub(crate) fn above<R>(write: impl FnOnce() -> R) -> R {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
