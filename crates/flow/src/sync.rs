//! What `wakeup`, `waiters`, `credit` and `slots` are made of; `tests/loom.rs` gives them loom's.

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{Condvar, Mutex};
pub(crate) use std::thread::{Thread, current, park, park_timeout};
