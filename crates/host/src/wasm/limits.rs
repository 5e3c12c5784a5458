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
    by: Limit,
}

/// What has set a limit, which is in bytes.
#[derive(Clone, Copy)]
enum Limit {
    /// `memory` of the handler.
    Memory(u64),
    /// The module, as it was linked.
    Module(u64),
    Addresses,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
        write!(f, "had {} and asked to have {}, and ", of(self.had), of(self.asked))?;
        match self.by {
            Limit::Memory(limit) => write!(f, "`memory` gives it {}", of(limit)),
            Limit::Module(limit) => {
                write!(f, "the module itself declares {} at most; link it with more", of(limit))
            }
            Limit::Addresses => write!(f, "a module has 4096 MiB at most"),
        }
    }
}

/// What is said where the host has found no memory for `what` crosses, and why.
#[cold]
pub(super) fn no_room(what: &str, full: Option<Refused>) -> String {
    let said = format!("the module's memory has no room for {what}");
    match full {
        None => format!("{said}: raise `memory` of the handler"),
        Some(full @ Refused { by: Limit::Memory(_), .. }) => {
            format!("{said} (it {full}): raise `memory` of the handler")
        }
        Some(full @ Refused { by: Limit::Addresses, .. }) => {
            format!("{said} (it {full}): give it less at a time")
        }
        // It says what to do.
        Some(full @ Refused { by: Limit::Module(_), .. }) => format!("{said}: it {full}"),
    }
}

impl Bounds {
    pub(super) fn new(limits: Limits) -> Bounds {
        let (memory, deadline) = (limits.memory.unwrap_or(MEMORY), limits.deadline.unwrap_or(DEADLINE));
        Bounds { memory, deadline, refused: None, full: None }
    }
}

impl ResourceLimiter for Bounds {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let (had, asked) = (current as u64, desired as u64);
        // wasmtime refuses what is more than that, and tells nobody.
        let declared = maximum.map_or(ADDRESSES, |bytes| bytes as u64);
        if asked <= self.memory.min(declared) {
            return Ok(true);
        }
        let by = match () {
            () if asked > ADDRESSES => Limit::Addresses,
            () if declared <= self.memory => Limit::Module(declared),
            () => Limit::Memory(self.memory),
        };
        self.refused = Some(Refused { had, asked, by });
        Ok(false)
    }

    fn table_growing(&mut self, _: usize, desired: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= TABLE)
    }
}
