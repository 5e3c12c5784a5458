use std::fmt;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The flow's description is wrong.
    Invalid,
    /// A handler or its runtime could not be loaded or opened.
    Load,
    /// No pool with this path.
    NoPool,
    /// A key that is not UTF-8.
    BadKey,
    /// A value that the pool's type does not allow, or that is 4 GiB or larger.
    BadValue,
    /// A put into a dead pool, which only the flow itself fills.
    DeadPool,
    /// The pool stores nothing.
    StoresNothing,
    /// The version or time asked for was dropped: the pool keeps fewer versions.
    Compacted,
    /// `put_if` found another version than was expected.
    Conflict,
    /// There is no credit now ([`crate::PoolHandle::try_put`]).
    WouldBlock,
    /// A blocking call from inside a handler of the same flow.
    InHandler,
    /// More in flight than the flow's `memory`.
    OutOfMemory,
    /// A handler failed when it was told that its input has ended.
    Flush,
    /// The flow has been stopped.
    Stopped,
    /// A thread of the flow died.
    Internal,
}

/// Why something did not work: what was attempted, on what, what was found, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
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
