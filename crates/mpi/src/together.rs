//! What all ranks do together, begun now and ended later: each rank begins the same calls, in the same order.

mod begin;
mod kept;
mod plan;

pub(crate) use plan::Plan;
