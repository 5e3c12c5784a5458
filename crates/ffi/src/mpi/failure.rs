use std::fmt;
use upcall::Code;
use upcall_mpi::ErrorKind;

/// There is no MPI, or no compiler of its own.
pub const UPCALL_MPI_MISSING: i32 = 40;
/// The MPI cannot be loaded or started.
pub const UPCALL_MPI_LOAD: i32 = 41;
/// MPI was started before in this process, or has been finalized.
pub const UPCALL_MPI_LIFECYCLE: i32 = 42;
/// A call that the thread level, or the shape of what it was given, does not allow.
pub const UPCALL_MPI_USAGE: i32 = 43;
/// There is no such rank in the communicator.
pub const UPCALL_MPI_RANK: i32 = 44;
/// A tag that is negative or too large.
pub const UPCALL_MPI_TAG: i32 = 45;
/// A message was larger than the room for it.
pub const UPCALL_MPI_TRUNCATED: i32 = 46;
/// What has arrived is of another size or form than what was asked for.
pub const UPCALL_MPI_TYPE: i32 = 47;
/// More elements than the MPI can count.
pub const UPCALL_MPI_COUNT: i32 = 48;
/// An operation failed.
pub const UPCALL_MPI_OPERATION: i32 = 49;
/// A process has died.
pub const UPCALL_MPI_PROCESS_FAILED: i32 = 50;
/// The MPI in use does not have it.
pub const UPCALL_MPI_UNSUPPORTED: i32 = 51;
/// MPI's own words say what.
pub const UPCALL_MPI_OTHER: i32 = 52;
/// There is no room for a buffered send.
pub const UPCALL_MPI_BUFFER: i32 = 58;
/// A place outside of a window or file.
pub const UPCALL_MPI_RANGE: i32 = 60;
/// A call outside of an epoch, or in the wrong one.
pub const UPCALL_MPI_SYNCHRONIZATION: i32 = 61;
/// There is no such file.
pub const UPCALL_MPI_NOT_FOUND: i32 = 62;
/// There is such a file already.
pub const UPCALL_MPI_EXISTS: i32 = 63;
/// A file may not be read or written so.
pub const UPCALL_MPI_ACCESS: i32 = 64;
/// The disk is full.
pub const UPCALL_MPI_NO_SPACE: i32 = 65;
/// A file could not be read or written.
pub const UPCALL_MPI_IO: i32 = 66;
/// The communicator was revoked.
pub const UPCALL_MPI_REVOKED: i32 = 70;
/// A process could not be started.
pub const UPCALL_MPI_SPAWN: i32 = 71;
/// There is no such port or service.
pub const UPCALL_MPI_PORT: i32 = 72;

/// Why MPI did not do what it was asked.
#[derive(Clone, Debug)]
pub struct MpiFailure {
    code: i32,
    message: String,
}

impl MpiFailure {
    #[cold]
    pub(super) fn new(code: i32, message: impl fmt::Display) -> MpiFailure {
        MpiFailure { code, message: message.to_string() }
    }

    /// A call whose arguments do not fit each other.
    #[cold]
    pub(super) fn usage(message: impl fmt::Display) -> MpiFailure {
        MpiFailure::new(UPCALL_MPI_USAGE, message)
    }
}

impl fmt::Display for MpiFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Code for MpiFailure {
    fn code(&self) -> i32 {
        self.code
    }
}

impl From<upcall_mpi::Error> for MpiFailure {
    #[cold]
    fn from(error: upcall_mpi::Error) -> MpiFailure {
        let code = match error.kind() {
            ErrorKind::Missing => UPCALL_MPI_MISSING,
            ErrorKind::Load => UPCALL_MPI_LOAD,
            ErrorKind::Lifecycle => UPCALL_MPI_LIFECYCLE,
            ErrorKind::Usage => UPCALL_MPI_USAGE,
            ErrorKind::Rank => UPCALL_MPI_RANK,
            ErrorKind::Tag => UPCALL_MPI_TAG,
            ErrorKind::Truncated => UPCALL_MPI_TRUNCATED,
            ErrorKind::Type => UPCALL_MPI_TYPE,
            ErrorKind::Count => UPCALL_MPI_COUNT,
            ErrorKind::Operation => UPCALL_MPI_OPERATION,
            ErrorKind::ProcessFailed => UPCALL_MPI_PROCESS_FAILED,
            ErrorKind::Synchronization => UPCALL_MPI_SYNCHRONIZATION,
            ErrorKind::Buffer => UPCALL_MPI_BUFFER,
            ErrorKind::Unsupported => UPCALL_MPI_UNSUPPORTED,
            ErrorKind::Range => UPCALL_MPI_RANGE,
            ErrorKind::NotFound => UPCALL_MPI_NOT_FOUND,
            ErrorKind::Exists => UPCALL_MPI_EXISTS,
            ErrorKind::Access => UPCALL_MPI_ACCESS,
            ErrorKind::NoSpace => UPCALL_MPI_NO_SPACE,
            ErrorKind::Io => UPCALL_MPI_IO,
            ErrorKind::Revoked => UPCALL_MPI_REVOKED,
            ErrorKind::Spawn => UPCALL_MPI_SPAWN,
            ErrorKind::Port => UPCALL_MPI_PORT,
            _ => UPCALL_MPI_OTHER,
        };
        MpiFailure { code, message: error.to_string() }
    }
}
