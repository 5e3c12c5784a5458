//! Containers from values and back, and from each other.

use crate::columns::Columns;
use crate::fixed::SoaBox;
use crate::iter::{Iter, IterMut};
use crate::rows::Rows;
use crate::same::{CloneColumns, EqColumns};
use crate::slice::SoaSlice;
use crate::slice_mut::SoaSliceMut;
use crate::soa::Soa;
use crate::vec::SoaVec;
use std::fmt;

impl<T: Soa> Extend<T> for SoaVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
        let values = values.into_iter();
        self.reserve(values.size_hint().0);
        values.for_each(|value| self.push(value));
    }
}

impl<T: Soa> SoaVec<T> {
    /// Adds clones of rows at the end, a column at a time.
    ///
    /// # Panics
    /// If there is not enough memory, or a `clone` panics: then nothing was added.
    pub fn extend_from_rows(&mut self, rows: &Rows<T>)
    where
        T::Columns: CloneColumns,
    {
        self.reserve(rows.len);
        // SAFETY: there is room for as many more rows.
        unsafe {
            let end = T::Columns::map(self.rows.at, &mut crate::visit::Advance(self.rows.len));
            T::Columns::clone_into(rows.at, end, rows.len);
        }
        self.rows.len += rows.len;
    }
}

impl<T: Soa> From<&Rows<T>> for SoaVec<T>
where
    T::Columns: CloneColumns,
{
    fn from(rows: &Rows<T>) -> SoaVec<T> {
        let mut cloned = SoaVec::<T>::with_capacity(rows.len);
        cloned.extend_from_rows(rows);
        cloned
    }
}

macro_rules! containers {
    ($($name:ident)*) => {$(
        impl<T: Soa> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                let mut rows = SoaVec::<T>::new();
                rows.extend(values);
                rows.into()
            }
        }

        impl<T: Soa> From<Vec<T>> for $name<T> {
            fn from(values: Vec<T>) -> Self {
                values.into_iter().collect()
            }
        }

        impl<T: Soa, const N: usize> From<[T; N]> for $name<T> {
            fn from(values: [T; N]) -> Self {
                values.into_iter().collect()
            }
        }

        impl<T: Soa> From<$name<T>> for Vec<T> {
            fn from(rows: $name<T>) -> Vec<T> {
                rows.into_iter().collect()
            }
        }

        impl<T: Soa> Clone for $name<T>
        where
            T::Columns: CloneColumns,
        {
            fn clone(&self) -> Self {
                SoaVec::from(&**self).into()
            }
        }

        impl<T: Soa> PartialEq for $name<T>
        where
            T::Columns: EqColumns,
        {
            fn eq(&self, other: &Self) -> bool {
                **self == **other
            }
        }

        impl<T: Soa + Eq> Eq for $name<T> where T::Columns: EqColumns {}

        impl<T: Soa> fmt::Debug for $name<T>
        where
            Rows<T>: fmt::Debug,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(f)
            }
        }

        impl<'a, T: Soa> IntoIterator for &'a $name<T> {
            type Item = T::Ref<'a>;
            type IntoIter = Iter<'a, T>;

            fn into_iter(self) -> Iter<'a, T> {
                self.iter()
            }
        }

        impl<'a, T: Soa> IntoIterator for &'a mut $name<T> {
            type Item = T::RefMut<'a>;
            type IntoIter = IterMut<'a, T>;

            fn into_iter(self) -> IterMut<'a, T> {
                self.iter_mut()
            }
        }

        impl<'a, T: Soa> From<&'a $name<T>> for SoaSlice<'a, T> {
            fn from(rows: &'a $name<T>) -> SoaSlice<'a, T> {
                rows.as_slice()
            }
        }

        impl<'a, T: Soa> From<&'a mut $name<T>> for SoaSliceMut<'a, T> {
            fn from(rows: &'a mut $name<T>) -> SoaSliceMut<'a, T> {
                rows.as_mut_slice()
            }
        }
    )*};
}
containers!(SoaVec SoaBox);
