//! Which call of its methods an instance is in. Nothing here is Python's, so that a test without it can include it.

use std::cell::Cell;

/// One call of a handler's method. It outlives the call, and then fits no other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment(u64);

/// The moments of one instance.
pub struct Moments {
    /// The current moment; 0 outside of a call.
    now: Cell<u64>,
    /// The newest moment there was.
    newest: Cell<u64>,
}

impl Moments {
    /// Outside of any call.
    pub const fn new() -> Moments {
        Moments { now: Cell::new(0), newest: Cell::new(0) }
    }

    /// Runs `body`, which opens moments. None is open when it has ended, by a panic too.
    #[inline(always)]
    pub fn during<R>(&self, body: impl FnOnce() -> R) -> R {
        struct Close<'a>(&'a Moments);
        impl Drop for Close<'_> {
            fn drop(&mut self) {
                self.0.close();
            }
        }
        let _close = Close(self);
        body()
    }

    /// Opens the next moment.
    #[inline(always)]
    pub fn open(&self) -> Moment {
        let moment = self.newest.get() + 1;
        self.newest.set(moment);
        self.now.set(moment);
        Moment(moment)
    }

    /// Ends the moment.
    #[inline(always)]
    pub fn close(&self) {
        self.now.set(0);
    }

    /// The current moment.
    #[inline(always)]
    pub fn now(&self) -> Option<Moment> {
        match self.now.get() {
            0 => None,
            now => Some(Moment(now)),
        }
    }

    /// Whether the moment is the current one.
    #[inline(always)]
    pub fn is(&self, moment: Moment) -> bool {
        self.now.get() == moment.0
    }
}
