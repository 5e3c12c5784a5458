use crate::chunks::{Chunks, ChunksMut};
use crate::columns::Columns;
use crate::iter::{Iter, IterMut};
use crate::same::{CloneColumns, EqColumns};
use crate::slice::SoaSlice;
use crate::slice_mut::SoaSliceMut;
use crate::soa::{Elements, Pointers, Soa};
use crate::visit::{Advance, Swap};
use std::fmt;
use std::ops::{Bound, Deref, DerefMut, RangeBounds};

/// Rows, whoever owns them: what all containers dereference to, as `Vec<T>` does to `[T]`.
///
/// It dereferences in turn to the methods that the derive has made, one or two for each column: `x()` and
/// `x_mut()`. A column with the name of a method here is reached by [`columns`](Rows::columns).
///
/// It has no size, so that nobody can swap the rows of two containers whose memory is not the same.
pub struct Rows<T: Soa, D: ?Sized = [()]> {
    pub(crate) at: Pointers<T>,
    pub(crate) len: usize,
    pub(crate) _unsized: D,
}

// SAFETY: it stands for values of the columns' types, which may be sent.
unsafe impl<T: Soa, D: ?Sized> Send for Rows<T, D> where Elements<T>: Send {}
// SAFETY: a shared reference to it gives shared references to them.
unsafe impl<T: Soa, D: ?Sized> Sync for Rows<T, D> where Elements<T>: Sync {}

/// Rows as a container keeps them.
pub(crate) type Held<T> = Rows<T, [(); 0]>;

impl<T: Soa> Copy for Held<T> {}

impl<T: Soa> Clone for Held<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Soa> Held<T> {
    pub(crate) const fn new(at: Pointers<T>, len: usize) -> Held<T> {
        Rows { at, len, _unsized: [] }
    }
}

