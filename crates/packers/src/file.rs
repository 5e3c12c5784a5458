use std::path::PathBuf;

/// What each back end writes into a file's first line.
const MADE: &str = "Made by upcall bindgen; do not edit.";

/// One file that a back end has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the back end's output folder.
    pub path: PathBuf,
    /// Its whole text, formatted, ending in a newline.
    pub text: String,
}

impl File {
    /// A file of this text.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<String>) -> File {
        File { path: path.into(), text: text.into() }
    }

    /// Puts the command into the header, where the back end has only written that the file is generated.
    pub fn say_how_it_was_made(&mut self, command: &str) {
        let Some(start) = self.text.find(MADE) else { return };
        // Must not end a comment, or be an escape in Java.
        let command = command.replace('\\', "/").replace("*/", "* /").replace(['\n', '\r'], " ");
        self.text.replace_range(start..start + MADE.len(), &format!("Made by {command}; do not edit."));
    }
}
