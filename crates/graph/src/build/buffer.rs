//! Memory for many records, which goes back to the system at once: what an allocator keeps would not be within the budget.

use super::record::Record;
use crate::error::Error;
use memmap2::MmapMut;
use std::marker::PhantomData;
use std::path::Path;

pub(crate) struct Buffer<R> {
    memory: MmapMut,
    capacity: usize,
    length: usize,
    records: PhantomData<R>,
}

impl<R: Record> Buffer<R> {
    /// Room for so many. What is not written to takes no memory.
    pub(crate) fn new(capacity: usize) -> Result<Buffer<R>, Error> {
        let bytes = capacity.saturating_mul(size_of::<R>()).max(1);
        let memory = MmapMut::map_anon(bytes)
            .map_err(|error| Error::io("make a graph: allocate memory for", Path::new("edges"), &error))?;
        Ok(Buffer { memory, capacity, length: 0, records: PhantomData })
    }

    /// Adds a record.
    ///
    /// # Panics
    /// There is no room.
    #[inline]
    pub(crate) fn push(&mut self, record: R) {
        let length = self.length;
        self.room()[length] = record;
        self.length = length + 1;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.length == self.capacity
    }

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// The records that were pushed.
    #[inline]
    pub(crate) fn records(&mut self) -> &mut [R] {
        let length = self.length;
        &mut self.room()[..length]
    }

    /// All that there is room for: zeroes, where nothing was written.
    #[inline]
    pub(crate) fn room(&mut self) -> &mut [R] {
        const { assert!(align_of::<R>() <= 64, "memory is aligned to pages") };
        // SAFETY: the memory has room for as many, which are initialised as any bytes are; it is aligned, and borrowed as long.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.capacity) }
    }
}
