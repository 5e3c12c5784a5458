//! Watching pools from outside. A slow watcher is told what it missed; it never stalls the flow.

use crate::Error;
use crate::object::Stored;
use crate::spec::ValueType;
use crate::typed_watch::TypedWatch;
use crate::waiters::{Place, Waiters};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use upcall_handler::Owned;

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

/// A watch on some pools; ends when dropped. From [`crate::Flow::watch`] and [`crate::Flow::watch_with_buffer`].
///
/// An event that waits holds a copy of its key and value, and about 100 bytes beside. The flow's `memory` does not count
/// that: the buffer times the largest value bounds it.
#[must_use = "a watch ends when it is dropped"]
pub struct Watch {
    line: Arc<Line>,
    /// What is watched.
    pools: Vec<(Arc<str>, ValueType)>,
}

impl Watch {
    /// Events that a watch of [`crate::Flow::watch`] may be behind before it misses some.
    pub const BUFFER: usize = 4096;

    pub(crate) fn new(buffer: usize) -> Watch {
        let line = Line {
            buffer,
            waiting: Mutex::default(),
            more: Condvar::new(),
            tasks: Waiters::new(),
            ended: AtomicBool::new(false),
        };
        Watch { line: Arc::new(line), pools: Vec::new() }
    }

    pub(crate) fn add(&mut self, path: &str, value: &ValueType, watchers: &Watchers) {
        let path: Arc<str> = path.into();
        watchers.add(path.clone(), &self.line);
        self.pools.push((path, value.clone()));
    }

    /// The same watch through values of one type: `flow.watch("/lengths")?.of::<u64>()?`. A pool that declares no type
    /// takes any.
    ///
    /// # Errors
    ///
    /// Of kind [`crate::ErrorKind::BadValue`] when one of the pools declares another type.
    pub fn of<T: Owned + ?Sized>(self) -> Result<TypedWatch<T>, Error> {
        let wrong =
            self.pools.iter().find_map(|(path, of)| crate::typed::agree::<T>("watch pool", path, of).err());
        wrong.map_or(Ok(TypedWatch::new(self)), Err)
    }

    /// The next event; `None` when there was none for `patience`, or when the flow has stopped and nothing is left
    /// ([`Watch::has_ended`]).
    pub fn next(&self, patience: Duration) -> Option<Event> {
        let begin = Instant::now();
        let mut waiting = self.line.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(event) = waiting.pop_front() {
                return Some(event);
            }
            if self.line.ended.load(SeqCst) {
                return None;
            }
            let left = patience.checked_sub(begin.elapsed())?;
            let woken = self.line.more.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The next event, for a task; `None` when the flow has stopped and nothing is left.
    pub async fn event(&self) -> Option<Event> {
        let mut place = InLine { line: &self.line, place: Place::default() };
        std::future::poll_fn(|task| place.poll(task)).await
    }

    /// Whether the flow has stopped, so that no event will come but those that wait.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.line.ended.load(SeqCst)
    }

    pub(crate) fn end(&self) {
        self.line.end();
    }
}

/// A task that waits for the next event.
struct InLine<'a> {
    line: &'a Line,
    place: Place,
}

impl InLine<'_> {
    fn poll(&mut self, task: &mut Context<'_>) -> Poll<Option<Event>> {
        let line = self.line;
        let mut event = None;
        let next = || {
            let ended = line.ended.load(SeqCst);
            event = line.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            ended || event.is_some()
        };
        let ready = line.tasks.poll(&mut self.place, task, next);
        ready.map(|()| event)
    }
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.line.tasks.leave(&mut self.place);
    }
}

pub(crate) struct Line {
    /// Events that may wait; notes of what was missed come on top.
    buffer: usize,
    waiting: Mutex<VecDeque<Event>>,
    more: Condvar,
    tasks: Waiters,
    ended: AtomicBool,
}

