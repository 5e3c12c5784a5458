//! A module's memory as room for what crosses. The host takes pages of its own, behind those that the module has, by the
//! instruction that its allocator uses too: nothing has to be asked of it.

use super::live::Data;
use std::cell::Cell;
use std::ops::Range;
use upcall_crossing::{Full, Room};
use wasmtime::{AsContextMut, StoreContextMut};

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
    /// Those behind each other in one; more than one where the module has taken pages in between. The first is the largest,
    /// which a call begins with.
    taken: Vec<Range<u64>>,
    /// How many of them this call has used, from the first on.
    used: usize,
    /// What is left of the one that is in use.
    at: u64,
    upto: u64,
}

impl Pages {
    /// Goes on in that one, which this call has not used.
    fn go_on_in(&mut self, index: usize) {
        self.taken.swap(self.used, index);
        (self.at, self.upto) = (self.taken[self.used].start, self.taken[self.used].end);
        self.used += 1;
    }

    /// Goes on in the smallest that holds so many bytes, and that this call has not used. Whether there is one.
    fn others(&mut self, bytes: u64) -> bool {
        let unused = self.taken.iter().enumerate().skip(self.used);
        let holds =
            unused.map(|(index, pages)| (pages.end - pages.start, index)).filter(|(has, _)| *has >= bytes);
        let found = holds.min();
        found.into_iter().for_each(|(_, index)| self.go_on_in(index));
        found.is_some()
    }

    /// Goes on in what was just taken.
    fn add(&mut self, new: Range<u64>) {
        match self.taken.iter().position(|pages| pages.end == new.start) {
            Some(index) if self.taken[index].end == self.upto => {
                (self.taken[index].end, self.upto) = (new.end, new.end);
            }
            Some(index) if index >= self.used => {
                self.taken[index].end = new.end;
                self.go_on_in(index);
            }
            _ => {
                self.taken.push(new);
                self.go_on_in(self.taken.len() - 1);
            }
        }
        let largest = (0..self.used).max_by_key(|index| self.taken[*index].end - self.taken[*index].start);
        self.taken.swap(0, largest.unwrap_or(0));
    }
}

/// Room in the memory of a store.
pub(super) struct Linear<'s> {
    store: StoreContextMut<'s, Data>,
}

impl<'s> Linear<'s> {
    /// As long as it lives, the module does not run. `None` before the instance is made.
    pub(super) fn new(mut store: StoreContextMut<'s, Data>) -> Option<Linear<'s>> {
        let memory = store.data().memory?;
        if store.data().pages.base.is_null() {
            store.data_mut().pages.base = memory.data_ptr(&store);
        }
        Some(Linear { store })
    }

    // They stay in the store: moved out and back, they would cost as much as the rest of a call.
    #[inline]
    fn pages(&mut self) -> &mut Pages {
        &mut self.store.data_mut().pages
    }

    /// Asks how large the memory is by now.
    #[cold]
    fn look(&self) {
        let data = self.store.data();
        data.pages.bytes.set(data.memory.map_or(0, |memory| memory.data_size(&self.store) as u64));
    }

    /// Takes pages for at least so many bytes more.
    #[cold]
    fn more(&mut self, bytes: u64) -> Result<(), Full> {
        let bytes = bytes.checked_add(16).ok_or(Full)?.max(LEAST);
        let had = self.pages().taken.first().map_or(0, |largest| largest.end - largest.start);
        // Twice as many as before, so that they are soon enough; fewer where that is too much.
        let wanted = [bytes.max(2 * had), bytes];
        // It is the host that asks, not the module.
        let before = self.store.data_mut().bounds.refused.take();
        let memory = self.store.data().memory.ok_or(Full)?;
        let grown = wanted.into_iter().find_map(|bytes| {
            let pages = bytes.div_ceil(PAGE);
            let from = memory.grow(self.store.as_context_mut(), pages).ok()?;
            Some(from * PAGE..(from + pages) * PAGE)
        });
        let bounds = &mut self.store.data_mut().bounds;
        let refused = std::mem::replace(&mut bounds.refused, before);
        let Some(new) = grown else {
            bounds.full = refused;
            return Err(Full);
        };
        self.pages().add(new);
        Ok(())
    }
}

// SAFETY: pages that the memory was grown by belong to whoever has grown it, each place is given once, in multiples of 16, and
// the memory never moves (`Config::memory_may_move`) or shrinks; `place` looks whether all bytes are inside.
unsafe impl Room for Linear<'_> {
    #[inline]
    fn reset(&mut self) {
        let pages = self.pages();
        pages.used = pages.taken.len().min(1);
        (pages.at, pages.upto) = pages.taken.first().map_or((0, 0), |largest| (largest.start, largest.end));
    }

    #[inline]
    fn give(&mut self, bytes: u64) -> Result<(u64, *mut u8), Full> {
        const ALIGN: u64 = 16;
        let next = |at: u64| at.checked_add(bytes)?.checked_next_multiple_of(ALIGN);
        let fits = |pages: &Pages| next(pages.at).filter(|next| *next <= pages.upto);
        let next = match fits(self.pages()) {
            Some(next) => next,
            None => {
                if !self.pages().others(bytes) {
                    self.more(bytes)?;
                }
                fits(self.pages()).ok_or(Full)?
            }
        };
        let pages = self.pages();
        let at = std::mem::replace(&mut pages.at, next);
        Ok((at, pages.base.wrapping_add(at as usize)))
    }

    fn give_rest(&mut self, least: u64) -> Result<(u64, *mut u8, u64), Full> {
        let (offset, at) = self.give(least)?;
        // Pages end at multiples of 16.
        let pages = self.pages();
        pages.at = pages.upto;
        Ok((offset, at, pages.upto - offset))
    }

    #[inline]
    fn give_back(&mut self, from: u64) {
        self.pages().at = from;
    }

    #[inline]
    fn place(&self, offset: u64, bytes: u64) -> Option<*mut u8> {
        let end = offset.checked_add(bytes)?;
        let pages = &self.store.data().pages;
        if end > pages.bytes.get() {
            self.look();
        }
        (end <= pages.bytes.get()).then(|| pages.base.wrapping_add(offset as usize))
    }

    fn end(&self) -> u64 {
        self.store.data().pages.at
    }
}
