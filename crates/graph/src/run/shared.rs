//! An array of which each thread writes its own parts.

use crate::error::Error;
use crate::values::Values;
use crate::write_back::{Until, WriteBack};
use std::ops::Range;
use upcall_host::Lent;

/// Elements that several threads write, each within ranges that nobody else looks at meanwhile.
pub(super) struct Shared<T>(Values<T>);

impl<T> Shared<T> {
    pub(super) fn new(elements: Values<T>) -> Shared<T> {
        Shared(elements)
    }

    pub(super) fn into_inner(self) -> Values<T> {
        self.0
    }

    /// As [`Values::lent`].
    pub(super) fn lent(&self) -> Option<Lent> {
        self.0.lent()
    }

    /// As [`Values::is_in_memory`].
    pub(super) fn is_in_memory(&self) -> bool {
        self.0.is_in_memory()
    }

    /// # Panics
    /// The range is not within the array.
    ///
    /// # Safety
    /// Nobody has a part of the range for as long as this is there.
    #[expect(clippy::mut_from_ref, reason = "the caller promises that it is the only one")]
    pub(super) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.0.count(), "{range:?} is not within the array");
        // SAFETY: it is, and the caller promises that nobody else looks at it; the pointer is the array's own, of which no reference
        // was made.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_ptr().add(range.start), range.len()) }
    }

    /// # Safety
    /// Nobody writes any of it for as long as this is there.
    pub(super) unsafe fn whole(&self) -> &[T] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr(), self.0.count()) }
    }
}

/// Others may write the elements meanwhile, which are written back once more then.
impl<T> WriteBack for Shared<T> {
    const SIZE: usize = size_of::<T>();

    fn count(&self) -> usize {
        self.0.count()
    }

    fn write_back(&self, elements: Range<usize>, until: Until) -> Result<usize, Error> {
        self.0.write_back(elements, until)
    }

    fn will_need(&self, elements: Range<usize>) {
        self.0.will_need(elements);
    }
}
