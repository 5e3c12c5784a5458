//! Handlers of the flow engine: objects in, emissions out.

mod batch;
mod body;
mod call;
pub mod data;
mod emit;
mod form;
pub mod keys;
pub mod later;
pub mod moment;
mod natives;
mod object;
pub mod over;
mod read;
mod state;

pub use body::{body, opened};
pub use form::Forms;
pub use natives::Natives;
pub use state::Shared;
