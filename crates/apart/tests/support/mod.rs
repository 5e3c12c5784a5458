//! What the tests share.

use upcall_apart::{Processes, Program};
use upcall_host::{Error, HandlerSpec, Host, Instance, Isolation};

/// The program of the tests' processes.
pub(crate) fn program() -> Program {
    Program::new(env!("CARGO_BIN_EXE_upcall-apart-guest"))
}

/// A handler of the tests' program, in a process of its own.
#[allow(dead_code, reason = "not every test file does without a flow")]
pub(crate) fn instance(guest: &str, class: &str, isolation: Isolation) -> Result<Instance, Error> {
    let spec = HandlerSpec::new("handler", guest, "nowhere", class);
    Processes::new(program()).load(&HandlerSpec { isolation: Some(isolation), ..spec })?.instantiate()
}
