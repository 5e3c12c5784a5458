use std::fmt;
use upcall_abi::refusal;

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

impl ErrorKind {
    /// The kind of [`refusal`] that says so: what a guest's table, or a guest's process, answers.
    #[must_use]
    pub fn refusal(self) -> u32 {
        match self {
            ErrorKind::RuntimeMissing | ErrorKind::RuntimeFailed => refusal::RUNTIME_FAILED,
            ErrorKind::FileMissing => refusal::FILE_MISSING,
            ErrorKind::FileInvalid => refusal::FILE_INVALID,
            ErrorKind::HandlerMissing => refusal::HANDLER_MISSING,
            ErrorKind::ConstructorFailed => refusal::CONSTRUCTOR_FAILED,
            ErrorKind::AbiMismatch => refusal::ABI_MISMATCH,
        }
    }

    /// What a number of [`refusal`] says; one that nobody knows, that the runtime failed.
    #[must_use]
    pub fn of_refusal(number: u32) -> ErrorKind {
        match number {
            refusal::FILE_MISSING => ErrorKind::FileMissing,
            refusal::FILE_INVALID => ErrorKind::FileInvalid,
            refusal::HANDLER_MISSING => ErrorKind::HandlerMissing,
            refusal::CONSTRUCTOR_FAILED => ErrorKind::ConstructorFailed,
            refusal::ABI_MISMATCH => ErrorKind::AbiMismatch,
            _ => ErrorKind::RuntimeFailed,
        }
    }
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
