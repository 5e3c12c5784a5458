//! JavaScript and TypeScript handlers, on Node 18 or later.
//!
//! Node is a program and no library that one could embed: its handlers always run in processes of their own
//! ([`crate::Isolation`]), so what is here finds Node and the driver that it runs (`guest.js`, from `sdk/node`), and the host
//! that starts processes is [`Options::processes`].

mod locate;

pub use locate::{Node, NodeOptions, driver, locate};

use crate::guests::{self, Options, Runtime, Say};
use crate::{Error, ErrorKind, HandlerSpec, Host};
use std::sync::Arc;

pub(crate) const RUNTIME: Runtime = Runtime { start, examine };

fn start(options: &Options) -> Result<Arc<dyn Host>, Error> {
    options.processes.0.clone().ok_or_else(|| {
        let message = "start node: its handlers run in processes of their own, and this program has no host for those; \
                       give `Options::processes` one, `upcall_apart::Processes`";
        Error::new(ErrorKind::RuntimeMissing, message)
    })
}

fn examine(options: &Options, say: Say<'_>) -> Result<(), Error> {
    let found =
        |node: &Node| format!("Node {}, {}, by {}", node.version, node.program.display(), node.through);
    let located = locate(&options.node);
    guests::say_located(&located, found, say);
    located.into_result()?;
    say(format!("its driver is {}", driver()?.display()));
    probe(&*start(options)?)
}

/// Runs a handler of our own to see whether everything really works.
fn probe(host: &dyn Host) -> Result<(), Error> {
    let failed = |found: String| {
        let message = format!("run a handler in JavaScript: {found}; name another Node with UPCALL_NODE");
        Error::new(ErrorKind::RuntimeFailed, message)
    };
    let written = tempfile::tempdir().and_then(|folder| {
        let file = folder.path().join("echo.mjs");
        std::fs::write(&file, include_str!("echo.mjs"))?;
        Ok((folder, file))
    });
    // Nobody else may enter the folder: what is written there is run.
    let (_folder, file) = written.map_err(|error| {
        let place = std::env::temp_dir();
        failed(format!("write it below {}: {error}; set TMPDIR to a writable folder", place.display()))
    })?;
    let module = host.load(&HandlerSpec::new("probe", guests::NODE.name, file, "Echo"))?;
    let mut outcome = Ok(());
    host.worker(&mut || {
        outcome = module.instantiate().and_then(|instance| {
            let mut harness = upcall_handler::Harness::of(instance).emits(&["/out"]);
            harness.put(b"ping", b"pong").map_err(|failure| failed(failure.message))?;
            match harness.emitted() {
                [echo] if echo.key == b"ping" && echo.value == b"pong" => Ok(()),
                other => Err(failed(format!("it emitted {other:?} instead of what it was given"))),
            }
        });
    });
    outcome
}
