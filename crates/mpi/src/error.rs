use std::fmt;

/// What kind of failure an [`Error`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// There is no MPI, or no compiler of its own to make the shim with.
    Missing,
    /// The MPI cannot be loaded or started.
    Load,
    /// MPI was started before in this process, or has been finalized.
    Lifecycle,
    /// A call that the thread level, or the shape of what it was given, does not allow.
    Usage,
    /// There is no such rank in the communicator.
    Rank,
    /// A tag that is negative or too large.
    Tag,
    /// A message was larger than the room for it.
    Truncated,
    /// What has arrived is of another size or form than what was asked for.
    Type,
    /// The buffer of buffered sends is full, or there is none.
    Buffer,
    /// More elements than the MPI can count.
    Count,
    /// An operation panicked or failed.
    Operation,
    /// A process has died.
    ProcessFailed,
    /// The communicator was revoked, by this process or another.
    Revoked,
    /// A process could not be started.
    Spawn,
    /// There is no such port or service, or nobody answers there.
    Port,
    /// The MPI in use does not have it: it is of an older standard, or was built without.
    Unsupported,
    /// MPI's own words say what.
    Mpi,
    /// A place outside another rank's memory, or outside a file's view.
    Range,
    /// A call on a window that is not allowed now: another epoch is open, or none is.
    Synchronization,
    /// There is no such file.
    NotFound,
    /// There is a file of that name already.
    Exists,
    /// The file may not be accessed so: its permissions, or those that it was opened with.
    Access,
    /// The disk is full, or a limit on its use is reached.
    NoSpace,
    /// The file system, or a file, could not be read or written.
    Io,
}

/// Why a call failed: what was attempted, with whom, and MPI's own words.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Inner { kind, message: message.into() }))
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// The class of an error, as the header numbers it.
pub(crate) fn kind_of(class: u32) -> ErrorKind {
    match class {
        2 => ErrorKind::Count,
        3 => ErrorKind::Type,
        4 => ErrorKind::Tag,
        6 | 8 => ErrorKind::Rank,
        14 => ErrorKind::Truncated,
        19 => ErrorKind::ProcessFailed,
        20 => ErrorKind::Revoked,
        21 => ErrorKind::Spawn,
        22 => ErrorKind::Port,
        24 => ErrorKind::Synchronization,
        25 => ErrorKind::Range,
        28 => ErrorKind::NotFound,
        29 => ErrorKind::Exists,
        33 | 34 => ErrorKind::Access,
        35 | 36 => ErrorKind::NoSpace,
        27 | 30 | 31 | 37 => ErrorKind::Io,
        38 => ErrorKind::Unsupported,
        _ => ErrorKind::Mpi,
    }
}
