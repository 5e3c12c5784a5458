use crate::block::Block;
use crate::columns::Columns;
use crate::fixed::SoaBox;
use crate::soa::{Elements, Pointers, Soa};
use crate::vec::SoaVec;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

/// The values of a container that was consumed, from either end.
pub struct IntoIter<T: Soa> {
    at: Pointers<T>,
    left: Range<usize>,
    _block: Block<T::Columns>,
    owned: PhantomData<Elements<T>>,
}

// SAFETY: it owns values of the columns' types, which may be sent.
unsafe impl<T: Soa> Send for IntoIter<T> where Elements<T>: Send {}
// SAFETY: a shared iterator gives nothing.
unsafe impl<T: Soa> Sync for IntoIter<T> where Elements<T>: Sync {}

impl<T: Soa> IntoIter<T> {
    fn value(&self, index: usize) -> T {
        // SAFETY: an index that is no longer among those left, and it was there before.
        T::join(unsafe { T::Columns::read(self.at, index) })
    }
}

impl<T: Soa> Iterator for IntoIter<T> {
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

impl<T: Soa> DoubleEndedIterator for IntoIter<T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.left.next_back().map(|index| self.value(index))
    }
}

impl<T: Soa> ExactSizeIterator for IntoIter<T> {}
impl<T: Soa> FusedIterator for IntoIter<T> {}

impl<T: Soa> Drop for IntoIter<T> {
    fn drop(&mut self) {
        // SAFETY: these rows were given to nobody.
        unsafe { T::Columns::drop(self.at, self.left.start, self.left.len()) }
    }
}

impl<T: Soa> IntoIterator for SoaVec<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        let (rows, block) = self.into_parts();
        IntoIter { at: rows.at, left: 0..rows.len, _block: block, owned: PhantomData }
    }
}

impl<T: Soa> IntoIterator for SoaBox<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        SoaVec::from(self).into_iter()
    }
}
