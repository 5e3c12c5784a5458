//! Memory that a call needs until it has ended: the caller's, or the library's own.

use super::failure::{MpiFailure, UPCALL_MPI_COUNT};
use std::cell::UnsafeCell;
use std::sync::Arc;
use upcall_mpi::Lent;

/// What keeps memory as long as MPI may use it.
pub(super) enum Keep {
    /// The caller's, until this is dropped. It is never called.
    Theirs(Box<dyn Fn() + Send + Sync>),
    /// The library's.
    Ours(Arc<Ours>),
    /// What another one keeps.
    Nothing,
}

impl Keep {
    /// What has arrived in the library's memory, now that MPI has ended with it.
    pub(super) fn arrived(self) -> Arrived {
        match self {
            Keep::Ours(memory) => Arrived::Ours(memory),
            Keep::Theirs(keep) => {
                drop(keep);
                Arrived::Nothing
            }
            Keep::Nothing => Arrived::Nothing,
        }
    }
}

/// Memory that MPI reads and fills, and that is written and read here while it does not. Numbers of any type may lie in it.
pub(super) struct Ours {
    words: Box<[UnsafeCell<u64>]>,
    bytes: usize,
}

// SAFETY: it is written while nobody else has it: before it is lent, or under the lock of a request that is at rest.
unsafe impl Sync for Ours {}

impl Ours {
    /// So many zeroes, where there is memory for them.
    pub(super) fn zeroes(bytes: usize) -> Result<Arc<Ours>, MpiFailure> {
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(8)).map_err(|error| {
            MpiFailure::new(UPCALL_MPI_COUNT, format!("make room for {bytes} bytes: {error}"))
        })?;
        words.resize_with(bytes.div_ceil(8), UnsafeCell::default);
        Ok(Arc::new(Ours { words: words.into(), bytes }))
    }

    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    fn address(&self) -> *mut u8 {
        // Of a word, as an empty box has no first one.
        self.words.as_ptr().cast_mut().cast()
    }

    /// Its bytes.
    ///
    /// # Safety
    /// MPI and other threads must not write them meanwhile.
    pub(super) unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: there are as many, and the caller's promise.
        unsafe { std::slice::from_raw_parts(self.address(), self.bytes) }
    }

    /// Writes the first of them.
    ///
    /// # Safety
    /// MPI and other threads must not use them meanwhile.
    pub(super) unsafe fn write(&self, data: &[u8]) {
        // SAFETY: the caller's promise.
        unsafe { self.write_at(0, data) };
    }

    /// Writes those from a place on, as far as there are some.
    ///
    /// # Safety
    /// As of [`write`](Ours::write), of them.
    pub(super) unsafe fn write_at(&self, at: usize, data: &[u8]) {
        let bytes = data.len().min(self.bytes.saturating_sub(at));
        // SAFETY: there are as many, and the caller's promise.
        unsafe { self.address().add(at.min(self.bytes)).copy_from(data.as_ptr(), bytes) };
    }

    /// Copies those from a place on, as far as there are some.
    ///
    /// # Safety
    /// MPI and other threads must not write them meanwhile.
    pub(super) unsafe fn read_at(&self, at: usize, into: &mut [u8]) {
        let bytes = into.len().min(self.bytes.saturating_sub(at));
        // SAFETY: as above.
        unsafe { into.as_mut_ptr().copy_from(self.address().add(at.min(self.bytes)), bytes) };
    }

    /// The memory as it is lent to MPI.
    pub(super) fn lent(self: &Arc<Ours>) -> Lent<Keep> {
        self.lent_with(Keep::Ours(Arc::clone(self)))
    }

    /// The same, with another keeper that has it.
    pub(super) fn lent_with<K>(&self, keeper: K) -> Lent<K> {
        // SAFETY: the keeper has it, and it is used by nobody else while MPI does.
        unsafe { Lent::new(self.address(), self.bytes, keeper) }
    }
}

/// What a request has brought.
#[derive(Default)]
pub(super) enum Arrived {
    #[default]
    Nothing,
    Bytes(Vec<u8>),
    Ours(Arc<Ours>),
}

impl Arrived {
    /// At most so many of the first bytes.
    pub(super) fn shortened(self, bytes: usize) -> Arrived {
        match self.bytes().get(..bytes) {
            Some(first) if bytes < self.bytes().len() => Arrived::Bytes(first.to_vec()),
            _ => self,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Arrived::Nothing => &[],
            Arrived::Bytes(bytes) => bytes,
            // SAFETY: the call that has filled it has ended, and it is written no more.
            Arrived::Ours(memory) => unsafe { memory.bytes() },
        }
    }

    pub(super) fn into_vec(self) -> Vec<u8> {
        match self {
            Arrived::Bytes(bytes) => bytes,
            other => other.bytes().to_vec(),
        }
    }
}
