//! This rank's memory, for some ranks and for some time.

use super::{Held, not_here};
use crate::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

/// As [`Exposure`](super::super::Exposure): it ends by [`wait`](OpenExposure::wait), or [`test`](OpenExposure::test), alone.
#[doc(hidden)]
#[derive(Debug)]
pub struct OpenExposure<K: Send + 'static>(Mutex<Option<Arc<Held<K>>>>);

impl<K: Send + 'static> OpenExposure<K> {
    pub(super) fn new(held: Arc<Held<K>>) -> OpenExposure<K> {
        OpenExposure(Mutex::new(Some(held)))
    }

    /// As [`Exposure::wait`](super::super::Exposure::wait).
    ///
    /// # Errors
    /// As there, or it has ended already.
    pub fn wait(&self) -> Result<(), Error> {
        self.end(true).map(drop)
    }

    /// Whether the ranks have ended their access, and with that the exposure.
    ///
    /// # Errors
    /// As [`wait`](OpenExposure::wait).
    pub fn test(&self) -> Result<bool, Error> {
        self.end(false)
    }

    fn end(&self, wait: bool) -> Result<bool, Error> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(held) = &*place else {
            return Err(not_here("wait for those that access a window", "the exposure has ended"));
        };
        // A thread that may not call MPI leaves it as it is.
        let library = held.window().library;
        library.call(|_| 0, || "wait for those that access a window".to_owned())?;
        let (ended, said) = held.window().exposure_ended(wait);
        if ended {
            *place = None;
        }
        said.map(|()| ended)
    }
}
