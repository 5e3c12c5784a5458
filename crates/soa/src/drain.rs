use crate::columns::{Columns, DropRows};
use crate::rows::within;
use crate::soa::Soa;
use crate::vec::SoaVec;
use crate::visit::Move;
use std::iter::FusedIterator;
use std::ops::{Range, RangeBounds};

/// Rows that are taken out of the middle of a [`SoaVec`], from either end.
///
/// The rows that are not asked for are dropped with it. If it is leaked, so are they and all rows after them.
pub struct Drain<'a, T: Soa> {
    vec: &'a mut SoaVec<T>,
    left: Range<usize>,
    /// Where the rows after the drained ones begin, and where they end.
    tail: Range<usize>,
}

impl<T: Soa> SoaVec<T> {
    /// Takes the rows of a range out, one by one; those after them move up at the end.
    ///
    /// # Panics
    /// If the range goes beyond the end, or ends before it starts.
    #[track_caller]
    pub fn drain(&mut self, range: impl RangeBounds<usize>) -> Drain<'_, T> {
        let len = self.rows.len;
        let (start, drained) = within(range, len);
        self.rows.len = start;
        Drain { vec: self, left: start..start + drained, tail: start + drained..len }
    }
}

impl<T: Soa> Drain<'_, T> {
    fn value(&self, index: usize) -> T {
        // SAFETY: an index that is no longer among those left, and it was there before.
        T::join(unsafe { T::Columns::read(self.vec.rows.at, index) })
    }
}

impl<T: Soa> Iterator for Drain<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left.next().map(|index| self.value(index))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<T: Soa> DoubleEndedIterator for Drain<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.left.next_back().map(|index| self.value(index))
    }
}

impl<T: Soa> ExactSizeIterator for Drain<'_, T> {}
impl<T: Soa> FusedIterator for Drain<'_, T> {}

impl<T: Soa> Drop for Drain<'_, T> {
    fn drop(&mut self) {
        /// Moves the tail up, even after a panic.
        struct Close<'a, 'b, T: Soa>(&'a mut Drain<'b, T>);

        impl<T: Soa> Drop for Close<'_, '_, T> {
            fn drop(&mut self) {
                let Drain { vec, tail, .. } = &mut *self.0;
                let (to, len) = (vec.rows.len, tail.len());
                // SAFETY: the tail is rows, and nothing is left between it and the rows in front.
                unsafe { T::Columns::map(vec.rows.at, &mut Move { from: tail.start, to, len }) };
                vec.rows.len += len;
            }
        }

        let close = Close(self);
        let left = close.0.left.clone();
        // SAFETY: they are rows, and nobody's but the guard's.
        drop(unsafe { DropRows::<T::Columns>::new(close.0.vec.rows.at, left.start, left.len()) });
    }
}
