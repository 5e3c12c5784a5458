//! How a bell is rung, and waited for. `tests/loom.rs` runs it through every order of events, over words of its own.

use crate::bell::{Place, WORDS};
use crate::sleep::{sleep, wake};
use crate::spin::Spin;
use crate::{Patience, Waited};
use std::sync::atomic::Ordering::SeqCst;

impl Place {
    #[inline]
    pub(crate) fn ring(&self, lane: u64) {
        self.mark(lane);
        self.stir();
    }

    /// Says which lane it is rung for. Its owner is woken by [`Place::stir`].
    #[inline]
    pub(crate) fn mark(&self, lane: u64) {
        self.lanes[(lane / 64) as usize % WORDS].fetch_or(1 << (lane % 64), SeqCst);
    }

    /// Wakes its owner, who looks at the lanes.
    #[inline]
    pub(crate) fn stir(&self) {
        self.counter.fetch_add(1, SeqCst);
        // Who falls asleep meanwhile has announced it before it looked.
        if self.sleeping.load(SeqCst) != 0 && self.sleeping.swap(0, SeqCst) != 0 {
            // It may have seen this ring, gone on, and be falling asleep anew: as nobody else wakes it now, it has to see a
            // change there too.
            self.counter.fetch_add(1, SeqCst);
            wake(&self.counter);
        }
    }

    /// The lanes that it was rung for, which it is rung for no longer.
    #[inline]
    pub(crate) fn take(&self) -> [u64; WORDS] {
        self.lanes.each_ref().map(|word| if word.load(SeqCst) == 0 { 0 } else { word.swap(0, SeqCst) })
    }

    /// As [`Place::take`], and waits until it is stirred, if it was not since the last wait, when its counter was `seen`.
    #[inline]
    pub(crate) fn wait(&self, seen: &mut u32, spin: &mut Spin, patience: Patience) -> [u64; WORDS] {
        let stirred = || (self.counter.load(SeqCst) != *seen).then_some(Waited::Mine);
        if spin.wait(stirred).is_none() {
            self.sleeping.swap(1, SeqCst);
            if let Ok(left) = patience.left() {
                sleep(&self.counter, *seen, left);
            }
            self.sleeping.swap(0, SeqCst);
            spin.slept();
        }
        // Before the lanes: what comes from now on ends the next wait.
        *seen = self.counter.load(SeqCst);
        self.take()
    }
}
