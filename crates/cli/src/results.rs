//! What a run leaves behind: its dumps, a warning about what was buried, its report.

use crate::arguments::ReportForm;
use crate::dump::Dump;
use crate::exit::Failures;
use crate::{output, report};
use std::sync::{Mutex, PoisonError};
use upcall_flow::{Flow, Report};

/// Written by whoever ends the process, once: a second caller waits for the first and finds nothing to do.
pub(crate) struct Results {
    dumps: Vec<Dump>,
    form: ReportForm,
    state: Mutex<State>,
}

enum State {
    Nothing,
    Dumped(Report),
    Reported,
}

impl Results {
    pub(crate) fn new(dumps: Vec<Dump>, form: ReportForm) -> Results {
        Results { dumps, form, state: Mutex::new(State::Nothing) }
    }

    /// Whether a file was asked for, which is to be whole.
    pub(crate) fn promise_a_file(&self) -> bool {
        self.dumps.iter().any(|dump| !dump.is_printed())
    }

    /// Writes each dump that can be written, whatever has happened to the flow or to another dump, warns of
    /// buried items, and keeps what the report will say.
    pub(crate) fn dump(&self, flow: &Flow, failures: &mut Failures) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Nothing = *state {
            if failures.any() && !self.dumps.is_empty() {
                output::error("warning: the dumps hold only what was handled before the failure");
            }
            for dump in &self.dumps {
                failures.note(dump.write(flow));
            }
            report::warn_of_dead(flow);
            *state = State::Dumped(flow.report());
        }
    }

    /// Writes the report. At an ordinary end the handlers are closed before, as they then print what they still
    /// hold back.
    pub(crate) fn report(&self, failures: &mut Failures) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Dumped(report) = &*state {
            failures.note(report::write(report, self.form));
            *state = State::Reported;
        }
    }
}
