//! Python handlers, on CPython 3.11 to 3.14.
//!
//! Nothing here is linked to a libpython. The interpreter that the user chose is asked for its library, home
//! and module path; its libpython is opened for the whole process, then our driver (`upcall_python.so`, from
//! `sdk/python`), whose symbols are found in it. There is one interpreter per process, and it is never
//! finalised: threads and modules of the user's may still be running.
//!
//! Python has one lock, so all handlers share one worker ([`Threads::One`]). [`Host::worker`] keeps the
//! thread attached from outside and detached between calls, so that other Python threads run meanwhile.

mod driver;
mod locate;

pub use locate::{Interpreter, PythonOptions, facts, locate, program};

use crate::guest::Guest;
use crate::guests::{self, Options, Runtime, Say};
use crate::probe::Probe;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Module, Threads};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The Python of this process. A copy is the same one.
#[derive(Clone, Copy, Debug)]
pub struct Python {
    running: &'static Running,
}

#[derive(Debug)]
struct Running {
    interpreter: Interpreter,
    library: PathBuf,
    guest: Guest,
}

impl Python {
    /// Starts Python, or returns the one that runs already. An error when that is not the one that the options
    /// name.
    ///
    /// # Errors
    /// There is no Python that is supported, it does not start, or another one runs already.
    pub fn start(options: &PythonOptions) -> Result<Python, Error> {
        static STARTED: Mutex<Option<Result<Python, Error>>> = Mutex::new(None);
        let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(outcome) = &*started {
            let python = outcome.clone()?;
            return if options.interpreter.is_none() { Ok(python) } else { python.same(options) };
        }
        // What is missing may be there at the next attempt; what failed to start cannot be started again.
        let interpreter = locate(options).into_result()?;
        let library = locate::driver(options)?;
        let outcome = driver::start(&interpreter, &library)
            .map(|guest| Python { running: Box::leak(Box::new(Running { interpreter, library, guest })) });
        started.insert(outcome).clone()
    }

    fn same(self, options: &PythonOptions) -> Result<Python, Error> {
        let asked = locate(options).into_result()?;
        let runs = self.interpreter();
        if asked.executable == runs.executable {
            return Ok(self);
        }
        let message = format!(
            "start Python of {}: this process runs {} already, and can run one only; use the same for every handler",
            asked.executable.display(),
            runs.executable.display()
        );
        Err(Error::new(ErrorKind::RuntimeFailed, message))
    }

    /// The interpreter that runs.
    #[must_use]
    pub fn interpreter(&self) -> &Interpreter {
        &self.running.interpreter
    }

    /// The driver library, `upcall_python.so`.
    #[must_use]
    pub fn driver(&self) -> &Path {
        &self.running.library
    }

    /// Runs a handler of our own, on this thread, to see whether everything really works.
    ///
    /// # Errors
    /// It does not run, or not as it should.
    pub fn probe(&self) -> Result<(), Error> {
        let remedy = "install Python again, or name another with `--python`";
        let probe = Probe { guest: guests::PYTHON.name, language: "Python", remedy };
        probe.written(self, "echo.py", include_str!("echo.py"))
    }
}

pub(crate) const RUNTIME: Runtime =
    Runtime { start: |options| Ok(Arc::new(Python::start(&options.python)?)), examine };

fn examine(options: &Options, say: Say<'_>) -> Result<(), Error> {
    let found = |found: &Interpreter| {
        format!("Python {}, {}, by {}", found.version, found.executable.display(), found.through)
    };
    let located = locate(&options.python);
    guests::say_located(&located, found, say);
    if let Some(found) = &located.runtime {
        say(format!("its library is {}", found.library.display()));
    }
    let python = Python::start(&options.python)?;
    say(format!("its driver is {}", python.driver().display()));
    python.probe()
}

impl Host for Python {
    fn guest(&self) -> &'static str {
        guests::PYTHON.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::One,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 64,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        self.running.guest.attached(body);
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        self.running.guest.load(handler)
    }
}
