use crate::model::Place;
use std::fmt;
use upcall_packers::Report;

/// An error in an input, or what was left out of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether generation may go on.
    pub severity: Severity,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// What was attempted, on what, and what was found; lower case, no full stop.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// How many items of the API are missing because of it.
    pub left_out: usize,
}

/// Whether generation may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something was left out and is listed, or is there under another name.
    Warning,
    /// Nothing is written.
    Error,
}

/// Gathers diagnostics over a whole run, so that the user sees all of them at once.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// The diagnostics, in order.
    pub list: Vec<Diagnostic>,
    /// Whether what cannot cross is left out with a warning instead of an error (`--skip-unsupported`).
    pub skip_unsupported: bool,
}

impl Diagnostics {
    /// Reports an error, with its place if it has one.
    pub fn error(&mut self, place: Option<&Place>, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, place, message.into(), help.into(), 0);
    }

    /// Reports that something was left out.
    pub fn warning(&mut self, place: Option<&Place>, message: impl Into<String>, help: impl Into<String>) {
        self.leaves_out(1, place, message, help);
    }

    /// Reports that this many items were left out; 0 if something is only otherwise than one may think.
    pub fn leaves_out(
        &mut self,
        count: usize,
        place: Option<&Place>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Severity::Warning, place, message.into(), help.into(), count);
    }

    /// Reports something that cannot cross: an error, or with `skip_unsupported` a warning. The caller leaves it
    /// out in both cases.
    pub fn unsupported(&mut self, place: &Place, message: impl Into<String>, help: impl Into<String>) {
        let severity = if self.skip_unsupported { Severity::Warning } else { Severity::Error };
        self.push(severity, Some(place), message.into(), help.into(), 1);
    }

    /// An empty list with the same settings.
    #[must_use]
    pub(crate) fn another(&self) -> Diagnostics {
        Diagnostics { skip_unsupported: self.skip_unsupported, ..Diagnostics::default() }
    }

    /// How many items were left out.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.list.iter().map(|diagnostic| diagnostic.left_out).sum()
    }

    /// Whether any error forbids writing.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    fn push(
        &mut self,
        severity: Severity,
        place: Option<&Place>,
        message: String,
        help: String,
        left_out: usize,
    ) {
        let help = (!help.is_empty()).then_some(help);
        self.list.push(Diagnostic { severity, place: place.cloned(), message, help, left_out });
    }
}

impl Report for Diagnostics {
    fn error(&mut self, place: &Place, message: String, help: &str) {
        Diagnostics::error(self, Some(place), message, help);
    }

    fn unsupported(&mut self, place: &Place, message: String, help: &str) {
        Diagnostics::unsupported(self, place, message, help);
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}:{}: ", place.file.display(), place.line, place.column)?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}
