//! Object pools and handlers on their paths.
//!
//! It is a crate of its own because a flow is one engine among others on the same boundary.
//!
//! An object put into a pool reaches the handlers on the pool's path, which emit into other pools. A worker
//! thread a core owns the keys that hash to it: it gives them versions, stores them, and runs the handlers, a
//! batch at a time, of whatever has gathered meanwhile.
//!
//! ```
//! use upcall_flow::{Flow, Pool};
//!
//! let flow = Flow::builder()
//!     .pool(Pool::trigger("/lines"))
//!     .pool(Pool::of::<u64>("/lengths"))
//!     .on("/lines", "/lengths", |line, out| out.put(line.key(), &(line.text()?.len() as u64)))
//!     .start()?;
//! flow.pool("/lines")?.put("1", "In the beginning")?;
//! flow.drain()?;
//! for (key, n) in flow.pool("/lengths")?.of::<u64>()?.entries()? {
//!     assert_eq!((key.as_str(), n), ("1", 16));
//! }
//! # Ok::<(), upcall_flow::Error>(())
//! ```
//!
//! # What is promised
//!
//! - **Order.** Items of one key reach a handler in the order of their versions, and what it emits for them
//!   lands in that order ([`Order::Key`]). All handlers on a pool's path are called; between two of them, and
//!   between different keys, no order is promised: each has its own queue and may run on another worker.
//! - **Versions** are unique in a pool and strictly increasing for a key; times never go backward in a pool. What
//!   a key was at a version that somebody has seen does not change ([`PoolHandle::get_at`]).
//! - **Failure.** An item whose handler fails emits nothing, is tried again [`OnSpec::retry`] times, and is
//!   then buried in `/dead/<pool>` as a [`DeadLetter`], of which the newest are kept within
//!   [`FlowSpec::dead_letters`]. Items of the same key wait meanwhile, others go on. Each item's emission happens
//!   once. Of what a guest had that died ([`OnSpec::isolation`]) counts what it had finished; the rest is delivered again.
//! - **Memory.** Puts from outside wait while more than [`FlowSpec::credit`] is in flight, counted over all
//!   that an object leads to, or more than the handlers do in [`FlowSpec::delay`]. What handlers emit never
//!   waits, but they are called with fewer items, or later, while the flow holds much. A flow that holds more
//!   than [`FlowSpec::memory`] stops with an error that names the cycle, the handler or the pool.

#![warn(clippy::missing_errors_doc, clippy::must_use_candidate)]

mod accepts;
mod any_queue;
mod apply;
mod builder;
mod call;
mod check;
mod chunk;
mod clock;
mod conditional;
mod credit;
#[cfg(test)]
mod credit_tests;
mod dead;
mod error;
mod flow;
mod graph;
mod handler_runner;
mod hash;
mod held_keys;
mod inbox;
mod lane;
mod memory;
mod object;
mod open;
mod open_handler;
mod pace;
mod parcel;
mod plan;
mod pool;
mod rate;
mod report;
mod retry;
mod route;
mod services;
mod shared;
mod slots;
mod small_key;
mod spare;
mod spec;
mod state;
mod stats;
mod sync;
mod table;
mod tasks;
mod ticket;
mod typed;
mod typed_watch;
mod upcall;
mod waiters;
mod wakeup;
mod watch;
mod worker;
mod worker_context;

pub use builder::FlowBuilder;
pub use check::{MOST_IN_FLIGHT, MOST_RETRIES, MOST_WORKERS, Place, Problem, check};
pub use dead::{Cause, DeadLetter};
pub use error::{Error, ErrorKind};
pub use flow::{Flow, Workers};
pub use object::{Seen, Stored};
pub use pool::PoolHandle;
pub use report::{DeadLetterReport, HandlerReport, LatencyReport, PoolReport, Report, WorkerShare};
pub use spec::{Credit, DeadLetterLimit, FlowSpec, OnSpec, Order, Pool, PoolKind, Sample, ValueType};
pub use ticket::{Ticket, Version};
pub use typed::TypedPool;
pub use typed_watch::{TypedEvent, TypedWatch};
pub use upcall_host::Isolation;
pub use watch::{Event, Watch};
