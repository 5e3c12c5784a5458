use std::marker::PhantomData;
use std::mem::needs_drop;
use std::ptr::NonNull;

/// Every column starts at a multiple of this many bytes: a cache line, and the widest vector register.
pub const COLUMN_ALIGN: usize = 64;

/// A list of columns: [`Column`]s, [`Tagged`](crate::Tagged) enums, and tuples of lists.
///
/// It is where the mechanism is: everything that a container does to its rows it does through this trait,
/// once for a column and once for a tuple. `#[derive(Soa)]` only names a list.
///
/// A list does not own its memory. It knows, of each column, the address of the first element
/// ([`Columns::Pointers`]); the container knows how many rows there are.
///
/// # Safety
/// - [`Columns::map`] shows every column to the visitor, always in the same order, and returns what it says.
/// - `read`, `write`, `get` and the rest touch the rows that they are asked for and no others.
/// - [`Columns::Elements`] owns, by its type, a value of each type that `Ref` and `RefMut` refer to.
/// - Moving the bytes of a row from one index to another, in all columns, moves the row.
pub unsafe trait Columns: 'static {
    /// The values of one row.
    type Row;
    /// The types of all elements that references are given to: what says whether threads may have the rows.
    ///
    /// `Row` does not: a row's type may be `Sync` by its author's word, which is given for what the type shows,
    /// not for its fields one by one.
    type Elements;
    /// The address of each column's first element.
    type Pointers: Copy;
    /// One row, read.
    type Ref<'a>;
    /// One row, written.
    type RefMut<'a>;
    /// All columns, read.
    type Slices<'a>;
    /// All columns, written.
    type SlicesMut<'a>;

    /// Bytes of one row in all columns, without what lies between columns.
    const ROW: usize;
    /// What the columns' memory is aligned to: [`COLUMN_ALIGN`], or more if an element asks for more.
    const ALIGN: usize;
    /// Whether dropping a row does anything.
    const NEEDS_DROP: bool;

    /// The columns of no rows: aligned addresses of nothing.
    fn dangling() -> Self::Pointers;

    /// Shows each column to `visit`, and returns what it makes of them.
    ///
    /// # Safety
    /// What the visitor asks of each column it is shown must hold of these.
    unsafe fn map(at: Self::Pointers, visit: &mut impl Visit) -> Self::Pointers;

    /// Moves a row to an index, over whatever is there.
    ///
    /// # Safety
    /// The columns have room for a row at `index`.
    unsafe fn write(at: Self::Pointers, index: usize, row: Self::Row);

    /// Moves a row out: its place must be treated as uninitialised from then on.
    ///
    /// # Safety
    /// There is a row at `index`, and it is not used again.
    unsafe fn read(at: Self::Pointers, index: usize) -> Self::Row;

    /// Drops `len` rows from `from` on; all columns are dropped even if one element's `drop` panics.
    ///
    /// # Safety
    /// They are rows, and are not used again.
    unsafe fn drop(at: Self::Pointers, from: usize, len: usize);

    /// One row, read.
    ///
    /// # Safety
    /// There is a row at `index`, which nobody writes for `'a`.
    unsafe fn get<'a>(at: Self::Pointers, index: usize) -> Self::Ref<'a>;

    /// One row, written.
    ///
    /// # Safety
    /// There is a row at `index`, which nobody else reads or writes for `'a`.
    unsafe fn get_mut<'a>(at: Self::Pointers, index: usize) -> Self::RefMut<'a>;

    /// The first `len` elements of each column.
    ///
    /// # Safety
    /// There are that many rows, and nobody writes them for `'a`.
    unsafe fn slices<'a>(at: Self::Pointers, len: usize) -> Self::Slices<'a>;

    /// The first `len` elements of each column, to write.
    ///
    /// # Safety
    /// There are that many rows, and nobody else reads or writes them for `'a`.
    unsafe fn slices_mut<'a>(at: Self::Pointers, len: usize) -> Self::SlicesMut<'a>;
}

/// What is done to each column of a list; see [`Columns::map`].
pub trait Visit {
    /// Sees a column, and says where it is from now on.
    ///
    /// # Safety
    /// `at` is a column as the visitor expects it.
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C>;
}

/// One column of elements `C`.
pub struct Column<C>(PhantomData<C>);

// SAFETY: the one column is shown and returned; elements are addressed by their index.
unsafe impl<C: 'static> Columns for Column<C> {
    type Row = C;
    type Elements = C;
    type Pointers = NonNull<C>;
    type Ref<'a> = &'a C;
    type RefMut<'a> = &'a mut C;
    type Slices<'a> = &'a [C];
    type SlicesMut<'a> = &'a mut [C];

    const ROW: usize = size_of::<C>();
    const ALIGN: usize = if align_of::<C>() > COLUMN_ALIGN { align_of::<C>() } else { COLUMN_ALIGN };
    const NEEDS_DROP: bool = needs_drop::<C>();

    #[inline]
    fn dangling() -> NonNull<C> {
        const { NonNull::without_provenance(std::num::NonZero::new(Self::ALIGN).expect("at least 64")) }
    }

    #[inline]
    unsafe fn map(at: NonNull<C>, visit: &mut impl Visit) -> NonNull<C> {
        // SAFETY: the caller's promise.
        unsafe { visit.column(at) }
    }

    #[inline]
    unsafe fn write(at: NonNull<C>, index: usize, row: C) {
        // SAFETY: the caller's promise.
        unsafe { at.add(index).write(row) }
    }

    #[inline]
    unsafe fn read(at: NonNull<C>, index: usize) -> C {
        // SAFETY: the caller's promise.
        unsafe { at.add(index).read() }
    }

    #[inline]
    unsafe fn drop(at: NonNull<C>, from: usize, len: usize) {
        if Self::NEEDS_DROP {
            // SAFETY: the caller's promise.
            unsafe { NonNull::slice_from_raw_parts(at.add(from), len).drop_in_place() }
        }
    }

    #[inline]
    unsafe fn get<'a>(at: NonNull<C>, index: usize) -> &'a C {
        // SAFETY: the caller's promise.
        unsafe { at.add(index).as_ref() }
    }

    #[inline]
    unsafe fn get_mut<'a>(at: NonNull<C>, index: usize) -> &'a mut C {
        // SAFETY: the caller's promise.
        unsafe { at.add(index).as_mut() }
    }

    #[inline]
    unsafe fn slices<'a>(at: NonNull<C>, len: usize) -> &'a [C] {
        // SAFETY: the caller's promise.
        unsafe { NonNull::slice_from_raw_parts(at, len).as_ref() }
    }

    #[inline]
    unsafe fn slices_mut<'a>(at: NonNull<C>, len: usize) -> &'a mut [C] {
        // SAFETY: the caller's promise.
        unsafe { NonNull::slice_from_raw_parts(at, len).as_mut() }
    }
}

/// Drops rows when it is dropped itself, so that a panic on the way loses none of them.
pub(crate) struct DropRows<C: Columns> {
    at: C::Pointers,
    from: usize,
    len: usize,
}

impl<C: Columns> DropRows<C> {
    /// # Safety
    /// They are rows, and nobody but this guard uses them again.
    pub unsafe fn new(at: C::Pointers, from: usize, len: usize) -> DropRows<C> {
        DropRows { at, from, len }
    }
}

impl<C: Columns> Drop for DropRows<C> {
    fn drop(&mut self) {
        // SAFETY: what `new` was promised.
        unsafe { C::drop(self.at, self.from, self.len) }
    }
}
