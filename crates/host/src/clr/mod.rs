//! C# handlers, on .NET 8 or later, by our own loader over `libcoreclr`.
//!
//! The runtime is found, started and asked for its functions without `hostfxr`: half the time to start, no
//! `runtimeconfig.json`, and no crate that would have to be told about signal stacks. There is one runtime per
//! process, and it never ends.
//!
//! Two things that whoever embeds this must know:
//! - CoreCLR's SIGSEGV handler, which makes a NullReferenceException of a fault, overflows the 8 KiB signal
//!   stack that Rust gives a thread. [`Clr`]'s [`Host::worker`] installs a larger one; instances are made and
//!   called inside it only.
//! - Handlers for SIGINT and SIGTERM are to be installed after [`Clr::start`].

mod ffi;
mod locate;
mod runtime;
mod signals;

pub use locate::{ClrOptions, Runtime, locate};

use crate::guests::{self, Options, Say};
use crate::probe::Probe;
use crate::signal_stack::SignalStack;
use crate::{Capabilities, Error, HandlerSpec, Host, Module, Threads};
use runtime::Running;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The CLR of this process. A copy is the same one.
#[derive(Clone, Copy, Debug)]
pub struct Clr {
    running: &'static Running,
}

impl Clr {
    /// Starts the CLR, or returns the one that runs already, whatever the options.
    ///
    /// Start a JVM before it, if there is to be one, and install signal handlers after it.
    ///
    /// # Errors
    /// There is no .NET, or it does not start; each is asked for once.
    pub fn start(options: &ClrOptions) -> Result<Clr, Error> {
        static STARTED: Mutex<Option<Result<Clr, Error>>> = Mutex::new(None);
        let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(outcome) = &*started {
            return outcome.clone();
        }
        runtime::alone()?;
        // What is missing may be there at the next attempt; what failed to start cannot be started again.
        let runtime = locate(options).into_result()?;
        let sdk = locate::sdk(options)?;
        let _stack = SignalStack::install();
        let outcome =
            Running::start(runtime, sdk).map(|running| Clr { running: Box::leak(Box::new(running)) });
        started.insert(outcome).clone()
    }

    /// The runtime that runs.
    #[must_use]
    pub fn runtime(&self) -> &Runtime {
        &self.running.runtime
    }

    /// The `Upcall.dll` that handlers share.
    #[must_use]
    pub fn sdk(&self) -> &Path {
        &self.running.sdk
    }

    /// Calls `word`, on whatever thread, when an uncaught C# exception is about to end the process: the last
    /// moment to write something down. Only the first call counts.
    ///
    /// `Environment.Exit` is not reported here: it ends in C's `exit`, which calls what `atexit` was given. Nothing
    /// reports `Environment.FailFast` or a stack overflow.
    pub fn on_unhandled(&self, word: fn()) {
        let _ = runtime::ON_UNHANDLED.set(word);
    }

    /// Runs a handler that comes with `Upcall.dll`, on this thread, to see whether everything really works.
    ///
    /// # Errors
    /// It does not run, or not as it should.
    pub fn probe(&self) -> Result<(), Error> {
        let probe = Probe { guest: guests::CSHARP.name, language: "C#", remedy: "install .NET again" };
        probe.echoes(self, self.sdk(), "Upcall.Echo")
    }
}

pub(crate) const RUNTIME: guests::Runtime = guests::Runtime { start, examine };

fn start(options: &Options) -> Result<Arc<dyn Host>, Error> {
    let start = || Clr::start(&options.clr);
    let clr = if options.keeps_signals { signals::kept(start) } else { start() }?;
    if let Some(word) = options.on_unhandled {
        clr.on_unhandled(word);
    }
    Ok(Arc::new(clr))
}

fn examine(options: &Options, say: Say<'_>) -> Result<(), Error> {
    let found = |found: &Runtime| {
        format!(".NET {} in {}, by {}", found.version, found.folder.display(), found.through)
    };
    guests::say_located(&locate(&options.clr), found, say);
    let clr = Clr::start(&options.clr)?;
    say(format!("handlers share {}", clr.sdk().display()));
    clr.probe()
}

impl Host for Clr {
    fn guest(&self) -> &'static str {
        guests::CSHARP.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 8,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        let _stack = SignalStack::install();
        #[cfg(feature = "java")]
        let _entered = self.running.enter();
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let _stack = SignalStack::install();
        #[cfg(feature = "java")]
        let _entered = self.running.enter();
        self.running.guest.load(handler)
    }
}
