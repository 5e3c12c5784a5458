use crate::columns::{Columns, Visit};
use crate::same::{CloneColumns, EqColumns};
use crate::slice::SoaSlice;
use crate::slice_mut::SoaSliceMut;
use crate::soa::{Pointers, Soa};
use std::marker::PhantomData;

/// The columns of a field of type `T`, as they are in a container of `T`: `#[soa(flatten)]`.
pub struct Nested<T>(PhantomData<T>);

// SAFETY: everything is delegated to the columns of `T`.
unsafe impl<T: Soa> Columns for Nested<T> {
    type Row = T;
    type Elements = <T::Columns as Columns>::Elements;
    type Pointers = Pointers<T>;
    type Ref<'a> = T::Ref<'a>;
    type RefMut<'a> = T::RefMut<'a>;
    type Slices<'a> = SoaSlice<'a, T>;
    type SlicesMut<'a> = SoaSliceMut<'a, T>;

    const ROW: usize = T::Columns::ROW;
    const ALIGN: usize = T::Columns::ALIGN;
    const NEEDS_DROP: bool = T::Columns::NEEDS_DROP;

    #[inline]
    fn dangling() -> Pointers<T> {
        T::Columns::dangling()
    }

    #[inline]
    unsafe fn map(at: Pointers<T>, visit: &mut impl Visit) -> Pointers<T> {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::map(at, visit) }
    }

    #[inline]
    unsafe fn write(at: Pointers<T>, index: usize, row: T) {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::write(at, index, row.split()) }
    }

    #[inline]
    unsafe fn read(at: Pointers<T>, index: usize) -> T {
        // SAFETY: the caller's promise.
        T::join(unsafe { T::Columns::read(at, index) })
    }

    #[inline]
    unsafe fn drop(at: Pointers<T>, from: usize, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::drop(at, from, len) }
    }

    #[inline]
    unsafe fn get<'a>(at: Pointers<T>, index: usize) -> T::Ref<'a> {
        // SAFETY: the caller's promise.
        T::row(unsafe { T::Columns::get(at, index) })
    }

    #[inline]
    unsafe fn get_mut<'a>(at: Pointers<T>, index: usize) -> T::RefMut<'a> {
        // SAFETY: the caller's promise.
        T::row_mut(unsafe { T::Columns::get_mut(at, index) })
    }

    #[inline]
    unsafe fn slices<'a>(at: Pointers<T>, len: usize) -> SoaSlice<'a, T> {
        // SAFETY: the caller's promise.
        unsafe { SoaSlice::new(at, len) }
    }

    #[inline]
    unsafe fn slices_mut<'a>(at: Pointers<T>, len: usize) -> SoaSliceMut<'a, T> {
        // SAFETY: the caller's promise.
        unsafe { SoaSliceMut::new(at, len) }
    }
}

// SAFETY: everything is delegated to the columns of `T`.
unsafe impl<T: Soa> CloneColumns for Nested<T>
where
    T::Columns: CloneColumns,
{
    unsafe fn clone_row(at: Pointers<T>, index: usize) -> T {
        // SAFETY: the caller's promise.
        T::join(unsafe { T::Columns::clone_row(at, index) })
    }

    unsafe fn clone_into(from: Pointers<T>, to: Pointers<T>, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::clone_into(from, to, len) }
    }
}

impl<T: Soa> EqColumns for Nested<T>
where
    T::Columns: EqColumns,
{
    unsafe fn eq(a: Pointers<T>, b: Pointers<T>, len: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe { T::Columns::eq(a, b, len) }
    }
}
