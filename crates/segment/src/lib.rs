//! Memory that two processes share, and whose turn it is to use it.
//!
//! It is a crate of its own because both sides stand on it and have nothing else in common: a host that keeps guests in
//! processes of their own, and whatever runs in those.
//!
//! A [`Segment`] is a file in memory that is mapped by both, at whatever address each finds; what lies in it is named by
//! offsets. Its size is fixed and sealed, so that neither can cut it off below the other; pages that nobody has touched take
//! no memory. It begins with a page for the [`Turn`], one [`Message`] and two [`Bell`]s; the rest belongs to whoever made it.
//!
//! The two sides take turns: who has the turn may write the message and then passes the turn. So there is one wake-up
//! per step and nothing to lock, and what one side has written the other sees. Where there is more than one thing to take
//! turns at, each has a [`Lane`], and a side that waits for any of them waits for its bell.
//!
//! Linux only.
#![cfg(target_os = "linux")]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod arena;
mod bell;
mod blocks;
mod lane;
mod message;
mod ringing;
mod segment;
mod sleep;
mod spin;
mod turn;

pub use arena::Arena;
pub use bell::{Bell, GUEST_BELL, HOST_BELL, RUNG, Rung};
pub use blocks::Blocks;
pub use lane::Lane;
pub use message::{MESSAGE, Message};
pub use segment::{HEAD, HUGE, Segment};
pub use spin::Spin;
pub use turn::{Patience, Side, Turn, Waited};
