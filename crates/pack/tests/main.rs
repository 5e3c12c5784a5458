//! The tests of the codec: one program, because linking each of them by itself takes longer than most of them do. Only
//! `memory.rs`, which counts what is allocated, is another.

mod borrowed;
mod depth;
mod evolution;
mod formatters;
mod frame;
mod golden_bytes;
mod hostile;
mod hostile_kinds;
mod kinds;
mod misuse;
mod model;
mod objects;
mod round_trip;
mod schema;
mod serde;
mod serde_hostile;
mod serde_refusals;
mod sinks;
mod streaming;
mod text;
