//! What MPI fails with, as `upcall.mpi.MpiError`.

use crate::failure;
use crate::py::{self, Outcome, Raised, Ref};
use upcall_mpi::{Error, ErrorKind};

fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Missing => "missing",
        ErrorKind::Load => "load",
        ErrorKind::Lifecycle => "lifecycle",
        ErrorKind::Usage => "usage",
        ErrorKind::Rank => "rank",
        ErrorKind::Tag => "tag",
        ErrorKind::Truncated => "truncated",
        ErrorKind::Type => "type",
        ErrorKind::Count => "count",
        ErrorKind::Operation => "operation",
        ErrorKind::ProcessFailed => "process failed",
        ErrorKind::Revoked => "revoked",
        ErrorKind::Spawn => "spawn",
        ErrorKind::Port => "port",
        ErrorKind::Unsupported => "unsupported",
        ErrorKind::Buffer => "buffer",
        ErrorKind::Range => "range",
        ErrorKind::Synchronization => "synchronization",
        ErrorKind::NotFound => "not found",
        ErrorKind::Exists => "exists",
        ErrorKind::Access => "access",
        ErrorKind::NoSpace => "no space",
        ErrorKind::Io => "io",
        _ => "other",
    }
}

/// Raises an error.
#[cold]
pub fn raise(error: Error) -> Raised {
    raise_as(kind(&error), error.to_string())
}

/// Raises an error of a kind.
#[cold]
pub fn raise_as(kind: &str, message: impl AsRef<str>) -> Raised {
    made(kind, message.as_ref()).map_or_else(|raised| raised, |made| failure::raise(&made))
}

/// Raises an error whose operation has raised something.
#[cold]
pub fn raise_from(error: Error, cause: &Ref) -> Raised {
    match made(kind(&error), &error.to_string()) {
        Ok(made) => {
            // SAFETY: both are alive, on an attached thread; it takes over a reference to the cause.
            unsafe { crate::ffi::PyException_SetCause(made.as_ptr(), cause.clone().into_ptr()) };
            failure::raise(&made)
        }
        Err(raised) => raised,
    }
}

fn made(kind: &str, message: &str) -> Outcome<Ref> {
    let of = py::import(c"upcall._mpi_error")?.get(c"MpiError")?;
    of.call(&[&py::text(kind.as_bytes())?, &py::text(message.as_bytes())?])
}
