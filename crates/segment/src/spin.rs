use std::hint::spin_loop;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long to spin before sleeping: as long as answers have come within it.
///
/// A wake-up by the kernel costs 5 to 50 us, a spin that ends in time 0.1. But where the two share a core the other side
/// does not run while this one spins, so a spin that was in vain is not repeated for a while.
#[derive(Debug)]
pub struct Spin {
    most: Duration,
    /// With one core nobody else runs while we spin.
    alone: bool,
    /// Waits that are left before the next spin, and how many a spin in vain leads to.
    rest: u32,
    penalty: u32,
    /// Whether the last wait has spun, in vain so far.
    spun: bool,
}

/// A spin at most, unless said otherwise: longer than a core takes to wake up, or two sides that have both slept would never meet.
const SPIN: Duration = Duration::from_micros(60);
/// Looks between two at the clock.
const LOOKS: u32 = 64;
/// Waits without a spin after many that were in vain.
const MOST: u32 = 256;

impl Spin {
    /// One that spins for as long as a core takes to wake up.
    #[must_use]
    pub fn new() -> Spin {
        Spin::at_most(SPIN)
    }

    /// One that spins for so long at most.
    #[must_use]
    pub fn at_most(most: Duration) -> Spin {
        // The system reads files to tell.
        static ALONE: OnceLock<bool> = OnceLock::new();
        let alone =
            *ALONE.get_or_init(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()) == 1);
        Spin { most, alone, rest: 0, penalty: 1, spun: false }
    }

    /// What is found before the spin ends. `None` means: sleep, and then say [`Spin::slept`].
    pub fn wait<T>(&mut self, found: impl Fn() -> Option<T>) -> Option<T> {
        self.spun = false;
        if let Some(waited) = found() {
            return Some(waited);
        }
        if self.alone || self.rest > 0 {
            self.rest = self.rest.saturating_sub(1);
            return None;
        }
        self.spun = true;
        let mut end = None;
        loop {
            for _ in 0..LOOKS {
                spin_loop();
                if let Some(waited) = found() {
                    self.penalty = 1;
                    return Some(waited);
                }
            }
            let now = Instant::now();
            if now >= *end.get_or_insert(now + self.most) {
                return None;
            }
        }
    }

    /// The wait has ended otherwise.
    pub fn slept(&mut self) {
        if self.spun {
            self.rest = self.penalty;
            self.penalty = (self.penalty * 2).min(MOST);
        }
    }
}

impl Default for Spin {
    fn default() -> Spin {
        Spin::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Waited;
    use std::cell::Cell;

    #[test]
    fn a_spin_in_vain_is_repeated_later_and_later_and_one_that_pays_off_at_once() {
        let mut spin = Spin { alone: false, ..Spin::new() };
        let mut spun = Vec::new();
        for wait in 0..100 {
            assert_eq!(spin.wait(|| None::<Waited>), None);
            if spin.spun {
                spun.push(wait);
            }
            spin.slept();
        }
        assert_eq!(spun, [0, 2, 5, 10, 19, 36, 69]);
        while !spin.spun {
            spin.wait(|| None::<Waited>);
        }
        let looks = Cell::new(0);
        let late = || (looks.replace(looks.get() + 1) > 3).then_some(Waited::Mine);
        assert_eq!(spin.wait(late), Some(Waited::Mine));
        assert_eq!((spin.rest, spin.penalty), (0, 1));
    }
}
