//! Processes that a handler forks. Only the thread that forks goes on in the child, inside the handler's call; the engine that
//! waits for that call is not there. So where the call ends, the child ends.

use crate::body::Failed;
use crate::failure::{self, Failure};
use crate::support;
use std::io::Write;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often this process was forked from another.
static FORKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn count() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// Counts from now on.
pub fn prepare() {
    static PREPARED: Once = Once::new();
    // SAFETY: the function may be called in a child of any thread: it adds to a number. This library is never unloaded.
    PREPARED.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(count));
    });
}

/// The process that this code runs in: another number in a child than in its parent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Process(u32);

impl Process {
    /// This one.
    #[inline(always)]
    pub fn this() -> Process {
        Process(FORKS.load(Ordering::Relaxed))
    }

    /// Whether it is another one by now: a child of it.
    #[inline(always)]
    pub fn is_over(self) -> bool {
        self != Process::this()
    }
}

/// Ends this process, which a handler has forked, as a Python program ends: with the exit code of `sys.exit`, with 1 and a
/// traceback after another exception, else with 0. Needs an attached thread.
#[cold]
pub fn end(outcome: Result<(), Failed>) -> ! {
    let code = match outcome {
        Ok(()) => 0,
        Err(Failed { failure, .. }) => told(&failure),
    };
    let _ = support::call(c"flush_output", &[]).map_err(failure::forget);
    // SAFETY: nothing of the engine's is to run here any more, `atexit` functions among it.
    unsafe { libc::_exit(code) }
}

fn told(Failure { type_name, message, stack }: &Failure) -> i32 {
    let (text, code) = match (type_name.as_str(), message.as_str()) {
        ("SystemExit", "" | "None") => return 0,
        ("SystemExit", message) => match message.parse() {
            Ok(code) => return code,
            Err(_) => (format!("{message}\n"), 1),
        },
        _ if stack.is_empty() => (format!("{type_name}: {message}\n"), 1),
        _ => (stack.clone(), 1),
    };
    let _ = std::io::stderr().write_all(text.as_bytes());
    code
}
