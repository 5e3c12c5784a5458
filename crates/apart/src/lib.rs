//! Guests in processes of their own: what crashes, hangs or eats memory there does not touch the engine.
//!
//! It is a crate of its own, above the hosts, because both sides of it use them: the engine's process knows a handler apart
//! by an [`Entry`](upcall_host::Entry) like any other, and the other process hosts it as any program would.
//!
//! - [`Processes`] is the host for handlers with [`Isolation`](upcall_host::Isolation). Each instance has a process, a
//!   segment of memory that both share, and an entry that copies a frame into it, passes the turn, waits, checks what has come
//!   back and copies it out. If the process dies, the entry answers `LOST`, and the next call starts another one. Of a handler
//!   that answers later the entry does not wait: each such call has a lane, and a watcher completes it.
//! - [`guest::main`] is the other side: what the process runs.
//!
//! How frames cross, and how what comes back is checked, is `upcall_crossing`'s.
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![cfg(target_os = "linux")]

mod cgroup;
mod converse;
mod ending;
mod environment;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod guest;
mod instance;
mod keeper;
mod lanes;
mod lending;
mod limits;
mod lines;
mod link;
mod process;
mod processes;
pub mod protocol;
mod room;
mod sandbox;
mod services;

pub use processes::{Processes, Program};
pub use room::{Room, SharedBlocks};
pub use upcall_host::Lent;
