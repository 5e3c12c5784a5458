//! Handlers that answer later: those whose `on_object` is a coroutine function.
//!
//! Each instance has an event loop of its own on a thread of its own. The engine's worker puts frames into a mailbox,
//! without the interpreter's lock; the loop takes them, and each becomes a task. When that is done the loop's thread answers
//! the frame. What the engine cancels goes the same way, and is answered by that thread too: a loop that hangs answers nothing,
//! by which a host can tell. Only CLOSE answers on the worker.
//!
//! Each item has a [`super::state::State`] of its own, through which alone Python's objects reach the frame. It is over once:
//! whoever ends it ([`super::call::Call::over`]) answers the frame. All of that needs the interpreter's lock.

mod body;
mod done;
mod given;
mod items;
mod mailbox;

pub use body::body;
pub use done::done_type;
pub use given::items_type;
pub use mailbox::Mailbox;
