//! A flow and guests whose handlers are written against the bare boundary.

mod bare;
mod faults;
mod isolated;
mod later;
mod lost;
mod outcomes;
