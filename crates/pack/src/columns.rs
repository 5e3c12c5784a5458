//! Containers of `upcall-soa`: an object whose members are the columns, each a list of as many items.
//!
//! Any reader of the format takes it for a class of arrays. The columns of a flattened field are members like
//! the others. A column whose memory matches the wire is written and read with one copy.

use crate::members::MOST;
use crate::prelude::*;
use crate::{Error, ErrorKind, Form, Pack, Reader, Unpack, Writer};
use core::mem::forget;
use core::ptr::NonNull;
use upcall_soa::{Column, Columns, Nested, Rows, Soa, SoaBox, SoaSlice, SoaVec};

type Pointers<T> = <<T as Soa>::Columns as Columns>::Pointers;

/// Columns whose elements can be written.
#[diagnostic::on_unimplemented(
    message = "not every column of `{Self}` has a wire form",
    note = "each needs `#[derive(Pack)]`; an enum that is split into tag and payload has no form in columns"
)]
pub trait PackColumns: Columns {
    /// How many there are.
    const COUNT: usize;
    /// The fewest bytes that a row takes in all of them.
    const MIN: usize;

    /// Writes each as a list.
    ///
    /// # Errors
    /// When there is no space left, or an element cannot be written.
    ///
    /// # Safety
    /// There are `len` rows, which nobody writes meanwhile.
    unsafe fn pack(at: Self::Pointers, len: usize, writer: &mut Writer<'_>) -> Result<(), Error>;
}

/// Columns whose elements can be read.
///
/// # Safety
/// `unpack` makes as many rows as it is asked for, or fails and leaves none.
pub unsafe trait UnpackColumns<'a>: PackColumns {
    /// Reads each from a list of `len` items into its place; the count of the first was read if `counted`.
    ///
    /// # Errors
    /// When a list has another length, ends before it should, or has an item that cannot be read.
    ///
    /// # Safety
    /// There is room for `len` rows.
    unsafe fn unpack(
        at: Self::Pointers,
        len: usize,
        counted: bool,
        reader: &mut Reader<'a>,
    ) -> Result<(), Error>;

    /// The columns as lists, which have room only for what was read.
    #[doc(hidden)]
    type Lists;

    /// The same as [`unpack`](UnpackColumns::unpack), to lists: for rows that take much more memory than bytes.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    fn unpack_lists(len: usize, counted: bool, reader: &mut Reader<'a>) -> Result<Self::Lists, Error>;

    /// Moves what was read into its place.
    ///
    /// # Safety
    /// There is room for the rows.
    #[doc(hidden)]
    unsafe fn place(lists: Self::Lists, at: Self::Pointers);
}

impl<C: Pack + 'static> PackColumns for Column<C> {
    const COUNT: usize = 1;
    const MIN: usize = C::MIN;

    unsafe fn pack(at: NonNull<C>, len: usize, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.count(len)?;
        // SAFETY: the caller's promise.
        writer.items(unsafe { NonNull::slice_from_raw_parts(at, len).as_ref() })
    }
}

// SAFETY: either every element is written, or those that were are dropped.
unsafe impl<'a, C: Unpack<'a> + 'static> UnpackColumns<'a> for Column<C> {
    unsafe fn unpack(
        at: NonNull<C>,
        len: usize,
        counted: bool,
        reader: &mut Reader<'a>,
    ) -> Result<(), Error> {
        if !counted {
            same_count::<C>(len, reader)?;
        }
        if const { C::FORM.layout().is_some() } {
            // SAFETY: `C` is raw, and there is room for `len` items.
            return unsafe { reader.fill(at.as_ptr(), len) };
        }
        let mut made = Made::<Column<C>> { at, len: 0 };
        while made.len < len {
            let item = C::unpack(reader)?;
            // SAFETY: there is room for `len`.
            unsafe { at.add(made.len).write(item) };
            made.len += 1;
        }
        forget(made);
        Ok(())
    }

    type Lists = Vec<C>;

