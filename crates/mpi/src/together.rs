//! What all ranks do together, begun now and ended later: each rank begins the same calls, in the same order.

mod begin;
mod kept;
mod lent;
mod plan;

pub(crate) use lent::Keeps;
pub use lent::{LentCall, LentOperation};
pub(crate) use plan::Plan;
