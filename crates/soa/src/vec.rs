use crate::block::Block;
use crate::columns::Columns;
use crate::fixed::SoaBox;
use crate::rows::{Held, Rows};
use crate::soa::Soa;
use std::ops::{Deref, DerefMut};
use std::ptr;

/// Rows in one allocation that grows: the `Vec<T>` of [`Soa`].
pub struct SoaVec<T: Soa> {
    pub(crate) rows: Held<T>,
    pub(crate) block: Block<T::Columns>,
}

impl<T: Soa> SoaVec<T> {
    /// No rows, and no memory yet.
    #[must_use]
    pub fn new() -> SoaVec<T> {
        SoaVec { rows: Rows::new(T::Columns::dangling(), 0), block: Block::EMPTY }
    }

    /// No rows, and room for some.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> SoaVec<T> {
        let mut rows = SoaVec::<T>::new();
        rows.reserve_exact(capacity);
        rows
    }

    /// How many rows there is room for.
    pub fn capacity(&self) -> usize {
        self.block.capacity()
    }

    /// Makes room for this many more rows, and for more than that, so that many small steps cost little.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[inline]
    pub fn reserve(&mut self, more: usize) {
        if more > self.capacity() - self.rows.len {
            self.grow(more);
        }
    }

    /// Makes room for exactly this many more rows, if there is less.
    ///
    /// # Panics
    /// If there is not enough memory.
    pub fn reserve_exact(&mut self, more: usize) {
        if more > self.capacity() - self.rows.len {
            let capacity = self.rows.len.checked_add(more);
            assert!(
                capacity.is_some_and(|capacity| self.relocate(capacity)),
                "there is not enough memory for so many rows"
            );
        }
    }

    /// Gives back the memory that no row needs.
    ///
    /// # Panics
    /// There is not enough memory for the smaller block beside the larger one.
    pub fn shrink_to_fit(&mut self) {
        if self.capacity() > self.rows.len && T::Columns::ROW > 0 {
            assert!(self.relocate(self.rows.len), "fewer rows have room where more had");
        }
    }

    /// Sets how many rows there are: for whoever has written them through the pointers.
    ///
    /// # Safety
    /// There is room for `len` rows, and all of them are rows.
    pub unsafe fn set_len(&mut self, len: usize) {
        self.rows.len = len;
    }

    /// Just these rows, with no room for more.
    pub fn into_boxed(self) -> SoaBox<T> {
        SoaBox::from(self)
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        // A cache line of the narrowest elements; from there on doubled, as `Vec` does.
        const FEWEST: usize = 16;
        let needed = self.rows.len.checked_add(more);
        let capacity = needed.map(|needed| needed.max(self.capacity().saturating_mul(2)).max(FEWEST));
        let grown = capacity.is_some_and(|capacity| self.relocate(capacity))
            || needed.is_some_and(|needed| self.relocate(needed));
        assert!(grown, "there is not enough memory for so many rows");
    }

    /// Moves the rows to a block of this capacity, which is at least their number; false if there is not enough memory
    /// for so many.
    fn relocate(&mut self, capacity: usize) -> bool {
        // SAFETY: the rows are there, and from now on where the new block is.
        let Some((block, at)) = (unsafe { Block::moved(self.rows.at, 0, self.rows.len, capacity) }) else {
            return false;
        };
        self.rows.at = at;
        self.block = block;
        true
    }

    /// Takes the container apart without dropping its rows.
    pub(crate) fn into_parts(self) -> (Held<T>, Block<T::Columns>) {
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: it is not used again where it was.
        (this.rows, unsafe { ptr::read(&this.block) })
    }
}

impl<T: Soa> Drop for SoaVec<T> {
    fn drop(&mut self) {
        // SAFETY: the rows are there, and this is their end. The block frees its memory by itself, after a
        // panic too.
        unsafe { T::Columns::drop(self.rows.at, 0, self.rows.len) }
    }
}

impl<T: Soa> Deref for SoaVec<T> {
    type Target = Rows<T>;

    #[inline]
    fn deref(&self) -> &Rows<T> {
        &self.rows
    }
}

impl<T: Soa> DerefMut for SoaVec<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Rows<T> {
        &mut self.rows
    }
}

impl<T: Soa> Default for SoaVec<T> {
    fn default() -> Self {
        SoaVec::new()
    }
}
