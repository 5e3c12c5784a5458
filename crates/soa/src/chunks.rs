use crate::slice::SoaSlice;
use crate::slice_mut::SoaSliceMut;
use crate::soa::Soa;
use std::iter::FusedIterator;
use std::mem::take;

macro_rules! chunks {
    ($(#[$doc:meta])* $name:ident of $rows:ident) => {
        $(#[$doc])*
        pub struct $name<'a, T: Soa> {
            rest: $rows<'a, T>,
            size: usize,
        }

        impl<'a, T: Soa> $name<'a, T> {
            #[track_caller]
            pub(crate) fn new(rest: $rows<'a, T>, size: usize) -> Self {
                assert!(size > 0, "chunks of no rows");
                $name { rest, size }
            }

            /// Splits what is left; the first part is given, or the last.
            fn take(&mut self, at: usize) -> ($rows<'a, T>, $rows<'a, T>) {
                take(&mut self.rest).split(at)
            }
        }

        impl<'a, T: Soa> Iterator for $name<'a, T> {
            type Item = $rows<'a, T>;

            #[inline]
            fn next(&mut self) -> Option<$rows<'a, T>> {
                let left = self.rest.len();
                if left == 0 {
                    return None;
                }
                let (chunk, rest) = self.take(self.size.min(left));
                self.rest = rest;
                Some(chunk)
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                let chunks = self.rest.len().div_ceil(self.size);
                (chunks, Some(chunks))
            }
        }

        impl<'a, T: Soa> DoubleEndedIterator for $name<'a, T> {
            #[inline]
            fn next_back(&mut self) -> Option<$rows<'a, T>> {
                let left = self.rest.len();
                if left == 0 {
                    return None;
                }
                let (rest, chunk) = self.take((left - 1) / self.size * self.size);
                self.rest = rest;
                Some(chunk)
            }
        }

        impl<T: Soa> ExactSizeIterator for $name<'_, T> {}
        impl<T: Soa> FusedIterator for $name<'_, T> {}
    };
}
chunks! {
    /// Rows in pieces of the same size, from either end.
    Chunks of SoaSlice
}
chunks! {
    /// Rows to write in pieces of the same size, from either end.
    ChunksMut of SoaSliceMut
}
