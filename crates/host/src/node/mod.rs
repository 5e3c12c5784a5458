//! JavaScript and TypeScript handlers, on Node 18 or later.
//!
//! Node is a program and no library that one could embed: its handlers always run in processes of their own
//! ([`crate::Isolation`]), so what is here finds Node and the driver that it runs (`guest.js`, from `sdk/node`), and the host
//! that starts processes is [`Options::processes`].

mod locate;

pub use locate::{Node, NodeOptions, driver, locate};

use crate::guests::{self, Options, Runtime, Say};
use crate::probe::Probe;
use crate::{Error, ErrorKind, Host};
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
    let remedy = "name another Node with UPCALL_NODE";
    let probe = Probe { guest: guests::NODE.name, language: "JavaScript", remedy };
    probe.written(&*start(options)?, "echo.mjs", include_str!("echo.mjs"))
}
