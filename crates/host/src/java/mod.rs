//! Java handlers, on a JDK or JRE 17 or later, by `libjvm` directly.
//!
//! The virtual machine is found and started through JNI's invocation interface; there is one per process, and it never
//! ends. The driver is in `upcall.jar` (`sdk/java`), compiled for Java 17. From Java 22 on the entry of an instance is a
//! C function that `java.lang.foreign` makes for it; before that, one of ours that calls it through JNI.
//!
//! What whoever embeds this must know:
//! - A CLR in the same process has to be started after the virtual machine, which would end it at its first
//!   NullPointerException: [`Java::start`] refuses to start behind one. Behind Java the CLR host installs a handler that gives
//!   the faults of Java's threads to Java: CoreCLR dies of one on a thread that it has not seen.
//! - wasmtime may start before or after it: each hands on what is not its own.
//! - With a CLR above it, Java's faults arrive on the thread's signal stack, so [`Host::worker`] installs a large one.
//! - The virtual machine is started with `-Xrs`: SIGINT and SIGTERM stay the program's own.

mod locate;
mod machine;
mod natives;
#[cfg(feature = "embedded")]
mod running;
mod table;

pub use locate::{Runtime, locate};

use crate::guest::Guest;
use crate::guests::{self, Options, Say};
use crate::probe::Probe;
use crate::signal_stack::SignalStack;
use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, JavaOptions, Module, Threads};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The Java of this process. A copy is the same one.
#[derive(Clone, Copy, Debug)]
pub struct Java {
    running: &'static Running,
}

#[derive(Debug)]
struct Running {
    runtime: Runtime,
    options: JavaOptions,
    sdk: PathBuf,
    guest: Guest,
}

impl Java {
    /// Starts Java, or returns the one that runs already. An error when that was started with other options, as its class
    /// path and options cannot be changed.
    ///
    /// # Errors
    /// There is no Java that is new enough, it does not start, a CLR is there already, or another Java runs.
    pub fn start(options: &JavaOptions) -> Result<Java, Error> {
        static STARTED: Mutex<Option<Result<Java, Error>>> = Mutex::new(None);
        let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(outcome) = &*started {
            return outcome.clone()?.same(options);
        }
        machine::alone()?;
        // What is missing may be there at the next attempt; what failed to start cannot be started again.
        let located = locate(options);
        if let Some(warning) = located.passed_over() {
            tracing::warn!("{warning}");
        }
        let runtime = located.into_result()?;
        let sdk = locate::sdk(options)?;
        let outcome = machine::start(&runtime, options, &sdk).map(|guest| {
            let running = Running { runtime, options: options.clone(), sdk, guest };
            Java { running: Box::leak(Box::new(running)) }
        });
        started.insert(outcome).clone()
    }

    fn same(self, options: &JavaOptions) -> Result<Java, Error> {
        let runs = &self.running.options;
        let asked = JavaOptions { home: runs.home.clone(), ..options.clone() };
        let nothing = JavaOptions { home: runs.home.clone(), ..JavaOptions::default() };
        if asked == nothing || asked == *runs {
            return Ok(self);
        }
        let message = format!(
            "start Java with other options: this process runs Java {} of {} already, and can run one only; give every flow of a process the same [java]",
            self.runtime().version,
            self.runtime().home.display()
        );
        Err(Error::new(ErrorKind::RuntimeFailed, message))
    }

    /// The runtime that runs.
    #[must_use]
    pub fn runtime(&self) -> &Runtime {
        &self.running.runtime
    }

    /// The `upcall.jar` that handlers share.
    #[must_use]
    pub fn sdk(&self) -> &Path {
        &self.running.sdk
    }

    /// Runs a handler that comes with `upcall.jar`, on this thread, to see whether everything really works.
    ///
    /// # Errors
    /// It does not run, or not as it should.
    pub fn probe(&self) -> Result<(), Error> {
        let probe = Probe { guest: guests::JAVA.name, language: "Java", remedy: "install Java again" };
        probe.echoes(self, self.sdk(), "upcall.Echo")
    }
}

pub(crate) const RUNTIME: guests::Runtime =
    guests::Runtime { start: |options| Ok(Arc::new(Java::start(&options.java)?)), examine };

fn examine(options: &Options, say: Say<'_>) -> Result<(), Error> {
    let found = |found: &Runtime| {
        let how = if found.feature >= locate::FOREIGN { "java.lang.foreign" } else { "JNI" };
        format!(
            "Java {} in {}, by {}; called through {how}",
            found.version,
            found.home.display(),
            found.through
        )
    };
    let located = locate(&options.java);
    guests::say_located(&located, found, say);
    if let Some(warning) = located.passed_over() {
        say(format!("warning: {warning}"));
    }
    let java = Java::start(&options.java)?;
    say(format!("handlers share {}", java.sdk().display()));
    java.probe()
}

impl Host for Java {
    fn guest(&self) -> &'static str {
        guests::JAVA.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 64,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        let _stack = SignalStack::install();
        self.running.guest.attached(body);
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let _stack = SignalStack::install();
        self.running.guest.load(handler)
    }
}
