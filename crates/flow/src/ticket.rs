//! A put returns a ticket; the owner of the key turns it into a version.

use crate::inbox::{Answer, Message};
use crate::shared::Shared;
use crate::waiters::{Place, Waiters};
use crate::watch::Line;
use crate::{Error, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::task::{Context, Poll};

/// A version that is being assigned. Dropping it forgets it; the put goes on. A thread calls [`Ticket::wait`], a task
/// awaits the ticket. Each clone may be awaited.
#[derive(Clone)]
pub struct Ticket {
    pub(crate) cell: Arc<Cell>,
    pub(crate) shared: Arc<Shared>,
    /// Of a put on condition.
    pub(crate) condition: Option<Arc<Condition>>,
}

/// What a put on condition is about, for the message of a conflict.
pub(crate) struct Condition {
    pub(crate) pool: u32,
    pub(crate) key: Box<[u8]>,
    pub(crate) expect: u64,
}

const PENDING: u64 = 0;
/// As [`PENDING`], and somebody waits for it.
const AWAITED: u64 = u64::MAX;
/// Set in a cell whose put was refused; the rest is the version that was found instead.
const REFUSED: u64 = 1 << 63;

/// What is decided of a put, and who is to be told.
#[derive(Default)]
pub(crate) struct Cell {
    state: AtomicU64,
    /// Woken when it is decided.
    tasks: Waiters,
}

/// What is special about one item of a parcel: somebody waits for its version, it has a condition, or it removes its
/// key.
pub(crate) struct Claim {
    pub(crate) index: usize,
    pub(crate) asker: Asker,
    /// The version that must be the newest of its key, 0 for none.
    pub(crate) expect: Option<u64>,
    pub(crate) remove: bool,
}

/// Who is told what has become of a claim.
pub(crate) enum Asker {
    /// Whoever holds the ticket.
    Ticket(Arc<Cell>),
    /// A handler on a worker, which emitted the item under this number.
    Handler { worker: usize, handler: usize, id: u64 },
}

impl Asker {
    /// Tells what the owner has decided: the version, or the one that was found instead.
    pub(crate) fn tell(self, decided: Result<u64, u64>, told: &mut Told) {
        match self {
            Asker::Ticket(cell) => {
                if cell.decide(decided.unwrap_or_else(|found| found | REFUSED)) {
                    told.tickets.push(cell);
                }
            }
            Asker::Handler { worker, handler, id } => {
                let answer = decided.map_or_else(|found| Answer::Conflict { found }, |_| Answer::Accepted);
                told.answers.push((worker, handler, id, answer));
            }
        }
    }
}

/// What one parcel has come to, and has to be said.
#[derive(Default)]
pub(crate) struct Told {
    /// Tickets that somebody waits for.
    tickets: Vec<Arc<Cell>>,
    /// Watches with a task that waits for an event.
    pub(crate) watchers: Vec<Arc<Line>>,
    /// By worker and handler: what a parcel claims is asked by one.
    answers: Vec<(usize, usize, u64, Answer)>,
}

impl Told {
    pub(crate) fn say(self, shared: &Shared) {
        if !self.tickets.is_empty() {
            shared.tickets.wake();
            self.tickets.iter().for_each(|cell| cell.tasks.wake());
        }
        self.watchers.iter().for_each(|line| line.wake());
        for of in self.answers.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
            let (worker, handler) = (of[0].0, of[0].1);
            let answers = of.iter().map(|(_, _, id, answer)| (*id, *answer)).collect();
            shared.inboxes[worker].send(Message::Answers { handler, answers });
        }
    }
}

impl Cell {
    /// Decides it. Returns whether somebody waits for it.
    fn decide(&self, to: u64) -> bool {
        self.state.swap(to, SeqCst) == AWAITED
    }

    fn is_decided(&self) -> bool {
        !matches!(self.state.load(SeqCst), PENDING | AWAITED)
    }

    /// Called before looking, so that whoever decides it later knows that somebody is to be told.
    fn awaited(&self) {
        let _ = self.state.compare_exchange(PENDING, AWAITED, SeqCst, SeqCst);
    }
}

impl Ticket {
    /// The version, as soon as the owner of the key has assigned it; then the object is stored.
    ///
    /// # Errors
    ///
    /// Of kind [`ErrorKind::Conflict`] when [`crate::PoolHandle::put_if`] found another version; the failure that stopped the
    /// flow before, or [`ErrorKind::Stopped`]; of kind [`ErrorKind::InHandler`] on a worker of the same flow.
    pub fn wait(&self) -> Result<u64, Error> {
        let Ticket { cell, shared, .. } = self;
        shared.refuse_in_handler("wait for a ticket", "`emit`")?;
        cell.awaited();
        shared.tickets.wait(|| cell.is_decided() || shared.stopped());
        self.decided()
    }

    /// What was decided, or why nothing will be.
    fn decided(&self) -> Result<u64, Error> {
        match self.cell.state.load(SeqCst) {
            PENDING | AWAITED => Err(self.shared.why_stopped()),
            found if found & REFUSED != 0 => Err(self.conflict(found & !REFUSED)),
            version => Ok(version),
        }
    }

    #[cold]
    fn conflict(&self, found: u64) -> Error {
        let what = self.condition.as_ref().map_or("put_if".to_owned(), |of| {
            let (key, pool) =
                (String::from_utf8_lossy(&of.key), &self.shared.plan.pools[of.pool as usize].path);
            format!("put_if {key} into pool {pool} if it had {}", at(of.expect))
        });
        let message = format!("{what}: it has {} now; read the key again and retry", at(found));
        Error::new(ErrorKind::Conflict, message)
    }
}

/// What a [`Ticket`] that is awaited is.
#[must_use = "a future does nothing unless it is awaited"]
pub struct Version {
    ticket: Ticket,
    /// Among those that are woken when it is decided.
    decided: Place,
    /// Among those that are woken when the flow stops.
    stopped: Place,
}

impl IntoFuture for Ticket {
    type Output = Result<u64, Error>;
    type IntoFuture = Version;

    /// As [`Ticket::wait`], for a task; it may be awaited in a handler of the same flow that answers later, as no worker
    /// waits.
    fn into_future(self) -> Version {
        Version { ticket: self, decided: Place::default(), stopped: Place::default() }
    }
}

impl Future for Version {
    type Output = Result<u64, Error>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let Version { ticket, decided, stopped } = &mut *self;
        let Ticket { cell, shared, .. } = ticket;
        cell.awaited();
        let ready = || cell.is_decided() || shared.stopped();
        if cell.tasks.poll(decided, task, ready).is_pending()
            && shared.stops.poll(stopped, task, ready).is_pending()
        {
            return Poll::Pending;
        }
        Poll::Ready(ticket.decided())
    }
}

impl Drop for Version {
    fn drop(&mut self) {
        let Version { ticket, decided, stopped } = self;
        ticket.cell.tasks.leave(decided);
        ticket.shared.stops.leave(stopped);
    }
}

/// The version of a key, for messages.
pub(crate) fn at(version: u64) -> String {
    if version == 0 { "no version".to_owned() } else { format!("version {version}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(state: u64) -> Cell {
        Cell { state: AtomicU64::new(state), ..Cell::default() }
    }

    #[test]
    fn only_a_ticket_that_somebody_waits_for_asks_for_a_wake() {
        assert!(!cell(PENDING).decide(1));
        assert!(!cell(PENDING).decide(1 | REFUSED));
        assert!(cell(AWAITED).decide(1));
        assert!(cell(AWAITED).decide(1 | REFUSED));
    }
}
