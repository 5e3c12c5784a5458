//! The last word of a run that is ended from inside a guest: `exit` is called there, or an exception that nobody
//! catches ends the process. What an ordinary end writes is written all the same.
//!
//! Nothing of it happens in a signal handler: C's `exit` calls us on the thread that called it, CoreCLR on the thread
//! of the exception.

use crate::exit::{FAILED, Failures};
use crate::results::Results;
use anyhow::anyhow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use upcall_flow::Flow;

static WORD: Mutex<Word> = Mutex::new(Word::None);

enum Word {
    /// The command ends by itself.
    None,
    /// What to write if it does not.
    Ready { results: Arc<Results>, flow: Weak<Flow> },
    /// Somebody has ended it.
    Said,
}

/// Until it is dropped, an end from inside a guest is met.
pub(crate) struct Armed {
    results: Arc<Results>,
}

/// Meets an end from now on, while there is no flow. To be called before a guest is started.
pub(crate) fn arm(results: &Arc<Results>) -> Armed {
    *word() = Word::Ready { results: results.clone(), flow: Weak::new() };
    register();
    Armed { results: results.clone() }
}

impl Armed {
    /// The flow has started.
    pub(crate) fn flow(&self, flow: &Arc<Flow>) {
        *word() = Word::Ready { results: self.results.clone(), flow: Arc::downgrade(flow) };
        // What is registered last is called first: before the guests shut themselves down.
        register();
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        let mut word = word();
        if let Word::Said = *word {
            // The process ends with the exit code of whoever has spoken.
            drop(word);
            loop {
                thread::park();
            }
        }
        *word = Word::None;
    }
}

/// An exception that nobody has caught is about to end the process.
pub(crate) fn unhandled() {
    say("an exception that nobody caught ends the process");
}

fn register() {
    // SAFETY: a function of this program, which is never unloaded. Without room for it there is no last word.
    unsafe { libc::atexit(exiting) };
}

extern "C" fn exiting() {
    if say("a handler, or the runtime that it is in, has called exit") {
        // SAFETY: what handlers in C have printed goes out; the end. What else there is to be called at an exit would
        // shut runtimes down under handlers that still run.
        unsafe {
            libc::fflush(std::ptr::null_mut());
            libc::_exit(FAILED.into());
        }
    }
}

/// Writes what the run would have left behind. False when it has ended by itself.
fn say(what: &'static str) -> bool {
    // Held until all is written, so that the command does not end meanwhile.
    let mut word = word();
    let (results, flow) = match &*word {
        Word::None => return false,
        Word::Said => return true,
        Word::Ready { results, flow } => (results.clone(), flow.clone()),
    };
    *word = Word::Said;
    // On a thread of its own: this one may be a worker, on which some calls are refused, and is being torn down.
    let write = move || {
        let mut failures = Failures::default();
        failures.note::<()>(Err(anyhow!("{what}: not all is done")));
        if let Some(flow) = flow.upgrade() {
            results.dump(&flow, &mut failures);
            // Dropping the last reference would wait for the handler that does not come back.
            std::mem::forget(flow);
        }
        results.report(&mut failures);
    };
    if let Ok(writing) = thread::Builder::new().name("last word".into()).spawn(write) {
        // A panic has been told.
        let _ = writing.join();
    }
    true
}

fn word() -> MutexGuard<'static, Word> {
    WORD.lock().unwrap_or_else(PoisonError::into_inner)
}
