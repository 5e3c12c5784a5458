//! An array of which each thread writes its own parts.

use std::cell::UnsafeCell;
use std::ops::Range;

/// Elements that several threads write, each within ranges that nobody else looks at meanwhile.
pub(super) struct Shared<T>(Box<[UnsafeCell<T>]>);

// SAFETY: who takes a range promises that it is nobody else's.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(super) fn new(elements: Vec<T>) -> Shared<T> {
        let elements = Box::into_raw(elements.into_boxed_slice());
        // SAFETY: an `UnsafeCell` has the layout of what is in it.
        Shared(unsafe { Box::from_raw(elements as *mut [UnsafeCell<T>]) })
    }

    pub(super) fn into_inner(self) -> Vec<T> {
        let elements = Box::into_raw(self.0);
        // SAFETY: as above.
        unsafe { Box::from_raw(elements as *mut [T]) }.into_vec()
    }

    /// # Panics
    /// The range is not within the array.
    ///
    /// # Safety
    /// Nobody has a part of the range for as long as this is there.
    #[expect(clippy::mut_from_ref, reason = "the caller promises that it is the only one")]
    pub(super) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        let part = &self.0[range];
        // SAFETY: the cells may be written through a shared reference, and the caller promises that nobody else looks at them.
        unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(part.as_ptr()), part.len()) }
    }

    /// # Safety
    /// Nobody writes any of it for as long as this is there.
    pub(super) unsafe fn whole(&self) -> &[T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(UnsafeCell::raw_get(self.0.as_ptr()), self.0.len()) }
    }
}
