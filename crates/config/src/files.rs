//! The files that a flow's file names: whether they are where it says.

use crate::mistake::Mistake;
use std::env::consts::DLL_EXTENSION;
use std::ops::Range;
use std::path::Path;
use upcall_host::{GUESTS, KnownGuest, nearest};

/// Where files are looked for, and which of them.
pub(crate) struct Files<'a> {
    /// The folder that paths are relative to.
    pub(crate) folder: &'a Path,
    /// Whether code has to be there.
    pub(crate) code: bool,
    /// Whether the program that has the flow gives the handlers that name no code.
    pub(crate) given: bool,
    /// Whether the input of a pool has to be there.
    pub(crate) input: &'a dyn Fn(&str) -> bool,
}

impl Files<'_> {
    /// What is wrong with the file of a handler's code, whose path as written is `word`.
    pub(crate) fn code(
        &self,
        handler: &str,
        guest: &KnownGuest,
        word: &str,
        file: &Path,
        span: Range<usize>,
    ) -> Option<Mistake> {
        let extension =
            Path::new(word).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let name = guest.name;
        if let Some(compiled) = guest.file.compiled.filter(|compiled| compiled.sources.contains(&extension)) {
            let message = format!(
                "handler {handler}: {word} is source code, and `{name}` names what it is compiled to"
            );
            return Some(Mistake::new(span, message).help(format!("give the path of {}", compiled.instead)));
        }
        // On Windows a .dll may be either's.
        let own = |guest: &KnownGuest| {
            guest.file.extensions.contains(&extension) || guest.file.library && extension == DLL_EXTENSION
        };
        let of_another = || GUESTS.into_iter().find(|other| other.file.extensions.contains(&extension));
        if let Some(other) = (!own(guest)).then(of_another).flatten() {
            let message =
                format!("handler {handler}: `{name}` names {word}, which is {}", other.file.this_is);
            return Some(Mistake::new(span, message).help(format!("write {} = \"{word}\"", other.name)));
        }
        if guest.file.folder && file.is_dir() {
            return None;
        }
        let missing = self.code.then(|| self.missing(word, file))??;
        let looked = match guest.file.compiled {
            None => looked(file),
            Some(_) => {
                let build = "build it first (`upcall build` in a project of `upcall new`)";
                format!("{build}; {}{}", without(guest), looked(file))
            }
        };
        // What another guest takes is not meant.
        let takes =
            |near: &String| guest.file.extensions.iter().any(|end| near.ends_with(&format!(".{end}")));
        let nearest = missing.nearest.filter(|near| takes(near) && without(guest).is_empty());
        let message = format!("handler {handler}: {}", missing.what);
        Some(Mistake::new(span, message).mean(nearest.as_deref(), looked))
    }

    /// What is wrong with the input of a pool.
    pub(crate) fn input(&self, pool: &str, word: &str, file: &Path, span: Range<usize>) -> Option<Mistake> {
        let missing = (self.input)(pool).then(|| self.missing(word, file))??;
        let message = format!("input for {pool}: {}", missing.what);
        Some(Mistake::new(span, message).mean(missing.nearest.as_deref(), looked(file)))
    }

    /// What is wrong with a path that may be a folder too, named by a key of this section.
    pub(crate) fn path(&self, key: &str, word: &str, file: &Path, span: Range<usize>) -> Option<Mistake> {
        if file.is_dir() {
            return None;
        }
        let missing = self.code.then(|| self.missing(word, file))??;
        let message = format!("`{key}`: {}", missing.what);
        Some(Mistake::new(span, message).mean(missing.nearest.as_deref(), looked(file)))
    }

    fn missing(&self, word: &str, file: &Path) -> Option<Missing> {
        if file.is_dir() {
            return Some(Missing { what: format!("{word} is a folder, not a file"), nearest: None });
        }
        if file.exists() {
            return None;
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = folder.read_dir() else {
            let above = Path::new(word).parent().map(|above| above.display().to_string()).unwrap_or_default();
            let what = format!("there is no file {word}, nor a folder {above}");
            return Some(Missing { what, nearest: None });
        };
        let files = entries.filter_map(|entry| entry.ok().filter(|entry| entry.path().is_file()));
        let names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let near = nearest(name, names.iter().map(String::as_str));
        let nearest = near.map(|near| Path::new(word).with_file_name(near).display().to_string());
        Some(Missing { what: format!("there is no file {word}"), nearest })
    }
}

struct Missing {
    what: String,
    /// A file that is there, written as the missing one is.
    nearest: Option<String>,
}

/// How this program comes to a guest that it was built without, where the command has it on demand.
fn without(guest: &KnownGuest) -> String {
    match guest.on_demand.filter(|_| !guest.is_built_in()) {
        Some(build) => {
            format!("`{build}` builds the `upcall` that runs {} and the examples' files; ", guest.language)
        }
        None => String::new(),
    }
}

fn looked(file: &Path) -> String {
    let absolute = std::path::absolute(file);
    format!("it was looked for at {}", absolute.as_deref().unwrap_or(file).display())
}
