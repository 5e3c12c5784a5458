//! Watching pools from outside. A slow watcher is told what it missed; it never stalls the flow.

use crate::object::Stored;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Events that a watcher may be behind before it misses some.
pub const BEHIND: usize = 4096;

/// What a watcher sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// An object was put, emitted or triggered.
    Put {
        /// The pool's path.
        pool: Arc<str>,
        /// The object.
        object: Stored,
    },
    /// A key was removed.
    Removed {
        /// The pool's path.
        pool: Arc<str>,
        /// The key.
        key: Box<[u8]>,
        /// The version that removed it.
        version: u64,
    },
    /// The watcher was too slow: this many events of the pool were dropped, whose versions lie between the
    /// first and the last. Those that the pool still keeps can be read with `get_at`.
    Missed {
        /// The pool's path.
        pool: Arc<str>,
        /// How many.
        count: u64,
        /// The smallest version missed.
        first: u64,
        /// The largest version missed.
        last: u64,
    },
}

/// A watch on some pools; ends when dropped.
#[must_use = "a watch ends when it is dropped"]
pub struct Watch {
    pub(crate) line: Arc<Line>,
}

impl Watch {
    /// The next event; `None` when there was none for `patience`.
    pub fn next(&self, patience: Duration) -> Option<Event> {
        let begin = Instant::now();
        let mut waiting = self.line.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(event) = waiting.pop_front() {
                return Some(event);
            }
            let left = patience.checked_sub(begin.elapsed())?;
            let woken = self.line.more.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[derive(Default)]
pub(crate) struct Line {
    waiting: Mutex<VecDeque<Event>>,
    more: Condvar,
}

impl Line {
    fn push(&self, event: Event, pool: &Arc<str>, version: u64) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < BEHIND {
            waiting.push_back(event);
        } else {
            // At most one note per pool, at the end: all that is dropped in a row.
            let notes = waiting.iter_mut().rev().take_while(|event| matches!(event, Event::Missed { .. }));
            let mut note = notes.filter_map(|event| match event {
                Event::Missed { pool: of, count, first, last } if of == pool => Some((count, first, last)),
                _ => None,
            });
            match note.next() {
                Some((count, first, last)) => {
                    *count += 1;
                    // Threads that put different keys tell in any order.
                    (*first, *last) = ((*first).min(version), (*last).max(version));
                }
                None => {
                    let (first, last) = (version, version);
                    waiting.push_back(Event::Missed { pool: pool.clone(), count: 1, first, last });
                }
            }
        }
        self.more.notify_one();
    }
}

/// The watchers of one pool.
#[derive(Default)]
pub(crate) struct Watchers {
    count: AtomicUsize,
    lines: Mutex<Vec<(Weak<Line>, Arc<str>)>>,
}

impl Watchers {
    pub(crate) fn add(&self, path: &str, line: &Arc<Line>) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // A pool that nothing is put into would gather all that ever watched it.
        lines.retain(|(line, _)| line.strong_count() > 0);
        lines.push((Arc::downgrade(line), path.into()));
        self.count.store(lines.len(), SeqCst);
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.count.load(SeqCst) > 0
    }

    /// Tells all watchers; `value` is `None` for a removed key.
    pub(crate) fn tell(&self, key: &[u8], value: Option<&[u8]>, version: u64, time: u64) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|(line, pool)| {
            let Some(line) = line.upgrade() else { return false };
            let event = match value {
                Some(value) => {
                    let object = Stored { key: key.into(), value: value.into(), version, time };
                    Event::Put { pool: pool.clone(), object }
                }
                None => Event::Removed { pool: pool.clone(), key: key.into(), version },
            };
            line.push(event, pool, version);
            true
        });
        self.count.store(lines.len(), SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_that_was_dropped_is_forgotten_also_where_nothing_happens() {
        let watchers = Watchers::default();
        (0..100).for_each(|_| watchers.add("/p", &Arc::default()));
        let line = Arc::default();
        watchers.add("/p", &line);
        assert_eq!(watchers.count.load(SeqCst), 1);
    }

    #[test]
    fn what_was_missed_is_told_from_the_smallest_version_to_the_largest() {
        let watch = Watch { line: Arc::default() };
        let pool: Arc<str> = "/p".into();
        let removed = |version| Event::Removed { pool: pool.clone(), key: b"k"[..].into(), version };
        (0..BEHIND).for_each(|_| watch.line.push(removed(1), &pool, 1));
        // Threads that put different keys tell in any order.
        [7, 5, 9, 6].iter().for_each(|version| watch.line.push(removed(*version), &pool, *version));
        let events: Vec<Event> = std::iter::from_fn(|| watch.next(Duration::ZERO)).collect();
        assert_eq!(events.len(), BEHIND + 1);
        assert_eq!(events[BEHIND], Event::Missed { pool: pool.clone(), count: 4, first: 5, last: 9 });
    }
}
