use std::fmt;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The guest's runtime is not on this machine, or too old.
    RuntimeMissing,
    /// The guest's runtime is there but did not start.
    RuntimeFailed,
    /// The handler's file is missing or cannot be read.
    FileMissing,
    /// The file is there but is not what it should be.
    FileInvalid,
    /// The file holds no such handler.
    HandlerMissing,
    /// The handler was built for another number of the boundary.
    AbiMismatch,
    /// The handler's constructor failed.
    ConstructorFailed,
}

/// Why a runtime did not start or a handler was not loaded: what was attempted, on what, what was found, and
/// what to do.
#[derive(Clone, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of a host. For the hosts of this crate and those that others write.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into() }
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
