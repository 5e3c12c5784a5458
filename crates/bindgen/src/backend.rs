//! What a back end is to the rest of the crate.
//!
//! A new language is a module with an implementation of [`Backend`] for its options, one field of
//! [`Config`](crate::Config) and one line of [`Config::outputs`](crate::Config::outputs).

use crate::check::Room;
use crate::model::Api;
use crate::step::Outcome;
use crate::{Diagnostics, File};
use std::path::{Path, PathBuf};

/// How a step of a check went; the error is what a tool said.
pub(crate) type Done = Result<Outcome, String>;

/// One back end with the options of a run.
pub(crate) trait Backend {
    /// As messages call it: `C#`.
    fn language(&self) -> &'static str;

    /// Whether a run names a file for it. Otherwise it names a folder.
    fn is_file(&self) -> bool {
        false
    }

    /// Whether what it writes calls the library.
    fn calls(&self) -> bool {
        true
    }

    /// If it has no packers, what to say where there is nothing but packed types.
    fn no_packers(&self) -> Option<&'static str> {
        None
    }

    /// Whether it writes types in a case of its own, and whether functions.
    fn changes_case(&self) -> (bool, bool) {
        (false, false)
    }

    /// The source's names that the user has chosen others for.
    fn chosen_names(&self) -> Vec<&str> {
        Vec::new()
    }

    /// All that it writes. `name` is the last part of the path that the run names.
    fn files(&self, api: &Api, name: &Path, diagnostics: &mut Diagnostics) -> Vec<File>;

    /// Where the library of one of its crates goes. `krate` is the crate's folder among the files, `built` the
    /// library's name. `None`: it is not one of its crates.
    fn glue(&self, _library: &str, _krate: &Path, _built: &str) -> Option<Glue> {
        None
    }

    /// The folder, below that of the output, in which its package looks for libraries.
    fn libraries(&self, _api: &Api) -> PathBuf {
        PathBuf::new()
    }

    /// Compiles what it writes for the user's API with the language's own compiler, as strict as that can be.
    fn compile(&self, room: &Room) -> Done;

    /// Passes every type through the echo library at this path. `None` if it never calls one, or cannot here.
    fn echo(&self, _room: &Room, _library: &Path) -> Option<Done> {
        None
    }
}

/// Where a library of generated glue is looked for.
pub(crate) enum Glue {
    /// Where cargo leaves it.
    InPlace,
    /// Under this name beside the output.
    Beside(String),
}

/// What was compiled, and by what.
pub(crate) fn compiled(by: &str) -> Done {
    Ok(Outcome::Passed(format!("the output compiles ({by})")))
}
