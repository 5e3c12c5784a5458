//! Values of the caller's language that are kept with communicators: it has the values, and MPI their numbers.

use super::communicator::UpcallMpiCommunicator;
use super::failure::MpiFailure;
use upcall_mpi::NumberedKey;

/// What a value is kept under, with any communicator. It may be released before its values are.
pub struct UpcallMpiKey(NumberedKey);

#[upcall::export]
impl UpcallMpiKey {
    /// One whose values a duplicate of the communicator has as well, where they are copied, or has not.
    pub fn new(copied: bool) -> Self {
        UpcallMpiKey(NumberedKey::new(copied))
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Keeps the number of a value, which is not 0, with this communicator, on this process, instead of what was there under this
    /// key. `released` is called once, on whichever thread, when no communicator has it any more; it must not call MPI.
    pub fn set_value(
        &self,
        key: &UpcallMpiKey,
        number: u64,
        released: Box<dyn Fn() + Send + Sync>,
    ) -> Result<(), MpiFailure> {
        Ok(self.peers()?.set_numbered(&key.0, number, released)?)
    }

    /// The number that is kept under this key; 0 where there is none.
    pub fn value(&self, key: &UpcallMpiKey) -> Result<u64, MpiFailure> {
        Ok(self.peers()?.numbered(&key.0)?)
    }

    /// Takes away what is kept under this key. Returns whether there was anything.
    pub fn remove_value(&self, key: &UpcallMpiKey) -> Result<bool, MpiFailure> {
        Ok(self.peers()?.remove_numbered(&key.0)?)
    }
}
