//! This rank's own memory.

use super::{Lock, Window};
use crate::ending::Hold;
use crate::error::Error;
use crate::padding::clean_in_place;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use upcall_abi::Blit;

/// Elements of a window, in place: no other rank reads or writes them until it is dropped. Where it is forgotten, the others
/// wait until the window is freed.
#[must_use = "it is unlocked when it is dropped"]
pub struct Local<'w, T: Blit> {
    window: &'w Window<T>,
    rank: usize,
    base: *mut T,
    length: usize,
    /// A lock belongs to the thread that has taken it, in some MPIs.
    here: PhantomData<*const ()>,
}

impl<T: Blit> Window<T> {
    /// This rank's own memory, in place, when no other rank has locked it: it is locked until the guard is dropped.
    ///
    /// # Errors
    /// It is locked by this rank already, or exposed; an epoch with several ranks is open; or MPI refuses.
    pub fn local(&self) -> Result<Local<'_, T>, Error> {
        // SAFETY: it is this rank's.
        unsafe { self.in_place(self.rank, self.base) }
    }

    /// The memory of a rank, as [`local`](Window::local).
    ///
    /// # Safety
    /// `base` must be the memory of that rank.
    pub(super) unsafe fn in_place(&self, rank: usize, base: *mut T) -> Result<Local<'_, T>, Error> {
        // MPI's memory is there as long.
        self.locked(Lock::Exclusive, rank, Some(Hold::new()))?;
        let local = Local { window: self, rank, base, length: self.room(rank), here: PhantomData };
        self.synchronized()?;
        Ok(local)
    }

    /// Brings what this process and the others see of the memory together.
    pub(super) fn synchronized(&self) -> Result<(), Error> {
        self.library.end(
            // SAFETY: a window of this MPI's.
            |table| unsafe { (table.win_sync)(self.handle) },
            || "synchronize a window's memory".to_owned(),
        )
    }
}

impl<T: Blit> Deref for Local<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: so many elements, of which any bytes are values; the lock keeps all others out, and there is one per rank.
        unsafe { std::slice::from_raw_parts(self.base, self.length) }
    }
}

impl<T: Blit> DerefMut for Local<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.base, self.length) }
    }
}

impl<T: Blit> Drop for Local<'_, T> {
    fn drop(&mut self) {
        // Others may read it from now on: memory that was never written must not leave the process. That the type may travel is
        // known since the window was made, and nobody could be told of the rest.
        let _ = clean_in_place(self);
        let _ = self.window.synchronized();
        let _ = self.window.unlocked(self.rank);
        self.window.state.unlock(self.rank);
    }
}

impl<T: Blit + fmt::Debug> fmt::Debug for Local<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
