//! What native code calls for a function of the guest: a trampoline.
//!
//! A trampoline must know which callback it stands for. Where native code passes a context back, that is the
//! callback's number, and one trampoline serves all. Where it does not, there are [`SLOTS`] trampolines, each with a
//! slot that holds a number, and so many callbacks of this kind may be alive.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// How many callbacks of one kind without a context may be alive.
pub const SLOTS: usize = u64::BITS as usize;

/// The address of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub *const c_void);

// SAFETY: code may be called from every thread.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    /// As a function's type, or an `Option` of one.
    ///
    /// # Safety
    /// The code has this type; null only where the type has a null.
    #[inline(always)]
    #[must_use]
    pub unsafe fn function<T: Copy>(self) -> T {
        const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
        // SAFETY: of one size; the rest is the caller's promise.
        unsafe { std::mem::transmute_copy(&self.0) }
    }
}

/// The addresses of a trampoline that is generic over its slot: `addresses!(trampoline as extern "C" fn())`. The name
/// [`Address`] must be in scope.
#[macro_export]
macro_rules! addresses {
    ($trampoline:ident as $ty:ty) => {
        $crate::addresses!(
            $trampoline as $ty:
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
            32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
        )
    };
    ($trampoline:ident as $ty:ty: $($slot:literal)*) => {
        [$(Address($trampoline::<$slot> as $ty as *const _)),*]
    };
}

/// Which callback each slot stands for.
pub struct Pool {
    /// A slot that was released keeps its number, so that a late call is told from one that was never right.
    numbers: [AtomicUsize; SLOTS],
    /// A bit for each slot.
    taken: AtomicU64,
    /// The slot to try next: a released one is taken again as late as possible.
    next: AtomicU32,
}

impl Pool {
    /// All slots are free.
    #[must_use]
    pub const fn new() -> Pool {
        Pool {
            numbers: [const { AtomicUsize::new(0) }; SLOTS],
            taken: AtomicU64::new(0),
            next: AtomicU32::new(0),
        }
    }

    /// The number that a slot stands for, or stood for last; 0 if it was never taken.
    #[inline(always)]
    pub fn number(&self, slot: usize) -> usize {
        self.numbers[slot].load(Ordering::Acquire)
    }

    /// A slot that stands for this number from now on.
    pub fn take(&self, number: usize) -> Option<usize> {
        let mut taken = self.taken.load(Ordering::Relaxed);
        loop {
            let next = self.next.load(Ordering::Relaxed);
            let free = (!taken).rotate_right(next);
            if free == 0 {
                return None;
            }
            let slot = (next + free.trailing_zeros()) % u64::BITS;
            let with = taken | 1 << slot;
            match self.taken.compare_exchange_weak(taken, with, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    self.numbers[slot as usize].store(number, Ordering::Release);
                    self.next.store((slot + 1) % u64::BITS, Ordering::Relaxed);
                    return Some(slot as usize);
                }
                Err(now) => taken = now,
            }
        }
    }

    /// Frees a slot that was taken.
    pub fn release(&self, slot: usize) {
        self.taken.fetch_and(!(1 << slot), Ordering::AcqRel);
    }
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

/// A kind of function that native code calls.
pub struct Signature {
    /// As Rust spells it, for messages.
    name: &'static str,
    trampolines: Trampolines,
}

enum Trampolines {
    One(Address),
    Pool(&'static Pool, &'static [Address; SLOTS]),
}

impl Signature {
    /// One that is given its callback's number as the context.
    #[must_use]
    pub const fn with_context(name: &'static str, trampoline: Address) -> Signature {
        Signature { name, trampolines: Trampolines::One(trampoline) }
    }

    /// One with a trampoline for each slot of a pool.
    #[must_use]
    pub const fn pooled(
        name: &'static str,
        pool: &'static Pool,
        trampolines: &'static [Address; SLOTS],
    ) -> Signature {
        Signature { name, trampolines: Trampolines::Pool(pool, trampolines) }
    }

    /// The one trampoline, if the context says which callback is called.
    #[inline(always)]
    pub fn shared(&self) -> Option<Address> {
        match self.trampolines {
            Trampolines::One(trampoline) => Some(trampoline),
            Trampolines::Pool(..) => None,
        }
    }

    /// A slot for this number, if one is free, where [`Signature::shared`] is `None`.
    pub fn take(&self, number: usize) -> Option<usize> {
        match self.trampolines {
            Trampolines::One(_) => None,
            Trampolines::Pool(pool, _) => pool.take(number),
        }
    }

    /// The trampoline of a slot.
    #[inline]
    pub fn at(&self, slot: usize) -> Address {
        match self.trampolines {
            Trampolines::One(trampoline) => trampoline,
            Trampolines::Pool(_, trampolines) => trampolines[slot],
        }
    }

    /// Frees a slot of [`Signature::take`].
    pub fn release(&self, slot: usize) {
        if let Trampolines::Pool(pool, _) = self.trampolines {
            pool.release(slot);
        }
    }

    /// What to say when there is no slot.
    #[cold]
    #[must_use]
    pub fn exhausted(&self) -> String {
        format!("{SLOTS} callbacks of {}, which has no context parameter, are alive: release some", self.name)
    }
}
