//! The names of one scope in a target language, to report two things that would share one.

use crate::Diagnostics;
use crate::model::Place;
use std::collections::HashMap;

/// The names taken so far.
pub(crate) struct Scope {
    language: &'static str,
    help: &'static str,
    taken: HashMap<String, String>,
}

impl Scope {
    /// An empty one. `help` says how to tell two things apart.
    pub fn new(language: &'static str, help: &'static str) -> Scope {
        Scope { language, help, taken: HashMap::new() }
    }

    /// Records that `what`, at `place`, is called `name`. False, with an error, if something else is.
    pub fn take(&mut self, name: &str, what: String, place: &Place, diagnostics: &mut Diagnostics) -> bool {
        let Some(other) = self.taken.get(name) else {
            self.taken.insert(name.to_owned(), what);
            return true;
        };
        let message = format!("{what} and {other} would both be `{name}` in {}", self.language);
        diagnostics.error(Some(place), message, self.help);
        false
    }

    /// The same for an item that the source calls `source`.
    pub fn declare(
        &mut self,
        name: &str,
        source: &str,
        place: &Place,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        self.take(name, format!("`{source}`"), place, diagnostics)
    }
}
