use crate::columns::Columns;
use crate::soa::{Elements, Pointers, Soa};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

/// Rows in order, from either end.
pub struct Iter<'a, T: Soa> {
    at: Pointers<T>,
    left: Range<usize>,
    lent: PhantomData<&'a Elements<T>>,
}

/// Rows in order, to write, from either end.
pub struct IterMut<'a, T: Soa> {
    at: Pointers<T>,
    left: Range<usize>,
    lent: PhantomData<&'a mut Elements<T>>,
}

// SAFETY: it is shared references to the columns' elements.
unsafe impl<T: Soa> Send for Iter<'_, T> where Elements<T>: Sync {}
// SAFETY: as above.
unsafe impl<T: Soa> Sync for Iter<'_, T> where Elements<T>: Sync {}
// SAFETY: it is mutable references to the columns' elements.
unsafe impl<T: Soa> Send for IterMut<'_, T> where Elements<T>: Send {}
// SAFETY: as above; a shared iterator gives nothing.
unsafe impl<T: Soa> Sync for IterMut<'_, T> where Elements<T>: Sync {}

macro_rules! iterator {
    ($name:ident: $item:ident = $row:ident, $get:ident) => {
        impl<T: Soa> $name<'_, T> {
            /// # Safety
            /// There are `len` rows, borrowed as the iterator's references say, for as long.
            #[inline]
            pub(crate) unsafe fn new(at: Pointers<T>, len: usize) -> Self {
                $name { at, left: 0..len, lent: PhantomData }
            }
        }

        impl<'a, T: Soa> $name<'a, T> {
            #[inline]
            fn row(at: Pointers<T>, index: usize) -> T::$item<'a> {
                // SAFETY: an index of the range that `new` was promised; each is given once.
                T::$row(unsafe { T::Columns::$get(at, index) })
            }
        }

        impl<'a, T: Soa> Iterator for $name<'a, T> {
            type Item = T::$item<'a>;

            #[inline]
            fn next(&mut self) -> Option<T::$item<'a>> {
                self.left.next().map(|index| Self::row(self.at, index))
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.left.size_hint()
            }

            #[inline]
            fn nth(&mut self, skipped: usize) -> Option<T::$item<'a>> {
                self.left.nth(skipped).map(|index| Self::row(self.at, index))
            }

            #[inline]
            fn fold<B, F: FnMut(B, T::$item<'a>) -> B>(self, start: B, mut each: F) -> B {
                let at = self.at;
                self.left.fold(start, |so_far, index| each(so_far, Self::row(at, index)))
            }
        }

        impl<T: Soa> DoubleEndedIterator for $name<'_, T> {
            #[inline]
            fn next_back(&mut self) -> Option<Self::Item> {
                self.left.next_back().map(|index| Self::row(self.at, index))
            }

            #[inline]
            fn nth_back(&mut self, skipped: usize) -> Option<Self::Item> {
                self.left.nth_back(skipped).map(|index| Self::row(self.at, index))
            }
        }

        impl<T: Soa> ExactSizeIterator for $name<'_, T> {}
        impl<T: Soa> FusedIterator for $name<'_, T> {}
    };
}
iterator!(Iter: Ref = row, get);
iterator!(IterMut: RefMut = row_mut, get_mut);

impl<T: Soa> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter { at: self.at, left: self.left.clone(), lent: PhantomData }
    }
}
