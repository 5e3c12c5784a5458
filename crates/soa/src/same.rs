use crate::columns::{Column, Columns, DropRows};
use std::mem::forget;
use std::ptr::NonNull;

/// Columns whose elements can be cloned.
///
/// # Safety
/// [`CloneColumns::clone_into`] initialises what it promises to.
#[diagnostic::on_unimplemented(message = "not every column of `{Self}` is `Clone`")]
pub unsafe trait CloneColumns: Columns {
    /// The values of one row, cloned.
    ///
    /// # Safety
    /// There is a row at `index`, which nobody writes meanwhile.
    unsafe fn clone_row(at: Self::Pointers, index: usize) -> Self::Row;

    /// Clones the first `len` rows of `from` to `to`. If an element's `clone` panics, what was cloned before
    /// is dropped.
    ///
    /// # Safety
    /// There are `len` rows at `from`, which nobody writes meanwhile, and room for as many at `to`.
    unsafe fn clone_into(from: Self::Pointers, to: Self::Pointers, len: usize);
}

/// A reference to an element, or to a row, that can be cloned: the derive's `to_value()` is made of these.
pub trait ToValue {
    /// What it refers to.
    type Value;
    /// A clone of what it refers to.
    fn to_value(self) -> Self::Value;
}

impl<C: Clone> ToValue for &C {
    type Value = C;

    #[inline]
    fn to_value(self) -> C {
        self.clone()
    }
}

/// Columns whose elements can be compared.
#[diagnostic::on_unimplemented(message = "not every column of `{Self}` is `PartialEq`")]
pub trait EqColumns: Columns {
    /// Whether the first `len` rows are equal.
    ///
    /// # Safety
    /// There are `len` rows at each place, which nobody writes meanwhile.
    unsafe fn eq(a: Self::Pointers, b: Self::Pointers, len: usize) -> bool;
}

// SAFETY: each element is cloned to its place.
unsafe impl<C: Clone + 'static> CloneColumns for Column<C> {
    #[inline]
    unsafe fn clone_row(at: NonNull<C>, index: usize) -> C {
        // SAFETY: the caller's promise.
        unsafe { at.add(index).as_ref() }.clone()
    }

    unsafe fn clone_into(from: NonNull<C>, to: NonNull<C>, len: usize) {
        struct Cloned<C>(NonNull<C>, usize);
        impl<C> Drop for Cloned<C> {
            fn drop(&mut self) {
                // SAFETY: as many were written.
                unsafe { NonNull::slice_from_raw_parts(self.0, self.1).drop_in_place() }
            }
        }
        let mut cloned = Cloned(to, 0);
        // SAFETY: the caller's promise.
        for element in unsafe { NonNull::slice_from_raw_parts(from, len).as_ref() } {
            // SAFETY: there is room for `len`.
            unsafe { to.add(cloned.1).write(element.clone()) };
            cloned.1 += 1;
        }
        forget(cloned);
    }
}

impl<C: PartialEq + 'static> EqColumns for Column<C> {
    unsafe fn eq(a: NonNull<C>, b: NonNull<C>, len: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            NonNull::slice_from_raw_parts(a, len).as_ref() == NonNull::slice_from_raw_parts(b, len).as_ref()
        }
    }
}

macro_rules! tuples {
    ($($list:ident $index:tt),+) => {
        // SAFETY: each list clones its own columns.
        unsafe impl<$($list: CloneColumns),+> CloneColumns for ($($list,)+) {
            #[inline]
            unsafe fn clone_row(at: Self::Pointers, index: usize) -> Self::Row {
                // SAFETY: the caller's promise.
                unsafe { ($($list::clone_row(at.$index, index),)+) }
            }

            unsafe fn clone_into(from: Self::Pointers, to: Self::Pointers, len: usize) {
                // SAFETY: the caller's promise; each guard stands for rows that were cloned just before, in a
                // column that nobody else drops as long as the guard is there.
                forget(unsafe { ($({
                    $list::clone_into(from.$index, to.$index, len);
                    DropRows::<$list>::new(to.$index, 0, len)
                },)+) });
            }
        }

        impl<$($list: EqColumns),+> EqColumns for ($($list,)+) {
            unsafe fn eq(a: Self::Pointers, b: Self::Pointers, len: usize) -> bool {
                // SAFETY: the caller's promise.
                unsafe { $($list::eq(a.$index, b.$index, len))&&+ }
            }
        }
    };
}
crate::every_size!(tuples);
