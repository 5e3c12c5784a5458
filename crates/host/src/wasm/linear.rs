//! A module's memory as room for what crosses. The host takes pages of its own, behind those that the module has, by the
//! instruction that its allocator uses too: nothing has to be asked of it.

use super::live::Data;
use std::cell::Cell;
use std::ops::Range;
use upcall_crossing::{Full, Room};
use wasmtime::{AsContextMut, Memory, StoreContextMut};

const PAGE: u64 = 64 << 10;

/// Bytes that are taken at least, of which many calls need no more.
const LEAST: u64 = 4 * PAGE;

/// The host's pages, and where the memory is.
#[derive(Default)]
pub(super) struct Pages {
    /// The memory's first byte, which never moves; null before it was asked for.
    base: *mut u8,
    /// How many bytes there were when they were last asked for: there may be more by now, and never fewer.
    bytes: Cell<u64>,
    /// Those behind each other in one; more than one where the module has taken pages in between.
    taken: Vec<Range<u64>>,
    at: u64,
    upto: u64,
}

/// Room in the memory of a store.
pub(super) struct Linear<'s> {
    store: StoreContextMut<'s, Data>,
    memory: Memory,
    pages: Pages,
}

impl<'s> Linear<'s> {
    /// As long as it lives, the module does not run. `None` before the instance is made.
    pub(super) fn new(mut store: StoreContextMut<'s, Data>) -> Option<Linear<'s>> {
        let memory = store.data().memory?;
        let mut pages = std::mem::take(&mut store.data_mut().pages);
        if pages.base.is_null() {
            pages.base = memory.data_ptr(&store);
        }
        Some(Linear { store, memory, pages })
    }

    /// Takes pages for at least so many bytes more.
    #[cold]
    fn more(&mut self, bytes: u64) -> Result<(), Full> {
        let bytes = bytes.checked_add(16).ok_or(Full)?.max(LEAST);
        let had = self.pages.taken.last().map_or(0, |last| last.end - last.start);
        // Twice as many as before, so that they are soon enough; fewer where that is too much.
        let wanted = [bytes.max(2 * had), bytes];
        for bytes in wanted {
            let pages = bytes.div_ceil(PAGE);
            let before = self.store.data().bounds.refused;
            let Ok(from) = self.memory.grow(self.store.as_context_mut(), pages) else {
                // It was the host that asked.
                self.store.data_mut().bounds.refused = before;
                continue;
            };
            let new = from * PAGE..from * PAGE + pages * PAGE;
            match self.pages.taken.last_mut() {
                Some(last) if last.end == new.start && self.pages.upto == last.end => {
                    (last.end, self.pages.upto) = (new.end, new.end);
                }
                _ => {
                    (self.pages.at, self.pages.upto) = (new.start, new.end);
                    self.pages.taken.push(new);
                }
            }
            return Ok(());
        }
        Err(Full)
    }
}

impl Drop for Linear<'_> {
    fn drop(&mut self) {
        self.store.data_mut().pages = std::mem::take(&mut self.pages);
    }
}

// SAFETY: pages that the memory was grown by belong to whoever has grown it, each place is given once, in multiples of 16, and
// the memory never moves (`Config::memory_may_move`) or shrinks; `place` looks whether all bytes are inside.
unsafe impl Room for Linear<'_> {
    fn reset(&mut self) {
        let largest = self.pages.taken.iter().max_by_key(|pages| pages.end - pages.start);
        (self.pages.at, self.pages.upto) = largest.map_or((0, 0), |pages| (pages.start, pages.end));
    }

    #[inline]
    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full> {
        const ALIGN: u64 = 16;
        let next = |at: u64| at.checked_add(bytes)?.checked_next_multiple_of(ALIGN);
        let fits = |pages: &Pages| next(pages.at).filter(|next| *next <= pages.upto);
        let next = match fits(&self.pages) {
            Some(next) => next,
            None => {
                self.more(bytes)?;
                fits(&self.pages).ok_or(Full)?
            }
        };
        let at = std::mem::replace(&mut self.pages.at, next);
        Ok((at, self.pages.base.wrapping_add(at as usize)))
    }

    #[inline]
    fn place(&self, offset: u64, bytes: u64) -> Option<*mut u8> {
        let end = offset.checked_add(bytes)?;
        if end > self.pages.bytes.get() {
            self.pages.bytes.set(self.memory.data_size(&self.store) as u64);
        }
        (end <= self.pages.bytes.get()).then(|| self.pages.base.wrapping_add(offset as usize))
    }

    fn end(&self) -> u64 {
        self.pages.at
    }
}
