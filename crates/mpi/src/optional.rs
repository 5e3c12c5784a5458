//! What not every MPI has, and whether the one in use does.

use crate::environment::Environment;
use std::ffi::CString;

/// A part of MPI's standard, or an extension of it, that a library may lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Optional {
    /// Counts of 64 bits (MPI 4).
    LargeCounts,
    /// Collectives that are prepared once and started often (MPI 4).
    PersistentCollectives,
    /// Sends and receives in partitions (MPI 4).
    Partitioned,
    /// A send and a receive as one request (MPI 4).
    NonBlockingSendReceive,
    /// Sessions in place of one world (MPI 4).
    Sessions,
    /// Going on where a process has died: the extension ULFM.
    FaultTolerance,
    /// The standard's own binary interface (MPI 5).
    StandardAbi,
}

impl Optional {
    /// All of them.
    pub const ALL: [Optional; 7] = [
        Optional::LargeCounts,
        Optional::PersistentCollectives,
        Optional::Partitioned,
        Optional::NonBlockingSendReceive,
        Optional::Sessions,
        Optional::FaultTolerance,
        Optional::StandardAbi,
    ];

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Optional::LargeCounts => "64-bit counts",
            Optional::PersistentCollectives => "persistent collectives",
            Optional::Partitioned => "partitioned messages",
            Optional::NonBlockingSendReceive => "non-blocking send-receive",
            Optional::Sessions => "sessions",
            Optional::FaultTolerance => "fault tolerance (ULFM)",
            Optional::StandardAbi => "the standard ABI",
        }
    }

    /// A function that a library has with it; none where that does not tell.
    fn function(self) -> Option<&'static str> {
        Some(match self {
            Optional::LargeCounts => "MPI_Send_c",
            Optional::PersistentCollectives => "MPI_Bcast_init",
            Optional::Partitioned => "MPI_Psend_init",
            Optional::NonBlockingSendReceive => "MPI_Isendrecv",
            Optional::Sessions => "MPI_Session_init",
            // MPICH's device ch4 has the functions, and ends the process in them.
            Optional::FaultTolerance => return None,
            Optional::StandardAbi => "MPI_Abi_get_version",
        })
    }
}

impl Environment {
    /// Whether the MPI has it, mostly by the functions that its library exports. Not all of it need be used by this crate.
    #[must_use]
    pub fn has(&self, part: Optional) -> bool {
        let Some(function) = part.function() else { return self.own().is_revoked().is_ok() };
        let this = libloading::os::unix::Library::this();
        let Ok(name) = CString::new(function) else { return false };
        // SAFETY: it is looked for, not called; MPI's library is loaded for the whole process.
        unsafe { this.get::<*const ()>(name.as_bytes_with_nul()) }.is_ok()
    }
}
