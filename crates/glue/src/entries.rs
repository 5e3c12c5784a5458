//! Callbacks by number, which is all that native code knows of one.
//!
//! A number names a place in the table and the place's generation, which another callback in the same place does not
//! share: a late call finds nothing, instead of what came later. Its parts, from the lowest bit: whether the callback is
//! plain (a function for the length of one call), 16 bits for the place, `GENERATIONS` bits, and the table's tag,
//! where there are several tables.

use super::slots::{Address, Signature};

const PLACES: u32 = 16;
const GENERATION: u32 = 1 + PLACES;

/// What to say when there is no place.
pub const FULL: &str = "65536 callbacks are alive: release some";

/// Callbacks of one thread, or of all threads that share a lock.
pub struct Entries<T, const GENERATIONS: u32> {
    tag: usize,
    entries: Vec<Entry<T>>,
    /// The places that were left form a list, so that each is used again as late as possible: the first of them, and
    /// the last, which is stale where there is no first.
    first: usize,
    last: usize,
}

/// No place.
const NONE: usize = usize::MAX;

struct Entry<T> {
    /// Of what is here, or was here last.
    number: usize,
    value: Option<T>,
    /// The place that was left after this one.
    next: usize,
    /// The slots that stand for it.
    slots: Vec<(&'static Signature, usize)>,
}

/// Why a callback has no address.
#[derive(Debug, PartialEq, Eq)]
pub enum NoAddress {
    /// It was released.
    Gone,
    /// There is no slot: [`Signature::exhausted`].
    Full,
}

/// Whether a number is that of a plain function.
#[inline(always)]
#[must_use]
pub const fn is_plain(number: usize) -> bool {
    number & 1 == 1
}

impl<T, const GENERATIONS: u32> Entries<T, GENERATIONS> {
    /// An empty table. The tag fits into the bits above the generation.
    #[must_use]
    pub const fn new(tag: usize) -> Self {
        Entries { tag, entries: Vec::new(), first: NONE, last: NONE }
    }

    /// The tag of the table that a number comes from.
    #[inline(always)]
    #[must_use]
    pub const fn tag_of(number: usize) -> usize {
        match number.checked_shr(GENERATION + GENERATIONS) {
            Some(tag) => tag,
            None => 0,
        }
    }

    /// The table's tag.
    #[inline(always)]
    pub const fn tag(&self) -> usize {
        self.tag
    }

    /// Puts a callback into the table: its number, which is never 0.
    ///
    /// # Errors
    /// The callback where the table is [`FULL`].
    #[inline]
    pub fn enter(&mut self, value: T, plain: bool) -> Result<usize, T> {
        if self.first == NONE && !self.grow() {
            return Err(value);
        }
        let entry = &mut self.entries[self.first];
        let mut number = (entry.number & !1).wrapping_add(1 << GENERATION);
        if number >> GENERATION & Self::MASK == 0 {
            number = Self::before_first(self.tag, self.first) + (1 << GENERATION);
        }
        self.first = entry.next;
        entry.number = number | usize::from(plain);
        entry.value = Some(value);
        Ok(entry.number)
    }

    /// The bits of a generation.
    const MASK: usize = usize::MAX >> (usize::BITS - GENERATIONS);

    /// The number of generation 0, which nothing has.
    const fn before_first(tag: usize, place: usize) -> usize {
        match tag.checked_shl(GENERATION + GENERATIONS) {
            Some(tag) => tag | place << 1,
            None => place << 1,
        }
    }

    /// Adds a place, if there may be more.
    #[cold]
    fn grow(&mut self) -> bool {
        let place = self.entries.len();
        if place >> PLACES > 0 {
            return false;
        }
        let number = Self::before_first(self.tag, place);
        self.entries.push(Entry { number, value: None, next: NONE, slots: Vec::new() });
        self.first = place;
        true
    }

    /// The callback of a number, if it is there.
    #[inline(always)]
    pub fn get(&mut self, number: usize) -> Option<&mut T> {
        self.entry(number)?.value.as_mut()
    }

    /// Takes a callback out of the table, and frees its slots.
    #[inline]
    pub fn leave(&mut self, number: usize) -> Option<T> {
        let place = place(number);
        let entry = self.entry(number)?;
        let value = entry.value.take()?;
        entry.next = NONE;
        if !entry.slots.is_empty() {
            entry.release();
        }
        match self.first {
            NONE => self.first = place,
            _ => self.entries[self.last].next = place,
        }
        self.last = place;
        Some(value)
    }

    /// What native code calls for the callback of a number; of one kind always the same, until it leaves.
    ///
    /// # Errors
    /// [`NoAddress`].
    #[inline]
    pub fn address(&mut self, number: usize, of: &'static Signature) -> Result<Address, NoAddress> {
        let entry = self.entry(number).filter(|entry| entry.value.is_some()).ok_or(NoAddress::Gone)?;
        match of.shared() {
            Some(trampoline) => Ok(trampoline),
            None => entry.address(of),
        }
    }

    #[inline(always)]
    fn entry(&mut self, number: usize) -> Option<&mut Entry<T>> {
        self.entries.get_mut(place(number)).filter(|entry| entry.number == number)
    }
}

impl<T> Entry<T> {
    fn address(&mut self, of: &'static Signature) -> Result<Address, NoAddress> {
        let known = self.slots.iter().find(|(signature, _)| std::ptr::eq(*signature, of));
        let slot = match known {
            Some((_, slot)) => *slot,
            None => {
                let slot = of.take(self.number).ok_or(NoAddress::Full)?;
                self.slots.push((of, slot));
                slot
            }
        };
        Ok(of.at(slot))
    }

    fn release(&mut self) {
        for (signature, slot) in self.slots.drain(..) {
            signature.release(slot);
        }
    }
}

impl<T, const GENERATIONS: u32> Drop for Entries<T, GENERATIONS> {
    /// Other tables may share the slots.
    fn drop(&mut self) {
        self.entries.iter_mut().for_each(Entry::release);
    }
}

#[inline(always)]
const fn place(number: usize) -> usize {
    number >> 1 & ((1 << PLACES) - 1)
}
