//! What MPI and its launcher say of the job and the machine.

use super::Environment;
use crate::error::Error;
use crate::launcher::{Launcher, is_open_mpi};
use crate::library::{Library, Threads};
use crate::point::Source;
use crate::shim::Constant;
use std::ffi::c_int;

/// MPI's own attributes of the world, as the header numbers them.
#[derive(Clone, Copy)]
enum Known {
    ProgramNumber,
    UniverseSize,
    TimeIsGlobal,
    Io,
    Host,
}

impl Environment {
    /// Whether MPI was started by an environment of this process and has not been finalized.
    #[must_use]
    pub fn is_initialized() -> bool {
        Library::life().0
    }

    /// Whether the environment of this process has ended: MPI cannot be started again.
    #[must_use]
    pub fn is_finalized() -> bool {
        Library::life().1
    }

    /// Whether this thread is the one that has started MPI.
    #[must_use]
    pub fn is_main_thread(&self) -> bool {
        self.world.library.is_owner()
    }

    /// Which threads [`start`](Environment::start) was asked for; what was given is in [`threads`](Environment::threads).
    #[must_use]
    pub fn threads_wanted(&self) -> Threads {
        self.wanted
    }

    /// Seconds between two ticks of the clock of [`time`](Environment::time).
    #[must_use]
    pub fn time_resolution(&self) -> f64 {
        self.world.library.tick()
    }

    /// How many processes the launcher has room for, those that run included; `None` where it does not say.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn universe_size(&self) -> Result<Option<usize>, Error> {
        if Launcher::of_this_process() == Launcher::None && !is_open_mpi(&self.library()) {
            // MPICH would start an `mpiexec` to ask, and wait for ever where that is another MPI's.
            return Ok(None);
        }
        let size = self.known(Known::UniverseSize, "ask for the size of the universe")?;
        Ok(size.and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0))
    }

    /// Which of the programs this is that the launcher, or [`spawn_multiple`](crate::Communicator::spawn_multiple), has started at
    /// once, from 0 on; `None` where nobody says.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn program_number(&self) -> Result<Option<usize>, Error> {
        let number = self.known(Known::ProgramNumber, "ask for the number of the program")?;
        Ok(number.and_then(|number| usize::try_from(number).ok()))
    }

    /// Whether the clocks of all ranks show the same time.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn time_is_global(&self) -> Result<bool, Error> {
        let is = self.known(Known::TimeIsGlobal, "ask whether time is global")?;
        Ok(is.is_some_and(|is| is != 0))
    }

    /// Which ranks may read and write files as the language does: any, one, or none.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn io_rank(&self) -> Result<Option<Source>, Error> {
        let rank = self.known(Known::Io, "ask for the ranks with files")?;
        let any = self.world.library.number(Constant::AnySource);
        Ok(match rank {
            Some(rank) if rank == any => Some(Source::Any),
            Some(rank) => usize::try_from(rank).ok().map(Source::Rank),
            None => None,
        })
    }

    /// The rank of the host process, where there is one.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn host_rank(&self) -> Result<Option<usize>, Error> {
        let rank = self.known(Known::Host, "ask for the host's rank")?;
        Ok(rank.and_then(|rank| usize::try_from(rank).ok()))
    }

    fn known(&self, which: Known, what: &str) -> Result<Option<c_int>, Error> {
        let (mut value, mut found) = (0, 0);
        self.world.library.call(
            // SAFETY: what it writes is here.
            |table| unsafe { (table.comm_predefined)(which as c_int, &mut value, &mut found) },
            || what.to_owned(),
        )?;
        Ok((found != 0).then_some(value))
    }
}