impl Line {
    /// The event is made only where there is room for it: one that is missed costs no copy.
    /// Tasks are left to the caller, who holds a lock.
    fn push(&self, pool: &Arc<str>, version: u64, event: impl FnOnce() -> Event) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < self.buffer {
            waiting.push_back(event());
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

    /// Wakes the tasks that wait for an event: foreign code, so that whoever calls it holds no lock.
    pub(crate) fn wake(&self) {
        self.tasks.wake();
    }

    fn end(&self) {
        self.ended.store(true, SeqCst);
        drop(self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        self.more.notify_all();
        self.tasks.wake();
    }
}

/// The watchers of one pool.
#[derive(Default)]
pub(crate) struct Watchers {
    count: AtomicUsize,
    lines: Mutex<Vec<(Weak<Line>, Arc<str>)>>,
}

impl Watchers {
    fn add(&self, path: Arc<str>, line: &Arc<Line>) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // A pool that nothing is put into would gather all that ever watched it.
        lines.retain(|(line, _)| line.strong_count() > 0);
        lines.push((Arc::downgrade(line), path));
        self.count.store(lines.len(), SeqCst);
    }

    /// The flow has stopped.
    pub(crate) fn end(&self) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let ended: Vec<Arc<Line>> = lines.iter().filter_map(|(line, _)| line.upgrade()).collect();
        drop(lines);
        ended.iter().for_each(|line| line.end());
    }

    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.count.load(SeqCst) > 0
    }

    /// Tells all watchers; `value` is `None` for a removed key. Whose tasks are to be woken is added to `awaited`: this
    /// is called under the lock of the key.
    pub(crate) fn tell(
        &self,
        key: &[u8],
        value: Option<&[u8]>,
        version: u64,
        time: u64,
        awaited: &mut Vec<Arc<Line>>,
    ) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|(line, pool)| {
            let Some(line) = line.upgrade() else { return false };
            line.push(pool, version, || match value {
                Some(value) => {
                    let object = Stored { key: key.into(), value: value.into(), version, time };
                    Event::Put { pool: pool.clone(), object }
                }
                None => Event::Removed { pool: pool.clone(), key: key.into(), version },
            });
            if line.tasks.any() && !awaited.iter().any(|one| Arc::ptr_eq(one, &line)) {
                awaited.push(line);
            }
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
        (0..100).for_each(|_| Watch::new(1).add("/p", &ValueType::Bytes, &watchers));
        let mut watch = Watch::new(1);
        watch.add("/p", &ValueType::Bytes, &watchers);
        assert_eq!(watchers.count.load(SeqCst), 1);
    }

    fn all(watch: &Watch) -> Vec<Event> {
        std::iter::from_fn(|| watch.next(Duration::ZERO)).collect()
    }

    #[test]
    fn what_was_missed_is_told_from_the_smallest_version_to_the_largest() {
        for buffer in [0, 1, 3] {
            let watch = Watch::new(buffer);
            let pool: Arc<str> = "/p".into();
            let removed = |version| Event::Removed { pool: pool.clone(), key: b"k"[..].into(), version };
            (0..buffer).for_each(|_| watch.line.push(&pool, 1, || removed(1)));
            // Threads that put different keys tell in any order.
            let late = [7, 5, 9, 6];
            late.iter()
                .for_each(|version| watch.line.push(&pool, *version, || unreachable!("no room for it")));
            let events = all(&watch);
            assert_eq!(events.len(), buffer + 1);
            assert_eq!(events[buffer], Event::Missed { pool: pool.clone(), count: 4, first: 5, last: 9 });
        }
    }

    #[test]
    fn each_pool_has_a_note_of_its_own_of_what_was_missed() {
        let watch = Watch::new(0);
        let (a, b): (Arc<str>, Arc<str>) = ("/a".into(), "/b".into());
        for version in 1..=3 {
            watch.line.push(&a, version, || unreachable!("no room for it"));
            watch.line.push(&b, version * 10, || unreachable!("no room for it"));
        }
        let note = |pool: &Arc<str>, first, last| Event::Missed { pool: pool.clone(), count: 3, first, last };
        assert_eq!(all(&watch), [note(&a, 1, 3), note(&b, 10, 30)]);
    }
}
