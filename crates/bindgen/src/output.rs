use std::path::PathBuf;

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
}
