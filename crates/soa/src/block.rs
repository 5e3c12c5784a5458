use crate::columns::Columns;
use crate::visit::{Lay, Measure};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The one allocation under all columns of a container: it frees memory, and drops no row.
pub struct Block<C: Columns> {
    base: NonNull<u8>,
    capacity: usize,
    columns: PhantomData<C>,
}

// SAFETY: it owns plain memory that it never looks into.
unsafe impl<C: Columns> Send for Block<C> {}
// SAFETY: as above.
unsafe impl<C: Columns> Sync for Block<C> {}

impl<C: Columns> Block<C> {
    /// Room for no rows, and no memory.
    pub const EMPTY: Block<C> = Block { base: NonNull::dangling(), capacity: 0, columns: PhantomData };

    /// The rows that there is room for.
    pub fn capacity(&self) -> usize {
        if C::ROW == 0 { usize::MAX } else { self.capacity }
    }

    /// What columns of this capacity take, or nothing if that is more than memory has.
    fn layout(capacity: usize) -> Option<Layout> {
        let mut measure = Measure { capacity, bytes: Some(0) };
        // SAFETY: measuring asks nothing of columns.
        unsafe { C::map(C::dangling(), &mut measure) };
        Layout::from_size_align(measure.bytes?, C::ALIGN).ok()
    }

    /// A block with another capacity and, in it, rows `from..from + len` of the columns at `at`, which are
    /// moved there; nothing if there is not enough memory.
    ///
    /// # Safety
    /// There are such rows, no more of them than `capacity`, and they are not used again where they were.
    pub unsafe fn moved(
        at: C::Pointers,
        from: usize,
        len: usize,
        capacity: usize,
    ) -> Option<(Block<C>, C::Pointers)> {
        if C::ROW == 0 || capacity == 0 {
            return Some((Block::EMPTY, C::dangling()));
        }
        let layout = Self::layout(capacity)?;
        // SAFETY: rows have a size, and there is room for at least one.
        let Some(base) = NonNull::new(unsafe { alloc(layout) }) else { handle_alloc_error(layout) };
        let block = Block { base, capacity, columns: PhantomData };
        // SAFETY: the block was measured for that capacity; the rest is the caller's promise.
        let at = unsafe { C::map(at, &mut Lay { base, offset: 0, capacity, from, len }) };
        Some((block, at))
    }
}

impl<C: Columns> Drop for Block<C> {
    fn drop(&mut self) {
        if self.capacity > 0 {
            let layout = Self::layout(self.capacity).expect("it was allocated with this layout");
            // SAFETY: it was allocated with this layout, and is freed once.
            unsafe { dealloc(self.base.as_ptr(), layout) }
        }
    }
}
