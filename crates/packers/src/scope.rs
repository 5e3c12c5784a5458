//! The names of one scope in a target language, to report two things that would share one.

use crate::plan::Place;
use std::collections::HashMap;

/// Who hears what cannot be written.
pub trait Report {
    /// An error, because of which nothing is written.
    fn error(&mut self, place: &Place, message: String, help: &str);

    /// Something that is left out: an error too, unless the user allows it.
    fn unsupported(&mut self, place: &Place, message: String, help: &str);
}

/// The names taken so far.
pub struct Scope {
    language: &'static str,
    help: &'static str,
    taken: HashMap<String, String>,
}

impl Scope {
    /// An empty one. `help` says how to tell two things apart.
    #[must_use]
    pub fn new(language: &'static str, help: &'static str) -> Scope {
        Scope { language, help, taken: HashMap::new() }
    }

    /// Whether something is called `name`.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.taken.contains_key(name)
    }

    /// Records that `what`, at `place`, is called `name`. False, with an error, if something else is.
    pub fn take(&mut self, name: &str, what: String, place: &Place, report: &mut dyn Report) -> bool {
        let Some(other) = self.taken.get(name) else {
            self.taken.insert(name.to_owned(), what);
            return true;
        };
        let message = format!("{what} and {other} would both be `{name}` in {}", self.language);
        report.error(place, message, self.help);
        false
    }

    /// The same for an item that the source calls `source`.
    pub fn declare(&mut self, name: &str, source: &str, place: &Place, report: &mut dyn Report) -> bool {
        self.take(name, format!("`{source}`"), place, report)
    }
}
