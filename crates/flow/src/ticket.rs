//! A put returns a ticket; the owner of the key turns it into a version.

use crate::inbox::{Answer, Message};
use crate::shared::Shared;
use crate::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// A version that is being assigned. Dropping it forgets it; the put goes on.
#[derive(Clone)]
pub struct Ticket {
    pub(crate) cell: Arc<AtomicU64>,
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
    Ticket(Arc<AtomicU64>),
    /// A handler on a worker, which emitted the item under this number.
    Handler { worker: usize, handler: usize, id: u64 },
}

impl Asker {
    /// Tells what the owner has decided: the version, or the one that was found instead.
    pub(crate) fn tell(&self, decided: Result<u64, u64>, told: &mut Told) {
        match self {
            Asker::Ticket(cell) => {
                told.waiters |= decide(cell, decided.unwrap_or_else(|found| found | REFUSED));
            }
            &Asker::Handler { worker, handler, id } => {
                let answer = decided.map_or_else(|found| Answer::Conflict { found }, |_| Answer::Accepted);
                told.answers.push((worker, handler, id, answer));
            }
        }
    }
}

/// What has been decided of the claims of one parcel, and has to be said.
#[derive(Default)]
pub(crate) struct Told {
    /// Whether somebody waits for a ticket.
    waiters: bool,
    /// By worker and handler: what a parcel claims is asked by one.
    answers: Vec<(usize, usize, u64, Answer)>,
}

impl Told {
    pub(crate) fn say(self, shared: &Shared) {
        if self.waiters {
            shared.tickets.wake();
        }
        for of in self.answers.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
            let (worker, handler) = (of[0].0, of[0].1);
            let answers = of.iter().map(|(_, _, id, answer)| (*id, *answer)).collect();
            shared.inboxes[worker].send(Message::Answers { handler, answers });
        }
    }
}

/// Decides a ticket. Returns whether somebody waits for it.
fn decide(cell: &AtomicU64, to: u64) -> bool {
    cell.swap(to, SeqCst) == AWAITED
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
        // Said before looking, so that whoever decides it later knows that somebody is to be woken.
        let decided = || !matches!(cell.load(SeqCst), PENDING | AWAITED);
        let _ = cell.compare_exchange(PENDING, AWAITED, SeqCst, SeqCst);
        shared.tickets.wait(|| decided() || shared.stopped());
        match cell.load(SeqCst) {
            PENDING | AWAITED => Err(shared.why_stopped()),
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

/// The version of a key, for messages.
pub(crate) fn at(version: u64) -> String {
    if version == 0 { "no version".to_owned() } else { format!("version {version}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_ticket_that_somebody_waits_for_asks_for_a_wake() {
        assert!(!decide(&AtomicU64::new(PENDING), 1));
        assert!(!decide(&AtomicU64::new(PENDING), 1 | REFUSED));
        assert!(decide(&AtomicU64::new(AWAITED), 1));
        assert!(decide(&AtomicU64::new(AWAITED), 1 | REFUSED));
    }
}
