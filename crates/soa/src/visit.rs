//! What containers do to each of their columns.

use crate::columns::{COLUMN_ALIGN, Visit};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Where a column of `capacity` elements begins and ends if it comes after `offset` bytes, or nothing if that
/// is more than a number can hold.
fn place<C>(offset: usize, capacity: usize) -> Option<(usize, usize)> {
    let start = offset.checked_next_multiple_of(align_of::<C>().max(COLUMN_ALIGN))?;
    let end = start.checked_add(size_of::<C>().checked_mul(capacity)?)?;
    Some((start, end.checked_next_multiple_of(COLUMN_ALIGN)?))
}

/// Counts the bytes of columns with this capacity; nothing if no number can hold the count.
pub struct Measure {
    pub capacity: usize,
    pub bytes: Option<usize>,
}

impl Visit for Measure {
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        self.bytes = self.bytes.and_then(|bytes| place::<C>(bytes, self.capacity)).map(|(_, end)| end);
        at
    }
}

/// Says where the columns begin in a block, and moves elements there. Promised: `base` has room for columns
/// of `capacity` elements, `len` is no more, and each column has elements `from..from + len`.
pub struct Lay {
    pub base: NonNull<u8>,
    pub offset: usize,
    pub capacity: usize,
    pub from: usize,
    pub len: usize,
}

impl Visit for Lay {
    #[inline]
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        let (start, end) = place::<C>(self.offset, self.capacity).expect("the block was measured");
        self.offset = end;
        // SAFETY: promised; another block does not overlap with this one.
        unsafe {
            let to = self.base.add(start).cast::<C>();
            to.copy_from_nonoverlapping(at.add(self.from), self.len);
            to
        }
    }
}

/// Columns that begin this many rows later. Promised: there are as many.
pub struct Advance(pub usize);

impl Visit for Advance {
    #[inline]
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        // SAFETY: promised.
        unsafe { at.add(self.0) }
    }
}

/// Moves `len` elements, over what is there. Promised: they lie within the columns, before and after.
pub struct Move {
    pub from: usize,
    pub to: usize,
    pub len: usize,
}

impl Visit for Move {
    #[inline]
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        // SAFETY: promised.
        unsafe { at.add(self.to).copy_from(at.add(self.from), self.len) };
        at
    }
}

/// Remembers where columns are.
#[derive(Default)]
pub struct Gather(pub Vec<NonNull<u8>>);

impl Visit for Gather {
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        self.0.push(at.cast());
        at
    }
}

/// Moves the first `len` elements of other columns of the same list, as [`Gather`] has found them, to the index
/// `to`. Promised: they are there, and there is room.
pub struct Append<'a> {
    pub from: std::slice::Iter<'a, NonNull<u8>>,
    pub to: usize,
    pub len: usize,
}

impl Visit for Append<'_> {
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        let from = self.from.next().expect("the same list of columns");
        // SAFETY: promised; two containers do not overlap.
        unsafe { at.add(self.to).copy_from_nonoverlapping(from.cast::<C>(), self.len) };
        at
    }
}

/// Swaps two elements. Promised: both are within the columns, and may be the same.
pub struct Swap(pub usize, pub usize);

impl Visit for Swap {
    #[inline]
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        // SAFETY: promised.
        unsafe { at.add(self.0).swap(at.add(self.1)) };
        at
    }
}

/// Puts at each index the element that was at the index given for it. Promised: each index of the column is
/// given once.
pub struct Permute<'a>(pub &'a [usize]);

impl Visit for Permute<'_> {
    unsafe fn column<C: 'static>(&mut self, at: NonNull<C>) -> NonNull<C> {
        // SAFETY: promised; whether it is initialised does not matter while it is moved.
        let column =
            unsafe { NonNull::slice_from_raw_parts(at.cast::<MaybeUninit<C>>(), self.0.len()).as_mut() };
        let mut gathered = Vec::<MaybeUninit<C>>::with_capacity(column.len());
        // SAFETY: promised that the index is within the column. Each is copied once, and the originals
        // are written over at once.
        gathered.extend(self.0.iter().map(|from| unsafe { std::ptr::read(column.as_ptr().add(*from)) }));
        // SAFETY: as many elements were gathered.
        unsafe { column.as_mut_ptr().copy_from_nonoverlapping(gathered.as_ptr(), column.len()) };
        at
    }
}
