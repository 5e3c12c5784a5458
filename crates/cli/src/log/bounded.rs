//! So many warnings per second: a flow in which every item fails says so, and can still be read.

use crate::{output, report};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

/// Warnings and errors of ours that are shown in a second.
const MOST: u32 = 10;
const SECOND: Duration = Duration::from_secs(1);

static SHOWN: Mutex<Window> = Mutex::new(Window { began: None, shown: 0, left_out: 0 });

struct Window {
    began: Option<Instant>,
    shown: u32,
    left_out: u64,
}

impl Window {
    /// Whether one more may be shown, and how many were left out in a second that has ended.
    fn take(&mut self, now: Instant) -> (bool, u64) {
        let ended = self.end(now);
        self.began.get_or_insert(now);
        let show = self.shown < MOST;
        if show {
            self.shown += 1;
        } else {
            self.left_out += 1;
        }
        (show, ended)
    }

    /// How many were left out, if the second has ended.
    fn end(&mut self, now: Instant) -> u64 {
        if self.began.is_none_or(|began| now.duration_since(began) < SECOND) {
            return 0;
        }
        (self.began, self.shown) = (None, 0);
        std::mem::take(&mut self.left_out)
    }
}

/// Lets through all that handlers log, and a few per second of our own warnings and errors.
pub(super) struct Bounded;

impl<S: Subscriber> Layer<S> for Bounded {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let about = event.metadata();
        if *about.level() > Level::WARN || about.target() == "upcall::handler" {
            return true;
        }
        let (show, left_out) = lock(|window| window.take(Instant::now()));
        tell(left_out);
        show
    }
}

/// Says how many warnings were left out: of a second that has ended or, at the end of a run, of any.
pub(crate) fn rest(at_end: bool) {
    tell(lock(|window| match at_end {
        true => std::mem::take(&mut window.left_out),
        false => window.end(Instant::now()),
    }));
}

fn lock<R>(look: impl FnOnce(&mut Window) -> R) -> R {
    look(&mut SHOWN.lock().unwrap_or_else(PoisonError::into_inner))
}

fn tell(left_out: u64) {
    if left_out > 0 {
        let warnings = if left_out == 1 { "warning" } else { "warnings" };
        output::error(format!("… {} more {warnings} like these, not shown", report::grouped(left_out)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_for_a_second_is_counted_and_told_in_the_next() {
        let mut window = Window { began: None, shown: 0, left_out: 0 };
        let now = Instant::now();
        let shown = (0..100).filter(|_| window.take(now).0).count();
        assert_eq!(shown, MOST as usize);
        assert_eq!(window.end(now), 0);
        assert_eq!(window.take(now + SECOND), (true, 90));
        assert_eq!(window.end(now + 3 * SECOND), 0);
    }
}
