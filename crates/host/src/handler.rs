use crate::Isolation;
use std::path::PathBuf;
use std::time::Duration;

/// Where a handler is, and how it runs: what a host needs to load it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HandlerSpec {
    /// Its name in the flow, for messages and logs.
    pub name: String,
    /// The guest that it is written for: `native`, `csharp`, `python`.
    pub guest: String,
    /// The file: a shared library, a .NET assembly, a Python file.
    pub file: PathBuf,
    /// The handler in it: an exported name, a full class name.
    pub class: String,
    /// Where it runs in processes of its own; `None` where it runs in this one.
    pub isolation: Option<Isolation>,
    /// What it may use, where its guest can hold it to that.
    pub limits: Limits,
}

/// What a handler may use at most: of the guests in [`crate::GUESTS`], WebAssembly's can be held to it, in the engine's process
/// and in one of its own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Bytes of memory that an instance may have. `None`: as its guest says.
    pub memory: Option<u64>,
    /// How long it may take for an item. `None`: as its guest says.
    pub deadline: Option<Duration>,
}

impl HandlerSpec {
    /// A handler that runs in this process.
    pub fn new(
        name: impl Into<String>,
        guest: impl Into<String>,
        file: impl Into<PathBuf>,
        class: impl Into<String>,
    ) -> HandlerSpec {
        let (name, guest) = (name.into(), guest.into());
        HandlerSpec {
            name,
            guest,
            file: file.into(),
            class: class.into(),
            isolation: None,
            limits: Limits::default(),
        }
    }
}
