use crate::columns::{Column, Columns};
use crate::error::Error;
use crate::nested::Nested;
use crate::soa::{Pointers, Soa};
use std::ptr::NonNull;
use upcall_abi::{Blit, Field};

/// What the elements of a column are.
#[derive(Clone, Copy)]
pub struct Element {
    pub name: &'static str,
    pub fields: &'static [Field],
    pub size: usize,
    pub align: usize,
}

/// Columns of which any bytes are a value, and whose values have no padding: they can be written as they are,
/// and read where they lie.
///
/// # Safety
/// `place` returns pointers to what `next` gave, for each column that `elements` says, in the same order.
#[diagnostic::on_unimplemented(
    message = "not every column of `{Self}` is blittable",
    note = "columns in a file have elements that are `Blit`: numbers, arrays of them, structs with `#[derive(Blit)]`"
)]
pub unsafe trait BlitColumns: Columns {
    /// Says what the elements of each column are.
    #[doc(hidden)]
    fn elements(each: &mut impl FnMut(Element));

    /// The bytes of each column.
    ///
    /// # Safety
    /// There are `len` rows, which nobody writes meanwhile.
    #[doc(hidden)]
    unsafe fn bytes(
        at: Self::Pointers,
        len: usize,
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Pointers to where `next` says that each column is.
    #[doc(hidden)]
    fn place(next: &mut impl FnMut(Element) -> Result<NonNull<u8>, Error>) -> Result<Self::Pointers, Error>;
}

// SAFETY: one column, at what `next` gave.
unsafe impl<C: Blit> BlitColumns for Column<C> {
    fn elements(each: &mut impl FnMut(Element)) {
        const {
            assert!(
                !C::PADDED,
                "a column's elements have padding, which has no defined bytes: name it as a field"
            );
        }
        each(Element { name: C::NAME, fields: C::FIELDS, size: size_of::<C>(), align: align_of::<C>() });
    }

    unsafe fn bytes(
        at: NonNull<C>,
        len: usize,
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise; without padding all of their bytes are initialised.
        each(unsafe { NonNull::slice_from_raw_parts(at.cast(), len * size_of::<C>()).as_ref() })
    }

    fn place(next: &mut impl FnMut(Element) -> Result<NonNull<u8>, Error>) -> Result<NonNull<C>, Error> {
        let mut element = None;
        Self::elements(&mut |this| element = Some(this));
        next(element.expect("a column has elements")).map(NonNull::cast)
    }
}

// SAFETY: everything is delegated to the columns of `T`.
unsafe impl<T: Soa> BlitColumns for Nested<T>
where
    T::Columns: BlitColumns,
{
    fn elements(each: &mut impl FnMut(Element)) {
        T::Columns::elements(each);
    }

    unsafe fn bytes(
        at: Pointers<T>,
        len: usize,
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::bytes(at, len, each) }
    }

    fn place(next: &mut impl FnMut(Element) -> Result<NonNull<u8>, Error>) -> Result<Pointers<T>, Error> {
        T::Columns::place(next)
    }
}

macro_rules! tuples {
    ($($list:ident $index:tt),+) => {
        // SAFETY: each list does so for its own columns, in order.
        unsafe impl<$($list: BlitColumns),+> BlitColumns for ($($list,)+) {
            fn elements(each: &mut impl FnMut(Element)) {
                $($list::elements(each);)+
            }

            unsafe fn bytes(
                at: Self::Pointers,
                len: usize,
                each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
            ) -> Result<(), Error> {
                // SAFETY: the caller's promise, for each list.
                $(unsafe { $list::bytes(at.$index, len, each)? };)+
                Ok(())
            }

            fn place(
                next: &mut impl FnMut(Element) -> Result<NonNull<u8>, Error>,
            ) -> Result<Self::Pointers, Error> {
                Ok(($($list::place(next)?,)+))
            }
        }
    };
}
crate::every_size!(tuples);
