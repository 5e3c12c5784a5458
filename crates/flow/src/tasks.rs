//! What a task awaits where a thread would wait.

use crate::inbox::Message;
use crate::shared::Shared;
use crate::waiters::{Place, Waiters};
use crate::{Error, ErrorKind};
use std::pin::Pin;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};

/// Ends when `ready` says so, or when the flow stops.
struct Until<R> {
    shared: Arc<Shared>,
    of: fn(&Shared) -> &Waiters,
    place: Place,
    ready: R,
}

impl<R: FnMut(&Shared) -> bool + Unpin> Future for Until<R> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        let Until { shared, of, place, ready } = &mut *self;
        of(shared).poll(place, task, || ready(shared) || shared.stopped())
    }
}

impl<R> Drop for Until<R> {
    fn drop(&mut self) {
        (self.of)(&self.shared).leave(&mut self.place);
    }
}

async fn until<R>(shared: &Arc<Shared>, of: fn(&Shared) -> &Waiters, ready: R) -> Result<(), Error>
where
    R: FnMut(&Shared) -> bool + Unpin,
{
    Until { shared: shared.clone(), of, place: Place::default(), ready }.await;
    if shared.stopped() { Err(shared.why_stopped()) } else { Ok(()) }
}

/// Until an object may come in from outside.
pub(crate) async fn credit(shared: Arc<Shared>) -> Result<(), Error> {
    until(&shared, |shared| &shared.in_flight.waiters, |shared| shared.in_flight.open()).await
}

/// Until nothing is in flight.
pub(crate) async fn settled(shared: &Arc<Shared>) -> Result<(), Error> {
    while !shared.stopped() && shared.count_all() > 0 {
        until(shared, |shared| &shared.in_flight.waiters, |shared| shared.in_flight.idle()).await?;
    }
    if shared.stopped() { Err(shared.why_stopped()) } else { Ok(()) }
}

/// Until every handler knows that its input has ended, and nothing is in flight.
pub(crate) async fn drained(shared: Arc<Shared>) -> Result<(), Error> {
    // One at a time: a handler remembers one FLUSH that is to come.
    let mut has_turn = false;
    let turn = |shared: &Shared| {
        has_turn = !shared.draining.swap(true, SeqCst);
        has_turn
    };
    let waited = until(&shared, |shared| &shared.drainers, turn).await;
    let _turn = has_turn.then(|| Turn(shared.clone()));
    waited?;
    settled(&shared).await?;
    let plan = &shared.plan;
    let mut order: Vec<usize> = (0..plan.handlers.len()).collect();
    order.sort_by_key(|handler| plan.handlers[*handler].rank);
    let mut end = Ok(());
    for handler in order {
        for inbox in &shared.inboxes[plan.handlers[handler].workers().all()] {
            shared.in_flight.add(1, 0);
            inbox.send(Message::Flush { handler });
        }
        end = settled(&shared).await;
        if end.is_err() {
            break;
        }
    }
    let mut failures = shared.flush_failures.lock().unwrap_or_else(PoisonError::into_inner);
    let mut failures = failures.drain(..);
    let told = end.and_then(|()| match failures.next() {
        Some(first) => Err(Error::new(ErrorKind::Flush, first)),
        None => Ok(()),
    });
    // Each failure is told once: one is the error, the others are logged.
    failures.for_each(|failure| tracing::error!(target: "upcall::flow", "{failure}"));
    told
}

/// The turn to drain a flow, given to the next when it is dropped.
struct Turn(Arc<Shared>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.draining.store(false, SeqCst);
        self.0.drainers.wake();
    }
}