impl<T: Soa> Rows<T> {
    /// How many rows there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A row, or nothing if `index` is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T::Ref<'_>> {
        // SAFETY: it is there, and borrowed.
        (index < self.len).then(|| T::row(unsafe { T::Columns::get(self.at, index) }))
    }

    /// A row to write, or nothing if `index` is out of range.
    #[inline]
    pub fn get_mut(&mut self, index: usize) -> Option<T::RefMut<'_>> {
        // SAFETY: it is there, and borrowed by nobody else.
        (index < self.len).then(|| T::row_mut(unsafe { T::Columns::get_mut(self.at, index) }))
    }

    /// A row.
    ///
    /// # Panics
    /// If there are too few rows.
    #[inline]
    #[track_caller]
    pub fn row(&self, index: usize) -> T::Ref<'_> {
        self.check(index);
        // SAFETY: it is there, and borrowed.
        T::row(unsafe { T::Columns::get(self.at, index) })
    }

    /// A row to write.
    ///
    /// # Panics
    /// If there are too few rows.
    #[inline]
    #[track_caller]
    pub fn row_mut(&mut self, index: usize) -> T::RefMut<'_> {
        self.check(index);
        // SAFETY: it is there, and borrowed by nobody else.
        T::row_mut(unsafe { T::Columns::get_mut(self.at, index) })
    }

    /// The first row, if there is one.
    pub fn first(&self) -> Option<T::Ref<'_>> {
        self.get(0)
    }

    /// The last row, if there is one.
    pub fn last(&self) -> Option<T::Ref<'_>> {
        self.get(self.len.wrapping_sub(1))
    }

    /// Puts a value in the place of a row, and returns what was there.
    ///
    /// # Panics
    /// If `index` is out of range.
    #[track_caller]
    pub fn replace(&mut self, index: usize, value: T) -> T {
        self.check(index);
        let row = value.split();
        // SAFETY: the row is there; it is moved out, and another one in, before anybody looks.
        let old = unsafe {
            let old = T::Columns::read(self.at, index);
            T::Columns::write(self.at, index, row);
            old
        };
        T::join(old)
    }

    /// Swaps two rows.
    ///
    /// # Panics
    /// If there are too few rows.
    #[track_caller]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.check(a);
        self.check(b);
        // SAFETY: both are there.
        unsafe { T::Columns::map(self.at, &mut Swap(a, b)) };
    }

    /// All columns, as a struct of slices.
    #[inline]
    pub fn columns(&self) -> T::Slices<'_> {
        // SAFETY: they are there, and borrowed.
        T::slices(unsafe { T::Columns::slices(self.at, self.len) })
    }

    /// All columns to write at once, as a struct of mutable slices.
    #[inline]
    pub fn columns_mut(&mut self) -> T::SlicesMut<'_> {
        // SAFETY: they are there, and borrowed by nobody else.
        T::slices_mut(unsafe { T::Columns::slices_mut(self.at, self.len) })
    }

    /// The address of each column's first element, by position. It holds until the container grows or shrinks,
    /// and may be written through only if the container may.
    #[inline]
    pub fn as_pointers(&self) -> <T::Columns as Columns>::Pointers {
        self.at
    }

    /// The rows in order, from either end.
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        self.as_slice().into_iter()
    }

    /// The rows in order, to write, from either end.
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, T> {
        self.as_mut_slice().into_iter()
    }

    /// All rows, as a value that can be copied and kept as long as these are borrowed.
    #[inline]
    pub fn as_slice(&self) -> SoaSlice<'_, T> {
        // SAFETY: the rows are there, and borrowed.
        unsafe { SoaSlice::new(self.at, self.len) }
    }

    /// All rows, to write.
    #[inline]
    pub fn as_mut_slice(&mut self) -> SoaSliceMut<'_, T> {
        // SAFETY: the rows are there, and borrowed by nobody else.
        unsafe { SoaSliceMut::new(self.at, self.len) }
    }

    /// Some of the rows.
    ///
    /// # Panics
    /// If the range goes beyond the end, or ends before it starts.
    #[track_caller]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> SoaSlice<'_, T> {
        let (start, len) = within(range, self.len);
        // SAFETY: these rows are there, and borrowed.
        unsafe { SoaSlice::new(T::Columns::map(self.at, &mut Advance(start)), len) }
    }

    /// Some of the rows, to write.
    ///
    /// # Panics
    /// If the range goes beyond the end, or ends before it starts.
    #[track_caller]
    pub fn slice_mut(&mut self, range: impl RangeBounds<usize>) -> SoaSliceMut<'_, T> {
        let (start, len) = within(range, self.len);
        // SAFETY: these rows are there, and borrowed by nobody else.
        unsafe { SoaSliceMut::new(T::Columns::map(self.at, &mut Advance(start)), len) }
    }

    /// The rows before `index`, and those from it on.
    ///
    /// # Panics
    /// If there are too few rows.
    #[track_caller]
    pub fn split_at(&self, index: usize) -> (SoaSlice<'_, T>, SoaSlice<'_, T>) {
        self.as_slice().split(index)
    }

    /// The rows before `index`, and those from it on, both to write.
    ///
    /// # Panics
    /// If there are too few rows.
    #[track_caller]
    pub fn split_at_mut(&mut self, index: usize) -> (SoaSliceMut<'_, T>, SoaSliceMut<'_, T>) {
        self.as_mut_slice().split(index)
    }

    /// The rows in pieces of `size`, the last of which may be shorter.
    ///
    /// # Panics
    /// If `size` is 0.
    #[track_caller]
    pub fn chunks(&self, size: usize) -> Chunks<'_, T> {
        Chunks::new(self.as_slice(), size)
    }

    /// The rows in pieces of `size` to write, the last of which may be shorter.
    ///
    /// # Panics
    /// If `size` is 0.
    #[track_caller]
    pub fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
        ChunksMut::new(self.as_mut_slice(), size)
    }

    /// A row's value, cloned, or nothing if `index` is out of range.
    pub fn cloned(&self, index: usize) -> Option<T>
    where
        T::Columns: CloneColumns,
    {
        // SAFETY: it is there, and borrowed.
        (index < self.len).then(|| T::join(unsafe { T::Columns::clone_row(self.at, index) }))
    }

    /// All rows as values, cloned.
    pub fn to_vec(&self) -> Vec<T>
    where
        T::Columns: CloneColumns,
    {
        (0..self.len).filter_map(|index| self.cloned(index)).collect()
    }

    #[track_caller]
    pub(crate) fn check(&self, index: usize) {
        assert!(index < self.len, "row {index} of {}", self.len);
    }
}

/// Start and length of a range of `len` rows.
#[track_caller]
pub(crate) fn within(range: impl RangeBounds<usize>, len: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.checked_add(1).expect("a range of rows begins within a number"),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(last) => last.checked_add(1).expect("a range of rows ends within a number"),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => len,
    };
    assert!(start <= end && end <= len, "rows {start}..{end} of {len}");
    (start, end - start)
}

impl<T: Soa> Deref for Rows<T> {
    type Target = T::Fields;

    #[inline]
    fn deref(&self) -> &T::Fields {
        T::fields(self)
    }
}

impl<T: Soa> DerefMut for Rows<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T::Fields {
        T::fields_mut(self)
    }
}

impl<T: Soa> PartialEq for Rows<T>
where
    T::Columns: EqColumns,
{
    fn eq(&self, other: &Rows<T>) -> bool {
        // SAFETY: both have as many rows, and are borrowed.
        self.len == other.len && unsafe { T::Columns::eq(self.at, other.at, self.len) }
    }
}

impl<T: Soa> Eq for Rows<T>
where
    T::Columns: EqColumns,
    T: Eq,
{
}

impl<T: Soa> fmt::Debug for Rows<T>
where
    for<'a> T::Ref<'a>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Soa> IntoIterator for &'a Rows<T> {
    type Item = T::Ref<'a>;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Soa> IntoIterator for &'a mut Rows<T> {
    type Item = T::RefMut<'a>;
    type IntoIter = IterMut<'a, T>;

    fn into_iter(self) -> IterMut<'a, T> {
        self.iter_mut()
    }
}
