use std::{fmt, io};

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file could not be opened, mapped, read or written.
    Io,
    /// The bytes do not begin as a file of columns does.
    NotColumns,
    /// A version of the format that this code does not know.
    VersionUnknown,
    /// The file's columns have other names, types or another order.
    SchemaDiffers,
    /// The file ends before its header or its columns do.
    Truncated,
    /// A column is where none may be, as where it overlaps another.
    Misplaced,
    /// The number of rows is not that of the columns.
    RowsDiffer,
    /// The bytes are others than their checksum is of.
    Damaged,
    /// The file is of version 1, which has no checksums to compare.
    NoChecksums,
    /// There are more rows than memory can hold.
    TooManyRows,
}

/// Why something did not work: what was attempted, on what, what was found, what to do.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    source: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), source: None }
    }

    pub(crate) fn io(message: impl Into<String>, source: io::Error) -> Error {
        Error { kind: ErrorKind::Io, message: message.into(), source: Some(source) }
    }

    /// The same, of this file.
    #[cfg(feature = "map")]
    pub(crate) fn of(mut self, path: &std::path::Path) -> Error {
        self.message = format!("{}: {}", path.display(), self.message);
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
