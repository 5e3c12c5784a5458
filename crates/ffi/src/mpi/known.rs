//! What MPI and its launcher say of the job, the machine and the MPI.

use super::UPCALL_MPI_ANY;
use super::environment::{UpcallMpi, UpcallMpiThreads};
use super::failure::MpiFailure;
use upcall_mpi::{Environment, Optional, Source};

/// What there is none of, where -1 stands for any.
pub const UPCALL_MPI_NONE: i32 = -2;

/// A part of MPI's standard, or an extension of it, that an MPI may lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiOptional {
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

/// A number of something, -1 for none.
fn number(found: Option<usize>) -> i64 {
    found.map_or(-1, |found| i64::try_from(found).unwrap_or(i64::MAX))
}

#[upcall::export(extend)]
impl UpcallMpi {
    /// Whether MPI was started in this process and has not been finalized.
    pub fn is_initialized() -> bool {
        Environment::is_initialized()
    }

    /// Whether MPI has been finalized in this process: it cannot be started again.
    pub fn is_finalized() -> bool {
        Environment::is_finalized()
    }

    /// Whether this thread is the one that has started MPI.
    pub fn is_main_thread(&self) -> bool {
        self.environment().is_main_thread()
    }

    /// Which threads `start` was asked for; what was given is in `threads`.
    pub fn threads_wanted(&self) -> UpcallMpiThreads {
        self.environment().threads_wanted().into()
    }

    /// Seconds between two ticks of the clock of `time`.
    pub fn time_resolution(&self) -> f64 {
        self.environment().time_resolution()
    }

    /// Whether the clocks of all ranks show the same time.
    pub fn time_is_global(&self) -> Result<bool, MpiFailure> {
        Ok(self.environment().time_is_global()?)
    }

    /// How many processes the launcher has room for, those that run included; -1 where it does not say.
    pub fn universe_size(&self) -> Result<i64, MpiFailure> {
        Ok(number(self.environment().universe_size()?))
    }

    /// Which of the programs this is that were started at once, from 0 on; -1 where nobody says.
    pub fn program_number(&self) -> Result<i64, MpiFailure> {
        Ok(number(self.environment().program_number()?))
    }

    /// Which rank may read and write files as the language does: `UPCALL_MPI_ANY`, or `UPCALL_MPI_NONE`.
    pub fn io_rank(&self) -> Result<i32, MpiFailure> {
        Ok(match self.environment().io_rank()? {
            Some(Source::Any) => UPCALL_MPI_ANY,
            Some(Source::Rank(rank)) => i32::try_from(rank).unwrap_or(UPCALL_MPI_NONE),
            None => UPCALL_MPI_NONE,
        })
    }

    /// The rank of the host process; -1 where there is none.
    pub fn host_rank(&self) -> Result<i64, MpiFailure> {
        Ok(number(self.environment().host_rank()?))
    }

    /// Whether the MPI has it.
    pub fn has(&self, part: UpcallMpiOptional) -> bool {
        self.environment().has(match part {
            UpcallMpiOptional::LargeCounts => Optional::LargeCounts,
            UpcallMpiOptional::PersistentCollectives => Optional::PersistentCollectives,
            UpcallMpiOptional::Partitioned => Optional::Partitioned,
            UpcallMpiOptional::NonBlockingSendReceive => Optional::NonBlockingSendReceive,
            UpcallMpiOptional::Sessions => Optional::Sessions,
            UpcallMpiOptional::FaultTolerance => Optional::FaultTolerance,
            UpcallMpiOptional::StandardAbi => Optional::StandardAbi,
        })
    }
}
