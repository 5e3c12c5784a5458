//! A stop that more than one may wait for: whoever asks for it while it is under way is told when it is over.

use super::task::{MayWait, in_handler};
use futures_channel::oneshot;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use upcall_flow::Workers;

/// Where the others wait.
pub(super) struct Stopping(Mutex<Option<Waiting>>);

struct Waiting {
    /// Of the flow that is being stopped.
    workers: Workers,
    /// They hear of it when these are dropped.
    others: Vec<oneshot::Sender<Infallible>>,
}

/// The stop is over when this is dropped, however it went.
pub(super) struct Stops(Arc<Stopping>);

impl Stopping {
    pub(super) fn new(workers: Workers) -> (Arc<Stopping>, Stops) {
        let stopping = Arc::new(Stopping(Mutex::new(Some(Waiting { workers, others: Vec::new() }))));
        (stopping.clone(), Stops(stopping))
    }

    /// Until it is over.
    pub(super) fn over(self: &Arc<Self>) -> impl Future<Output = ()> + Send + use<> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let over = waiting.as_mut().map(|Waiting { others, .. }| {
            // Of tasks that were released meanwhile.
            others.retain(|other| !other.is_canceled());
            let (other, over) = oneshot::channel();
            others.push(other);
            over
        });
        async {
            if let Some(over) = over {
                let _ = over.await;
            }
        }
    }

    /// Refuses the flow's own workers to wait for it.
    pub(super) fn may_wait(self: &Arc<Self>, what: &'static str) -> MayWait {
        let stopping = self.clone();
        Box::new(move || {
            let waiting = stopping.0.lock().unwrap_or_else(PoisonError::into_inner);
            let here = waiting.as_ref().is_some_and(|waiting| waiting.workers.are_here());
            if here { Err(in_handler(what)) } else { Ok(()) }
        })
    }
}

impl Drop for Stops {
    fn drop(&mut self) {
        let waiting = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Wakes them, without the lock.
        drop(waiting);
    }
}