    fn unpack_lists(len: usize, counted: bool, reader: &mut Reader<'a>) -> Result<Vec<C>, Error> {
        if !counted {
            same_count::<C>(len, reader)?;
        }
        let mut items = Vec::new();
        reader.items(len, &mut items)?;
        Ok(items)
    }

    unsafe fn place(mut items: Vec<C>, at: NonNull<C>) {
        // SAFETY: there is room for them, and they are no longer where they were.
        unsafe {
            at.copy_from_nonoverlapping(NonNull::from(&mut *items).cast(), items.len());
            items.set_len(0);
        }
    }
}

/// Reads the count of a column, which cannot be an `Option`.
fn column_count(min: usize, reader: &mut Reader<'_>) -> Result<usize, Error> {
    let place = reader.position();
    reader.count(min)?.ok_or_else(|| null(place))
}

#[cold]
fn null(place: usize) -> Error {
    let message = "null, but a column is never null: its writer sends an empty array";
    Error::new(ErrorKind::NullUnexpected, place, message)
}

/// Reads the count of a column, which must be that of the first.
fn same_count<C: Pack>(len: usize, reader: &mut Reader<'_>) -> Result<(), Error> {
    let place = reader.position();
    let count = reader.claimed()?.ok_or_else(|| null(place))?;
    if count != len {
        let message = format!("a column of {count} items, where the first has {len}");
        return Err(Error::new(ErrorKind::LengthInvalid, place, message));
    }
    reader.holds(place, count, C::MIN)
}

/// Rows that were made in some columns, and are dropped with this.
struct Made<C: Columns> {
    at: C::Pointers,
    len: usize,
}

impl<C: Columns> Drop for Made<C> {
    fn drop(&mut self) {
        // SAFETY: that many were made, and nobody else has them.
        unsafe { C::drop(self.at, 0, self.len) }
    }
}

impl<T: Soa> PackColumns for Nested<T>
where
    T::Columns: PackColumns,
{
    const COUNT: usize = T::Columns::COUNT;
    const MIN: usize = T::Columns::MIN;

    unsafe fn pack(at: Pointers<T>, len: usize, writer: &mut Writer<'_>) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::pack(at, len, writer) }
    }
}

// SAFETY: everything is delegated to the columns of `T`.
unsafe impl<'a, T: Soa> UnpackColumns<'a> for Nested<T>
where
    T::Columns: UnpackColumns<'a>,
{
    unsafe fn unpack(
        at: Pointers<T>,
        len: usize,
        counted: bool,
        reader: &mut Reader<'a>,
    ) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::unpack(at, len, counted, reader) }
    }

    type Lists = <T::Columns as UnpackColumns<'a>>::Lists;

    fn unpack_lists(len: usize, counted: bool, reader: &mut Reader<'a>) -> Result<Self::Lists, Error> {
        T::Columns::unpack_lists(len, counted, reader)
    }

    unsafe fn place(lists: Self::Lists, at: Pointers<T>) {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::place(lists, at) }
    }
}

macro_rules! tuples {
    ($($list:ident $index:tt),+) => {
        impl<$($list: PackColumns),+> PackColumns for ($($list,)+) {
            const COUNT: usize = 0 $(+ $list::COUNT)+;
            const MIN: usize = 0 $(+ $list::MIN)+;

            unsafe fn pack(at: Self::Pointers, len: usize, writer: &mut Writer<'_>) -> Result<(), Error> {
                // SAFETY: the caller's promise, for each list.
                $(unsafe { $list::pack(at.$index, len, writer)? };)+
                Ok(())
            }
        }

        // SAFETY: each list makes its rows; if one fails, those of the others are dropped.
        unsafe impl<'a, $($list: UnpackColumns<'a>),+> UnpackColumns<'a> for ($($list,)+) {
            unsafe fn unpack(
                at: Self::Pointers,
                len: usize,
                counted: bool,
                reader: &mut Reader<'a>,
            ) -> Result<(), Error> {
                // SAFETY: the caller's promise, for each list.
                forget(unsafe { ($({
                    $list::unpack(at.$index, len, counted && $index == 0, reader)?;
                    Made::<$list> { at: at.$index, len }
                },)+) });
                Ok(())
            }

            type Lists = ($($list::Lists,)+);

            fn unpack_lists(len: usize, counted: bool, reader: &mut Reader<'a>) -> Result<Self::Lists, Error> {
                Ok(($($list::unpack_lists(len, counted && $index == 0, reader)?,)+))
            }

            unsafe fn place(lists: Self::Lists, at: Self::Pointers) {
                // SAFETY: the caller's promise, for each list.
                unsafe { $($list::place(lists.$index, at.$index);)+ }
            }
        }
    };
}
upcall_soa::every_size!(tuples);

