use crate::columns::Columns;
use crate::iter::Iter;
use crate::rows::{Held, Rows};
use crate::soa::{Elements, Pointers, Soa};
use crate::visit::Advance;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

/// Borrowed rows: the `&[T]` of [`Soa`].
pub struct SoaSlice<'a, T: Soa> {
    rows: Held<T>,
    lent: PhantomData<&'a Elements<T>>,
}

impl<'a, T: Soa> SoaSlice<'a, T> {
    /// # Safety
    /// There are `len` rows, which nobody writes for `'a`.
    #[inline]
    pub(crate) unsafe fn new(at: Pointers<T>, len: usize) -> SoaSlice<'a, T> {
        SoaSlice { rows: Rows::new(at, len), lent: PhantomData }
    }

    /// The same rows without a lifetime, for whoever keeps their memory.
    #[cfg(feature = "map")]
    pub(crate) fn held(self) -> Held<T> {
        self.rows
    }

    /// A row, or nothing if `index` is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T::Ref<'a>> {
        // SAFETY: it is there, and borrowed for `'a`.
        (index < self.len()).then(|| T::row(unsafe { T::Columns::get(self.rows.at, index) }))
    }

    /// All columns, as a struct of slices.
    #[inline]
    pub fn columns(&self) -> T::Slices<'a> {
        // SAFETY: they are there, and borrowed for `'a`.
        T::slices(unsafe { T::Columns::slices(self.rows.at, self.rows.len) })
    }

    /// The rows before `index`, and those from it on.
    ///
    /// # Panics
    /// If `index` is beyond the end.
    #[inline]
    #[track_caller]
    pub fn split(self, index: usize) -> (SoaSlice<'a, T>, SoaSlice<'a, T>) {
        let (at, len) = (self.rows.at, self.rows.len);
        assert!(index <= len, "split at row {index} of {len}");
        // SAFETY: these rows are there, and borrowed for `'a`.
        unsafe {
            let rest = T::Columns::map(at, &mut Advance(index));
            (SoaSlice::new(at, index), SoaSlice::new(rest, len - index))
        }
    }
}

impl<T: Soa> Deref for SoaSlice<'_, T> {
    type Target = Rows<T>;

    #[inline]
    fn deref(&self) -> &Rows<T> {
        &self.rows
    }
}

impl<T: Soa> Clone for SoaSlice<'_, T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Soa> Copy for SoaSlice<'_, T> {}

impl<'a, T: Soa> IntoIterator for SoaSlice<'a, T> {
    type Item = T::Ref<'a>;
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        // SAFETY: the rows are there, and borrowed for `'a`.
        unsafe { Iter::new(self.rows.at, self.rows.len) }
    }
}

impl<T: Soa> fmt::Debug for SoaSlice<'_, T>
where
    Rows<T>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Soa> Default for SoaSlice<'_, T> {
    fn default() -> Self {
        // SAFETY: there are no rows.
        unsafe { SoaSlice::new(T::Columns::dangling(), 0) }
    }
}
