//! Handlers that are called by the program itself: without MPI, or where that is reached by another library.

use super::{Calls, Shared};
use crate::error::{Error, ErrorKind};

/// A handler that was loaded and is called with arrays, by an instance of each thread's own.
pub struct Combiner {
    calls: Calls,
    commutes: bool,
}

impl Combiner {
    pub(super) fn new(calls: Calls, commutes: bool) -> Combiner {
        Combiner { calls, commutes }
    }

    /// Whether it may be called with its arrays in any order.
    #[must_use]
    pub fn commutes(&self) -> bool {
        self.commutes
    }

    /// Combines the first array into the second, of as many whole elements.
    ///
    /// # Errors
    /// They are not that, are not aligned as the elements are, or the handler fails.
    pub fn combine(&self, from: &[u8], into: &mut [u8]) -> Result<(), Error> {
        let Shared { name, element, .. } = &*self.calls.0;
        if from.len() != into.len() || !from.len().is_multiple_of(element.size.max(1)) {
            let message = format!(
                "combine by handler {name}: {} and {} bytes are not as many whole elements of {}",
                from.len(),
                into.len(),
                element.size
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        // SAFETY: two slices, of which the second is nobody else's.
        let combined = unsafe { self.calls.combine(from.as_ptr(), into.as_mut_ptr(), from.len()) };
        combined.map_err(|why| Error::new(ErrorKind::Operation, format!("combine by handler {name}: {why}")))
    }
}

impl std::fmt::Debug for Combiner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Combiner").field("handler", &self.calls.0.name).finish_non_exhaustive()
    }
}