const fn member_count<C: PackColumns>() -> u8 {
    assert!(C::COUNT <= MOST, "more columns than an object has members");
    C::COUNT as u8
}

macro_rules! written {
    ($([$($lifetime:lifetime)?] $type:ty),* $(,)?) => {$(
        impl<$($lifetime,)? T: Soa> Pack for $type
        where
            T::Columns: PackColumns,
        {
            const FORM: Form<Self> = Form::Object;
            const MIN: usize = 1;

            fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
                if i32::try_from(self.len()).is_err() {
                    return Err(writer.too_long(self.len()));
                }
                writer.enter()?;
                if !writer.is_measuring() {
                    // At once, so that no vector grows with each column.
                    let columns = const { 1 + 4 * T::Columns::COUNT };
                    writer.room(columns.saturating_add(self.len().saturating_mul(T::Columns::MIN)))?;
                }
                writer.u8(const { member_count::<T::Columns>() })?;
                // SAFETY: the rows are there, and borrowed.
                unsafe { T::Columns::pack(self.as_pointers(), self.len(), writer)? };
                writer.leave();
                Ok(())
            }
        }
    )*};
}
written!([] SoaVec<T>, [] SoaBox<T>, ['s] SoaSlice<'s, T>, [] Rows<T>);

impl<'a, T: Soa> Unpack<'a> for SoaVec<T>
where
    T::Columns: UnpackColumns<'a>,
{
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let mut rows = SoaVec::<T>::new();
        rows.overwrite(reader)?;
        Ok(rows)
    }

    fn overwrite(&mut self, reader: &mut Reader<'a>) -> Result<(), Error> {
        let known = const { member_count::<T::Columns>() };
        let place = reader.position();
        let members = reader.u8()?;
        if members != known {
            if usize::from(members) > MOST {
                return Err(crate::members::no_object(place, members));
            }
            let message = format!("an object of {members} members, but `{}` has {known} columns", T::NAME);
            return Err(Error::new(ErrorKind::MembersInvalid, place, message));
        }
        reader.enter()?;
        let len = column_count(T::Columns::MIN, reader)?;
        self.clear();
        if len > self.capacity() && len > reader.affordable(T::Columns::ROW) {
            // The count is only a claim: room for so many is made only once they have been read.
            let lists = T::Columns::unpack_lists(len, true, reader)?;
            self.reserve(len);
            // SAFETY: there is room for `len` rows, and that many were read.
            unsafe { T::Columns::place(lists, self.as_pointers()) };
        } else {
            self.reserve(len);
            let promised = len * T::Columns::ROW;
            reader.promised += promised;
            // SAFETY: there is room for `len` rows.
            unsafe { T::Columns::unpack(self.as_pointers(), len, true, reader)? };
            reader.promised -= promised;
        }
        // SAFETY: all columns were read.
        unsafe { self.set_len(len) };
        reader.leave();
        Ok(())
    }
}

impl<'a, T: Soa> Unpack<'a> for SoaBox<T>
where
    T::Columns: UnpackColumns<'a>,
{
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        SoaVec::unpack(reader).map(SoaBox::from)
    }
}
