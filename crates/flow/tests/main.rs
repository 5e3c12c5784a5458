//! The tests of flows: one program, because linking each of them by itself takes longer than most of them do. Only
//! `loom.rs`, whose atomics are not the real ones, and `peak.rs`, whose process is its own, are others.

mod conditional;
mod dead_letters;
mod death;
mod handlers;
mod history;
mod later;
mod limits;
mod odd;
mod order;
mod pools;
mod reads;
mod stopping;
mod tasks;
mod typed;
mod warm;
