//! Rows in, and rows out.

use crate::block::Block;
use crate::columns::Columns;
use crate::rows::Rows;
use crate::soa::Soa;
use crate::vec::SoaVec;
use crate::visit::{Append, Gather, Move};

impl<T: Soa> SoaVec<T> {
    /// Adds a row at the end.
    ///
    /// # Panics
    /// If there is not enough memory.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.reserve(1);
        // SAFETY: there is room for one more.
        unsafe { T::Columns::write(self.rows.at, self.rows.len, value.split()) };
        self.rows.len += 1;
    }

    /// Takes the last row, if there is one.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.rows.len = self.rows.len.checked_sub(1)?;
        // SAFETY: it was the last row, and is none any more.
        Some(T::join(unsafe { T::Columns::read(self.rows.at, self.rows.len) }))
    }

    /// Inserts a row before the one at `index`; that and those after it move on.
    ///
    /// # Panics
    /// If `index` is beyond the end, or there is not enough memory.
    #[track_caller]
    pub fn insert(&mut self, index: usize, value: T) {
        let len = self.rows.len;
        assert!(index <= len, "insert before row {index} of {len}");
        self.reserve(1);
        let row = value.split();
        // SAFETY: there is room for one more, so for the rows after it to move by one.
        unsafe {
            T::Columns::map(self.rows.at, &mut Move { from: index, to: index + 1, len: len - index });
            T::Columns::write(self.rows.at, index, row);
        }
        self.rows.len += 1;
    }

    /// Takes a row out; those after it move up.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[track_caller]
    pub fn remove(&mut self, index: usize) -> T {
        self.check(index);
        self.rows.len -= 1;
        // SAFETY: the row is there, and gone once the others have moved over it.
        let row = unsafe {
            let row = T::Columns::read(self.rows.at, index);
            let len = self.rows.len - index;
            T::Columns::map(self.rows.at, &mut Move { from: index + 1, to: index, len });
            row
        };
        T::join(row)
    }

    /// Takes a row out, and puts the last one in its place.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[track_caller]
    pub fn swap_remove(&mut self, index: usize) -> T {
        self.check(index);
        self.rows.len -= 1;
        // SAFETY: the row is there, and gone once the last one, which may be the same, has moved over it.
        let row = unsafe {
            let row = T::Columns::read(self.rows.at, index);
            T::Columns::map(self.rows.at, &mut Move { from: self.rows.len, to: index, len: 1 });
            row
        };
        T::join(row)
    }

    /// Drops the rows from `len` on, if there are any.
    pub fn truncate(&mut self, len: usize) {
        if let Some(dropped) = self.rows.len.checked_sub(len) {
            self.rows.len = len;
            // SAFETY: they were rows, and are none any more, even if a `drop` panics.
            unsafe { T::Columns::drop(self.rows.at, len, dropped) }
        }
    }

    /// Drops all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Takes all rows from `index` on.
    ///
    /// # Panics
    /// If `index` is beyond the end.
    #[track_caller]
    pub fn split_off(&mut self, index: usize) -> SoaVec<T> {
        let len = self.rows.len;
        assert!(index <= len, "split off at row {index} of {len}");
        // SAFETY: they are rows, and no longer of this container once they are of the other one.
        let moved = unsafe { Block::moved(self.rows.at, index, len - index, len - index) };
        let (block, at) = moved.expect("fewer rows have room where more had");
        self.rows.len = index;
        SoaVec { rows: Rows::new(at, len - index), block }
    }

    /// Moves all rows of another container to the end of this one.
    ///
    /// # Panics
    /// If there is not enough memory.
    pub fn append(&mut self, other: &mut SoaVec<T>) {
        self.reserve(other.rows.len);
        let mut from = Gather::default();
        let len = std::mem::take(&mut other.rows.len);
        // SAFETY: they were rows of the other container, which has forgotten them; there is room here.
        unsafe {
            T::Columns::map(other.rows.at, &mut from);
            T::Columns::map(self.rows.at, &mut Append { from: from.0.iter(), to: self.rows.len, len });
        }
        self.rows.len += len;
    }
}
