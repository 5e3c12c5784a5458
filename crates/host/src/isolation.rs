//! A handler in processes of its own, as plain data: the host named [`ISOLATED`] runs it so.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The name of the host that runs handlers in processes of their own, whatever guest they are written for.
pub const ISOLATED: &str = "process";

static APART: AtomicBool = AtomicBool::new(false);

/// Says that this process is a handler's own, before its runtime is started: it may end at any time, so a runtime that keeps
/// what is printed until it is much passes on each line at once.
pub fn set_apart() {
    APART.store(true, Relaxed);
}

/// Whether somebody has said so.
#[cfg(feature = "python")]
pub(crate) fn is_apart() -> bool {
    APART.load(Relaxed)
}

/// How a handler runs in processes of its own.
///
/// ```
/// use upcall_host::Isolation;
///
/// let isolation = Isolation { workers: 4, memory: Some(1 << 30), ..Isolation::default() };
/// assert_eq!(isolation.restarts, 3);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Isolation {
    /// Processes of this handler, 1 at least. Each has one instance, and each key belongs to one of them.
    pub workers: usize,
    /// How long a call may take before its process is killed: a batch from its hand-over, then each item alone when it is
    /// delivered again. `None`: as long as it likes.
    pub deadline: Option<Duration>,
    /// How long a process may take to start, to load the handler and to open it.
    pub start_deadline: Duration,
    /// Bytes of resident memory from which a process is killed. `None`: as much as the machine has. It is looked at from
    /// time to time; where the engine may make memory cgroups (`UPCALL_CGROUP`), the kernel holds the limit.
    pub memory: Option<u64>,
    /// How often a process may die with an item alone, without having finished it: then the item is buried as `lost`.
    /// 1 at least.
    pub restarts: u32,
    /// Names of the environment's variables that a process keeps.
    pub env: Vec<String>,
    /// Whether a process may read files and start threads only: the kernel keeps it from writing files, from the network, and
    /// from other processes. A kernel that cannot is an error when the process is started.
    pub sandbox: bool,
}

impl Default for Isolation {
    fn default() -> Isolation {
        Isolation {
            workers: 1,
            deadline: None,
            start_deadline: Duration::from_secs(60),
            memory: None,
            restarts: Isolation::RESTARTS,
            env: Vec::new(),
            sandbox: false,
        }
    }
}

impl Isolation {
    /// Calls of a handler that answers later which a process has open, at most.
    pub const MOST_OPEN: usize = 1000;

    /// [`Isolation::restarts`] unless somebody says otherwise.
    pub const RESTARTS: u32 = 3;
}
