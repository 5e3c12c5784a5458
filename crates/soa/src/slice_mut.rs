use crate::columns::Columns;
use crate::iter::IterMut;
use crate::rows::{Held, Rows};
use crate::soa::{Elements, Pointers, Soa};
use crate::visit::Advance;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Rows borrowed to be written: the `&mut [T]` of [`Soa`].
pub struct SoaSliceMut<'a, T: Soa> {
    rows: Held<T>,
    lent: PhantomData<&'a mut Elements<T>>,
}

impl<'a, T: Soa> SoaSliceMut<'a, T> {
    /// # Safety
    /// There are `len` rows, which nobody else reads or writes for `'a`.
    #[inline]
    pub(crate) unsafe fn new(at: Pointers<T>, len: usize) -> SoaSliceMut<'a, T> {
        SoaSliceMut { rows: Rows::new(at, len), lent: PhantomData }
    }

    /// All columns to write at once, for as long as they are borrowed.
    #[inline]
    pub fn into_columns(self) -> T::SlicesMut<'a> {
        // SAFETY: they are there, and borrowed by nobody else for `'a`.
        T::slices_mut(unsafe { T::Columns::slices_mut(self.rows.at, self.rows.len) })
    }

    /// The rows before `index`, and those from it on.
    ///
    /// # Panics
    /// If `index` is beyond the end.
    #[inline]
    #[track_caller]
    pub fn split(self, index: usize) -> (SoaSliceMut<'a, T>, SoaSliceMut<'a, T>) {
        let (at, len) = (self.rows.at, self.rows.len);
        assert!(index <= len, "split at row {index} of {len}");
        // SAFETY: these rows are there, borrowed by nobody else for `'a`, and in one of the halves only.
        unsafe {
            let rest = T::Columns::map(at, &mut Advance(index));
            (SoaSliceMut::new(at, index), SoaSliceMut::new(rest, len - index))
        }
    }
}

impl<T: Soa> Deref for SoaSliceMut<'_, T> {
    type Target = Rows<T>;

    #[inline]
    fn deref(&self) -> &Rows<T> {
        &self.rows
    }
}

impl<T: Soa> DerefMut for SoaSliceMut<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Rows<T> {
        &mut self.rows
    }
}

impl<'a, T: Soa> IntoIterator for SoaSliceMut<'a, T> {
    type Item = T::RefMut<'a>;
    type IntoIter = IterMut<'a, T>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, T> {
        // SAFETY: the rows are there, and borrowed by nobody else for `'a`.
        unsafe { IterMut::new(self.rows.at, self.rows.len) }
    }
}

impl<T: Soa> fmt::Debug for SoaSliceMut<'_, T>
where
    Rows<T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Soa> Default for SoaSliceMut<'_, T> {
    fn default() -> Self {
        // SAFETY: there are no rows.
        unsafe { SoaSliceMut::new(T::Columns::dangling(), 0) }
    }
}
