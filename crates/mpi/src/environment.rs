mod known;

use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::intercommunicator::Intercommunicator;
use crate::launcher;
use crate::library::{Library, Threads};
use crate::process::parent;
use crate::shim::Constant;
use std::marker::PhantomData;

/// MPI, from when it is started until this is dropped.
///
/// There is one per process, and only once. When it is dropped, MPI is finalized, which waits for the other processes; where
/// that is because of a panic, the whole job is ended instead, as the others would wait for ever. It stays on the thread that
/// has started it; communicators and requests may be elsewhere, and a call of another thread is waited for.
#[derive(Debug)]
pub struct Environment {
    world: Communicator,
    own: Communicator,
    pub(crate) parent: Option<Intercommunicator>,
    wanted: Threads,
    /// MPI is finalized by the thread that has started it.
    here: PhantomData<*const ()>,
}

impl Environment {
    /// Loads the MPI whose launcher has started this process, or the machine's own where none has, and starts it.
    ///
    /// `UPCALL_MPI` chooses another: `openmpi`, `mpich`, or the path of an mpicc. What the MPI gives is in
    /// [`threads`](Environment::threads): it may be less than `wanted`. Start it early: MPI sets variables of the environment, which
    /// no other thread may read or set meanwhile. Where there are other threads, UCX, under MPICH, is told not to change functions
    /// of libc that they may be in (`UCX_MEM_MMAP_HOOK_MODE=none`), unless that variable says how.
    ///
    /// # Errors
    /// There is no MPI, it does not start, or it was started before; or the launcher says that it has started several ranks, and
    /// each would be alone, as the MPI is another's.
    pub fn start(wanted: Threads) -> Result<Environment, Error> {
        let library = Library::start(wanted)?;
        let environment = Environment {
            world: Communicator::given(library, Constant::CommWorld)?,
            own: Communicator::given(library, Constant::CommSelf)?,
            parent: parent(library)?,
            wanted,
            here: PhantomData,
        };
        // One that another rank has started may be the only one.
        if environment.world.size() == 1
            && environment.parent.is_none()
            && let Some(message) = launcher::alone(&library.name())
        {
            return Err(Error::new(ErrorKind::Load, message));
        }
        Ok(environment)
    }

    /// All processes of the job.
    #[must_use]
    pub fn world(&self) -> &Communicator {
        &self.world
    }

    /// This process alone.
    #[must_use]
    pub fn own(&self) -> &Communicator {
        &self.own
    }

    /// Which threads may call it. A call of another one is an error.
    #[must_use]
    pub fn threads(&self) -> Threads {
        self.world.library.threads
    }

    /// What the MPI calls itself: `Open MPI v4.1.4, …`.
    #[must_use]
    pub fn library(&self) -> String {
        self.world.library.name()
    }

    /// The version of MPI's standard that it has.
    #[must_use]
    pub fn standard(&self) -> (u32, u32) {
        self.world.library.standard()
    }

    /// The name of the machine that this process runs on, as MPI has it.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn processor(&self) -> Result<String, Error> {
        self.world.library.processor()
    }

    /// Seconds since some moment in the past, by the clock of MPI's.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.world.library.time()
    }

    /// Finalizes MPI where the environment itself stays, as in the hands of another language: its communicators fail from now on.
    ///
    /// # Errors
    /// This is another thread than the one that has started it, it was finalized before, memory of a [`Window`](crate::Window) is in
    /// use, or MPI says that it did not go well.
    pub fn close(&self) -> Result<(), Error> {
        self.world.library.finish()
    }

    /// Finalizes MPI, as dropping does, and says whether that went well.
    ///
    /// # Errors
    /// MPI says that it did not; or memory of a [`Window`](crate::Window) is in use, in an epoch or by a guard: it is not finalized
    /// then, nor any more.
    pub fn finish(mut self) -> Result<(), Error> {
        let library = self.world.library;
        self.leave_parent();
        std::mem::forget(self);
        library.finish()
    }
}

impl Environment {
    /// What is left of the parents' communicator is MPI's to free: only all ranks of both groups together could.
    fn leave_parent(&mut self) {
        if let Some(parent) = self.parent.take() {
            parent.leave();
        }
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.world.abort(101);
        }
        self.leave_parent();
        // Nobody could be told.
        let _ = self.world.library.finish();
    }
}
