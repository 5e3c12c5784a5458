//! The memory that objects travel in: filled once from front to back, read by many, freed when the last
//! object in it has been handled.

use crate::memory::Memory;
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::Arc;

/// Bytes of an ordinary chunk. A larger object gets a chunk of its own.
pub(crate) const CHUNK: usize = 64 << 10;

/// What `malloc` gives without being asked, on 64 bits.
const ALIGN: usize = 16;

pub(crate) struct Chunk {
    memory: NonNull<u8>,
    layout: Layout,
    counted: Arc<Memory>,
}

// SAFETY: it is plain memory. A byte is written by one thread before its address is handed to others through
// a lock, and not written again while they hold the chunk.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// So many bytes, aligned as every allocation is: what lies in it is aligned to 8. For more, allocators
    /// such as glibc's before 2.38 do not find what was freed before, and the process grows with all that ever passed.
    pub(crate) fn new(need: usize, counted: &Arc<Memory>) -> Arc<Chunk> {
        let layout = Layout::from_size_align(need, ALIGN).expect("a chunk is smaller than isize::MAX");
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { alloc(layout) }).unwrap_or_else(|| handle_alloc_error(layout));
        counted.allocated(layout.size());
        Arc::new(Chunk { memory, layout, counted: counted.clone() })
    }

    pub(crate) fn start(&self) -> u64 {
        self.memory.as_ptr().expose_provenance() as u64
    }

    pub(crate) fn end(&self) -> u64 {
        self.start() + self.layout.size() as u64
    }
}

// SAFETY: an allocation of its own behind a pointer that may write, until it is dropped.
unsafe impl upcall_abi::Chunk for Chunk {
    fn start(&self) -> u64 {
        Chunk::start(self)
    }

    fn end(&self) -> u64 {
        Chunk::end(self)
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout; nobody else holds it.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
        self.counted.freed(self.layout.size());
    }
}

/// Copies objects that come from outside into chunks.
pub(crate) struct Filler {
    chunk: Option<Arc<Chunk>>,
    /// The free bytes of the chunk; none where there is no chunk.
    at: u64,
    end: u64,
    memory: Arc<Memory>,
}

impl Filler {
    pub(crate) fn new(memory: &Arc<Memory>) -> Filler {
        Filler { chunk: None, at: 0, end: 0, memory: memory.clone() }
    }

    /// Copies key and value side by side; returns their addresses. [`Filler::chunk`] then holds them.
    #[inline]
    pub(crate) fn copy(&mut self, key: &[u8], value: &[u8]) -> (u64, u64) {
        let need = (key.len() + value.len() + 7) as u64 & !7;
        if self.end - self.at < need || self.chunk.is_none() {
            self.renew(need);
        }
        let (value_at, key_at) = (self.at, self.at + value.len() as u64);
        // SAFETY: the current chunk has `need` free bytes from `at` on, which nobody else uses.
        unsafe {
            std::ptr::copy_nonoverlapping(value.as_ptr(), value_at as *mut u8, value.len());
            std::ptr::copy_nonoverlapping(key.as_ptr(), key_at as *mut u8, key.len());
        }
        self.at += need;
        (key_at, value_at)
    }

    #[cold]
    fn renew(&mut self, need: u64) {
        let chunk = Chunk::new(CHUNK.max(need as usize), &self.memory);
        (self.at, self.end) = (chunk.start(), chunk.end());
        self.chunk = Some(chunk);
    }

    /// The chunk that the last copy went to.
    #[inline]
    pub(crate) fn chunk(&self) -> &Arc<Chunk> {
        self.chunk.as_ref().expect("called after copy")
    }
}
