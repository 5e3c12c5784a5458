//! Handlers of the Node program that has loaded the engine: they run on its event loop, and the engine's worker waits for
//! them.
//!
//! - [`program`]: an event loop, and what other threads ask it for; [`posts`]: the queue of that.
//! - [`table`]: what the engine knows of it: a `GuestTable` for each event loop of the process.
//! - [`instance`]: a handler on its worker: the entry that copies a frame into memory that JavaScript sees, and out again.
//! - [`talk`]: a call that the worker waits for; [`open`]: those that it does not wait for.
//! - [`functions`]: what JavaScript calls.

mod functions;
mod instance;
mod open;
mod posts;
mod program;
mod shared;
mod table;
mod talk;

pub(crate) use functions::register;
