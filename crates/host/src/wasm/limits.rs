//! What an instance may use.

use super::engine::TABLE;
use crate::Limits;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Bytes of memory, unless the handler says otherwise.
const MEMORY: u64 = 1 << 30;

/// Time for an item, unless the handler says otherwise.
const DEADLINE: Duration = Duration::from_secs(30);

/// The limits of an instance, and what it has asked for in vain.
pub(super) struct Bounds {
    pub(super) memory: u64,
    pub(super) deadline: Duration,
    /// Bytes that it wanted to have.
    pub(super) refused: Option<u64>,
}

impl Bounds {
    pub(super) fn new(limits: Limits) -> Bounds {
        let (memory, deadline) = (limits.memory.unwrap_or(MEMORY), limits.deadline.unwrap_or(DEADLINE));
        Bounds { memory, deadline, refused: None }
    }
}

impl ResourceLimiter for Bounds {
    fn memory_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let may = desired as u64 <= self.memory;
        if !may {
            self.refused = Some(desired as u64);
        }
        Ok(may)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
