//! The names of one scope in a target language, to say which two things would share one.

use crate::Diagnostics;
use crate::model::Place;
use std::collections::HashMap;

/// What is taken so far.
pub(crate) struct Scope {
    language: &'static str,
    help: &'static str,
    taken: HashMap<String, String>,
}

impl Scope {
    /// An empty one. `help` says how two things get different names.
    pub fn new(language: &'static str, help: &'static str) -> Scope {
        Scope { language, help, taken: HashMap::new() }
    }

    /// Notes that `what`, at `place`, is called `name`. False, with an error, where something else is.
    pub fn take(&mut self, name: &str, what: String, place: &Place, diagnostics: &mut Diagnostics) -> bool {
        let Some(other) = self.taken.get(name) else {
            self.taken.insert(name.to_owned(), what);
            return true;
        };
        let message = format!("{what} and {other} would both be `{name}` in {}", self.language);
        diagnostics.error(Some(place), message, self.help);
        false
    }

    /// The same for what the source calls `source`.
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
