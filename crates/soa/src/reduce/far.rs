//! Vectors for slices that no cache holds.

use super::vector::{LoadFrom, Vector, Widen};
use upcall_abi::prefetch;

/// Slices of more bytes than this are read with [`Far`]: more than a core's second cache has today.
const FAR: usize = 4 << 20;

/// Whether a slice is to be read with [`Far`].
#[inline(always)]
pub fn is_far<T>(values: &[T]) -> bool {
    #[cfg(test)]
    let far = tested::FAR.get();
    #[cfg(not(test))]
    let far = FAR;
    size_of_val(values) > far
}

/// Tests read all lengths both ways.
#[cfg(test)]
pub mod tested {
    use std::cell::Cell;

    std::thread_local! {
        /// Takes the place of [`super::FAR`].
        pub static FAR: Cell<usize> = const { Cell::new(super::FAR) };
    }
}

/// How many bytes ahead memory is asked for: a page, where the machine's own prefetcher ends. Over 100 MB a search
/// for an `i64` then runs at 0.99 of the speed of loops that only read; a quarter of the distance gives 0.82. A sum
/// does not mind.
const AHEAD: usize = 4096;

/// A vector that asks for what lies further on whenever it is read. In a cache this costs a quarter of the speed.
#[derive(Clone, Copy)]
pub struct Far<V>(V);

impl<V: Vector> Vector for Far<V> {
    type Item = V::Item;
    type Mask = V::Mask;
    const LANES: usize = V::LANES;
    const MASK_BITS: usize = V::MASK_BITS;

    #[inline(always)]
    unsafe fn load(from: *const V::Item) -> Self {
        prefetch(from.wrapping_byte_add(AHEAD));
        // SAFETY: the caller's promise, here and in the following.
        Far(unsafe { V::load(from) })
    }

    #[inline(always)]
    unsafe fn splat(value: V::Item) -> Self {
        // SAFETY: as above.
        Far(unsafe { V::splat(value) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut V::Item) {
        // SAFETY: as above.
        unsafe { self.0.store(to) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Far(self.0.add(other.0))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Far(self.0.min(other.0))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Far(self.0.max(other.0))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> V::Mask {
        self.0.equal(other.0)
    }

    #[inline(always)]
    fn unordered(self, other: Self) -> V::Mask {
        self.0.unordered(other.0)
    }
}

impl<V: Widen> Widen for Far<V> {
    type Half = V::Half;

    #[inline(always)]
    fn widen(self) -> (V::Half, V::Half) {
        self.0.widen()
    }
}

impl<T, V: LoadFrom<T>> LoadFrom<T> for Far<V> {
    #[inline(always)]
    unsafe fn load_from(from: *const T) -> Self {
        prefetch(from.wrapping_byte_add(AHEAD));
        // SAFETY: the caller's promise.
        Far(unsafe { V::load_from(from) })
    }
}
