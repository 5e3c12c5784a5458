//! A stop that more than one may wait for: whoever asks for it while it is under way is told when it is over.

use super::task::MayWait;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, Waker};
use upcall_flow::Workers;

/// Where the others wait.
pub(super) struct Stopping(Mutex<Option<Waiting>>);

struct Waiting {
    /// Of the flow that is being stopped.
    workers: Workers,
    wakers: Vec<Waker>,
}

/// The stop is over when this is dropped, however it went.
pub(super) struct Stops(Arc<Stopping>);

impl Stopping {
    pub(super) fn new(workers: Workers) -> (Arc<Stopping>, Stops) {
        let stopping = Arc::new(Stopping(Mutex::new(Some(Waiting { workers, wakers: Vec::new() }))));
        (stopping.clone(), Stops(stopping))
    }

    /// Until it is over.
    pub(super) fn over(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<> {
        let stopping = self.clone();
        poll_fn(move |context| {
            let mut waiting = stopping.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(Waiting { wakers, .. }) = &mut *waiting else { return Poll::Ready(()) };
            wakers.push(context.waker().clone());
            Poll::Pending
        })
    }

    /// Whether a thread may wait for it: the flow's own workers may not.
    pub(super) fn may_wait(self: &Arc<Self>) -> MayWait {
        let stopping = self.clone();
        Box::new(move || {
            let waiting = stopping.0.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.as_ref().is_none_or(|waiting| !waiting.workers.are_here())
        })
    }
}

impl Drop for Stops {
    fn drop(&mut self) {
        let waiting = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        waiting.into_iter().flat_map(|waiting| waiting.wakers).for_each(Waker::wake);
    }
}
