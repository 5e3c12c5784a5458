use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use super::intercommunicator::Between;
use std::sync::Arc;
use upcall_mpi::{Environment, Threads};

/// Which threads may call MPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiThreads {
    /// The process has one.
    Single,
    /// The one that has started it.
    Funneled,
    /// One at a time.
    Serialized,
    /// All, as they like.
    Multiple,
}

impl From<Threads> for UpcallMpiThreads {
    fn from(threads: Threads) -> UpcallMpiThreads {
        match threads {
            Threads::Single => UpcallMpiThreads::Single,
            Threads::Funneled => UpcallMpiThreads::Funneled,
            Threads::Serialized => UpcallMpiThreads::Serialized,
            Threads::Multiple => UpcallMpiThreads::Multiple,
        }
    }
}

/// MPI, which has been started. There is one per process, and only once. It is finalized by `finish` and by nothing else:
/// releasing this does not wait for other processes.
pub struct UpcallMpi(pub(super) &'static Shared);

/// The environment, which stays for good: communicators are used for as long as the other language knows them.
pub(super) struct Shared {
    pub(super) mpi: Environment,
    /// Those who have started this process: kept for good, as only all ranks of both groups together could free it.
    pub(super) parent: Option<Arc<Between>>,
}

// SAFETY: an environment is bound to its thread because that one finalizes MPI, which `Environment::close` sees to; all else may
// be called by any thread.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

impl UpcallMpi {
    /// It stays for good.
    pub(super) fn environment(&self) -> &'static Environment {
        &self.0.mpi
    }
}

#[upcall::export]
impl UpcallMpi {
    /// Loads the MPI whose launcher has started this process, or the machine's own where none has, and starts it on this thread.
    /// What it gives is in `threads`, and may be less than `wanted`.
    pub fn start(wanted: UpcallMpiThreads) -> Result<Self, MpiFailure> {
        let wanted = match wanted {
            UpcallMpiThreads::Single => Threads::Single,
            UpcallMpiThreads::Funneled => Threads::Funneled,
            UpcallMpiThreads::Serialized => Threads::Serialized,
            UpcallMpiThreads::Multiple => Threads::Multiple,
        };
        let mut mpi = Environment::start(wanted)?;
        let parent = mpi.take_parent().map(|parent| Arc::new(Between::new(parent)));
        Ok(UpcallMpi(Box::leak(Box::new(Shared { mpi, parent }))))
    }

    /// Finalizes MPI, which waits for the other processes. On the thread that has started it, once.
    pub fn finish(&self) -> Result<(), MpiFailure> {
        Ok(self.0.mpi.close()?)
    }

    /// All processes of the job.
    pub fn world(&self) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator::given(self.0.mpi.world())
    }

    /// This process alone.
    pub fn own(&self) -> UpcallMpiCommunicator {
        UpcallMpiCommunicator::given(self.0.mpi.own())
    }

    /// Which threads may call it. A call of another one is an error.
    pub fn threads(&self) -> UpcallMpiThreads {
        self.0.mpi.threads().into()
    }

    /// What the MPI calls itself: `Open MPI v4.1.4, …`.
    pub fn library(&self) -> String {
        self.0.mpi.library()
    }

    /// The version of MPI's standard that it has: `3.1`.
    pub fn standard(&self) -> String {
        let (major, minor) = self.0.mpi.standard();
        format!("{major}.{minor}")
    }

    /// The name of the machine that this process runs on.
    pub fn processor(&self) -> Result<String, MpiFailure> {
        Ok(self.0.mpi.processor()?)
    }

    /// Seconds since some moment in the past, by the clock of MPI's.
    pub fn time(&self) -> f64 {
        self.0.mpi.time()
    }
}
