//! Values of another language: it has the values, and their numbers are kept with communicators.

use super::Key;
use crate::communicator::Communicator;
use crate::error::Error;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the number of a value is kept under: unlike a [`Key`] it need not be static.
#[doc(hidden)]
#[derive(Debug)]
pub struct NumberedKey {
    number: u64,
    copied: bool,
}

impl NumberedKey {
    /// One whose values a duplicate has as well, or has not.
    #[must_use]
    pub fn new(copied: bool) -> NumberedKey {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        NumberedKey { number: NEXT.fetch_add(1, Ordering::Relaxed), copied }
    }

    fn key(&self) -> &'static Key<Values> {
        static STAYS: Key<Values> = Key::new();
        static COPIED: Key<Values> = Key::copied_by(|values| Some(Values(Mutex::new(values.get().clone()))));
        if self.copied { &COPIED } else { &STAYS }
    }
}

/// The values of a communicator, by the numbers of their keys.
struct Values(Mutex<BTreeMap<u64, Arc<Numbered>>>);

impl Values {
    fn get(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Numbered>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of a value, which all duplicates share, and what is called when none has it any more.
struct Numbered {
    number: u64,
    released: Box<dyn Fn() + Send + Sync>,
}

impl Drop for Numbered {
    fn drop(&mut self) {
        (self.released)();
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.get().keys()).finish()
    }
}

/// One at a time: two threads do not make the values of one communicator.
static MAKING: Mutex<()> = Mutex::new(());

impl Communicator {
    /// Keeps the number of a value, which is not 0, instead of what was there under this key. `released` is called once, on
    /// whichever thread, when no communicator has it any more, or where it cannot be kept; it must not call MPI.
    ///
    /// # Errors
    /// MPI has been finalized.
    #[doc(hidden)]
    pub fn set_numbered(
        &self,
        key: &NumberedKey,
        number: u64,
        released: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), Error> {
        let value = Arc::new(Numbered { number, released });
        let making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, set) = match self.get(key.key())? {
            Some(values) => (values.get().insert(key.number, value), Ok(())),
            None => (None, self.set(key.key(), Values(Mutex::new(BTreeMap::from([(key.number, value)]))))),
        };
        // What is called may ask for values.
        drop(making);
        drop(before);
        set
    }

    /// The number that is kept under this key; 0 where there is none.
    ///
    /// # Errors
    /// MPI has been finalized.
    #[doc(hidden)]
    pub fn numbered(&self, key: &NumberedKey) -> Result<u64, Error> {
        let Some(values) = self.get(key.key())? else { return Ok(0) };
        let number = values.get().get(&key.number).map_or(0, |value| value.number);
        Ok(number)
    }

    /// Takes away what is kept under this key. Returns whether there was anything.
    ///
    /// # Errors
    /// MPI has been finalized.
    #[doc(hidden)]
    pub fn remove_numbered(&self, key: &NumberedKey) -> Result<bool, Error> {
        let Some(values) = self.get(key.key())? else { return Ok(false) };
        let before = values.get().remove(&key.number);
        Ok(before.is_some())
    }
}
