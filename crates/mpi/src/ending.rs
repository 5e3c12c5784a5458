//! What stands in the way when MPI is finalized: windows and files that are still there, which it does not bear (MPICH 4.0.2 over
//! UCX aborts), and memory that is lent out, which holds it up.

use crate::shim::{Handle, Table};
use crate::window::ghost;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What has to be ended before MPI is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unended {
    Window(Handle),
    File(Handle),
}

/// In the order in which they were made, which is the same on all ranks that share them.
static LEFT: Mutex<Vec<Unended>> = Mutex::new(Vec::new());

impl Unended {
    /// One that was made.
    pub(crate) fn made(self) {
        LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Whether it has not been ended: it is about to be.
    pub(crate) fn taken(self) -> bool {
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        let at = left.iter().position(|one| *one == self);
        at.map(|at| left.remove(at)).is_some()
    }

    /// Ends it, with the other ranks that have it.
    pub(crate) fn end(self, table: &Table) -> i32 {
        match self {
            Unended::Window(mut handle) => {
                // SAFETY: a window of this MPI's that has not been freed, which nobody calls any more.
                let code = unsafe { (table.win_free)(&mut handle) };
                ghost::freed(self);
                code
            }
            // SAFETY: the same of a file.
            Unended::File(mut handle) => unsafe { (table.file_close)(&mut handle) },
        }
    }

    /// Ends all that are left: when MPI is about to be finalized, and no thread is in a call.
    pub(crate) fn end_all(table: &Table) {
        let left = std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner));
        for one in left {
            // Nobody could be told.
            let _ = one.end(table);
        }
    }
}

/// Memory that MPI has and lends out, or that is lent to it, while this lives: MPI is not finalized then.
#[derive(Debug)]
pub(crate) struct Hold(());

static LENT: AtomicUsize = AtomicUsize::new(0);

impl Hold {
    /// To be taken before MPI is called about it: MPI ends before that call, and refuses it, or sees this.
    pub(crate) fn new() -> Hold {
        LENT.fetch_add(1, Ordering::SeqCst);
        Hold(())
    }

    pub(crate) fn count() -> usize {
        LENT.load(Ordering::SeqCst)
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        LENT.fetch_sub(1, Ordering::SeqCst);
    }
}
