//! The host of handlers that run in processes of their own.

use crate::instance::Isolated;
use crate::lending::Lending;
use crate::limits;
use crate::process::Process;
use crate::protocol::{LENT_TO_NODE, SEGMENT};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use upcall_host::{
    Capabilities, Error, ErrorKind, HandlerSpec, Host, Instance, Isolation, KnownGuest, Lent, Module, Threads,
};
#[cfg(all(feature = "node", feature = "python"))]
use upcall_host::{
    guests::{self, Options},
    python,
};

/// Where `cargo xtask build` leaves the command.
#[cfg(any(feature = "node", feature = "python"))]
const BUILT: &str = "target/release/upcall";

/// A program that becomes a guest's process: it calls [`guest::main`](crate::guest::main).
///
/// It is run with the guest's name, the handler's file, its class and its name as its last four arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
}

impl Program {
    /// The program at this path.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        Program { path: path.into(), arguments: Vec::new(), variables: Vec::new() }
    }

    /// With an argument before those that every such program gets.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Program {
        self.arguments.push(argument.into());
        self
    }

    /// With a variable in its environment beside those that a process keeps.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Program {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// The `upcall` command: the one that `UPCALL_PROGRAM` names, that lies beside this program, that is built in the
    /// repository of `UPCALL_HOME` or of this library, or that is found on `PATH`.
    ///
    /// # Errors
    /// None of them is there.
    pub fn upcall() -> Result<Program, Error> {
        let named = std::env::var_os("UPCALL_PROGRAM").filter(|path| !path.is_empty()).map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.parent()?.join("upcall"));
        let on_path = || {
            std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|folder| folder.join("upcall"))
                .find(|path| path.is_file())
        };
        let there = |path: &PathBuf| path.is_file();
        #[cfg(any(feature = "node", feature = "python"))]
        let built = || upcall_host::installation(BUILT).ok().map(|home| home.join(BUILT));
        #[cfg(not(any(feature = "node", feature = "python")))]
        let built = || None;
        let found =
            named.or_else(|| beside().filter(there)).or_else(|| built().filter(there)).or_else(on_path);
        let path = found.ok_or_else(|| {
            let message = "find the command `upcall`, which runs handlers in processes of their own: it is neither beside this \
                           program nor on PATH; build it with `cargo xtask build`, or set UPCALL_PROGRAM to its path";
            Error::new(ErrorKind::RuntimeMissing, message)
        })?;
        Ok(Program::new(path).argument("guest"))
    }

    /// Node with the driver of handlers in JavaScript.
    ///
    /// # Errors
    /// Node or the driver is not on this machine, or too old.
    #[cfg(feature = "node")]
    pub fn node(options: &upcall_host::node::NodeOptions) -> Result<Program, Error> {
        let found = upcall_host::node::locate(options).into_result()?;
        let arguments = found.arguments();
        let program = arguments.into_iter().fold(Program::new(found.program), Program::argument);
        Ok(program.argument(upcall_host::node::driver()?))
    }

    fn command(&self, spec: &HandlerSpec) -> Command {
        let file = std::path::absolute(&spec.file).unwrap_or_else(|_| spec.file.clone());
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).arg(&spec.guest).arg(file).arg(&spec.class).arg(&spec.name);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.envs(limits::told_to(spec));
        command
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The host of handlers with [`Isolation`], whichever guest they are written for: each instance has a process of its own.
#[derive(Clone, Debug)]
pub struct Processes {
    program: Program,
    /// Those of guests that run another one.
    others: Vec<(String, Program)>,
}

impl Processes {
    /// Processes that run this program.
    #[must_use]
    pub fn new(program: Program) -> Processes {
        Processes { program, others: Vec::new() }
    }

    /// Those for handlers of these guests: `program`, and what else one of them needs. What a process in a sandbox cannot find
    /// out is found out here.
    ///
    /// # Errors
    /// The runtime of a guest that runs another program is not on this machine.
    #[cfg(all(feature = "node", feature = "python"))]
    pub fn of(program: Program, guests: &[&str], options: &Options) -> Result<Processes, Error> {
        let python = guests.contains(&guests::PYTHON.name).then(|| python::facts(&options.python)).flatten();
        let told = |program: Program, (name, value)| program.variable(name, value);
        let processes = Processes::new(python.into_iter().fold(program, told));
        match guests.contains(&guests::NODE.name) {
            true => Ok(processes.with(guests::NODE.name, Program::node(&options.node)?)),
            false => Ok(processes),
        }
    }

    /// The processes of this guest run another program.
    #[must_use]
    pub fn with(mut self, guest: impl Into<String>, program: Program) -> Processes {
        self.others.push((guest.into(), program));
        self
    }

    /// What the processes of a guest run.
    fn program(&self, guest: &str) -> &Program {
        self.others.iter().find(|(name, _)| name == guest).map_or(&self.program, |(_, program)| program)
    }
}

impl Host for Processes {
    fn guest(&self) -> &'static str {
        "process"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: true,
            sees_native_memory: false,
            maps_lent: true,
            good_batch: 64,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let apart = Arc::new(Apart {
            program: self.program(&handler.guest).clone(),
            spec: handler.clone(),
            isolation: limits::fence(handler),
        });
        // The first process finds out whether the handler can be loaded, and serves the first instance.
        let first = Mutex::new(Some(apart.start(&Lending::NOTHING)?));
        Ok(Box::new(Loaded { apart, first }))
    }
}

/// A handler, and how a process of it is started.
pub(crate) struct Apart {
    program: Program,
    pub(crate) spec: HandlerSpec,
    pub(crate) isolation: Isolation,
}

impl Apart {
    pub(crate) fn start(&self, lending: &Lending) -> Result<Process, Error> {
        Process::start(self.program.command(&self.spec), &self.spec, &self.isolation, lending.clone())
    }

    /// What of this the processes map.
    fn lending(&self, lent: &[Lent]) -> Lending {
        // Node is the guest that is always in processes of its own.
        let node = KnownGuest::named(&self.spec.guest).is_some_and(|guest| guest.apart);
        Lending::of(lent, if node { LENT_TO_NODE } else { SEGMENT / 2 })
    }
}

struct Loaded {
    apart: Arc<Apart>,
    first: Mutex<Option<Process>>,
}

impl Module for Loaded {
    fn instantiate(&self) -> Result<Instance, Error> {
        self.instantiate_with(&[])
    }

    fn instantiate_with(&self, lent: &[Lent]) -> Result<Instance, Error> {
        let lending = self.apart.lending(lent);
        // The first has nothing mapped, and nobody needs it where something is to be.
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let process = match first.filter(|_| lent.is_empty()) {
            Some(process) => process,
            None => self.apart.start(&lending)?,
        };
        Ok(Isolated::instance(self.apart.clone(), lending, process))
    }
}
