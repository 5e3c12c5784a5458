//! What a thread has dropped that may not call MPI: a finaliser of another language runs on a thread of its own, which has no
//! choice. It is left to the next call of a thread that may.

use crate::error::{Error, ErrorKind};
use std::sync::{Mutex, PoisonError};

/// Frees something of MPI's. It is asked again where the thread is refused.
type Free = Box<dyn FnMut() -> Result<(), Error> + Send>;

static LEFT: Mutex<Vec<Free>> = Mutex::new(Vec::new());

/// Frees something now, or leaves that to a thread that may. Returns whether it was left.
pub(crate) fn free_or_leave(mut free: impl FnMut() -> Result<(), Error> + Send + 'static) -> bool {
    let left = refused(free());
    if left {
        LEFT.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(free));
    }
    left
}

/// Frees what was left. Returns whether any of it still is.
pub(crate) fn free_left() -> bool {
    // Without the lock, as what is freed may drop more.
    let mut left = std::mem::take(&mut *LEFT.lock().unwrap_or_else(PoisonError::into_inner));
    left.retain_mut(|free| refused(free()));
    let remains = !left.is_empty();
    LEFT.lock().unwrap_or_else(PoisonError::into_inner).extend(left);
    remains
}

/// Whether it was the thread that was wrong. Nobody could be told of another failure.
fn refused(freed: Result<(), Error>) -> bool {
    freed.is_err_and(|error| error.kind() == ErrorKind::Usage)
}
