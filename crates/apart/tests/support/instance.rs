//! A handler of the tests' program, without a flow.

use upcall_apart::{Processes, Program};
use upcall_host::{Error, HandlerSpec, Host, Instance, Isolation};

/// A handler in a process of its own.
pub(crate) fn instance(guest: &str, class: &str, isolation: Isolation) -> Result<Instance, Error> {
    let spec = HandlerSpec::new("handler", guest, "nowhere", class);
    let processes = Processes::new(Program::new(env!("CARGO_BIN_EXE_upcall-apart-guest")));
    processes.load(&HandlerSpec { isolation: Some(isolation), ..spec })?.instantiate()
}
