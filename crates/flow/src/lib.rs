//! Object pools and handlers on their paths.

mod spec;

pub use spec::{Code, Credit, FlowSpec, OnSpec, Order, PoolKind, PoolSpec, ValueType};
