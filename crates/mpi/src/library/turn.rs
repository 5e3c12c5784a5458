//! What a call of a thread has to look at first.

use std::cell::Cell;

thread_local! {
    /// One byte, so that the calls of the thread that has started MPI look once.
    /// Its address tells threads apart, in less time than their ids.
    static TURN: Cell<Turn> = const { Cell::new(Turn::Asks) };
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Whether it may, and others are told.
    Asks,
    /// Nothing: it is the thread that has started MPI and finalizes it, and its calls need no turn.
    Home,
    /// It is in an operation, and so in a call of MPI's.
    Combines,
}

#[inline]
pub(super) fn here() -> usize {
    TURN.with(|here| std::ptr::from_ref(here).addr())
}

impl Turn {
    #[inline]
    pub(super) fn get() -> Turn {
        TURN.get()
    }

    pub(super) fn set(self) {
        TURN.set(self);
    }
}

/// While it lives this thread is in an operation, which must not call MPI.
pub(crate) struct Combines(Turn);

impl Combines {
    #[inline]
    pub(crate) fn begin() -> Combines {
        Combines(TURN.replace(Turn::Combines))
    }
}

impl Drop for Combines {
    #[inline]
    fn drop(&mut self) {
        TURN.set(self.0);
    }
}

pub(super) fn is_combining() -> bool {
    TURN.get() == Turn::Combines
}
