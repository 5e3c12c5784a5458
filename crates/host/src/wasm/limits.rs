//! What an instance may use.

use super::engine::TABLE;
use crate::Limits;
use std::fmt;
use std::time::Duration;
use wasmtime::ResourceLimiter;

/// Bytes of memory, unless the handler says otherwise.
const MEMORY: u64 = 1 << 30;

/// What 32 bits can address: no module has more.
const ADDRESSES: u64 = 4 << 30;

/// Time for an item, unless the handler says otherwise.
const DEADLINE: Duration = Duration::from_secs(30);

/// The limits of an instance, and what it has asked for in vain.
pub(super) struct Bounds {
    pub(super) memory: u64,
    pub(super) deadline: Duration,
    pub(super) refused: Option<Refused>,
    /// The same of the host, for what crosses.
    pub(super) full: Option<Refused>,
}

/// Memory that was asked for in vain, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Refused {
    had: u64,
    asked: u64,
    limit: u64,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [had, asked, limit] =
            [self.had, self.asked, self.limit].map(|bytes| format!("{} MiB", bytes.div_ceil(1 << 20)));
        if self.asked > ADDRESSES {
            return write!(f, "had {had} and asked to have {asked}, and a module has 4096 MiB at most");
        }
        write!(f, "had {had} and asked to have {asked}, and `memory` gives it {limit}")
    }
}

impl Bounds {
    pub(super) fn new(limits: Limits) -> Bounds {
        let (memory, deadline) = (limits.memory.unwrap_or(MEMORY), limits.deadline.unwrap_or(DEADLINE));
        Bounds { memory, deadline, refused: None, full: None }
    }
}

impl ResourceLimiter for Bounds {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        let (had, asked, limit) = (current as u64, desired as u64, self.memory);
        let may = asked <= limit;
        if !may {
            self.refused = Some(Refused { had, asked, limit });
        }
        Ok(may)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
