use std::path::Path;
use std::{fmt, io};

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be opened, read or written.
    Io,
    /// The disk is full.
    NoSpace,
    /// A list of edges has something else in it; the message has its line or its byte.
    Input,
    /// A file is no graph, or not all of it, or is damaged.
    Format,
    /// It has more vertices or edges than can be counted, or more than there is memory for.
    TooLarge,
    /// What was asked for does not go with this graph, or with itself.
    Usage,
    /// The program that ran over the graph failed.
    Program,
    /// Somebody has asked for it to stop.
    Interrupted,
}

/// Why something did not work: what was attempted, on what, what was found, what to do.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    /// For callbacks, as [`Options::change`](crate::Options::change): why the run cannot go on, which ends with it. It is of the kind
    /// [`Program`](ErrorKind::Program).
    #[must_use]
    pub fn program(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Program, message)
    }

    /// For callbacks, as [`Options::resume`](crate::Options::resume): why what was asked for is refused. It is of the kind
    /// [`Usage`](ErrorKind::Usage), and the run ends with it.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, message)
    }

    /// Of a file that could not be read or written: `what` was attempted.
    #[cold]
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Error {
        let kind = if is_full(error) { ErrorKind::NoSpace } else { ErrorKind::Io };
        Error::new(kind, format!("{what} {}: {error}", path.display()))
    }

    /// The same, with what can be done about it.
    #[cold]
    pub(crate) fn hint(mut self, way_out: &str) -> Error {
        self.message += "; ";
        self.message += way_out;
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

/// Whether the disk, or a limit on its use, is what failed.
fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<upcall_soa::Error> for Error {
    fn from(error: upcall_soa::Error) -> Error {
        use std::error::Error as _;
        let full = error.source().and_then(|source| source.downcast_ref()).is_some_and(is_full);
        let kind = match error.kind() {
            upcall_soa::ErrorKind::Io if full => ErrorKind::NoSpace,
            upcall_soa::ErrorKind::Io => ErrorKind::Io,
            _ => ErrorKind::Format,
        };
        let error = Error::new(kind, error.to_string());
        if full { error.hint("make room in its folder, or write it to another") } else { error }
    }
}
