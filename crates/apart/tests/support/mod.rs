//! What the tests share.

use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_flow::{Flow, FlowBuilder, OnSpec, Pool};
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

/// A flow of one handler in processes of its own, from /in to /out, where what is handled twice shows.
#[allow(dead_code, reason = "not every test file has a flow")]
pub(crate) fn flow(on: OnSpec) -> FlowBuilder {
    Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out").keep(1000))
        .host(Arc::new(Processes::new(program())))
        .on_guest(on)
}
