//! Threads and tasks that wait for something to become true. `tests/loom.rs` runs it through every order of events.

use crate::sync::{AtomicUsize, Condvar, Mutex, Ordering::SeqCst};
use slab::Slab;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};

#[derive(Default)]
pub(crate) struct Waiters {
    /// Threads that wait, and tasks that are to be woken.
    count: AtomicUsize,
    /// By task, what wakes it; none once it has been woken.
    tasks: Mutex<Slab<Option<Waker>>>,
    changed: Condvar,
}

/// A task's place among those that wait. It is left before it is dropped: [`Waiters::leave`].
#[derive(Default)]
pub(crate) struct Place(Option<usize>);

impl Waiters {
    pub(crate) fn new() -> Waiters {
        Waiters::default()
    }

    /// Whether anybody waits.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.count.load(SeqCst) > 0
    }

    /// Lets all who wait look again. What they are to find has been done before.
    pub(crate) fn wake(&self) {
        if self.any() {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let wakers: Vec<Waker> = tasks.iter_mut().filter_map(|(_, waker)| waker.take()).collect();
            self.count.fetch_sub(wakers.len(), SeqCst);
            drop(tasks);
            self.changed.notify_all();
            // Foreign code, which may come back here.
            wakers.into_iter().for_each(Waker::wake);
        }
    }

    /// Waits until `ready` says so. It is asked again after each [`Waiters::wake`].
    pub(crate) fn wait(&self, mut ready: impl FnMut() -> bool) {
        if ready() {
            return;
        }
        self.count.fetch_add(1, SeqCst);
        let mut guard = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // Announced before asking again, so whoever changes something after this question sees the waiter
        // and, needing the lock, cannot notify before the wait has begun.
        while !ready() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        drop(guard);
        self.count.fetch_sub(1, SeqCst);
    }

    /// Whether it is `ready`; if not, the task is woken at the next [`Waiters::wake`].
    pub(crate) fn poll(
        &self,
        place: &mut Place,
        task: &mut Context<'_>,
        mut ready: impl FnMut() -> bool,
    ) -> Poll<()> {
        if !ready() {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let index = *place.0.get_or_insert_with(|| tasks.insert(None));
            let before = tasks[index].replace(task.waker().clone());
            if before.is_none() {
                self.count.fetch_add(1, SeqCst);
            }
            drop(tasks);
            drop(before);
            // Announced before asking again, as above.
            if !ready() {
                return Poll::Pending;
            }
        }
        self.leave(place);
        Poll::Ready(())
    }

    /// Forgets a task, which no longer waits.
    pub(crate) fn leave(&self, place: &mut Place) {
        let Some(index) = place.0.take() else { return };
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        let waker = tasks.remove(index);
        if waker.is_some() {
            self.count.fetch_sub(1, SeqCst);
        }
        drop(tasks);
        drop(waker);
    }
}
