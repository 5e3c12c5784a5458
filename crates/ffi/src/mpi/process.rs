//! Processes that are started while the program runs.

use super::communicator::{Held, UpcallMpiCommunicator};
use super::environment::UpcallMpi;
use super::failure::MpiFailure;
use super::rank;
use upcall_mpi::Program;

/// Programs to start, how often, and where. What is said is said of the last one that was added.
pub struct UpcallMpiPrograms(Vec<Program>);

#[upcall::export]
impl UpcallMpiPrograms {
    /// None.
    pub fn new() -> Self {
        UpcallMpiPrograms(Vec::new())
    }

    /// So many processes of the program at a path, or by a name that is on `PATH`.
    pub fn add(&mut self, path: &str, processes: i32) {
        // None at all is as wrong as less.
        self.0.push(Program::new(path, usize::try_from(processes).unwrap_or(0)));
    }

    /// One argument more.
    pub fn argument(&mut self, argument: &str) -> Result<(), MpiFailure> {
        self.change(|program| program.argument(argument))
    }

    /// The folder that its processes start in. Where nothing is said, the launcher's.
    pub fn directory(&mut self, directory: &str) -> Result<(), MpiFailure> {
        self.change(|program| program.directory(directory))
    }

    /// One host more that its processes start on. Where nothing is said, the launcher's.
    pub fn host(&mut self, host: &str) -> Result<(), MpiFailure> {
        self.change(|program| program.hosts([host]))
    }

    /// Something else that the launcher is told, by a name that it knows.
    pub fn info(&mut self, name: &str, value: &str) -> Result<(), MpiFailure> {
        self.change(|program| program.info(name, value))
    }
}

impl UpcallMpiPrograms {
    fn change(&mut self, change: impl FnOnce(Program) -> Program) -> Result<(), MpiFailure> {
        let none = || MpiFailure::usage("describe a program to start: none was added");
        let program = self.0.pop().ok_or_else(none)?;
        self.0.push(change(program));
        Ok(())
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Starts the processes of programs, in one group in the order of the programs: they see these ranks as their parent. What
    /// the programs are counts at the root, and all ranks give as many. Collective; it returns when they have started MPI.
    pub fn spawn(&self, programs: &UpcallMpiPrograms, root: i32) -> Result<Self, MpiFailure> {
        Ok(self.get()?.spawn_multiple(&programs.0, rank(root, "start processes")?)?.into())
    }
}

#[upcall::export(extend)]
impl UpcallMpi {
    /// The processes that have started this one and those of its world; none where the launcher has.
    pub fn parent(&self) -> UpcallMpiCommunicator {
        let parent = self.0.parent.as_ref().filter(|parent| !parent.is_gone());
        UpcallMpiCommunicator::perhaps(parent.cloned().map(Held::Between))
    }
}
