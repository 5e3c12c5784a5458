//! How far a long run is: a bar on a terminal. Elsewhere nothing, until somebody waits for the end of a run that
//! was told to stop.

use crate::{output, report};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// What ends sooner needs no bar.
const LONG: Duration = Duration::from_secs(1);
/// How often a line says how much is left, where there is no bar.
const LINE: Duration = Duration::from_secs(5);

pub(crate) struct Progress {
    /// Bytes of all inputs, when all are files.
    total: Option<u64>,
    terminal: bool,
    started: Instant,
    /// When how far it is was last told in a line, for a run that has no input or was told to stop.
    told: Option<Instant>,
    draining: bool,
}

impl Progress {
    pub(crate) fn new(total: Option<u64>) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress { total, terminal, started: Instant::now(), told: None, draining: false }
    }

    /// How far the input is, from time to time: bytes, and how many `what` they are.
    pub(crate) fn at(&self, bytes: u64, count: u64, what: &str) {
        if let Some(bar) = self.bar() {
            bar.set_position(bytes);
            bar.set_message(format!("{} {what}", report::grouped(count)));
        }
    }

    /// What is done when no more is read, from time to time.
    pub(crate) fn doing(&mut self, message: impl FnOnce() -> String) {
        if let Some(bar) = self.bar() {
            if !self.draining {
                bar.set_style(style("{spinner} {msg}"));
            }
            bar.set_message(message());
            bar.tick();
            self.draining = true;
        }
    }

    /// How many items are left when no more are read, from time to time.
    pub(crate) fn left(&mut self, items: u64) {
        self.goes(|| format!("{} left", report::items(items)));
    }

    /// How far a run without input is, from time to time; without a terminal in a line.
    pub(crate) fn going(&mut self, message: impl Fn() -> String) {
        self.told.get_or_insert(self.started);
        self.goes(message);
    }

    fn goes(&mut self, message: impl Fn() -> String) {
        self.doing(&message);
        if !self.terminal && self.told.is_some_and(|told| told.elapsed() >= LINE) {
            self.told = Some(Instant::now());
            output::error(message());
        }
    }

    /// The run was told to stop.
    pub(crate) fn stopping(&mut self) {
        self.told = Some(Instant::now());
    }

    /// All is handled.
    pub(crate) fn end(&self) {
        clear();
    }

    fn bar(&self) -> Option<&'static ProgressBar> {
        let shown = self.terminal && self.started.elapsed() >= LONG;
        shown.then(|| BAR.get_or_init(|| bar(self.total)))
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let template = match total {
        Some(_) => "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {msg}, {eta} to go",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style(template))
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Takes the bar away.
pub(crate) fn clear() {
    if let Some(bar) = BAR.get() {
        bar.finish_and_clear();
    }
}

/// Writes with the bar out of the way.
pub(crate) fn above<R>(write: impl FnOnce() -> R) -> R {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}
