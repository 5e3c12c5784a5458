use super::environment::UpcallMpi;
use super::failure::MpiFailure;
use std::sync::{Mutex, MutexGuard, PoisonError};
use upcall_mpi::SendBuffer;

/// The room for buffered sends, until it is detached. One that is released before stays attached, as nothing waits in a
/// release, until another takes its place.
pub struct UpcallMpiSendBuffer(Mutex<Option<Attached>>);

struct Attached(SendBuffer<'static>);

// SAFETY: it is bound to its thread because another one may not be allowed to call MPI, and would wait for ever to be; that is
// asked first.
unsafe impl Send for Attached {}

impl UpcallMpiSendBuffer {
    fn buffer(&self) -> MutexGuard<'_, Option<Attached>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[upcall::export]
impl UpcallMpiSendBuffer {
    /// How many bytes are under way.
    pub fn used(&self) -> Result<u64, MpiFailure> {
        match &*self.buffer() {
            Some(Attached(buffer)) => Ok(buffer.used()? as u64),
            None => Err(MpiFailure::usage("look at a buffer for sends: it was detached")),
        }
    }

    /// Waits until all that was sent by it has left, and takes it away. A second call does nothing.
    pub fn detach(&self) -> Result<(), MpiFailure> {
        let mut attached = self.buffer();
        if let Some(Attached(buffer)) = &*attached {
            buffer.used()?;
        }
        Ok(attached.take().map_or(Ok(()), |Attached(buffer)| buffer.detach())?)
    }
}

impl Drop for UpcallMpiSendBuffer {
    fn drop(&mut self) {
        if let Some(Attached(buffer)) = self.buffer().take() {
            buffer.leave();
        }
    }
}

#[upcall::export(extend)]
impl UpcallMpi {
    /// Attaches room for so many bytes of messages at once, for the buffered sends of all communicators and threads. There is
    /// one at a time.
    pub fn attach_buffer(&self, bytes: usize) -> Result<UpcallMpiSendBuffer, MpiFailure> {
        Ok(UpcallMpiSendBuffer(Mutex::new(Some(Attached(self.environment().attach_buffer(bytes)?)))))
    }
}
