//! An array of which each thread writes its own parts.

use std::cell::UnsafeCell;
use std::ops::Range;

/// Elements that several threads write, each within ranges that nobody else looks at meanwhile.
pub(super) struct Shared<T>(UnsafeCell<Vec<T>>);

// SAFETY: who takes a range promises that it is nobody else's.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T: Clone> Shared<T> {
    pub(super) fn new(elements: Vec<T>) -> Shared<T> {
        Shared(UnsafeCell::new(elements))
    }

    pub(super) fn into_inner(self) -> Vec<T> {
        self.0.into_inner()
    }

    /// # Safety
    /// Nobody has a part of the range for as long as this is there, and it is within the array.
    #[expect(clippy::mut_from_ref, reason = "the caller promises that it is the only one")]
    pub(super) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        // SAFETY: only the parts are borrowed, never the vector; the caller's promise.
        unsafe {
            let first = (*self.0.get()).as_mut_ptr().add(range.start);
            std::slice::from_raw_parts_mut(first, range.len())
        }
    }

    /// # Safety
    /// Nobody writes any of it for as long as this is there.
    pub(super) unsafe fn whole(&self) -> &[T] {
        // SAFETY: the caller's promise.
        unsafe { &*self.0.get() }
    }
}
