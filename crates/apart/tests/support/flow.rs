//! A flow with a handler of the tests' program.

use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_flow::{Flow, FlowBuilder, OnSpec, Pool};

/// A flow of one handler in processes of its own, from /in to /out, where what is handled twice shows.
pub(crate) fn flow(on: OnSpec) -> FlowBuilder {
    let processes = Processes::new(Program::new(env!("CARGO_BIN_EXE_upcall-apart-guest")));
    Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out").keep(1000))
        .host(Arc::new(processes))
        .on_guest(on)
}
